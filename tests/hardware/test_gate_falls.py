"""Cubes fall through the gate as rigid bodies: they pass in order, a trap holds them, and no clear verdict is wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hardware.gate.funnel import LIP_IN_MM, MIDDLE, RIM, Funnel
from hardware.gate.geometry import Gate
from hardware.gate.numbers import read_numbers

pytest.importorskip("mujoco", reason="no MuJoCo here: pip install -e '.[falls]'")
from mujoco import MjData, MjModel, mj_step

from hardware.gate.bodies import HARD, HARD_MS, STEP_MS, model
from scripts.falls.__main__ import counted, gaps, interval, settings_of, thrown
from scripts.falls.box import at_the_box
from scripts.falls.chance import KINDS, Ranges
from scripts.falls.fall import in_order
from umpi.games.dohdles import funnel as card
from umpi.timing.gate import judge

pytestmark = pytest.mark.slow  # each needs MuJoCo
AWAY_STATE = (2000, 0, 500, 1, 0, 0, 0)
NUMBERS = read_numbers()
KIND = {kind.name: kind for kind in KINDS}
RANGES = Ranges(larger_mm=(-NUMBERS.cubes.smaller_mm, NUMBERS.cubes.spread_mm))
SIZES = [Gate(NUMBERS, size) for size in NUMBERS.cubes.sizes_mm]
each_size = pytest.mark.parametrize("gate", SIZES, ids=lambda gate: f"{gate.cube:g}")


def old(size: int) -> Gate:
    """A mouth that traps cubes: 25° above the lane, under a roof as low as the lane is wide."""
    mouth = replace(NUMBERS.mouth, sides=((25, 2.9),))
    return Gate(replace(NUMBERS, mouth=mouth, lane=replace(NUMBERS.lane, high_cubes=1.08)), size)


def test_the_ranges_are_those_of_the_gate() -> None:
    assert RANGES.friction[1] == NUMBERS.cubes.passes


def test_the_same_seed_throws_the_same_cubes() -> None:
    first, again, other = (thrown(SIZES[-1], KIND["three"], RANGES, seed, 3) for seed in ("1", "1", "2"))
    assert (first.track == again.track).all()
    assert first.edges == again.edges != other.edges


def test_a_race_of_three_is_clear_and_lies_on_the_rail_in_its_order() -> None:
    seen = thrown(SIZES[-1], KIND["three"], RANGES, "1", 3)
    verdict = judge(seen.edges, settings_of(seen.gate, 2))
    assert verdict.clear
    assert len(verdict.cubes) == 3
    assert seen.passed == seen.arrived == seen.queue == (0, 1, 2)
    assert in_order(seen)


@pytest.mark.parametrize("number", [17, 31, 39, 46])
def test_a_cube_slowed_by_friction_is_not_silently_two_cubes(number: int) -> None:
    rough = replace(RANGES, friction=(0.4, 0.45))
    seen = thrown(SIZES[-1], KIND["one"], rough, "a", number, to_rail=False)
    for beams in (1, 2):
        assert not at_the_box(seen.edges, settings_of(seen.gate, beams)).silently_wrong([0])


def test_a_cube_that_pauses_in_the_mouth_is_not_stuck() -> None:
    seen = thrown(SIZES[-1], KIND["one"], RANGES, "3", 5030, to_rail=False)
    assert (seen.stuck, seen.passed) == ((), (0,))


@each_size
def test_cubes_pass_in_order_and_no_clear_verdict_is_wrong(gate: Gate) -> None:
    one, _ = counted(gate, KIND["one"], RANGES, "test", range(60))
    three, _ = counted(gate, KIND["three"], RANGES, "test", range(20))
    for counts, most in ((one, 0.03), (three, 0.1)):
        assert interval(counts["stuck"], counts["throws"])[0] < most / 3
        assert counts["other order"] == counts["wrong 1"] == counts["wrong 2"] == 0
        assert counts["rail"] <= counts["throws"] // 20
    assert one["doubtful 2"] <= 2


def test_a_cube_that_is_tossed_into_the_funnel_comes_out_into_the_gate() -> None:
    seen = thrown(SIZES[-1], KIND["one-funnel"], RANGES, "1", 0, to_rail=False)
    assert (seen.stuck, seen.beside, seen.passed) == ((), (), (0,))
    start = seen.track[0, 0]
    rim = seen.gate.length - LIP_IN_MM + Funnel(seen.gate, 0).way(MIDDLE, 0, RIM)[0]
    assert start[0] == pytest.approx(rim, abs=60), "it starts above the hopper"


@pytest.mark.parametrize("number", [149, 247])
def test_a_cube_that_bounces_out_of_the_funnel_is_neither_stuck_nor_seen(number: int) -> None:
    seen = thrown(SIZES[-1], KIND["one-funnel"], RANGES, "3", number, to_rail=False)
    assert (seen.stuck, seen.beside, seen.passed, seen.edges) == ((), (0,), (), ())


def test_the_chute_of_the_funnel_ends_in_the_mouth() -> None:
    funnel = Funnel(SIZES[-1], 4.0)
    assert funnel.point(0, 0, 0) == (SIZES[-1].length - LIP_IN_MM, 0, 4.0)
    back = funnel.point(card.WALL + card.LIP_OUT, 0, card.BACK_HIGH - card.LIP_HIGH)
    assert back == pytest.approx((SIZES[-1].length - LIP_IN_MM + card.CHUTE_LONG, 0, 4.0)), "as steep as the lane"


def test_the_funnel_may_change_the_order_of_tosses_and_the_gate_keeps_that_of_the_lip() -> None:
    counts, _ = counted(SIZES[-1], KIND["three-funnel"], RANGES, "test", range(30), to_rail=False)
    assert counts["overtook"] > 5
    assert counts["other order"] == counts["wrong 1"] == counts["wrong 2"] == 0
    assert counts["stuck"] <= 4
    table = list(
        gaps(KIND["three-funnel"], (thrown(SIZES[-1], KIND["three-funnel"], RANGES, "test", n) for n in range(5)))
    )
    assert all(line.startswith("three-funnel, ") for line in table)


def test_if_the_first_cube_is_taken_the_others_follow_in_their_order() -> None:
    for number in range(8):
        seen = thrown(SIZES[-1], KIND["three"], RANGES, "taken", number)
        if seen.stuck or not in_order(seen):
            continue
        first, second, third = seen.queue
        world = model(seen.gate, [entry.body for entry in seen.handful.entries])
        data = MjData(world)
        places = data.qpos.reshape(3, 7)
        places[:] = seen.track[-1]
        for _ in range(500):
            places[first], data.qvel[6 * first : 6 * first + 6] = AWAY_STATE, 0
            mj_step(world, data, nstep=4)
        after = replace(seen, track=places[None].copy())
        assert after.queue == (second, third), number
        assert places[second, 0] < seen.track[-1, second, 0] - 10


def test_a_mouth_of_25_degrees_holds_every_fourth_cube() -> None:
    counts, _ = counted(old(16), KIND["one"], RANGES, "test", range(40), to_rail=False)
    assert counts["stuck"] >= 5


@pytest.mark.parametrize(("damping", "back"), [(0.25, 0.5), (0.35, 0.4), (0.5, 0.3), (1, 0.13)])
def test_a_contact_gives_back_the_speed_that_its_damping_stands_for(damping: float, back: float) -> None:
    """A sphere that hits a plane at 0.7 m/s, at eight places between two steps."""
    found = []
    for at in range(8):
        world = MjModel.from_xml_string(
            f'<mujoco><option timestep="{STEP_MS}" gravity="0 0 0" cone="elliptic" integrator="implicitfast"/>'
            f'<default><geom solref="{HARD_MS} {damping}" {HARD}/></default><worldbody>'
            '<geom type="box" size="50 50 10" pos="0 0 -10"/>'
            '<body pos="0 0 10"><freejoint/><geom type="sphere" size="8" mass="2.5"/></body></worldbody></mujoco>'
        )
        data = MjData(world)
        data.qvel[2] = -0.7
        data.qpos[2] = 9 + at * 0.7 * STEP_MS / 8
        mj_step(world, data, nstep=100)
        found.append(data.qvel[2] / 0.7)
    assert sum(found) / 8 == pytest.approx(back, abs=0.05)
