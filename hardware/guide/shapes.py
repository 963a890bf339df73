"""Simple solids for the pictures of the guide, each with a name and a colour."""

from __future__ import annotations

from itertools import pairwise
from math import cos, hypot, pi, sin

from hardware.case.assembly import Piece
from hardware.gate.mesh import Corner, Mesh
from hardware.gate.picture import Colour, Lay, box

RED: Colour = (206, 62, 56)
ORANGE: Colour = (236, 142, 40)
BLUE: Colour = (62, 104, 190)
GREEN: Colour = (74, 156, 92)
DARK: Colour = (62, 64, 70)
METAL: Colour = (150, 154, 162)
CREAM: Colour = (236, 232, 220)


def block(name: str, colour: Colour, low: Corner, high: Corner, lay: Lay | None = None) -> Piece:
    """Return a box from its lowest to its highest corner."""
    return placed(name, colour, box(low, high), lay)


def placed(name: str, colour: Colour, mesh: Mesh, lay: Lay | None = None) -> Piece:
    """Return a mesh as a piece, moved by `lay`."""
    if lay:
        mesh = Mesh(tuple((lay(a), lay(b), lay(c)) for a, b, c in mesh.triangles))
    return Piece(name, colour, mesh, 0.0)


def bar(name: str, colour: Colour, start: Corner, end: Corner, across: float, sides: int = 16) -> Piece:
    """Return a straight wire or rod between two points, without its ends."""
    along = [q - p for p, q in zip(start, end, strict=True)]
    long = hypot(*along)
    unit = [each / long for each in along]
    other = (0.0, 0.0, 1.0) if abs(unit[2]) < 0.9 else (1.0, 0.0, 0.0)
    u = _cross(unit, other)
    u = [each / hypot(*u) for each in u]
    v = _cross(unit, u)
    half, triangles = across / 2, []
    rings = [
        [tuple(at + half * (cos(turn) * a + sin(turn) * b) for at, a, b in zip(point, u, v, strict=True))
         for turn in (2 * pi * side / sides for side in range(sides))]
        for point in (start, end)
    ]  # fmt: skip
    for side in range(sides):
        (a, b), (c, d) = ((ring[side], ring[(side + 1) % sides]) for ring in rings)
        triangles += [(a, b, d), (a, d, c)]
    return Piece(name, colour, Mesh(tuple(triangles)), 0.0)  # type: ignore[arg-type]


def line(name: str, colour: Colour, points: list[Corner], across: float) -> list[Piece]:
    """Return a wire through points."""
    return [bar(name, colour, start, end, across) for start, end in pairwise(points)]


def _cross(a: list[float] | tuple[float, ...], b: list[float] | tuple[float, ...]) -> list[float]:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
