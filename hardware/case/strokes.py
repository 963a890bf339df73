"""Strokes to engrave: the seats' marks, arrows and a few letters, 1 mm in size, around (0, 0)."""

from __future__ import annotations

from math import cos, pi, sin

from hardware.case.shapes import Point

Stroke = tuple[Point, ...]


def _ring(radius: float) -> Stroke:
    turns = [2 * pi * step / 24 for step in range(25)]
    return tuple((radius * cos(turn), radius * sin(turn)) for turn in turns)


NESTED = (1.0, 0.84, 0.68, 0.52, 0.36, 0.2)  # what is full on the panel is filled by strokes within each other
TRIANGLE, DIAMOND, SQUARE = (
    ((-0.5, -0.37), (0.5, -0.37), (0.0, 0.63), (-0.5, -0.37)),
    ((-0.5, 0.0), (0.0, -0.5), (0.5, 0.0), (0.0, 0.5), (-0.5, 0.0)),
    ((-0.45, -0.45), (0.45, -0.45), (0.45, 0.45), (-0.45, 0.45), (-0.45, -0.45)),
)


def _nested(stroke: Stroke) -> tuple[Stroke, ...]:
    return tuple(tuple((share * x, share * y) for x, y in stroke) for share in NESTED)


MARKS: dict[str, tuple[Stroke, ...]] = {  # by umpi.display.marks.SHAPES, and the arrows of two keys
    "disc": _nested(_ring(0.5)),
    "square": _nested(SQUARE),
    "triangle": _nested(TRIANGLE),
    "diamond": _nested(DIAMOND),
    "ring": (_ring(0.5), _ring(0.42)),
    "cross": (((-0.45, -0.45), (0.45, 0.45)), ((-0.45, 0.45), (0.45, -0.45))),
    "up": (((-0.5, -0.4), (0.5, -0.4), (0.0, 0.5), (-0.5, -0.4)),),
    "down": (((-0.5, 0.4), (0.5, 0.4), (0.0, -0.5), (-0.5, 0.4)),),
}  # fmt: skip

LETTERS: dict[str, tuple[Stroke, ...]] = {  # 0.6 wide, 1 high, from the lower left
    "A": (((0, 0), (0.3, 1), (0.6, 0)), ((0.12, 0.4), (0.48, 0.4))),
    "B": (((0, 0), (0, 1), (0.4, 1), (0.55, 0.88), (0.55, 0.65), (0.4, 0.53), (0, 0.53)),
          ((0.4, 0.53), (0.6, 0.4), (0.6, 0.13), (0.45, 0), (0, 0))),
    "C": (((0.6, 0.85), (0.45, 1), (0.15, 1), (0, 0.8), (0, 0.2), (0.15, 0), (0.45, 0), (0.6, 0.15)),),
    "K": (((0, 0), (0, 1)), ((0.6, 1), (0, 0.4)), ((0.2, 0.6), (0.6, 0))),
    "O": (((0.15, 0), (0.45, 0), (0.6, 0.2), (0.6, 0.8), (0.45, 1), (0.15, 1), (0, 0.8), (0, 0.2), (0.15, 0)),),
}  # fmt: skip
ADVANCE = 0.85


def mark(name: str, centre: Point, size: float) -> tuple[Stroke, ...]:
    """Draw a mark, so many mm wide."""
    return _placed(MARKS[name], centre, size)


def lettered(word: str, centre: Point, height: float) -> tuple[Stroke, ...]:
    """Write a word of capitals, its middle at `centre`. Raises KeyError where there is no such letter."""
    wide = (len(word) - 1) * ADVANCE + 0.6
    strokes: tuple[Stroke, ...] = ()
    for index, letter in enumerate(word):
        corner = (centre[0] + (index * ADVANCE - wide / 2) * height, centre[1] - height / 2)
        strokes += _placed(LETTERS[letter], corner, height)
    return strokes


def _placed(strokes: tuple[Stroke, ...], at: Point, size: float) -> tuple[Stroke, ...]:
    return tuple(tuple((at[0] + x * size, at[1] + y * size) for x, y in stroke) for stroke in strokes)
