"""The gate computed from gate.toml: cubes pass, cannot turn nor wedge, and the beams lie where the firmware thinks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import acos, atan, cos, degrees, radians, sin, sqrt, tan
from pathlib import Path
from random import Random

import pytest

from hardware.gate.geometry import SIX, Gate, Point, corner_above, emitter_left, gates, held_across, refuse_traps
from hardware.gate.numbers import SOURCE, read_numbers
from hardware.gate.page import settings
from hardware.gate.physics import (
    allowed_us,
    bounce,
    countable,
    faces,
    fastest,
    jump,
    looks,
    needed_across,
    passes,
    slowest,
    speed,
    spread_us,
    starts,
    sun,
    to_beam,
    wedge_from,
)
from hardware.spec import BadSpec
from tests.kit.chute import Chute, configurations
from umpi.box.config_file import read_config
from umpi.timing.gate import BeamEdge, judge
from umpi.timing.occlusion import Settings, limits

NUMBERS = read_numbers()
GATES = list(gates(NUMBERS))
SIZES = [Gate(NUMBERS, size) for size in NUMBERS.cubes.sizes_mm]
CODE = NUMBERS.code
EVERY_BEAM = [(lane, beam) for lane in range(SIX) for beam in (0, 1)]
every = pytest.mark.parametrize("gate", GATES, ids=lambda gate: f"{gate.cube:g}-{gate.build}")
each_size = pytest.mark.parametrize("gate", SIZES, ids=lambda gate: f"{gate.cube:g}")


def settings_of(gate: Gate, lanes: int = 1, beams: int = 1) -> Settings:
    """The firmware's settings for this gate, its sensors all alike."""
    return Settings(lanes, beams, gate.cube, CODE.turned, CODE.speed_mm_s, CODE.beam_gap_mm)


def can_turn(cube: float, lane: float) -> bool:
    """Return whether a cube can turn round in a lane, because its diagonal fits."""
    return cube * sqrt(2) <= lane


def wedges(cube: float, lane: float, friction: float) -> bool:
    """Return whether friction stops a cube that turns until two corners touch the walls.

    The line between those corners is the cube's diagonal. Friction holds what is pressed along a line that lies no
    farther from the walls' normal than the angle of friction. What cannot turn so far, or turns freely, does not wedge.
    """
    if can_turn(cube, lane):
        return False
    return degrees(acos(lane / (cube * sqrt(2)))) <= degrees(atan(friction))


def _lowest(cube: float, lane: float, deg: float, turn: float) -> float:
    """Return the height above the throat of the centre of a square that is turned, as low as two walls allow.

    The left wall goes up from (-lane / 2, 0), the right one from (lane / 2, 0), each at `deg` to the lane. Left of the
    centre, some corner or the throat's edge touches; so do all the same to the right: of two limits the higher counts.
    """
    corners = [
        (cube / sqrt(2) * cos(radians(turn + a)), cube / sqrt(2) * sin(radians(turn + a))) for a in (45, 135, 225, 315)
    ]

    def fits(y: float, x: float) -> bool:
        points = [
            (x + ax + (bx - ax) * part / 40, y + ay + (by - ay) * part / 40)
            for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True)
            for part in range(40)
        ]
        return all(abs(px) <= lane / 2 + max(0.0, py) * tan(radians(deg)) + 1e-9 for px, py in points)

    steps = [step / 50 for step in range(-200, 201)]
    low, high = -3 * cube, 6 * cube
    while high - low > 1e-4:
        y = (low + high) / 2
        low, high = (low, y) if any(fits(y, x) for x in steps) else (y, high)
    return high


def apart(edges: Sequence[BeamEdge], most_us: float, chance: Random) -> list[BeamEdge]:
    """The same edges by sensors that answer unlike: each late by its own time, two by no more than `most_us`."""
    late = {(lane, beam): round(chance.choice((0, 1, chance.random())) * most_us * 1000) for lane, beam in EVERY_BEAM}
    return [replace(edge, t=edge.t + late[edge.lane, edge.beam]) for edge in edges]


