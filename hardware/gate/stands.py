"""Drawings of what carries the gate and the game's own funnel: both stands with all measures, the funnel's stand."""

from __future__ import annotations

from math import cos, radians, sin

from hardware.drawing import Sheet
from hardware.gate.geometry import SIX, Gate, Point

PRINTED = "PLA or PETG, printed"


def stand(one: Gate, six: Gate, number: str) -> Sheet:
    """Draw the stands of one lane and of six lanes from the side, with every corner and pilot hole."""
    wide = one.numbers.stand.width_mm
    title = f"Stands, cubes of {one.cube:g} mm, from the side; {wide:g} wide"
    sheet = Sheet(title, number, (1, 2), material=PRINTED, tolerance="±0.3", quantity=f"1, or {SIX}")
    for gate, left, name in ((one, 0.0, "queue: one lane"), (six, 265.0, "catch: six lanes")):
        _profile(sheet, gate, left)
        sheet.text((left, -78), name, 3)
    screws = one.numbers.screws
    sheet.text((0, -108), (
        f"Pilot holes {screws.pilot_mm:g} for M3, {screws.deep_mm:g} deep, square to the face, "
        f"in the middle of the width. From below: 4 pilot holes {screws.pilot_mm:g}, "
        f"{one.numbers.stand.foot_in_mm:g} on both sides of the middle.\n"
        "Heights are from the base board. The stand is printed lying on its side."
    ), 2.5)  # fmt: skip
    return sheet


def _profile(sheet: Sheet, gate: Gate, left: float) -> None:
    """Draw one stand with its lower front corner at `left`."""
    numbers = gate.numbers
    zero = left - gate.profile[0][0]

    def at(point: Point) -> Point:
        return point[0] + zero, point[1]

    points = [at(point) for point in gate.profile]
    foot, seat, low, bend, top, heel = points
    sheet.path(points)
    for start, end in gate.pilots:
        sheet.line(at(start), at(end), "CENTRE")
    for x in gate.feet:
        sheet.line((x + zero, -4), (x + zero, numbers.screws.deep_mm), "CENTRE")
    below = 0.0
    for row, stop in enumerate(sorted((gate.feet[0] + zero, gate.feet[1] + zero, low[0], heel[0]))):
        sheet.dim((foot[0], below), (stop, below), -8 - 8 * row)
    sheet.dim((heel[0], 0), (heel[0], bend[1]), -8, along="y")
    sheet.dim((heel[0], 0), top, -16, along="y")
    sheet.dim(foot, seat, 8)
    sheet.dim((foot[0], 0), low, 16, along="y", text=f"{low[1]:.1f}")
    sheet.dim((low[0], low[1]), (bend[0], low[1]), (top[1] - low[1]) / 2 + 8, along="x")
    rail, lane = numbers.rail.slope_deg, numbers.lane.slope_deg
    along = gate.rail_screws
    lower, upper = (at(gate.on_rail(u)) for u in along)
    sheet.dim(lower, seat, -8, f"{along[0] - gate.seat:.1f}")  # downwards: its figure has more room there
    sheet.dim(seat, upper, 16, f"{along[1] - gate.seat:.1f}")
    for step, s in enumerate(gate.lane_screws):
        sheet.dim(bend, at(gate.on_lane(s)), 8.0 + 8 * step, f"{s - gate.block[0]:.1f}")
    sheet.text((left, -90), f"rail {rail:g}°, lane {lane:g}° to the board", 2.5)


