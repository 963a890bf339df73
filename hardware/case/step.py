"""Write the box of sheet as STEP, for CAD programs: the panels with their fingers, and the room of each part.

It needs build123d (pip install -e '.[cad]', about 1 GB with its geometry kernel).
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from hardware.case.numbers import Case, Oled
from hardware.case.panels import panels
from hardware.case.parts import parts
from hardware.case.shapes import Hole, Panel
from hardware.drawing.revisions import REVISIONS

BOARD = "4"
Direction = tuple[float, float, float]
RIGHT, BACK, UP, NEAR = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0)


def lies(case: Case) -> dict[str, tuple[Direction, Direction, Direction]]:
    """Return where each panel is: its lower left corner, the direction of its x, and the way through its sheet."""
    (width, depth, height), sheet = case.box[:3], case.box.sheet
    return {
        "base": ((0, 0, 0), RIGHT, UP),
        "front": ((0, 0, height - sheet), RIGHT, UP),
        "near": ((0, sheet, 0), RIGHT, NEAR),
        "rear": ((0, depth, 0), RIGHT, NEAR),
        "left": ((0, 0, 0), BACK, RIGHT),
        "right": ((width - sheet, 0, 0), BACK, RIGHT),
    }


def write_step(case: Case, oled: Oled, file: Path) -> Path:
    """Write the assembled box. Raises ModuleNotFoundError without build123d."""
    from build123d import Compound, export_step

    found, where = panels(case, oled), lies(case)
    solids = [_plate(found[name], *where[name], case.box.sheet) for name in where]
    for part in parts(case, oled, case.pi.boards[BOARD], "carrier", "gate"):
        if not part.name.startswith(("plugs", "low plugs", "near plugs", "nut")):
            solids.append(_room(part.name, part.low, part.high))
    dated = datetime.fromisoformat(f"{REVISIONS['C'].date}T00:00:00")
    export_step(Compound(label="Umpi", children=solids), file, write_pcurves=False, timestamp=dated)
    return file


def _plate(panel: Panel, corner: Direction, along: Direction, through: Direction, thick: float) -> Any:
    from build123d import Face, Plane, Vector, Wire, extrude

    plane = Plane(origin=corner, x_dir=along, z_dir=through)
    inner = []
    for cut in panel.cuts:
        if isinstance(cut, Hole):
            inner.append(Wire.make_circle(cut.diameter / 2, Plane(origin=(*cut.centre, 0))))
        else:
            inner.append(Wire.make_polygon([Vector(x, y, 0) for x, y in cut.contour()]))
    face = Face(Wire.make_polygon([Vector(x, y, 0) for x, y in panel.outline]), inner)
    solid = plane.from_local_coords(extrude(face, amount=thick, dir=(0, 0, 1)))
    solid.label = panel.name
    return solid


def _room(name: str, low: Direction, high: Direction) -> Any:
    from build123d import Box, Pos

    sides = [top - foot for foot, top in zip(low, high, strict=True)]
    middle = [(top + foot) / 2 for foot, top in zip(low, high, strict=True)]
    solid = Pos(*middle) * Box(*sides)
    solid.label = name.replace('"', "")
    return solid