# What falls


def test_the_firmware_s_own_cube_and_gap_of_beams_are_this_gate_s() -> None:
    assert Settings().cube_mm in NUMBERS.cubes.sizes_mm
    assert Settings().beam_gap_mm == CODE.beam_gap_mm == SIZES[0].beams[0] - SIZES[0].beams[1]


@each_size
def test_a_cube_passes_but_cannot_turn_nor_wedge(gate: Gate) -> None:
    assert gate.lane >= gate.cube + NUMBERS.cubes.spread_mm + 0.5
    assert not can_turn(gate.cube, gate.lane)
    for friction in (*NUMBERS.cubes.friction, 0.5):
        assert not wedges(gate.cube, gate.lane, friction)
        assert not wedges(gate.cube, gate.rail_lane, friction)


def test_a_lane_of_1_31_to_1_41_cubes_would_wedge_one_and_a_wider_one_let_it_turn() -> None:
    """The diagonal of 16 mm is 22.63 mm; with friction of 0.4 a cube is held from 21.0 mm on."""
    assert [wedges(16, lane, 0.4) for lane in (20.9, 21.1, 22.6, 22.7)] == [False, True, True, False]
    assert can_turn(16, 22.7)
    assert wedge_from(SIZES[1]) / 16 == pytest.approx(1.313, abs=0.001)


def test_a_small_cube_would_turn_in_the_lane_for_a_large_one() -> None:
    small, large = SIZES
    assert can_turn(small.cube, large.lane)


@each_size
def test_a_cube_looks_no_longer_than_the_settings_say(gate: Gate) -> None:
    """Turned by an angle a it is cube · (cos a + sin a) wide and as long: no angle that fits looks longer."""
    fitting = [turn for turn in range(450) if gate.cube * _reach(turn / 10) <= gate.lane]
    assert max(_reach(turn / 10) for turn in fitting) == pytest.approx(looks(gate.cube, gate.lane), abs=0.002)
    assert looks(gate.cube, gate.lane) <= CODE.turned <= Settings().turned


@each_size
def test_the_mouth_traps_no_cube(gate: Gate) -> None:
    assert not gate.traps


@pytest.mark.parametrize(("cube", "deg", "corner"), [(16, 25, 0.43), (16, 20, -0.31), (16, 15, -1.28), (12, 30, 0.53)])
def test_a_cube_is_trapped_where_it_would_have_to_rise_to_turn(cube: float, deg: float, corner: float) -> None:
    """A square that is turned between two walls and a lane: at a trap its centre is lowest flat on a wall."""
    lane = cube + 1.25
    assert corner_above(cube, lane, deg) == pytest.approx(corner, abs=0.006)
    before, flat, after = (_lowest(cube, lane, deg, deg + turn) for turn in (-1, 0, 1))
    assert (flat < min(before, after)) == (corner > 0)


@pytest.mark.parametrize("deg", [4, 8, 20, 35])
def test_friction_holds_a_cube_whose_diagonal_is_across_whatever_the_mouth_s_angle(deg: float) -> None:
    """The greatest turn for which two forces within their cones balance weight and turn, found by trying them all."""
    friction, steps = 0.3, 200
    a, f = radians(deg), atan(friction)
    pushes = [tan(a - f + 2 * f * at / steps) for at in range(steps + 1)]  # up the lane, by the force across
    most = max((one - other) / 2 for one in pushes for other in pushes if one + other > 0)
    assert held_across(deg, friction) == pytest.approx(most, abs=1e-9)
    assert most >= friction


def test_what_traps_a_cube_is_refused_with_its_figure() -> None:
    steep = replace(NUMBERS, mouth=replace(NUMBERS.mouth, sides=((25, 2.5),)))
    with pytest.raises(BadSpec, match=r"25° above a width of 17.25 mm traps a cube of 16.3 mm.* 0\.79 mm above"):
        refuse_traps(steep)
    refuse_traps(NUMBERS)


