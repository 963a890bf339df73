"""A board as solids, for CAD programs: the board with the holes of legs and screws, and each part by its name.

KiCad 6's own exporter, kicad2step, writes its file but does not end where there is no desktop. Without KiCad's models
of 5.5 GB, the file has only the bare board.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hardware.board.bodies import Body, bodies, colour_of, holes, thickness
from hardware.board.plan import Plan
from hardware.solids.files import named, write_step
from hardware.solids.shapes import box, circle, plate, polygon


def save(plan: Plan, file: Path) -> Path:
    """Write a board with its parts as STEP."""
    return write_step(plan.title, [_board(plan), *map(_solid, bodies(plan))], "B", file)


def _board(plan: Plan) -> Any:
    width, height = plan.size
    drilled = [circle((x, y), size) for x, y, size in holes(plan)]
    board = plate(polygon([(0, 0), (width, 0), (width, height), (0, height)]), drilled, thickness())
    return named(board, "board", colour_of("board"))


def _solid(body: Body) -> Any:
    return named(box(body.low, body.high), body.ref, colour_of(body.kind))
