"""The printed parts of the gate as solids. Each lies as it is printed, and needs no support unless its page says so.

Along a lane or a rail, x counts upwards from its lower end; the underside is on the bed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from math import hypot
from typing import Any

from hardware.gate.geometry import BUILDS, FINGERS_MM, Gate, Point
from hardware.gate.numbers import Numbers
from hardware.solids.shapes import BEYOND, Corner, bar, box, plate, polygon, rod

WIRES_MM = (8.0, 2.0)  # the channel of the colour sensor's wires: wide, deep
SLIDES_MM = 0.2  # the back has so much play in its groove, on either side
NOTCH_MM = (2.0, 0.6)  # under the piece for a check: wide, deep
STOP_MM = 5.0  # length of its narrow end
SHORT_MM = 0.5  # the sleeve is so much shorter than its bore


def models(numbers: Numbers) -> dict[str, Callable[[], Any]]:
    """Return what draws each printed part, by the name of its file."""
    found: dict[str, Callable[[], Any]] = {}
    for cube in numbers.cubes.sizes_mm:
        size = Gate(numbers, cube)
        found |= {f"lane-{cube}-{beams}": partial(lane, size, beams) for beams in (1, 2)}
        if cube == numbers.beam_board.cube_mm:
            found[f"lane-{cube}-boards"] = partial(lane_for_boards, size)
        found[f"lid-{cube}"] = partial(lid, size)
        for build in BUILDS:
            own = Gate(numbers, cube, build)
            found |= {f"rail-{cube}-{build}": partial(rail, own), f"stand-{cube}-{build}": partial(stand, own)}
        found[f"back-{cube}"] = partial(back, size)
        found[f"check-{cube}"] = partial(check, size)
    return found | {"sleeve": partial(sleeve, numbers)}


@cache
def lane(gate: Gate, beams: int) -> Any:
    """Return a lane with its mouth, and the bores of its first beams."""
    whole, roof = _lane(gate)
    return whole.cut(*(cut for s in gate.beams[:beams] for cut in _bores(gate, s, roof)))


@cache
def lane_for_boards(gate: Gate) -> Any:
    """Return a lane with a pocket on each side, into which a beam board is pushed from outside and screwed to a rib."""
    own, sensor = gate.numbers.beam_board, gate.numbers.sensor
    whole, roof = _lane(gate)
    middle, along = gate.numbers.lane.floor_mm + gate.cube / 2, sum(gate.beams) / 2
    low, up = middle - sensor.below_mm, middle + own.screw_up_mm
    inner = gate.lane / 2 + sensor.baffle_mm
    cuts, ribs, pilots = [], [], []
    for s in gate.beams:
        cuts.append(bar((s, -gate.width, middle), (s, gate.width, middle), sensor.aperture_mm))
    for side in (-1, 1):
        wall, face = side * (inner + sensor.nose_deep_mm), side * (inner + own.face_mm)
        for s in gate.beams:
            cuts.append(bar((s, side * inner, middle), (s, side * gate.width, middle), sensor.nose_mm))
        near, far = sorted((wall, side * gate.width))
        cuts.append(box((along - own.wide_mm / 2, near, low), (along + own.wide_mm / 2, far, roof + BEYOND)))
        near, far = sorted((wall - side * BEYOND, face))
        half = own.rib_mm / 2
        ribs.append(box((along - half, near, low - BEYOND), (along + half, far, up + half)))
        start = (along, face + side * BEYOND, up)
        pilots.append(bar(start, (along, face - side * own.deep_mm, up), gate.numbers.screws.pilot_mm))
    return whole.cut(*cuts).fuse(*ribs).cut(*pilots)


def _lane(gate: Gate) -> tuple[Any, float]:
    """Return a lane with its mouth and no bores of beams, and the height of its roof."""
    own, mouth = gate.numbers.lane, gate.numbers.mouth
    half, floor = gate.width / 2, own.floor_mm
    roof, top = floor + gate.high, floor + mouth.height_mm
    outer = plate(_channel(gate, own.wall_mm, 0, gate.length), (), top)
    above = box((-BEYOND, -gate.width, roof), (gate.throat, gate.width, top + BEYOND))  # there the lid is
    whole = outer.cut(above).fuse(
        box((gate.block[0], -half, 0), (gate.block[1], half, roof)),  # of the sensors
        box((gate.boss[0], -gate.lid_half, 0), (gate.boss[1], gate.lid_half, roof)),  # bears the lid's upper screws
    )
    end = gate.length - mouth.back_in_mm
    wide, deep = mouth.groove_mm
    cuts = [
        plate(_channel(gate, 0, -BEYOND, gate.length + BEYOND), (), top, floor),
        box((end - wide, -gate.mouth / 2 - deep, floor - deep), (end, gate.mouth / 2 + deep, top + BEYOND)),
        *(_screw(gate, s, 0, floor) for s in gate.lane_screws),
        *(_pilot(gate, s, y, roof) for s in gate.lid_screws for y in (-gate.lid_out, gate.lid_out)),
    ]
    return whole.cut(*cuts), roof


@cache
def lid(gate: Gate) -> Any:
    """Return the roof of a lane, its underside on the bed, with the apron that closes the mouth in front."""
    own, half, apron = gate.numbers.lane, gate.lid_half, gate.numbers.mouth.height_mm - gate.high
    whole = box((0, -half, 0), (gate.throat, half, own.roof_mm))
    whole = whole.fuse(box((gate.throat - own.wall_mm, -half, 0), (gate.throat, half, apron)))
    return whole.cut(*(_screw(gate, s, y, own.roof_mm) for s in gate.lid_screws for y in (-gate.lid_out, gate.lid_out)))


@cache
def rail(gate: Gate) -> Any:
    """Return the rail, from the outer face of its stop; the queue has the window and the pocket of the sensor."""
    own, colour, long = gate.numbers.rail, gate.numbers.colour, gate.rail_length
    floor, half = own.floor_mm, own.width_mm / 2
    sides, stop = floor + gate.rail_side, floor + gate.cube * own.stop_height
    whole = box((0, -half, 0), (long, half, sides)).fuse(box((0, -half, 0), (own.stop_mm, half, stop)))
    fingers = gate.front + gate.cube + FINGERS_MM
    cuts = [
        box((own.stop_mm, -gate.rail_lane / 2, floor), (long + BEYOND, gate.rail_lane / 2, sides + BEYOND)),
        box((own.stop_mm, -own.width_mm, floor + own.finger_mm), (fingers, own.width_mm, sides + BEYOND)),
        *(_screw(gate, u, 0, floor) for u in gate.rail_screws),
    ]
    if gate.build == "queue":
        (low, high), at, window = gate.pocket, gate.window_at, gate.window / 2
        cuts += [
            box((at - window, -window, -BEYOND), (at + window, window, floor + BEYOND)),
            box((low, -colour.pocket_mm / 2, -BEYOND), (high, colour.pocket_mm / 2, floor - colour.ceiling_mm)),
            box((-BEYOND, -WIRES_MM[0] / 2, -BEYOND), (low + BEYOND, WIRES_MM[0] / 2, WIRES_MM[1])),
        ]
    return whole.cut(*cuts)


@cache
def stand(gate: Gate) -> Any:
    """Return the stand, on its side: what it looks like from the side, as thick as it is wide."""
    own, screws = gate.numbers.stand, gate.numbers.screws
    middle, deep = own.width_mm / 2, screws.deep_mm
    holes = [(_flat(start, middle), _flat(end, middle)) for start, end in gate.pilots]
    for across in (-own.foot_in_mm, own.foot_in_mm):
        holes += [((x, 0, middle + across), (x, deep, middle + across)) for x in gate.feet]
    whole = plate(polygon(gate.profile), (), own.width_mm)
    return whole.cut(*(bar(_before(start, end), end, screws.pilot_mm) for start, end in holes))


@cache
def back(gate: Gate) -> Any:
    """Return what closes the mouth behind where cubes are tossed straight in."""
    mouth = gate.numbers.mouth
    half = gate.mouth / 2 + mouth.groove_mm[1] - SLIDES_MM
    return box((-half, 0, 0), (half, mouth.height_mm + mouth.groove_mm[1], mouth.back_mm))


@cache
def check(gate: Gate) -> Any:
    """Return a short piece of the lane with one beam, to try before the long prints.

    Its low end is so narrow that a cube must stop there. With a cube under its notch, the floor is as steep as the
    roughest cube that the gate passes needs.
    """
    own, half, wall = gate.numbers.lane, gate.lane / 2, gate.numbers.lane.wall_mm
    floor, least = own.floor_mm, gate.cube - gate.numbers.cubes.smaller_mm
    notch = gate.check_notch
    long, beam = notch + gate.cube / 2, notch / 2
    top = floor + (gate.cube + gate.numbers.sensor.nose_mm) / 2 + NOTCH_MM[0]
    block = gate.numbers.sensor.slot_mm / 2 + wall
    whole = box((0, -half - wall, 0), (long, half + wall, floor + gate.numbers.rail.finger_mm))
    whole = whole.fuse(box((beam - block, -half - wall, 0), (beam + block, gate.width / 2, top)))
    return whole.cut(
        box((-BEYOND, -least / 2, floor), (long + BEYOND, least / 2, top + BEYOND)),
        box((STOP_MM, -half, floor), (long + BEYOND, half, top + BEYOND)),
        box((notch, -gate.width, -BEYOND), (notch + NOTCH_MM[0], gate.width, NOTCH_MM[1])),
        *_bores(gate, beam, top),
    )


@cache
def sleeve(numbers: Numbers) -> Any:
    """Return a ring that fits a 3 mm part to the bore of a 5 mm part."""
    (inside, outside), high = numbers.sensor.sleeve_mm, numbers.sensor.nose_deep_mm - SHORT_MM
    return rod((0, 0), outside, 0, high).cut(rod((0, 0), inside, -BEYOND, high + BEYOND))


def _bores(gate: Gate, s: float, top: float) -> list[Any]:
    """Return what a beam at `s` takes from a lane: both sides are alike, so emitter and receiver may change places."""
    sensor, middle = gate.numbers.sensor, gate.numbers.lane.floor_mm + gate.cube / 2
    cuts = [bar((s, -gate.width, middle), (s, gate.width, middle), sensor.aperture_mm)]
    for side in (-1, 1):
        nose = side * (gate.lane / 2 + sensor.baffle_mm)
        cuts.append(bar((s, nose, middle), (s, side * gate.width, middle), sensor.nose_mm))
        ends = sorted((nose + side * sensor.nose_deep_mm, side * gate.width))
        low, high = s - sensor.slot_mm / 2, s + sensor.slot_mm / 2
        cuts.append(box((low, ends[0], middle - sensor.below_mm), (high, ends[1], top + BEYOND)))
    return cuts


def _channel(gate: Gate, out: float, begin: float, end: float) -> Any:
    """Return the outline of lane and mouth, `out` wider on either side."""
    bends = [(begin, gate.lane / 2), *gate.sides, (end, gate.mouth / 2)]
    right = [(s, half + out) for s, half in bends]
    return polygon([(x, -y) for x, y in right] + right[::-1])


def _screw(gate: Gate, x: float, y: float, top: float) -> Any:
    """Return a countersunk screw from above."""
    own = gate.numbers.screws
    head = bar((x, y, top - own.sunk_mm), (x, y, top), own.through_mm, own.head_mm)
    return rod((x, y), own.through_mm, -BEYOND, top + BEYOND).fuse(head)


def _pilot(gate: Gate, x: float, y: float, top: float) -> Any:
    own = gate.numbers.screws
    return rod((x, y), own.pilot_mm, top - own.deep_mm, top + BEYOND)


def _flat(point: Point, z: float) -> Corner:
    return (*point, z)


def _before(start: Corner, end: Corner) -> Corner:
    """Return a point before the start of a hole, so that it reaches through the face."""
    long = hypot(*(b - a for a, b in zip(start, end, strict=True)))
    x, y, z = (a - (b - a) / long * BEYOND for a, b in zip(start, end, strict=True))
    return x, y, z
