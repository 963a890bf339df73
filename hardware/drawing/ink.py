"""Convert drawings to ink: a measure becomes lines, arrow heads and words, in mm on paper."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hardware.drawing.letters import CAPITAL, width_mm
from hardware.drawing.sheet import Align, Circle, Dim, Line, Note, Point, Sheet, Text

ARROW_MM = 2.5
DIM_TEXT_MM = 2.5
GAP_MM = 1.0  # between the thing and the line that leads to its measure; and beyond the measure's line
LEADING = 1.6  # from line to line, in heights of a capital


@dataclass(frozen=True, slots=True)
class Stroke:
    """Lines, drawn with the pen of a layer."""

    points: tuple[Point, ...]
    closed: bool
    layer: str


@dataclass(frozen=True, slots=True)
class Ring:
    """A circle, drawn with the pen of a layer."""

    centre: Point
    radius: float
    layer: str


@dataclass(frozen=True, slots=True)
class Fill:
    """A black shape: an arrow head, a field of the check bar."""

    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Letters:
    """One line of words, `height_mm` high."""

    at: Point
    text: str
    height_mm: float
    align: Align = "left"
    turned_deg: float = 0
    bold: bool = False

    @property
    def size_mm(self) -> float:
        """Return the font size of the letters."""
        return self.height_mm / CAPITAL

    @property
    def corners(self) -> list[Point]:
        """Return the four corners of the area that the words cover, including descenders."""
        long = width_mm(self.text, self.height_mm, self.bold)
        left = {"left": 0.0, "centre": -long / 2, "right": -long}[self.align]
        across = (math.cos(math.radians(self.turned_deg)), math.sin(math.radians(self.turned_deg)))
        return [
            (self.at[0] + x * across[0] - y * across[1], self.at[1] + x * across[1] + y * across[0])
            for x in (left, left + long)
            for y in (-0.3 * self.height_mm, self.height_mm)
        ]


Ink = Stroke | Ring | Fill | Letters
Box = tuple[float, float, float, float]  # left, bottom, right, top


def inked(sheet: Sheet) -> list[Ink]:
    """Convert a sheet to ink; its origin remains at (0, 0)."""
    ratio = sheet.ratio
    return [ink for item in sheet.items for ink in _ink(item, ratio)]


def extent(inks: Iterable[Ink]) -> Box:
    """Find the smallest box around all ink; raises ValueError if there is none."""
    points: list[Point] = []
    for ink in inks:
        match ink:
            case Ring((x, y), radius):
                points += [(x - radius, y - radius), (x + radius, y + radius)]
            case Letters():
                points += ink.corners
            case Stroke() | Fill():
                points += ink.points
    if not points:
        raise ValueError("There is nothing on the sheet.")
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def lines_of(at: Point, text: str, height_mm: float, align: Align, turned_deg: float) -> Iterator[Letters]:
    """Set words line by line, the first at `at`, the others below it."""
    down = math.radians(turned_deg - 90)
    for row, line in enumerate(text.split("\n")):
        far = row * height_mm * LEADING
        where = (at[0] + far * math.cos(down), at[1] + far * math.sin(down))
        yield Letters(where, line, height_mm, align, turned_deg)


def _ink(item: Line | Circle | Text | Dim | Note, ratio: float) -> Iterator[Ink]:
    def on_paper(point: Point) -> Point:
        return point[0] * ratio, point[1] * ratio

    match item:
        case Line(points, closed, layer):
            yield Stroke(tuple(map(on_paper, points)), closed, layer)
        case Circle(centre, diameter, layer):
            (x, y), radius = on_paper(centre), diameter * ratio / 2
            yield Ring((x, y), radius, layer)
            if layer == "HOLE":
                arm = radius + 1.5
                yield Stroke(((x - arm, y), (x + arm, y)), False, "DIM")
                yield Stroke(((x, y - arm), (x, y + arm)), False, "DIM")
        case Text(at, text, height, align, turned):
            yield from lines_of(on_paper(at), text, height, align, turned)
        case Dim():
            yield from _dim(item, on_paper(item.a), on_paper(item.b))
        case Note(at, target, text, height):
            yield from _note(on_paper(at), on_paper(target), text, height)


def _dim(dim: Dim, a: Point, b: Point) -> Iterator[Ink]:
    (ux, uy), away = dim.way, math.copysign(1, dim.offset_mm)
    left = (-uy, ux)
    height_of_a = a[0] * left[0] + a[1] * left[1]
    height_of_b = b[0] * left[0] + b[1] * left[1]
    base = height_of_a + dim.offset_mm

    def foot(point: Point, height: float) -> Point:
        return point[0] + (base - height) * left[0], point[1] + (base - height) * left[1]

    p, q = foot(a, height_of_a), foot(b, height_of_b)
    for start, end, height in ((a, p, height_of_a), (b, q, height_of_b)):
        side = math.copysign(1, base - height)
        if abs(base - height) > GAP_MM:
            yield Stroke((_along(start, left, side * GAP_MM), _along(end, left, side * GAP_MM)), False, "DIM")
    long = math.hypot(q[0] - p[0], q[1] - p[1])
    inside = long >= 2 * ARROW_MM + 1
    tail = 0.0 if inside else 2 * ARROW_MM
    yield Stroke((_along(p, (ux, uy), -tail), _along(q, (ux, uy), tail)), False, "DIM")
    yield _arrow(p, (-ux, -uy) if inside else (ux, uy))
    yield _arrow(q, (ux, uy) if inside else (-ux, -uy))
    turned = math.degrees(math.atan2(uy, ux))
    flip = turned > 90.01 or turned <= -89.99  # words are read from below or from the right
    turned += (-180 if turned > 0 else 180) if flip else 0
    up = (-math.sin(math.radians(turned)), math.cos(math.radians(turned)))
    room = long if inside else 0
    if width_mm(dim.words, DIM_TEXT_MM) + 1 <= max(room, long if away else 0):
        middle = ((p[0] + q[0]) / 2, (p[1] + q[1]) / 2)
        yield Letters(_along(middle, up, 0.8), dim.words, DIM_TEXT_MM, "centre", turned)
    else:
        end = _along(_along(q, (ux, uy), tail + 1), up, -DIM_TEXT_MM / 2)
        yield Letters(end, dim.words, DIM_TEXT_MM, "right" if flip else "left", turned)


def _note(at: Point, target: Point, text: str, height: float) -> Iterator[Ink]:
    rightwards = at[0] >= target[0]
    elbow = (at[0] - (2 if rightwards else -2), at[1] + height / 2)
    way = (target[0] - elbow[0], target[1] - elbow[1])
    long = math.hypot(*way)
    yield Stroke((elbow, target), False, "DIM")
    yield Stroke((elbow, (at[0] - (0.8 if rightwards else -0.8), elbow[1])), False, "DIM")
    yield _arrow(target, (way[0] / long, way[1] / long))
    yield from lines_of(at, text, height, "left" if rightwards else "right", 0)


def _along(point: Point, way: Point, far: float) -> Point:
    return point[0] + way[0] * far, point[1] + way[1] * far


def _arrow(tip: Point, way: Point) -> Fill:
    back, side = _along(tip, way, -ARROW_MM), (-way[1], way[0])
    return Fill((tip, _along(back, side, ARROW_MM / 6), _along(back, side, -ARROW_MM / 6)))
