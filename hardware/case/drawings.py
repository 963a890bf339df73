"""Drawings of the case with measures: fronts, base, walls, and the inside."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from hardware.case.inside import base_inside, front_inside
from hardware.case.numbers import Case, Oled
from hardware.case.panels import (
    clip_screws,
    corners,
    labels,
    lamps,
    navigation_keys,
    panels,
    seat_keys,
    tie_slots,
    window,
)
from hardware.case.shapes import Cut, Hole, Opening, Panel, Point
from hardware.drawing import Sheet

Steps = Sequence[float]
MATERIAL = "plywood or acrylic 3"


def sheets(case: Case) -> dict[str, Sheet]:
    """Draw all sheets; return them by the names of their files."""
    fronts = {f"front-{name}": _front(case, name, number) for number, name in enumerate(case.oleds, 1)}
    first = next(iter(case.oleds))
    last = len(case.oleds) + 3
    return {
        **fronts,
        "base": _base(case),
        "walls": _walls(case),
        "inside": base_inside(case, first, f"C-{last}"),
        "under-front": front_inside(case, first, f"C-{last + 1}"),
    }


def _front(case: Case, name: str, number: int) -> Sheet:
    oled = case.oleds[name]
    sheet = Sheet(
        f'Case: front for a {name}" display, seen from above', f"C-{number}", material=MATERIAL, tolerance="±0.2"
    )
    panel = panels(case, oled)["front"]
    _draw(sheet, panel)
    _module(sheet, case, oled)
    width, depth = panel.size
    hole, middle = window(case, oled), labels(case, oled)
    keys, lamp, screws = seat_keys(case), lamps(case), clip_screws(case, oled)
    navigation = list(navigation_keys(case).values())
    sheet.line((width / 2, -2), (width / 2, hole.low - 4), "CENTRE")
    sheet.line((width / 2, hole.top - 4), (width / 2, depth + 2), "CENTRE")
    _across(sheet, [0, keys[0][0], keys[1][0]], -8, 0)
    sheet.dim((keys[1][0], 0), (keys[-1][0], 0), -8, f"4 x {case.keys.pitch:g}")
    _across(sheet, [0, navigation[0][0], case.window.centre[0]], -16, 0)
    sheet.dim((0, 0), (width, 0), -24)
    _up(sheet, [0, case.box.corner, keys[0][1], lamp[0][1]], 10, 0)
    _up(sheet, [0, navigation[1][1], navigation[0][1], corners(case)[1][1], depth], 19, 0)
    _up(sheet, [0, depth], 28, 0)
    _up(sheet, [0, hole.low, hole.top], -10, width)
    _up(sheet, [0, *sorted({y for _, y in screws}), depth], -19, width)
    _across(sheet, [hole.left, hole.right], 8, depth)
    _across(sheet, sorted({x for x, _ in screws}), 16, depth)
    high, pitch = hole.low - case.lines.clear, middle[1] - middle[0]
    sheet.dim((middle[0], high), (middle[-1], high), 7, f"{len(middle) - 1} x {pitch:.2f}")
    sheet.note(
        (width * 0.78, depth + 7),
        (hole.right - 4, hole.top - case.window.margin),
        f"active area {oled.active[0]:g} x {oled.active[1]:g}",
    )
    aside = keys[-1][0] + 8
    sheet.note((aside, lamp[-1][1] + 6), (lamp[-1][0] + 2.2, lamp[-1][1] + 1.2), f"6 x {_wide(case.lamps.hole)}")
    sheet.note(
        (aside, keys[-1][1] + 7),
        (keys[-1][0] + 5, keys[-1][1] + 3.5),
        f"{len(keys + navigation)} x {_wide(case.keys.hole)}",
    )
    corner, count = corners(case)[-1], len(corners(case)) + len(screws)
    sheet.note((corner[0] - 9, corner[1] + 1), (corner[0] - 1.6, corner[1]), f"{count} x {_wide(case.box.screw)}")
    return sheet


def _base(case: Case) -> Sheet:
    sheet = Sheet("Case: base, seen from above", f"C-{len(case.oleds) + 1}", material=MATERIAL, tolerance="±0.2")
    panel = panels(case, next(iter(case.oleds.values())))["base"]
    _draw(sheet, panel)
    width, depth = panel.size
    corner = case.box.corner
    holes = [cut.centre for cut in panel.cuts if isinstance(cut, Hole) and cut.diameter == case.pi.hole]
    vents = [cut for cut in panel.cuts if isinstance(cut, Opening)][-case.vents.slots :]
    across, up = (sorted({round(hole[axis], 6) for hole in holes}) for axis in (0, 1))
    _across(sheet, [0, corner], -8, 0)
    _across(sheet, [width - corner, width], -8, 0)
    _across(sheet, [0, *across], -16, 0)
    _across(sheet, [0, width], -24, 0)
    _up(sheet, [0, corner], 10, 0)
    _up(sheet, [depth - corner, depth], 10, 0)
    _up(sheet, [0, vents[0].low, vents[0].top], 19, 0)
    _up(sheet, [0, depth], 28, 0)
    _up(sheet, [0, *up, depth], -10, width)
    middles = [(vent.left + vent.right) / 2 for vent in vents]
    _across(sheet, [0, middles[0]], 8, depth)
    sheet.dim((middles[0], depth), (middles[-1], depth), 8, f"{len(vents) - 1} x {case.vents.pitch:g}")
    sheet.note(
        (max(holes)[0] - 4, 101),
        (max(holes)[0] - 1, max(holes)[1] + 1),
        f"{len(holes)} x {_wide(case.pi.hole)}, any Pi, M2.5",
    )
    text = f"4 x {_wide(case.box.screw)}, for stand-offs M3 x {case.box.stand_off[1]:g}"
    sheet.note((150, -8), (width - corner - 1.5, corner + 0.5), text)
    sheet.note((86, 62), (vents[-1].right, vents[-1].low + 3), f"{len(vents)} slots {case.vents.slot[0]:g} wide")
    return sheet


def _walls(case: Case) -> Sheet:
    title = "Case: walls (rear, left from inside; near, right from outside)"
    sheet = Sheet(title, f"C-{len(case.oleds) + 2}", (1, 2), material=MATERIAL, tolerance="±0.2", quantity="1 each")
    found = panels(case, next(iter(case.oleds.values())))
    width, depth, height = case.box.outer
    aside, above = width + 110, height + 105
    _wall(sheet, found["near"], (0, 0), (8, 25))
    x, y = _wall(sheet, found["rear"], (0, above), (8, 36))
    plugs, rail, *leads = found["rear"].cuts
    _opening(sheet, plugs, (x, y), x)
    assert isinstance(plugs, Opening)
    assert isinstance(rail, Opening)
    ties, (wide, high) = tie_slots(case), case.rail.tie_slot
    marks = [rail.left, rail.right, *((slot.left + slot.right) / 2 for slot in ties)]
    _across(sheet, [x, *(x + mark for mark in marks)], 16, y + height)
    text = f"colour sensor, {rail.low:g} to {rail.top:g} up"
    sheet.note((x + width + 8, y - 8), (x + rail.right - 3, y + rail.low + 1), text)
    text = f"{len(ties)} x ({wide:g} x {high:g}), {case.rail.tie_up:g} up, for a tie"
    sheet.note((x + width + 8, y - 22), (x + ties[-1].right, y + ties[-1].low + 1), text)
    holes = [cut for cut in leads if isinstance(cut, Hole)]
    _across(sheet, [x, x + holes[0].centre[0], x + holes[1].centre[0]], 8, y + height)
    _up(sheet, [y, y + holes[0].centre[1]], -9, x + width)
    text = f"6 x {_wide(case.leads.hole)}, for leads to the seats"
    sheet.note((x + 150, y + height + 14), (x + holes[4].centre[0], y + holes[4].centre[1] + 3), text)
    x, y = _wall(sheet, found["left"], (aside, above), (8, 40))
    plugs, *vents = found["left"].cuts
    _opening(sheet, plugs, (x, y), x + depth)
    first, *_, last = (vent for vent in vents if isinstance(vent, Opening))
    _across(sheet, [x, x + (first.left + first.right) / 2], 8, y + height)
    ends = [(x + (vent.left + vent.right) / 2, y + height) for vent in (first, last)]
    sheet.dim(ends[0], ends[1], 8, f"{len(vents) - 1} x {case.vents.pitch:g}")
    _up(sheet, [y, y + first.low, y + first.top], 9, x)
    x, y = _wall(sheet, found["right"], (aside, 0), (8, 48))
    slots = found["right"].cuts
    assert all(isinstance(slot, Opening) for slot in slots)
    boxes = [slot for slot in slots if isinstance(slot, Opening)]
    middles = [x + (slot.left + slot.right) / 2 for slot in boxes]
    _across(sheet, [x, middles[0], middles[-1]], 8, y + height)
    _up(sheet, [y, y + boxes[0].low, y + boxes[0].top], 9, x)
    sheet.note(
        (x + 50, y + height + 14),
        (x + boxes[-1].right, y + boxes[-1].top - 2),
        f"{len(boxes)} slots {case.sounder.slot[0]:g} wide, for the sounder",
    )
    return sheet


def _wall(sheet: Sheet, panel: Panel, at: Point, word: Point) -> Point:
    """Draw a wall with its size, and its name at `word`; return its place."""
    (x, y), (width, height) = at, panel.size
    _draw(sheet, panel, at)
    sheet.text((x + word[0], y + word[1]), panel.name, 3)
    _across(sheet, [x, x + width], -18, y)
    _up(sheet, [y, y + height], 27, x)
    return at


def _opening(sheet: Sheet, cut: Cut, at: Point, edge: float) -> None:
    """Measure an opening of the wall at `at`, with its height beside the edge."""
    assert isinstance(cut, Opening)
    (x, y), side = at, 1 if edge == at[0] else -1
    _across(sheet, [x, x + cut.left, x + cut.right], -9, y)
    _up(sheet, [y, y + cut.low], side * 9, edge)
    _up(sheet, [y, y + cut.top], side * 18, edge)


def _draw(sheet: Sheet, panel: Panel, at: Point = (0, 0)) -> None:
    x, y = at
    sheet.path([(x + a, y + b) for a, b in panel.outline])
    for cut in panel.cuts:
        if isinstance(cut, Hole):
            sheet.circle((x + cut.centre[0], y + cut.centre[1]), cut.diameter)
        else:
            sheet.path([(x + a, y + b) for a, b in cut.contour()])
    for stroke in panel.strokes:
        sheet.path([(x + a, y + b) for a, b in stroke], closed=False, layer="MARK")


def _module(sheet: Sheet, case: Case, oled: Oled) -> None:
    (x, y), (wide, high) = case.window.centre, oled.active
    sheet.box((x - wide / 2, y - high / 2), wide, high, "HIDDEN")
    (wide, high), y = oled.board, y - oled.below
    sheet.box((x - wide / 2, y - high / 2), wide, high, "HIDDEN")


def _across(sheet: Sheet, steps: Steps, offset: float, y: float) -> None:
    """Measure each step between neighbours, in one row of dimensions."""
    for start, end in pairwise(steps):
        sheet.dim((start, y), (end, y), offset)


def _up(sheet: Sheet, steps: Steps, offset: float, x: float) -> None:
    for start, end in pairwise(steps):
        sheet.dim((x, start), (x, end), offset)


def _wide(diameter: float) -> str:
    return f"Ø{diameter:g}"
