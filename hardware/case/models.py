"""The printed parts of the case as solids: tray, fronts and clip. Each lies as it is printed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import pairwise
from math import hypot
from typing import Any

from build123d import Edge, Face, Plane, Vector, Wire, extrude

from hardware.case.numbers import Case, read_case
from hardware.case.panels import front as front_panel
from hardware.case.panels import panels
from hardware.case.shapes import Cut, Hole, Opening, Point
from hardware.case.strength import WALLS, ribs
from hardware.case.strokes import Stroke
from hardware.solids.shapes import BEYOND, UP, Corner, box, circle, plate, polygon, rod

RIGHT, BACK, NEAR = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, -1.0, 0.0)


def models(case: Case) -> dict[str, Callable[[], Any]]:
    """Return what draws each printed part, by the name of its file."""
    fronts = {f"front-{name}": partial(front, name) for name in case.oleds}
    return {"tray": tray, **fronts, "clip": clip}


def lies(case: Case) -> dict[str, tuple[Corner, Corner, Corner]]:
    """Return where each panel is: its lower left corner, the direction of its x, and the way through its sheet."""
    (width, depth, height), sheet = case.box.outer, case.box.sheet
    return {
        "base": ((0, 0, 0), RIGHT, UP),
        "front": ((0, 0, height - sheet), RIGHT, UP),
        "near": ((0, sheet, 0), RIGHT, NEAR),
        "rear": ((0, depth, 0), RIGHT, NEAR),
        "left": ((0, 0, 0), BACK, RIGHT),
        "right": ((width - sheet, 0, 0), BACK, RIGHT),
    }


def placed(case: Case, name: str, solid: Any) -> Any:
    """Return a flat solid as it stands in the wall of a panel."""
    corner, along, through = lies(case)[name]
    return Plane(origin=corner, x_dir=along, z_dir=through).from_local_coords(solid)


def contour(cut: Cut) -> Any:
    """Return the edge of a hole or an opening."""
    return circle(cut.centre, cut.diameter) if isinstance(cut, Hole) else polygon(cut.contour())


@cache
def tray() -> Any:
    """Return base and walls in one, with thin ribs in wide openings, so that no bridge is long."""
    case = read_case()
    (width, depth, height), sheet = case.box.outer, case.box.sheet
    found = panels(case, next(iter(case.oleds.values())))
    whole = box((0, 0, 0), (width, depth, height - sheet))
    hollow = box((sheet, sheet, sheet), (width - sheet, depth - sheet, height))
    cuts = [
        placed(case, name, plate(contour(cut), (), sheet + 2 * BEYOND, -BEYOND))
        for name in ("base", *WALLS) for cut in found[name].cuts
    ]  # fmt: skip
    kept = [
        placed(case, name, plate(contour(rib), (), sheet))
        for name in WALLS for cut in found[name].cuts for rib in ribs(case, cut)
    ]  # fmt: skip
    return whole.cut(hollow, *cuts).fuse(*kept)


@cache
def front(name: str) -> Any:
    """Return the front for a module, with its engraved lines as grooves."""
    case = read_case()
    panel, sheet, (wide, deep) = front_panel(case, case.oleds[name]), case.box.sheet, case.print.groove
    width, depth = panel.size
    whole = plate(
        polygon([(0, 0), (width, 0), (width, depth), (0, depth)]), [contour(cut) for cut in panel.cuts], sheet
    )
    tools = [
        extrude(face, amount=deep + BEYOND, dir=UP).moved(Plane(origin=(0, 0, sheet - deep)).location)
        for face in _grooves(panel.strokes, wide)
    ]
    return whole.cut(*tools)


@cache
def clip() -> Any:
    """Return a clip and its spacer in one."""
    case = read_case()
    (long, wide), sheet = case.clip.size, case.box.sheet
    high = sheet + case.clip.spacer
    whole = box((0, 0, 0), (long, wide, sheet)).fuse(box((0, 0, 0), (wide, wide, high)))
    return whole.cut(rod((wide / 2, wide / 2), case.box.screw, -BEYOND, high + BEYOND))


def _grooves(strokes: Sequence[Stroke], wide: float) -> list[Any]:
    """Return the figures that strokes of a round tool cut, no two of which overlap."""
    groups: list[tuple[Opening, tuple[Stroke, ...]]] = []
    for stroke in strokes:
        mine: tuple[Stroke, ...] = (stroke,)
        (xs, ys), apart = zip(*stroke, strict=True), []
        around = Opening(min(xs) - wide, min(ys) - wide, max(xs) + wide, max(ys) + wide)
        for other, theirs in groups:
            if around.meets(other):
                around, mine = around.around(other), mine + theirs
            else:
                apart.append((other, theirs))
        groups = [*apart, (around, mine)]
    return [face for _, group in groups for face in _cut(group, wide)]


@cache
def _cut(strokes: tuple[Stroke, ...], wide: float) -> list[Any]:
    """Return what strokes cut together; first each for itself, which is faster."""
    each = [_joined([_slot(start, end, wide) for start, end in pairwise(stroke)]) for stroke in strokes]
    return _joined([face for faces in each for face in faces])


def _joined(faces: list[Any]) -> list[Any]:
    return list(faces[0].fuse(*faces[1:]).faces()) if len(faces) > 1 else faces


def _slot(start: Point, end: Point, wide: float) -> Any:
    """Return what a round tool cuts on a straight way."""
    long, half = hypot(end[0] - start[0], end[1] - start[1]), wide / 2
    plane = Plane(origin=(*start, 0), x_dir=(end[0] - start[0], end[1] - start[1], 0), z_dir=UP)

    def at(x: float, y: float) -> Any:
        return plane.from_local_coords(Vector(x, y, 0))

    return Face(Wire([
        Edge.make_line(at(0, -half), at(long, -half)),
        Edge.make_three_point_arc(at(long, -half), at(long + half, 0), at(long, half)),
        Edge.make_line(at(long, half), at(0, half)),
        Edge.make_three_point_arc(at(0, half), at(-half, 0), at(0, -half)),
    ]))  # fmt: skip