def funnel(gate: Gate) -> Sheet:
    """Draw the stand of the game's own funnel beside the gate, and its plate from above."""
    numbers, own = gate.numbers, gate.numbers.funnel
    sheet = Sheet("Stand for the game's own funnel, adjustable", "G-11", (1, 4), quantity="2 plates, 4 rods")
    sheet.material, sheet.tolerance = f"plywood {own.thick_mm:g}, M{own.rod_mm:g} rods", "±1"
    lip = gate.on_lane(gate.length, numbers.lane.floor_mm)
    mouth, table = lip[0], -numbers.stand.board_mm
    _gate(sheet, gate)
    funnel_lip = own.example_mm
    top = gate.lip + table - funnel_lip
    front = mouth + 60
    sheet.box((front, table), own.plate_mm, own.thick_mm)
    sheet.box((front, top - own.thick_mm), own.plate_mm, own.thick_mm)
    for side in (own.hole_in_mm, own.plate_mm - own.hole_in_mm):
        x = front + side
        sheet.box((x - own.rod_mm / 2, table), own.rod_mm, own.rod_long_mm)
        for z in (table + own.thick_mm, top - own.thick_mm - 5, top):
            sheet.box((x - 5, z), 10, 5)
    back = front + own.plate_mm
    slope = radians(30)
    tip = (mouth - 12, gate.lip + table + 6)
    inner = (tip[0] + 95 * cos(slope), tip[1] + 95 * sin(slope))
    sheet.path([tip, inner, (front + 25, top), (back - 25, top), (back - 5, inner[1] + 70), (front + 10, inner[1] + 70),
                (inner[0] - 6, inner[1] + 8), (tip[0] - 4, tip[1] + 8)], layer="MARK")  # fmt: skip
    sheet.text((front + 22, inner[1] + 30), "funnel", 3)
    sheet.dim((back, table), (back, top), -8, f"{gate.lip:.0f} - h")
    sheet.dim((back, table), (back, table + own.rod_long_mm), -18, f"rod {own.rod_long_mm:g}")
    sheet.dim((gate.base[0], table), (gate.base[0], gate.lip + table), 12, f"{gate.lip:.0f}", along="y")
    sheet.note((tip[0] - 70, top + 140), (tip[0] + 2, tip[1] + 4), "lip of the chute, 10 to 20 deep in the mouth")
    sheet.dim((tip[0] + 12, top), tip, -9, "h", along="y")
    middle = front + own.plate_mm / 2
    sheet.line((middle, table - 20), (middle, inner[1] + 80), "CENTRE")
    sheet.text((middle + 3, table - 24), "middle of the game board", 2.5)

    left, low = back + 180, table
    sheet.box((left, low), own.plate_mm, own.plate_mm)
    for x in (own.hole_in_mm, own.plate_mm - own.hole_in_mm):
        for y in (own.hole_in_mm, own.plate_mm - own.hole_in_mm):
            sheet.circle((left + x, low + y), own.hole_mm)
    half = own.plate_mm / 2
    sheet.line((left - 8, low + half), (left + own.plate_mm + 8, low + half), "CENTRE")
    sheet.line((left + half, low - 8), (left + half, low + own.plate_mm + 8), "CENTRE")
    sheet.dim((left, low), (left + own.hole_in_mm, low), -8)
    sheet.dim((left, low), (left + own.plate_mm, low), -16)
    sheet.dim((left, low), (left, low + own.hole_in_mm), 8)
    sheet.dim((left, low), (left, low + own.plate_mm), 16)
    far = own.plate_mm - own.hole_in_mm + 2
    sheet.note((left + 100, low + own.plate_mm + 30), (left + far, low + far), f"4 x Ø{own.hole_mm:g}")
    sheet.text((left, low + own.plate_mm + 12), "plate, 2 x", 2.5)
    sheet.text((gate.base[0], table - 100), (
        "h: height of your funnel's lip above its own foot; measure it. The picture shows "
        f"{funnel_lip:g}. Set the upper nuts so that the plate's top is {gate.lip:.0f} - h above the table.\n"
        f"The rods allow h from {gate.funnel_range[0]:.0f} to {gate.funnel_range[1]:.0f}. "
        "Put the middle lines of the lower plate on the middle of the game board."
    ), 2.5)  # fmt: skip
    return sheet


def _gate(sheet: Sheet, gate: Gate) -> None:
    numbers = gate.numbers
    begin, long, _ = gate.base
    sheet.box((begin, -numbers.stand.board_mm), long, numbers.stand.board_mm)
    sheet.path(list(gate.profile))
    roof, floor = numbers.lane.floor_mm + gate.high, numbers.rail.floor_mm
    high = numbers.lane.floor_mm + numbers.mouth.height_mm
    for place, first, last, top in (
        (gate.on_rail, 0.0, gate.rail_length, floor + gate.rail_side),
        (gate.on_lane, 0.0, gate.throat, roof + numbers.lane.roof_mm),
        (gate.on_lane, gate.throat, gate.length, high),
    ):
        sheet.path([place(first, 0), place(last, 0), place(last, top), place(first, top)])
