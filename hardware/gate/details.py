"""Drawings of the parts of the gate with measures: the lane from above and in section, the rail."""

from __future__ import annotations

from itertools import pairwise

from hardware.drawing import Sheet
from hardware.gate.geometry import Gate

PRINTED = "PLA or PETG, black, printed"


def lane(gate: Gate) -> Sheet:
    """Draw a lane from above without its lid."""
    numbers = gate.numbers
    sheet = Sheet(
        f"Lane, cubes of {gate.cube:g} mm, from above, lid off",
        "G-2",
        (1, 1),
        material=PRINTED,
        tolerance="±0.2",
        quantity="1, or 6",
    )
    half, inner, wall = gate.width / 2, gate.lane / 2, numbers.lane.wall_mm
    sensor = numbers.sensor
    slot = inner + sensor.baffle_mm + sensor.nose_deep_mm
    for sign in (1, -1):
        walls = [(0, inner), *gate.sides, (gate.length, gate.mouth / 2)]
        sheet.path([(x, sign * y) for x, y in walls], closed=False)
        outer = [(0, inner), (0, inner + wall), (gate.block[0], inner + wall), (gate.block[0], half)]
        for beam in sorted(gate.beams):
            left, right = beam - sensor.slot_mm / 2, beam + sensor.slot_mm / 2
            outer += [(left, half), (left, slot), (right, slot), (right, half)]
        outer += [(gate.block[1], half), (gate.block[1], inner + wall)]
        outer += [(gate.boss[0], inner + wall), (gate.boss[0], gate.lid_half), (gate.boss[1], gate.lid_half)]
        outer += [(gate.boss[1], inner + wall), *((s, out + wall) for s, out in walls[1:])]
        sheet.path([(x, sign * y) for x, y in [*outer, (gate.length, gate.mouth / 2)]], closed=False)
        for s in gate.lid_screws:
            sheet.circle((s, sign * gate.lid_out), numbers.screws.pilot_mm)
        baffle = inner + sensor.baffle_mm
        for beam in gate.beams:
            for across, first, last in ((sensor.nose_mm, baffle, slot), (sensor.aperture_mm, inner, baffle)):
                for x in (beam - across / 2, beam + across / 2):
                    sheet.line((x, sign * first), (x, sign * last), "HIDDEN")
        end = gate.length - numbers.mouth.back_in_mm
        for x in (end, end - numbers.mouth.groove_mm[0]):
            sheet.line((x, sign * gate.mouth / 2), (x, sign * (gate.mouth / 2 + numbers.mouth.groove_mm[1])))
    for s in gate.lane_screws:
        sheet.circle((s, 0), numbers.screws.through_mm)
    sheet.line((-8, 0), (gate.length + 8, 0), "CENTRE")
    for beam in gate.beams:
        sheet.line((beam, -half - 4), (beam, half + 4), "CENTRE")
    first, second = gate.beams
    sheet.dim((0, half), (second, half), 12, along="x")
    sheet.dim((second, half), (first, half), 12, along="x")
    sheet.dim((first, half), (gate.throat, half), 12, along="x")
    ends = [s for s, _ in gate.sides]
    for begin, end in pairwise([*ends, gate.length]):
        sheet.dim((begin, half), (end, half), 12, along="x")
    for (s, out), offset in zip(gate.sides[1:-1], (6, 12), strict=True):
        sheet.dim((s, -out), (s, out), offset, along="y", text=f"{2 * out:g}")
    sheet.dim((gate.block[0], -half), (gate.block[1], -half), -8, along="x")
    sheet.dim((0, -half), (gate.block[0], -half), -16, along="x")
    sheet.dim((gate.boss[0], -half), (gate.boss[1], -half), -8, along="x")
    sheet.dim((gate.boss[1], -half), (gate.throat, -half), -16, along="x")
    sheet.dim((0, -half), (gate.length, -half), -24, along="x")
    sheet.dim((gate.block[0], -half), (gate.block[0], half), 30 + gate.block[0], along="y", text=f"{gate.width:g}")
    sheet.dim((gate.length, -gate.mouth / 2), (gate.length, gate.mouth / 2), -10, along="y", text=f"{gate.mouth:g}")
    sheet.dim((0, -inner), (0, inner), 10, along="y", text=f"{gate.lane:g}")
    sheet.dim((0, -gate.lid_out), (0, gate.lid_out), 20, along="y", text=f"{2 * gate.lid_out:g}")
    sheet.note((58, -34), (gate.lane_screws[1], 0), "M3 countersunk, into the stand")
    pilot = f"pilot {numbers.screws.pilot_mm:g} for M3, {numbers.screws.deep_mm:g} deep, six times: lid"
    sheet.note((58, -40), (gate.lid_screws[1], -gate.lid_out), pilot)
    sheet.note((62, half + 4), (first, half - 2), "first beam: the upper one")
    bored = f"bore {sensor.nose_mm:g}, aperture {sensor.aperture_mm:g}, same on both sides: see G-3"
    sheet.note((62, half - 4), (second, half - 14), bored)
    sheet.text((90, 3), "cubes come from the right", 2.5)
    return sheet