@each_size
def test_no_two_cubes_stand_side_by_side_where_the_mouth_is_narrow(gate: Gate) -> None:
    """Two that lie askew, with their contact turned by the angle of friction, are narrower than two side by side."""
    narrow = 2 * gate.sides[-2][1]
    held = 2 * (gate.cube - NUMBERS.cubes.smaller_mm) * cos(atan(NUMBERS.cubes.passes))
    assert narrow < held


@each_size
def test_a_cube_can_tumble_under_the_roof(gate: Gate) -> None:
    assert gate.high > (gate.cube + NUMBERS.cubes.spread_mm) * sqrt(2)


# How fast


@pytest.mark.parametrize(
    ("way", "slope", "frictions", "fact"),
    [(100, 45, (0.4, 0.2), (910, 1053)), (200, 45, (0.4, 0.2), (1290, 1490)), (300, 90, (0, 0), (2426, 2426))],
)
def test_speeds_are_those_of_the_known_table(
    way: float, slope: float, frictions: tuple[float, float], fact: tuple[float, float]
) -> None:
    """10 cm at 45° 0.9 to 1.05 m/s, 20 cm 1.3 to 1.5, a fall of 30 cm 2.4."""
    assert tuple(speed(0, way, slope, friction) for friction in frictions) == pytest.approx(fact, rel=0.01)


@each_size
def test_cubes_come_as_fast_as_the_settings_say(gate: Gate) -> None:
    slow, fast = CODE.speed_mm_s
    assert slow <= slowest(gate) < fastest(gate) <= fast
    assert fast <= 2400


@each_size
def test_one_beam_distinguishes_two_fast_cubes_from_a_slow_one(gate: Gate) -> None:
    bounds = limits(settings_of(gate))
    assert gate.cube / slowest(gate) * 1e9 + bounds.slack < bounds.least[2]


@each_size
def test_even_a_cube_in_free_fall_darkens_a_beam_for_longer_than_a_slow_sensor_needs(gate: Gate) -> None:
    assert gate.cube / 2400 * 1e6 > 2 * 2000


@pytest.mark.slow
@each_size
def test_no_clear_verdict_is_wrong_though_no_two_sensors_are_alike(gate: Gate) -> None:
    """The physical model that the firmware is tested with, at this gate's speeds, lengths and worst sensors."""
    response = NUMBERS.sensor.response_us
    glitch_us, dead_heat_us = allowed_us(gate, response)
    for plan in configurations(settings_of(gate)):
        compared = plan.lanes * plan.beams > 1
        sliding = replace(plan, speed_mm_s=(round(slowest(gate)), plan.speed_mm_s[1]))  # few are slower
        allowing = replace(plan, glitch_us=glitch_us, dead_heat_us=dead_heat_us) if compared else plan
        assert not allowing.refusal()
        chute, chance, doubtful, heats = Chute(sliding, Random(9)), Random(10), 0, 0
        for _ in range(150):
            for seen, ordinary in ((chute.ordinary(), True), (chute.rough(), False)):
                verdict = judge(apart(seen.edges, spread_us(gate, response), chance), allowing)
                assert not verdict.clear or tuple(cube.lane for cube in verdict.cubes) == seen.lanes
                doubtful += ordinary and not verdict.clear
                heats += ordinary and any("dead-heat" in cube.doubts for cube in verdict.cubes)
        assert doubtful <= 150 // 6
        assert doubtful - heats <= 150 // 10


# The beams


@each_size
def test_the_beams_lie_under_the_roof_between_throat_and_exit_at_half_a_cube(gate: Gate) -> None:
    first, second = gate.beams
    assert 0 < gate.block[0] < second < first < gate.block[1] < gate.throat
    assert gate.cube + NUMBERS.sensor.aperture_mm / 2 < second, "a cube is past both before it meets the rail"
    assert CODE.beam_gap_mm <= gate.cube, "a cube is never between the beams unseen"
    assert NUMBERS.sensor.aperture_mm <= gate.cube / 4, "the firmware counts with a quarter of a cube to spare"


