"""Drawings of the gate with measures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from hardware.drawing import Sheet
from hardware.gate.details import lane, rail, section
from hardware.gate.geometry import Gate, Point, emitter_left
from hardware.gate.numbers import Numbers
from hardware.gate.stands import funnel, stand

Place = Callable[[float, float], Point]


def sheets(numbers: Numbers) -> Iterator[tuple[Sheet, str]]:
    """Draw every sheet: details of the larger gate, and the base boards of each gate. Return them by file name."""
    large = Gate(numbers, max(numbers.cubes.sizes_mm))
    yield from ((side(large), "side"), (lane(large), "plan"), (section(large), "section"), (rail(large), "rail"))
    for number, cube in enumerate(numbers.cubes.sizes_mm):
        yield base(Gate(numbers, cube, "queue"), f"G-{5 + 2 * number}"), f"base-one-{cube}"
        yield base(Gate(numbers, cube, "catch"), f"G-{6 + 2 * number}"), f"base-six-{cube}"
    for number, cube in enumerate(numbers.cubes.sizes_mm):
        yield stand(Gate(numbers, cube, "queue"), Gate(numbers, cube, "catch"), f"G-{9 + number}"), f"stand-{cube}"
    yield funnel(large), "funnel"


def drawings(numbers: Numbers, folder: Path) -> list[Path]:
    """Save every sheet; return the paths."""
    return [path for sheet, name in sheets(numbers) for path in sheet.save(folder, name)]


def side(gate: Gate) -> Sheet:
    """Draw one lane with its queue rail, from the side; the stand has a sheet of its own."""
    numbers = gate.numbers
    title = f"One lane and its queue rail, cubes of {gate.cube:g} mm, from the side"
    sheet = Sheet(title, "G-1", (1, 2), material="assembly")
    begin, long, _ = gate.base
    thick, floor = numbers.stand.board_mm, numbers.rail.floor_mm
    sheet.box((begin, -thick), long, thick)
    sheet.hatch([(begin, -thick), (begin + long, -thick), (begin + long, 0), (begin, 0)], 3)
    sheet.path(list(gate.profile))
    roof, top = numbers.lane.floor_mm + gate.high, numbers.lane.floor_mm + numbers.mouth.height_mm
    _across(sheet, gate.on_rail, 0, gate.rail_length, 0, floor + gate.rail_side)
    _across(sheet, gate.on_lane, 0, gate.throat, 0, roof)
    _across(sheet, gate.on_lane, 0, gate.throat, roof, roof + numbers.lane.roof_mm)
    _across(sheet, gate.on_lane, gate.throat, gate.length, 0, top)
    sheet.line(gate.on_lane(0, numbers.lane.floor_mm), gate.on_lane(gate.length, numbers.lane.floor_mm), "HIDDEN")
    sheet.line(gate.on_rail(gate.front, floor), gate.on_rail(gate.rail_length, floor), "HIDDEN")
    for place in range(gate.places):
        u = gate.front + place * gate.cube
        _across(sheet, gate.on_rail, u, u + gate.cube, floor, floor + gate.cube, "MARK")
    for s in gate.beams:
        sheet.circle(gate.on_lane(s, numbers.lane.floor_mm + gate.cube / 2), numbers.sensor.nose_mm)
    _across(sheet, gate.on_rail, *gate.pocket, 0, floor - numbers.colour.ceiling_mm, "HIDDEN")
    for seat, end in gate.pilots:
        sheet.line(seat, end, "CENTRE")
    _measured(sheet, gate)
    _named(sheet, gate)
    return sheet


def _measured(sheet: Sheet, gate: Gate) -> None:
    """Write the outer dimensions of the gate and the places of its screws."""
    numbers = gate.numbers
    (begin, long, _), thick = gate.base, numbers.stand.board_mm
    roof = numbers.lane.floor_mm + gate.high + numbers.lane.roof_mm
    right, lip = begin + long, gate.on_lane(gate.length, numbers.lane.floor_mm)
    highest = gate.on_lane(gate.length, numbers.lane.floor_mm + numbers.mouth.height_mm)
    sheet.dim((right, -thick), lip, -10, along="y")
    sheet.dim((right, -thick), highest, -20, along="y")
    for offset, stop in ((-8, gate.profile[0][0]), (-16, gate.feet[0]), (-24, gate.feet[1]), (-32, right)):
        sheet.dim((begin, -thick), (stop, -thick), offset)
    low = gate.on_rail(0)
    sheet.dim((low[0] - 2, 0), (low[0] - 2, low[1]), 8)
    second, first = sorted(gate.beams)
    for offset, start, end in ((6, second, first), (6, first, gate.throat), (14, 0.0, gate.throat)):
        sheet.dim(gate.on_lane(start, roof), gate.on_lane(end, roof), offset)
    sheet.dim(gate.on_lane(gate.throat, roof + 22), gate.on_lane(gate.length, roof + 22), 6)


def _named(sheet: Sheet, gate: Gate) -> None:
    """Name the parts, each beside the drawing."""
    numbers, (begin, long, _) = gate.numbers, gate.base
    roof, floor = numbers.lane.floor_mm + gate.high, numbers.rail.floor_mm
    right = begin + long + 54
    for y, target, words in (
        (150, gate.on_lane(gate.length - 20, 0), "mouth, for the lip\nof the game's chute"),
        (126, gate.on_lane(gate.throat - 30, 0), f"lane, {numbers.lane.slope_deg:g}°,\ntwo screws M3 x 14"),
        (64, (gate.profile[-1][0], 40), "stand, see G-9, G-10"),
        (12, (begin + long - 20, 0), "base board"),
    ):
        sheet.note((right, y), target, words)
    for y, target, words in (
        (206, gate.on_lane(gate.throat - 6, roof + numbers.lane.roof_mm), "lid, six screws M3 x 10"),
        (150, gate.on_lane(gate.beams[1] + 6, roof - 5), "two beams, see G-3"),
        (118, gate.on_rail(gate.front + 4 * gate.cube, floor + gate.cube), "cubes in their order"),
        (92, gate.on_rail(gate.front + 4, floor + gate.cube - 2), "first cube, over\nthe colour sensor"),
        (66, gate.on_rail(0, floor + 4), f"rail, {numbers.rail.slope_deg:g}°,\ntwo screws M3 x 14"),
    ):
        sheet.note((begin - 2, y), target, words)


def base(gate: Gate, number: str) -> Sheet:
    """Draw the base board from above, with the screws into the stands."""
    numbers = gate.numbers
    begin, long, wide = gate.base
    many = "one lane" if gate.build == "queue" else "six lanes"
    sheet = Sheet(f"Base board for {many}, cubes of {gate.cube:g} mm, drilled through", number, (1, 2))
    sheet.material, sheet.tolerance = f"plywood {numbers.stand.board_mm:g}", "±1, holes ±0.5"
    out = numbers.stand.foot_in_mm
    sheet.box((0, -wide / 2), long, wide)
    for lane_number, middle in enumerate(gate.lanes_at):
        sheet.line((-6, middle), (long + 6, middle), "CENTRE")
        first, last = gate.profile[0][0] - begin, gate.profile[-1][0] - begin
        half = numbers.stand.width_mm / 2
        sheet.box((first, middle - half), last - first, 2 * half, "HIDDEN")
        for x in gate.feet:
            for across in (-out, out):
                sheet.circle((x - begin, middle + across), numbers.screws.board_mm)
        if len(gate.lanes_at) > 1:
            at_left = emitter_left(lane_number, 0)
            modules = gate.cube != numbers.beam_board.cube_mm
            words = f": emitter {'left' if at_left else 'right'}" if modules else ""
            sheet.text((last + 6, middle + 4), f"lane {lane_number + 1}{words}", 2.5)
            if modules:
                sheet.text((last + 6, middle - 9), "second beam: other side", 2)
    holes = [(x - begin, y) for x, y in gate.head_holes]
    for hole in holes:
        sheet.circle(hole, numbers.head.hole_mm)
    (left, near), (right, far) = holes[0], holes[-1]
    sheet.dim((0, wide / 2), (left, wide / 2), 8, along="x")
    sheet.dim((left, wide / 2), (right, wide / 2), 8, along="x")
    sheet.dim((long, near), (long, far), -8, along="y")
    sheet.note(
        (long + 22, far + 10), (right, far), f"4 x Ø{numbers.head.hole_mm:g}, gate board,\nabout the middle line"
    )
    feet, place = 4 * len(gate.lanes_at), (gate.feet[1] - begin, gate.lanes_at[0] + out)
    sheet.note((place[0] + 24, wide / 2 + 40), place, f"{feet} x Ø{numbers.screws.board_mm:g}, stands")
    low = -wide / 2
    sheet.dim((0, low), (gate.feet[0] - begin, low), -8, along="x")
    sheet.dim((gate.feet[0] - begin, low), (gate.feet[1] - begin, low), -8, along="x")
    sheet.dim((0, low), (long, low), -16, along="x")
    sheet.dim((0, low), (0, wide / 2), 24, along="y")
    middle = gate.lanes_at[-1]
    sheet.dim((0, middle - out), (0, middle + out), 8, along="y")
    if len(gate.lanes_at) > 1:
        sheet.dim((0, middle), (0, gate.lanes_at[-2]), 16, along="y", text=f"{gate.pitch:g}")
    sheet.dim((0, low), (0, middle), 16, along="y")
    sheet.text((6, wide / 2 - 5 / sheet.ratio), "from above; the rails end at the left", 2.5)
    return sheet


def _across(sheet: Sheet, place: Place, first: float, last: float, low: float, high: float, layer: str = "CUT") -> None:
    """Return a rectangle along a slope."""
    sheet.path([place(first, low), place(last, low), place(last, high), place(first, high)], layer=layer)
