"""Simple solids in mm, and named pieces of an assembly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from build123d import Face, Plane, Solid, Vector, Wire, extrude

Corner = tuple[float, float, float]
Point = tuple[float, float]
Colour = tuple[int, int, int]
UP = (0.0, 0.0, 1.0)
FINE_MM, TURN = 0.013, 0.5  # how far triangles leave a curve, and the largest turn from one to the next, in radians
BEYOND = 1.0  # what is cut off reaches so far beyond what it is cut from


@dataclass(frozen=True)
class Piece:
    """A part in its place, its colour, and how far it goes up when the whole is drawn apart, in mm."""

    name: str
    colour: Colour
    solid: Any
    up: float = 0.0

    @cached_property
    def triangles(self) -> tuple[Any, Any]:
        """Return the corners of its triangles, each once, and the three numbers of each triangle."""
        found, order = self.solid.tessellate(FINE_MM, TURN)
        places = np.array([(corner.X, corner.Y, corner.Z) for corner in found])
        _, first, same = np.unique(np.round(places, 5), axis=0, return_index=True, return_inverse=True)
        return places[first], same.reshape(-1)[np.array(order)]


def box(low: Corner, high: Corner) -> Any:
    """Return a box from its lowest to its highest corner."""
    return Solid.make_box(*(top - foot for foot, top in zip(low, high, strict=True)), Plane(origin=low))


def rod(at: Point, across: float, low: float, high: float) -> Any:
    """Return an upright round rod."""
    return bar((*at, low), (*at, high), across)


def bar(start: Corner, end: Corner, across: float, across_end: float | None = None) -> Any:
    """Return a straight round bar between two points, or a cone."""
    way = Vector(*end) - Vector(*start)
    plane = Plane(origin=start, z_dir=way)
    if across_end is None or across_end == across:
        return Solid.make_cylinder(across / 2, way.length, plane)
    return Solid.make_cone(across / 2, across_end / 2, way.length, plane)


def bars(points: Sequence[Corner], across: float) -> list[Any]:
    """Return a wire through points."""
    return [bar(start, end, across) for start, end in pairwise(points)]


def polygon(points: Sequence[Point]) -> Any:
    """Return the outline of a plane figure."""
    return Wire.make_polygon([Vector(x, y, 0) for x, y in points])


def circle(centre: Point, diameter: float) -> Any:
    """Return a circle in the plane of the figures."""
    return Wire.make_circle(diameter / 2, Plane(origin=(*centre, 0)))


def plate(outline: Any, holes: Sequence[Any], thick: float, low: float = 0.0) -> Any:
    """Return a flat piece with holes, its lower face at `low`."""
    return extrude(Face(outline, list(holes)), amount=thick, dir=UP).moved(Plane(origin=(0, 0, low)).location)


def upright(points: Sequence[Point], low: float, high: float) -> Any:
    """Return a flat piece that stands: its outline in x and z, from y to y."""
    outline = Wire.make_polygon([Vector(x, low, z) for x, z in points])
    return extrude(Face(outline), amount=high - low, dir=(0, 1, 0))


def nut(at: Point, across_corners: float, low: float, high: float) -> Any:
    """Return an upright rod with six sides."""
    from math import cos, pi, sin

    turns = [pi / 3 * side for side in range(6)]
    corners = [(at[0] + across_corners / 2 * cos(turn), at[1] + across_corners / 2 * sin(turn)) for turn in turns]
    return plate(polygon(corners), (), high - low, low)
