"""Drawings of the gate with measures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from hardware.drawing import Sheet
from hardware.gate.details import lane, rail, section
from hardware.gate.geometry import Gate, Point, emitter_left
from hardware.gate.numbers import Numbers

Place = Callable[[float, float], Point]


def sheets(numbers: Numbers) -> Iterator[tuple[Sheet, str]]:
    """Draw every sheet: details of the larger gate, and the base boards of each gate. Return them by file name."""
    large = Gate(numbers, max(numbers.cubes.sizes_mm))
    yield from ((side(large), "side"), (lane(large), "plan"), (section(large), "section"), (rail(large), "rail"))
    for number, cube in enumerate(numbers.cubes.sizes_mm):
        yield base(Gate(numbers, cube, "queue"), f"G-{5 + 2 * number}"), f"base-one-{cube}"
        yield base(Gate(numbers, cube, "catch"), f"G-{6 + 2 * number}"), f"base-six-{cube}"


def drawings(numbers: Numbers, folder: Path) -> list[Path]:
    """Save every sheet; return the paths."""
    return [path for sheet, name in sheets(numbers) for path in sheet.save(folder, name)]


def side(gate: Gate) -> Sheet:
    """Draw one lane with its queue rail, from the side."""
    numbers = gate.numbers
    sheet = Sheet(f"One lane and its queue rail, cubes of {gate.cube:g} mm, from the side", "G-1", scale=(1, 2))
    begin, long, _ = gate.base
    thick = numbers.stand.board_mm
    sheet.box((begin, -thick), long, thick)
    sheet.path(list(gate.profile))
    _across(sheet, gate.on_rail, 0, gate.rail_length, 0, numbers.rail.floor_mm + gate.cube / 2)
    roof = numbers.lane.floor_mm + gate.lane
    _across(sheet, gate.on_lane, 0, gate.throat, 0, roof)
    _across(sheet, gate.on_lane, 0, gate.throat, roof, roof + numbers.lane.roof_mm)
    top = numbers.lane.floor_mm + numbers.mouth.height_mm
    _across(sheet, gate.on_lane, gate.throat, gate.length, 0, top)
    floor = numbers.rail.floor_mm
    sheet.line(gate.on_lane(0, numbers.lane.floor_mm), gate.on_lane(gate.length, numbers.lane.floor_mm), "HIDDEN")
    sheet.line(gate.on_rail(gate.front, floor), gate.on_rail(gate.rail_length, floor), "HIDDEN")
    for place in range(gate.places):
        u = gate.front + place * gate.cube
        _across(sheet, gate.on_rail, u, u + gate.cube, floor, floor + gate.cube, "MARK")
    for s in gate.beams:
        sheet.circle(gate.on_lane(s, numbers.lane.floor_mm + gate.cube / 2), numbers.sensor.nose_mm)
    _across(sheet, gate.on_rail, *gate.pocket, 0, numbers.rail.floor_mm - numbers.colour.ceiling_mm, "HIDDEN")
    for seat, end in gate.pilots:
        sheet.line(seat, end, "CENTRE")
    lip = gate.on_lane(gate.length, numbers.lane.floor_mm)
    right = begin + long
    sheet.dim((right, -thick), lip, -14, along="y")
    sheet.dim((begin, -thick), (right, -thick), -10, along="x")
    sheet.dim((begin, -thick), (gate.feet[0], 0), -18, along="x")
    sheet.dim((gate.feet[0], 0), (gate.feet[1], 0), -26, along="x")
    low = gate.on_rail(0)
    sheet.dim((low[0], 0), low, 8, along="y")
    apex = gate.on_lane(gate.throat, roof + numbers.lane.roof_mm)
    sheet.dim(gate.on_lane(gate.beams[0], roof + 6), gate.on_lane(gate.throat, roof + 6), 8)
    sheet.note((begin + 5, 150), gate.on_lane(gate.beams[1], roof - 12), "beams, see G-3")
    first = gate.on_rail(gate.front + gate.cube / 2, floor + gate.cube)
    sheet.note((begin + 5, 120), first, "first cube, over the sensor")
    sheet.note((begin + 40, 190), gate.on_lane(gate.throat - 20, roof + numbers.lane.roof_mm), "lid")
    sheet.note((begin + 100, 218), (lip[0] - 14, lip[1] + 6), "put the lip of the game's chute here")
    sheet.note((apex[0] + 70, 80), gate.on_lane(gate.throat - 60), f"lane {numbers.lane.slope_deg:g}\N{DEGREE SIGN}")
    sheet.note((begin, 24), gate.on_rail(gate.seat - 6), f"rail {numbers.rail.slope_deg:g}\N{DEGREE SIGN}")
    return sheet


def base(gate: Gate, number: str) -> Sheet:
    """Draw the base board from above, with the screws into the stands."""
    numbers = gate.numbers
    begin, long, wide = gate.base
    many = "one lane" if gate.build == "queue" else "six lanes"
    sheet = Sheet(f"Base board for {many}, cubes of {gate.cube:g} mm, drilled through", number, scale=(1, 2))
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
            left = emitter_left(lane_number, 0)
            words = f"lane {lane_number + 1}: emitter {'left' if left else 'right'}"
            sheet.text((last + 6, middle + 4), words, 2.5)
            sheet.text((last + 6, middle - 9), "second beam: other side", 2)
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