def section(gate: Gate) -> Sheet:
    """Draw the section of the lane through a beam."""
    numbers = gate.numbers
    sheet = Sheet(
        f"Section through a beam, cubes of {gate.cube:g} mm",
        "G-3",
        (2, 1),
        material=PRINTED,
        tolerance="±0.2",
        quantity="1, or 6",
    )
    sensor, floor = numbers.sensor, numbers.lane.floor_mm
    inner, half, roof = gate.lane / 2, gate.width / 2, floor + gate.high
    middle = floor + gate.cube / 2
    baffle, slot = inner + sensor.baffle_mm, inner + sensor.baffle_mm + sensor.nose_deep_mm
    ledge, nose, aperture = middle - sensor.below_mm, sensor.nose_mm / 2, sensor.aperture_mm / 2
    for sign in (1, -1):
        below = [(0, 0), (half, 0), (half, ledge), (slot, ledge), (slot, middle - nose), (baffle, middle - nose)]
        below += [(baffle, middle - aperture), (inner, middle - aperture), (inner, floor), (0, floor)]
        above = [(slot, roof), (slot, middle + nose), (baffle, middle + nose)]
        above += [(baffle, middle + aperture), (inner, middle + aperture), (inner, roof)]
        below, above = ([(sign * x, y) for x, y in points] for points in (below, above))
        sheet.path(below, closed=False)
        sheet.path(above)
        sheet.hatch(below)
        sheet.hatch(above)
        behind = [(half, ledge), (half, roof), (slot, roof)]  # the block beyond the slot
        sheet.path([(sign * x, y) for x, y in behind], closed=False, layer="MARK")
    top = roof + numbers.lane.roof_mm
    lid = [(-gate.lid_half, roof), (gate.lid_half, roof), (gate.lid_half, top), (-gate.lid_half, top)]
    sheet.path(lid)
    sheet.hatch(lid, rising=False)
    sheet.box((-gate.cube / 2, floor), gate.cube, gate.cube, "MARK")
    sheet.line((-half - 3, middle), (slot + 0.5, middle), "CENTRE")
    sheet.dim((-half, 0), (half, 0), -10, along="x", text=f"{gate.width:g}")
    sheet.dim((-half, 0), (-half, middle), 8, along="y")
    sheet.dim((half, 0), (half, roof), -8, along="y", text=f"{roof:g}")
    sheet.dim((half, roof), (half, top), -8, along="y")
    sheet.dim((-inner, top), (inner, top), 8, along="x", text=f"{gate.lane:g}")
    sheet.dim((inner, top), (baffle, top), 8, along="x")
    sheet.dim((baffle, top), (slot, top), 8, along="x")
    sheet.dim((slot, top), (half, top), 8, along="x")
    sheet.dim((-gate.lid_half, top), (gate.lid_half, top), 16, along="x", text=f"{2 * gate.lid_half:g}")
    housing = f"slot {sensor.slot_mm:g} wide, for a housing of 20 x 10 x 8"
    sheet.note((-half - 2, roof + 2), (-half + 4, middle + 4), housing)
    sheet.note((-half - 9, middle + 5), (-inner - 2, middle), f"aperture {sensor.aperture_mm:g}: drill it clean")
    sheet.dim((slot, middle - nose), (slot, middle + nose), -8, along="y", text=f"Ø{sensor.nose_mm:g}")
    sheet.text((0, -9), f"Bore of {sensor.nose_mm:g}: for a 5 mm part, or 3 mm in a sleeve", 2.5, align="centre")
    sheet.text((0, floor + 4), "cube", 2.5, align="centre")
    return sheet