@each_size
def test_two_beams_surely_count_one_cube(gate: Gate) -> None:
    assert countable(gate, NUMBERS.sensor.response_us) >= 1


@each_size
def test_the_uncertainty_between_two_lanes_is_within_a_dead_heat(gate: Gate) -> None:
    """A module's own difference, 0.3 mm of place and a quarter of an aperture at the slowest, 750 mm/s."""
    response = NUMBERS.sensor.response_us
    assert spread_us(gate, response) == pytest.approx(1000 + 800 / 0.75, rel=0.001)
    assert (Settings().glitch_us, Settings().chatter_us) == (CODE.glitch_us, CODE.chatter_us)
    assert allowed_us(gate, response) == (2900, 3300)
    assert allowed_us(gate, response)[0] < 7500, "the fastest cube"


@each_size
def test_there_is_wall_round_every_bore(gate: Gate) -> None:
    sensor, least = NUMBERS.sensor, NUMBERS.print.least_wall_mm
    assert CODE.beam_gap_mm - sensor.slot_mm >= least, "between two slots"
    ledge = gate.cube / 2 - sensor.below_mm + NUMBERS.lane.floor_mm
    assert ledge >= NUMBERS.lane.floor_mm - 1e-9, "below a slot the floor is whole"
    assert sensor.below_mm - sensor.nose_mm / 2 >= 2, "below a bore"
    assert gate.lane - gate.cube / 2 - sensor.nose_mm / 2 >= 2, "above a bore"
    assert sensor.block_mm - sensor.slot_mm / 2 >= 2 * NUMBERS.screws.lid_in_mm, "a lid's screw beside a slot"
    for screw in gate.lid_screws[:2]:
        assert min(abs(screw - beam) for beam in gate.beams) >= sensor.slot_mm / 2 + NUMBERS.screws.pilot_mm / 2 + 2
    assert sensor.baffle_mm + sensor.nose_deep_mm - NUMBERS.screws.lid_out_mm >= NUMBERS.screws.pilot_mm / 2 + 2


def test_bores_fit_parts_of_5_mm_and_their_sleeves_parts_of_3_mm() -> None:
    inside, outside = NUMBERS.sensor.sleeve_mm
    assert 0.1 <= NUMBERS.sensor.nose_mm - 5 <= 0.3
    assert 0.1 <= inside - 3 <= 0.3
    assert 0.1 <= NUMBERS.sensor.nose_mm - outside <= 0.3
    assert (outside - inside) / 2 >= NUMBERS.print.least_wall_mm
    assert NUMBERS.sensor.aperture_mm < 3


@each_size
def test_no_emitter_reaches_the_other_beam_s_receiver_and_no_sun_any(gate: Gate) -> None:
    assert passes(NUMBERS) < needed_across(gate)
    assert passes(NUMBERS) < sun(gate) / 1.5
    assert degrees(atan(passes(NUMBERS))) == pytest.approx(26.6, abs=0.1)


def test_behind_a_receiver_lies_a_receiver_and_none_faces_a_neighbour_s_light() -> None:
    for beam in (0, 1):
        for lane, neighbour in pairwise(range(SIX)):
            assert emitter_left(lane, beam) != emitter_left(neighbour, beam)
            assert not faces(lane, neighbour, beam)
            assert not faces(neighbour, lane, beam)
    assert all(emitter_left(lane, 0) != emitter_left(lane, 1) for lane in range(SIX))
    assert faces(2, 0, 0), "the one after the next would, through the walls of a whole lane"


@each_size
def test_six_lanes_stand_side_by_side(gate: Gate) -> None:
    six = Gate(NUMBERS, gate.cube, "catch")
    assert len(six.lanes_at) == SIX
    assert all(left - right >= six.width for left, right in pairwise(six.lanes_at))
    assert six.lanes_at[0] + six.width / 2 + NUMBERS.stand.margin_mm <= six.base[2] / 2
    assert six.width >= NUMBERS.stand.width_mm


