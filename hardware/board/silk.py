"""The print on a board, read from the Gerber file that a factory prints it from: strokes with their width, in mm."""

from __future__ import annotations

import re
from math import atan2, ceil, cos, hypot, pi, sin, tau
from pathlib import Path
from typing import NamedTuple

from hardware.board.plan import Plan, Point

MICRO = 1e-6  # of a coordinate, FSLAX46
STEP = tau / 48  # of an arc


class Stroke(NamedTuple):
    """A line of print through points, y downwards from the upper left corner of the board."""

    points: tuple[Point, ...]
    width: float


def print_of(plan: Plan, folder: Path) -> list[Stroke]:
    """Return the print on the upper side of a board, from its Gerber files in `folder`. Raises OSError."""
    return strokes((folder / "gerber" / f"{plan.name}-F_Silkscreen.gbr").read_text(encoding="utf-8"))


def strokes(gerber: str) -> list[Stroke]:
    """Return the strokes of a Gerber file of print, until it takes away what is over pads.

    >>> strokes("%ADD10C,0.150000*%\\nD10*\\nX1000000Y-2000000D02*\\nX3000000Y-2000000D01*\\n")
    [Stroke(points=((1.0, 2.0), (3.0, 2.0)), width=0.15)]
    """
    made, _, _ = gerber.partition("%LPC*%")
    wide = {name: float(mm) for name, mm in re.findall(r"%ADD(\d+)C,([\d.]+)\*%", made)}
    found: list[Stroke] = []
    here, width, turn = (0.0, 0.0), 0.0, 0
    for line in made.splitlines():
        if known := re.fullmatch(r"G0([123])\*", line):
            turn = {"1": 0, "2": -1, "3": 1}[known[1]]
        elif (known := re.fullmatch(r"D(\d+)\*", line)) and known[1] in wide:
            width = wide[known[1]]
        elif known := re.fullmatch(r"X(-?\d+)Y(-?\d+)(?:I(-?\d+)J(-?\d+))?D0([12])\*", line):
            there = (int(known[1]) * MICRO, int(known[2]) * MICRO)
            if known[5] == "1":
                way = [here, there]
                if turn and known[3]:
                    way = _arc(here, there, (here[0] + int(known[3]) * MICRO, here[1] + int(known[4]) * MICRO), turn)
                found.append(Stroke(tuple((round(x, 4), round(-y, 4)) for x, y in way), width))
            here = there
    return found


def _arc(start: Point, end: Point, middle: Point, turn: int) -> list[Point]:
    """Return points along an arc, counter-clockwise if `turn` is 1."""
    radius = hypot(start[0] - middle[0], start[1] - middle[1])
    first, last = (atan2(y - middle[1], x - middle[0]) for x, y in (start, end))
    span = (last - first) * turn % tau or 2 * pi
    steps = ceil(span / STEP)
    angles = [first + turn * span * step / steps for step in range(steps + 1)]
    return [(middle[0] + radius * cos(angle), middle[1] + radius * sin(angle)) for angle in angles]