def rail(gate: Gate) -> Sheet:
    """Draw the queue rail in section and from above."""
    numbers = gate.numbers
    own, colour = numbers.rail, numbers.colour
    sheet = Sheet(
        f"Queue rail, cubes of {gate.cube:g} mm: section and from above",
        "G-4",
        (1, 1),
        material=PRINTED,
        tolerance="±0.2",
        quantity="1, or 6",
    )
    long, up = gate.rail_length, 60.0
    sides, stop = own.floor_mm + gate.rail_side, own.floor_mm + own.stop_height * gate.cube
    window = (gate.window_at - gate.window / 2, gate.window_at + gate.window / 2)
    ceiling = own.floor_mm - colour.ceiling_mm
    floor, (low, high) = own.floor_mm, gate.pocket
    cut = [(0, 0), (low, 0), (low, ceiling), (window[0], ceiling), (window[0], floor)]
    cut += [(own.stop_mm, floor), (own.stop_mm, stop), (0, stop)]
    rest = [(long, 0), (high, 0), (high, ceiling), (window[1], ceiling), (window[1], floor), (long, floor)]
    for piece in (cut, rest):
        shape = [(x, y + up) for x, y in piece]
        sheet.path(shape)
        sheet.hatch(shape)
    notch = gate.front + gate.cube + 2
    finger = floor + own.finger_mm
    edge = [(own.stop_mm, finger), (notch, finger), (notch, sides), (long, sides), (long, floor)]
    sheet.path([(x, y + up) for x, y in edge], closed=False)
    sheet.box((own.stop_mm, up + floor), own.foam_mm, stop - floor, "HIDDEN")
    sheet.box((gate.front, up + floor), gate.cube, gate.cube, "MARK")
    pcb = (gate.window_at + colour.beside_mm / 2, ceiling - colour.tape_mm)
    sheet.box((pcb[0] - colour.board_mm / 2, up + pcb[1] - 1.6), colour.board_mm, 1.6, "MARK")
    for u in gate.rail_screws:
        sheet.line((u, up - 3), (u, up + floor + 3), "CENTRE")
    sheet.dim((0, up), (long, up), -18, along="x")
    sheet.dim((0, up), (gate.window_at, up), -10, along="x")
    sheet.dim((long, up), (long, up + floor), -8, along="y")
    sheet.dim((long, up), (long, up + sides), -16, along="y")
    sheet.dim((0, up), (0, up + stop), 8, along="y", text=f"{stop:g}")
    sheet.dim((own.stop_mm, up + sides), (notch, up + sides), 22, along="x")
    sheet.note((44, up + 36), (own.stop_mm + 1, up + floor + 5), f"foam {own.foam_mm:g}")
    sheet.note((62, up + 28), (gate.front + gate.cube - 2, up + floor + gate.cube - 2), "cube at the stop")
    taped = f"TCS34725 board on {colour.tape_mm:g} mm foam tape, lamp towards the stop"
    sheet.note((44, up - 25), (pcb[0] + 6, up + pcb[1] - 1), taped)
    half, inner = own.width_mm / 2, gate.rail_lane / 2
    sheet.box((0, -half), long, own.width_mm)
    sheet.path([(long, inner), (own.stop_mm, inner), (own.stop_mm, -inner), (long, -inner)], closed=False)
    sheet.box((window[0], -gate.window / 2), gate.window, gate.window)
    sheet.box((gate.pocket[0], -colour.pocket_mm / 2), colour.pocket_mm, colour.pocket_mm, "HIDDEN")
    for sign in (1, -1):
        sheet.line((notch, sign * inner), (notch, sign * half))
    for u in gate.rail_screws:
        sheet.circle((u, 0), numbers.screws.through_mm)
    sheet.line((-5, 0), (long + 5, 0), "CENTRE")
    sheet.dim((long, -half), (long, half), -16, along="y")
    sheet.dim((long, -inner), (long, inner), -8, along="y", text=f"{gate.rail_lane:g}")
    sheet.dim((0, -half), (gate.rail_screws[0], -half), -8, along="x")
    sheet.dim((0, -half), (gate.rail_screws[1], -half), -16, along="x")
    sheet.dim((window[0], half), (window[1], half), 8, along="x")
    sheet.dim((gate.pocket[0], half), (gate.pocket[1], half), 15, along="x")
    sheet.dim((0, half), (gate.pocket[0], half), 22, along="x")
    return sheet
