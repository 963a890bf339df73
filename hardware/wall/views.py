"""The wall drawn: its views, the drilling template, the screws in section."""

from __future__ import annotations

from hardware.drawing import Sheet
from hardware.drawing.sheet import Point
from hardware.wall.numbers import Numbers
from hardware.wall.sound import held_mm

NAMES = {"two_15": "two sheets of 15", "two_12": "two sheets of 12", "timber": "planed timber"}


def wall_sheet(numbers: Numbers) -> Sheet:
    """Draw the wall from below and from the front, and its three ways in section."""
    wall, screws, piezo = numbers.wall, numbers.screws, numbers.piezo
    sheet = Sheet("Battledodes wall", "W-1", (1, 2), material="plywood or timber", tolerance="±1")
    half, high, low = wall.length / 2, wall.height, 120.0
    sheet.box((-half, low), wall.length, wall.depth)
    sheet.line((-half - 6, low + wall.depth / 2), (half + 6, low + wall.depth / 2), "CENTRE")
    for x, y in screws.places:
        sheet.circle((x, low + wall.depth / 2 - y), screws.pilot)
    sheet.circle((0, low + wall.depth / 2), piezo.pocket)
    left, top = screws.places[0][0], low + wall.depth
    sheet.dim((-half, top), (left, low + wall.depth / 2 - screws.places[0][1]), 7, along="x")
    for (a, b), (c, d) in zip(screws.places, screws.places[1:], strict=False):
        sheet.dim((a, low + wall.depth / 2 - b), (c, low + wall.depth / 2 - d), 7 + _above(wall.depth, b), along="x")
    sheet.dim((half, low), (half, top), -8)
    middle = low + wall.depth / 2
    sheet.dim((-half, middle), (left, middle - screws.places[0][1]), 8, along="y")
    sheet.note((half + 34, low + wall.depth + 12), (screws.places[-1][0] + 1, middle - screws.stagger + 1), (
        f"{len(screws.places)} pilot holes Ø {screws.pilot:g},\n{screws.pilot_depth:g} deep, ±{screws.stagger:g}"
    ))  # fmt: skip
    sheet.note((half + 34, low - 12), (piezo.pocket / 2 - 2, middle - piezo.pocket / 2 + 2), (
        f"pocket Ø {piezo.pocket:g},\n{piezo.depth:g} deep, in the middle"
    ))  # fmt: skip
    sheet.text((-half, low - 12), "from below (front face downwards here)", 2.5)

    sheet.box((-half, 0), wall.length, high)
    sheet.line((0, -6), (0, high + 6), "CENTRE")
    for x, _ in screws.places:
        bore = screws.pilot / 2
        sheet.path(
            [(x - bore, 0), (x - bore, screws.pilot_depth), (x + bore, screws.pilot_depth), (x + bore, 0)],
            closed=False,
            layer="HIDDEN",
        )
    sheet.path(_outline(piezo.pocket, piezo.depth), closed=False, layer="HIDDEN")
    sheet.dim((-half, 0), (half, 0), -12)
    sheet.dim((half, 0), (half, high), -8)
    sheet.dim((-half, 0), (left - screws.pilot / 2, screws.pilot_depth), 8, along="y")
    sheet.text((-half, high + 6), "from the front", 2.5)

    for place, (name, sheets) in enumerate(numbers.sheets_of.items()):
        _section(sheet, numbers, sheets, (-100 + 100 * place, -110), NAMES[name])
    sheet.text((half + 34, -80), f"grain along the wall;\nround sharp edges,\nat most {wall.edge:g}", 2.5)
    return sheet


