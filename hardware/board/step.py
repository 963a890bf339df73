"""Write a board as STEP, for CAD programs: the board with the holes of legs and screws, and each part by its name.

KiCad 6's own exporter, kicad2step, writes its file but does not end where there is no desktop. Without KiCad's models
of 5.5 GB, the file has only the bare board. Here the outline and all holes are one face, which is extruded once. It
needs build123d (pip install -e '.[cad]').
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from hardware.board.bodies import Body, bodies, holes, thickness
from hardware.board.plan import Plan, source
from hardware.drawing.revisions import REVISIONS


def write_step(plan: Plan, file: Path) -> Path:
    """Write a board with its parts. Raises ModuleNotFoundError without build123d."""
    from build123d import Compound, export_step

    solids = [_board(plan), *map(_solid, bodies(plan))]
    dated = datetime.fromisoformat(f"{REVISIONS['B'].date}T00:00:00")
    export_step(Compound(label=plan.title, children=solids), file, write_pcurves=False, timestamp=dated)
    return file


def _board(plan: Plan) -> Any:
    from build123d import Face, Plane, Vector, Wire, extrude

    width, height = plan.size
    outline = Wire.make_polygon([Vector(x, y, 0) for x, y in ((0, 0), (width, 0), (width, height), (0, height))])
    drilled = [Wire.make_circle(size / 2, Plane(origin=(x, y, 0))) for x, y, size in holes(plan)]
    board = extrude(Face(outline, drilled), amount=thickness(), dir=(0, 0, 1))
    board.label = "board"
    board.color = _colour("board")
    return board


def _solid(body: Body) -> Any:
    from build123d import Plane, Solid

    sides = [high - low for low, high in zip(body.low, body.high, strict=True)]
    solid = Solid.make_box(*sides, Plane(origin=body.low))  # its corners are in the file, without a placement
    solid.label = body.ref
    solid.color = _colour(body.kind)
    return solid


def _colour(kind: str) -> Any:
    from build123d import Color

    return Color(*(part / 255 for part in bytes.fromhex(source()["body"][kind]["colour"].removeprefix("#"))))