# The rail


@every
def test_the_rail_holds_all_cubes_and_leaves_the_beams_light(gate: Gate) -> None:
    full = gate.places * (gate.cube + NUMBERS.cubes.spread_mm)
    assert full <= gate.rail_length - gate.front
    assert full < to_beam(gate) - 10
    assert gate.places == (6 if gate.build == "queue" else 2)


@every
def test_the_last_cube_at_rest_does_not_touch_the_lane_s_end(gate: Gate) -> None:
    """The lane's end leans over the rail: at the height of a cube its roof is that much nearer to the stop."""
    size = gate.cube + NUMBERS.cubes.spread_mm
    corner = gate.on_rail(gate.front + gate.places * size, NUMBERS.rail.floor_mm + size)
    along, _ = _by(gate.on_lane(0), corner, NUMBERS.lane.slope_deg)
    assert along < -0.5


@every
def test_cubes_start_by_themselves_and_do_not_jump_back_into_a_beam(gate: Gate) -> None:
    assert starts(gate) > 1.15
    for friction in NUMBERS.cubes.friction:
        assert bounce(gate, friction) + gate.cube + NUMBERS.cubes.spread_mm < to_beam(gate)


@every
def test_even_the_cube_that_fills_the_rail_does_not_jump_back_into_a_single_beam(gate: Gate) -> None:
    """As if it jumped off its neighbours as off the foam. A single beam is the first one, above the second."""
    first = to_beam(gate) + CODE.beam_gap_mm
    assert all(jump(gate, friction) < first for friction in NUMBERS.cubes.friction)


@every
def test_no_two_cubes_fit_side_by_side_or_one_above_the_other(gate: Gate) -> None:
    assert gate.lane < 2 * min(NUMBERS.cubes.sizes_mm)


@each_size
def test_finger_and_thumb_get_hold_of_the_first_cube(gate: Gate) -> None:
    bare = gate.cube - NUMBERS.rail.finger_mm
    assert bare >= 9


@each_size
def test_the_cube_covers_the_sensor_s_window_wherever_it_lies(gate: Gate) -> None:
    play = (gate.rail_lane - gate.cube) / 2
    assert gate.cube / 2 - gate.window / 2 - play >= 2
    assert gate.window_at - gate.window / 2 - gate.front >= 2
    assert gate.window / 2 > NUMBERS.colour.beside_mm / 2 + 1, "chip and lamp both see through it"


def test_the_chip_lies_3_to_5_mm_below_the_cube_and_its_board_within_the_rail() -> None:
    """Farther than about 5 mm it would see the walls as well, having no lens."""
    colour = NUMBERS.colour
    assert 3 <= colour.ceiling_mm + colour.tape_mm - colour.chip_mm <= 5
    assert colour.board_mm < colour.pocket_mm
    assert NUMBERS.rail.width_mm - colour.pocket_mm >= 2 * NUMBERS.print.least_wall_mm
    assert colour.ceiling_mm + colour.tape_mm + 1.6 <= NUMBERS.rail.floor_mm


@each_size
def test_the_pocket_lies_before_the_stand_and_behind_the_rail_s_end(gate: Gate) -> None:
    assert NUMBERS.print.least_wall_mm <= gate.pocket[0] < gate.pocket[1] < gate.seat
    assert gate.pocket[0] < gate.window_at - gate.window / 2
    assert gate.window_at + gate.window / 2 < gate.pocket[1]


# What it stands on


@every
def test_lane_and_rail_do_not_meet_and_the_lane_lies_higher(gate: Gate) -> None:
    top, foot = gate.rail_top, gate.lane_foot
    along, up = _by(top, foot, NUMBERS.rail.slope_deg)
    assert along > 0, "no corner of the lane is in the rail"
    floor = gate.on_lane(0, NUMBERS.lane.floor_mm)
    assert _by(top, floor, NUMBERS.rail.slope_deg) == pytest.approx((0, NUMBERS.rail.step_mm))
    assert up < NUMBERS.rail.step_mm
    assert gate.rail_lane > gate.lane