def drill_sheet(numbers: Numbers) -> Sheet:
    """Draw the drilling template for the bottom of the wall at full size."""
    wall, screws, piezo = numbers.wall, numbers.screws, numbers.piezo
    sheet = Sheet("Drilling template: screws from below", "W-2", material="paper template")
    half = wall.length / 2
    sheet.box((-half, -wall.depth / 2), wall.length, wall.depth)
    for y in (-wall.depth_least / 2, wall.depth_least / 2):
        sheet.line((-half, y), (half, y), "HIDDEN")
    sheet.line((-half - 4, 0), (half + 4, 0), "CENTRE")
    sheet.line((0, -wall.depth / 2 - 8), (0, wall.depth / 2 + 8), "CENTRE")
    for x, y in screws.places:
        sheet.circle((x, -y), screws.pilot)
        sheet.dim((0, 0), (x, -y), (36 if abs(x) > 50 else 28) * (1 if x > 0 else -1), along="x")
    sheet.circle((0, 0), piezo.pocket)
    x, y = screws.places[-1]
    sheet.dim((x + 12, 0), (x, -y), 0.1, along="y")
    sheet.text((0, -wall.depth / 2 - 14), "FRONT: this side at the face with the arrow", 3.5, "centre")
    sheet.path([(-4, -wall.depth / 2 - 17), (4, -wall.depth / 2 - 17), (0, -wall.depth / 2 - 23)], layer="MARK")
    sheet.note((22, 60), (3, piezo.pocket / 2 - 1), f"piezo: Ø {piezo.pocket:g}, {piezo.depth:g} deep")
    sheet.note((-half + 34, 60), (screws.places[0][0] - 0.5, -screws.places[0][1] + 1), (
        f"Ø {screws.pilot:g}, {screws.pilot_depth:g} deep, {len(screws.places)} times"
    ))  # fmt: skip
    sheet.text((-half, -58), (
        "1  Cut along the outline: solid line for a wall 30 deep, dashed line for 24. Put the middle line on the\n"
        "    joint, whatever the thickness of the sheets.\n"
        "2  Glue the template to the plate of the saddle (W-5), or to the bottom of the wall. Front goes to front.\n"
        "3  Prick the crosses. Clamp the wall across the joint. Drill upright. Drill the pocket of the piezo last."
    ), 2.6)  # fmt: skip
    return sheet


def fixing_sheet(numbers: Numbers) -> Sheet:
    """Draw the screws, the pocket and the lead in section, for both depths."""
    sheet = Sheet("Screws, piezo and lead in section", "W-3", (2, 1), material="assembly")
    wall, screws, base, piezo = numbers.wall, numbers.screws, numbers.base, numbers.piezo
    for middle, sheets, title in (
        (0.0, numbers.builds.two_12, "24 deep, at a screw of the front sheet"),
        (62.0, numbers.builds.two_15, "30 deep, in the middle: the piezo"),
    ):
        deep = sum(sheets)
        front, at = middle - deep / 2, middle - screws.stagger
        for count, thick in enumerate(sheets):
            edge = front + sum(sheets[:count])
            corners = [(edge, 0.0), (edge + thick, 0.0), (edge + thick, wall.height), (edge, wall.height)]
            sheet.path(corners)
            hollow = (at, screws.pilot, screws.pilot_depth) if middle == 0 else (middle, piezo.pocket, piezo.depth)
            sheet.hatch(_hollowed(corners, *hollow), 4, rising=count == 0)
        sheet.box((middle - 24, -base.thickness), 48, base.thickness)
        sheet.line((middle, -base.thickness - 6), (middle, wall.height + 6), "CENTRE")
        sheet.text((middle, wall.height + 12), title, 3, "centre")
        sheet.text((front - 9, wall.height - 3), "front", 2.5)
        if middle == 0:
            _screw(sheet, numbers, at)
            sheet.dim((at, wall.height), (middle, wall.height), 5, along="x")
            sheet.dim((front, wall.height), (at, wall.height), 5, along="x")
            sheet.dim((at, 0), (at, screws.pilot_depth), 34)
            sheet.dim((24, -base.thickness), (24, 0), -4)
            sheet.note((24, 30), (at + screws.pilot / 2, 26), f"pilot Ø {screws.pilot:g}")
            sheet.note((24, 21), (at + 1, 15), f"screw {screws.diameter:g} x {screws.length:g}")
            sheet.note((24, 9), (at + screws.clearance / 2, -5), f"board: Ø {screws.clearance:g}")
            sheet.note((12, -base.thickness - 12), (at + screws.countersink / 2 - 0.5, -base.thickness + 0.3), (
                f"countersink Ø {screws.countersink:g}, head {screws.sunk:g} deep"
            ))  # fmt: skip
            sheet.note((20, 40), (0, 35), "joint: no screw")
        else:
            _pocket(sheet, numbers, middle)
            sheet.note((middle + 18, 24), (middle + 4, piezo.depth - 0.4), (
                f"disc Ø {piezo.disc:g}, glued into a\npocket Ø {piezo.pocket:g}, {piezo.depth:g} deep"
            ))  # fmt: skip
            sheet.note((middle + 18, 12), (middle + piezo.hole / 2, -6), f"hole Ø {piezo.hole:g}")
            sheet.note((middle + 12, -base.thickness - 12), (middle + 0.6, -base.thickness - 4), (
                f"lead, clipped to the board;\nfeet {base.feet:g} high make room"
            ))  # fmt: skip
    return sheet


