"""Plane figures of panels, in mm: outlines with fingers, holes, openings, engraved strokes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, sin
from typing import NamedTuple

Point = tuple[float, float]


class Hole(NamedTuple):
    """A round hole."""

    centre: Point
    diameter: float

    def contour(self, grow: float = 0) -> list[Point]:
        """Return its edge as a polygon of 48 sides, counter-clockwise, `grow` wider all round."""
        (x, y), radius = self.centre, self.diameter / 2 + grow
        turns = [2 * pi * step / 48 for step in range(48)]
        return [(x + radius * cos(turn), y + radius * sin(turn)) for turn in turns]


class Opening(NamedTuple):
    """A rectangular hole."""

    left: float
    low: float
    right: float
    top: float

    def contour(self, grow: float = 0) -> list[Point]:
        """Return its edge, counter-clockwise, `grow` wider all round."""
        left, low, right, top = self.left - grow, self.low - grow, self.right + grow, self.top + grow
        return [(left, low), (right, low), (right, top), (left, top)]

    def meets(self, other: Opening) -> bool:
        """Return whether both overlap."""
        across = self.left < other.right and other.left < self.right
        return across and self.low < other.top and other.low < self.top

    def around(self, other: Opening) -> Opening:
        """Return the smallest one that contains both."""
        left, low = min(self.left, other.left), min(self.low, other.low)
        return Opening(left, low, max(self.right, other.right), max(self.top, other.top))


Cut = Hole | Opening


@dataclass(frozen=True, slots=True)
class Panel:
    """A piece of sheet: `size` is its outer box, which not every finger reaches; `strokes` are engraved."""

    name: str
    size: Point
    outline: tuple[Point, ...]  # counter-clockwise
    cuts: tuple[Cut, ...] = ()
    strokes: tuple[tuple[Point, ...], ...] = ()

    def has(self, point: Point) -> bool:
        """Return whether there is material at a point."""
        return inside(point, self.outline) and not any(inside(point, cut.contour()) for cut in self.cuts)


def fingered(size: Point, sheet: float, finger: float, corners: bool, along: bool, up: bool) -> tuple[Point, ...]:
    """Draw an outline with fingers, counter-clockwise from its lower left.

    `along` and `up` say whether the lower and upper, and whether the left and right edges begin and end with a finger
    of this panel's own; `corners` whether the four corners are its own.
    """
    width, height = size
    sides: list[tuple[float, bool, Callable[[float, float], Point]]] = [
        (width, along, lambda way, deep: (way, deep)),
        (height, up, lambda way, deep: (width - deep, way)),
        (width, along, lambda way, deep: (width - way, height - deep)),
        (height, up, lambda way, deep: (deep, height - way)),
    ]
    points: list[Point] = []
    for length, own, at in sides:
        rest = was = 0.0 if corners else sheet
        points.append(at(0, 0) if corners else at(sheet, sheet))
        count = fingers(length - 2 * sheet, finger)
        for index in range(count + 1):
            now = rest if index == count else 0.0 if (index % 2 == 0) == own else sheet
            way = sheet + index * (length - 2 * sheet) / count
            if now != was:
                points += [at(way, was), at(way, now)]
            was = now
    points = [point for index, point in enumerate(points) if point != points[index - 1]]
    around = zip([points[-1], *points], points, [*points[1:], points[0]], strict=False)
    return tuple(point for before, point, after in around if abs(_left(before, point, after)) > 1e-9)


def fingers(length: float, finger: float) -> int:
    """Return the number of fingers of an edge. It is odd, so that both ends are alike."""
    return 2 * round((length / finger - 1) / 2) + 1


def grown(outline: Sequence[Point], by: float) -> list[Point]:
    """Move each edge of a counter-clockwise outline outwards, so that the laser's kerf takes nothing of the panel."""
    count = len(outline)
    edges = []
    for (x, y), (to_x, to_y) in zip(outline, (*outline[1:], outline[0]), strict=True):
        long = hypot(to_x - x, to_y - y)
        edges.append(((to_x - x) / long, (to_y - y) / long))
    moved = []
    for index in range(count):
        (ax, ay), (bx, by_) = edges[index - 1], edges[index]
        share = 1 + ax * bx + ay * by_  # of both edges' normals
        x, y = outline[index]
        moved.append((x + by * (ay + by_) / share, y - by * (ax + bx) / share))
    return moved


def inside(point: Point, outline: Sequence[Point]) -> bool:
    """Return whether a point is in a polygon."""
    x, y = point
    odd = False
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            odd = not odd
    return odd


def closed(points: Sequence[Point]) -> tuple[Point, ...]:
    """Return a stroke that ends where it begins."""
    return (*points, points[0])


def _left(a: Point, b: Point, point: Point) -> float:
    return (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])