@every
def test_every_screw_ends_in_the_stand(gate: Gate) -> None:
    xs = [x for x, _ in gate.profile]
    for seat, end in gate.pilots:
        assert min(xs) + 2 <= end[0] <= max(xs) - 2
        assert min(xs) <= seat[0] <= max(xs)
        assert end[1] >= 2
    for x in gate.feet:
        assert min(xs) + 5 <= x <= max(xs) - 5
        assert _height(gate.profile, x) >= NUMBERS.screws.deep_mm + 2
    assert gate.rail_screws[0] - gate.seat >= 5
    assert gate.rail_screws[1] - gate.rail_screws[0] >= 10


@every
def test_the_base_board_bears_it_all(gate: Gate) -> None:
    begin, long, wide = gate.base
    assert begin + long >= gate.on_lane(gate.length)[0] + NUMBERS.stand.margin_mm
    assert wide >= gate.width
    assert gate.lip == pytest.approx(gate.on_lane(gate.length, NUMBERS.lane.floor_mm)[1] + 6)


# The documents that contain the numbers


@each_size
def test_umpi_toml_takes_what_the_page_proposes(gate: Gate, tmp_path: Path) -> None:
    file = tmp_path / "umpi.toml"
    file.write_text(f"[beams]\nlane_1 = 8\nsecond_1 = 9\n{settings(gate)}\n")
    glitch_us, dead_heat_us = allowed_us(gate, NUMBERS.sensor.response_us)
    expected = replace(settings_of(gate, beams=2), glitch_us=glitch_us, dead_heat_us=dead_heat_us)
    assert Settings(lanes=1, beams=2, **read_config(file).gate) == expected  # type: ignore[arg-type]


def test_a_number_that_is_missing_or_not_known_is_named(tmp_path: Path) -> None:
    file = tmp_path / "gate.toml"
    file.write_text(SOURCE.read_text(encoding="utf-8").replace("tail_mm", "tale_mm"), encoding="utf-8")
    with pytest.raises(ValueError, match=r"gate\.toml: \[lane\] tail_mm, tale_mm: missing, or not known"):
        read_numbers(file)


def _reach(turned_deg: float) -> float:
    return cos(radians(turned_deg)) + sin(radians(turned_deg))


def _by(foot: Point, point: Point, slope_deg: float) -> Point:
    """A point by its way along a slope, and its height above it."""
    x, z = point[0] - foot[0], point[1] - foot[1]
    c, s = cos(radians(slope_deg)), sin(radians(slope_deg))
    return x * c + z * s, -x * s + z * c


def _height(profile: tuple[Point, ...], x: float) -> float:
    """How high the stand is at x."""
    for (ax, az), (bx, bz) in pairwise(profile[1:-1]):
        if ax <= x <= bx:
            return az + (bz - az) * (x - ax) / (bx - ax)
    raise AssertionError(f"the stand does not reach {x}")


@each_size
def test_the_stand_of_the_funnel_reaches_the_lip(gate: Gate) -> None:
    """The chute's lip ends at the mouth's floor; the rods stand for a funnel of any likely height."""
    low, high = gate.funnel_range
    assert low == 0
    assert high >= 150
    assert low < NUMBERS.funnel.example_mm < high
    short = replace(gate, numbers=replace(NUMBERS, funnel=replace(NUMBERS.funnel, rod_long_mm=120)))
    assert short.funnel_range[0] > 70, "shorter rods do not reach it with a flat funnel"


def test_the_page_says_what_the_stand_of_the_funnel_needs() -> None:
    own, page = NUMBERS.funnel, (SOURCE.parent / "README.md").read_text(encoding="utf-8")
    assert f"{own.plate_mm:g} × {own.plate_mm:g} × {own.thick_mm:g} mm" in page
    assert f"M{own.rod_mm:g} × {own.rod_long_mm:g}" in page