def _section(sheet: Sheet, numbers: Numbers, sheets: tuple[float, ...], at: tuple[float, float], title: str) -> None:
    (x, z), high, deep = at, numbers.wall.height, sum(sheets)
    edge = x - deep / 2
    for count, thick in enumerate(sheets):
        corners = [(edge, z), (edge + thick, z), (edge + thick, z + high), (edge, z + high)]
        sheet.path(corners)
        sheet.hatch(corners, 2, rising=count == 0)
        if len(sheets) > 1:
            sheet.dim((edge, z + high), (edge + thick, z + high), 5)
        edge += thick
    sheet.dim((x - deep / 2, z), (x + deep / 2, z), -6)
    sheet.text((x, z - 30), title, 2.5, "centre")


def _outline(width: float, height: float) -> list[Point]:
    return [(-width / 2, 0), (-width / 2, height), (width / 2, height), (width / 2, 0)]


def _hollowed(corners: list[Point], x: float, width: float, height: float) -> list[Point]:
    """Cut a hole from below out of a section; its lower left corner is first."""
    left, right = max(corners[0][0], x - width / 2), min(corners[1][0], x + width / 2)
    if left >= right:
        return corners
    return [corners[0], (left, 0), (left, height), (right, height), (right, 0), *corners[1:]]


def _above(depth: float, y: float) -> float:
    return (depth / 2 + y) / 2


def _screw(sheet: Sheet, numbers: Numbers, x: float) -> None:
    screws, base = numbers.screws, numbers.base
    bore, free, sink = screws.pilot / 2, screws.clearance / 2, screws.countersink / 2
    sheet.path(
        [(x - bore, 0), (x - bore, screws.pilot_depth), (x + bore, screws.pilot_depth), (x + bore, 0)], False, "HOLE"
    )
    cone = -base.thickness + sink - free
    sheet.path([(x - free, 0), (x - free, cone), (x - sink, -base.thickness)], False, "HOLE")
    sheet.path([(x + free, 0), (x + free, cone), (x + sink, -base.thickness)], False, "HOLE")
    head, tip = -base.thickness + screws.sunk, held_mm(numbers, base.thickness)
    thread = screws.diameter / 2
    sheet.path([
        (x - screws.head / 2, head), (x - thread, head + screws.head / 2 - thread), (x - thread, tip - 4), (x, tip),
        (x + thread, tip - 4), (x + thread, head + screws.head / 2 - thread), (x + screws.head / 2, head),
    ], layer="MARK")  # fmt: skip
    sheet.line((x, head - 3), (x, tip + 5), "CENTRE")


def _pocket(sheet: Sheet, numbers: Numbers, x: float) -> None:
    piezo, base = numbers.piezo, numbers.base
    half, hole, disc = piezo.pocket / 2, piezo.hole / 2, piezo.disc / 2
    sheet.path([(x - half, 0), (x - half, piezo.depth), (x + half, piezo.depth), (x + half, 0)], False, "HOLE")
    for side in (x - hole, x + hole):
        sheet.line((side, 0), (side, -base.thickness), "HOLE")
    sheet.box((x - disc, piezo.depth - 0.4), piezo.disc, 0.4, "MARK")
    sheet.path(
        [(x + 1, piezo.depth - 0.4), (x + 1, 1), (x, -2), (x, -base.thickness - 4), (x - 20, -base.thickness - 6)],
        False,
        "MARK",
    )
