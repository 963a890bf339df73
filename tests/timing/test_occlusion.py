"""What a darkness can be, straight from the law: with two beams the speed at the front and at the back counts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from umpi.timing.occlusion import BeamEdge, Occlusion, Settings, could, occlusions

MS = 1_000_000
TWO_BEAMS = Settings(beams=2)  # 12 mm from beam to beam: 8.571 ms at 1400 mm/s, 13.333 at 900
SLOW, FAST = 13.333, 8.571


def dark(begin_ms: float, end_ms: float, beam: int = 0) -> Occlusion:
    edges = [BeamEdge(1, round(begin_ms * MS), 0, beam, True), BeamEdge(2, round(end_ms * MS), 0, beam, False)]
    ((seen,), contradiction) = occlusions(edges, TWO_BEAMS, 0)
    assert not contradiction
    return seen


def seen(whole_ms: float, front: float, back: float) -> tuple[Occlusion, Occlusion]:
    """What two beams see of cubes whose first front and last back take so long from beam to beam."""
    return dark(0, whole_ms), dark(front, whole_ms + back, 1)


@pytest.mark.parametrize(("whole_ms", "travel"), [(14, FAST), (14, 11), (20, SLOW), (25, SLOW)])
def test_one_cube_at_constant_speed_is_possible(whole_ms: float, travel: float) -> None:
    assert could(TWO_BEAMS, 1, *seen(whole_ms, travel, travel))


@pytest.mark.parametrize(("front", "back"), [(SLOW, FAST), (FAST, SLOW)])
def test_one_cube_has_one_speed_and_two_cubes_may_have_two(front: float, back: float) -> None:
    """By the lengths alone both could be."""
    assert could(TWO_BEAMS, 1, *seen(20, (front + back) / 2, (front + back) / 2))
    assert not could(TWO_BEAMS, 1, *seen(20, front, back))
    assert could(TWO_BEAMS, 2, *seen(30, front, back))


@pytest.mark.parametrize(("front", "back"), [(SLOW, 5), (5, SLOW), (SLOW, 17), (17, SLOW)])
def test_the_first_and_the_last_of_touching_cubes_keep_to_the_speeds_there_are(front: float, back: float) -> None:
    assert not could(TWO_BEAMS, 2, *seen(30, front, back))


def test_a_front_and_a_back_that_disagree_by_what_glitches_hide_may_be_one_cube() -> None:
    """Each of the two may be off by 0.8 ms, as a glitch hides a rim, and by a microsecond, as stamps are rounded."""
    assert could(TWO_BEAMS, 1, *seen(16, 10, 11.602))
    assert could(TWO_BEAMS, 1, *seen(16, 10, 8.571))


def test_a_front_and_a_back_may_also_disagree_by_what_friction_and_gravity_change() -> None:
    """Over 18.4 ms friction takes 73 mm/s: 10.801 ms for the front are 11.566 for the back, and 0.801 more."""
    assert could(TWO_BEAMS, 1, *seen(16, 10, 12.366))
    assert not could(TWO_BEAMS, 1, *seen(16, 10, 12.368))


@pytest.mark.parametrize("glitch_us", [0, 800])
@pytest.mark.parametrize("pull_m_s2", [-4, 0, 9.81])
@pytest.mark.parametrize("turned", [1, 1.42])
def test_a_cube_in_free_fall_or_slowed_by_friction_is_one_cube(pull_m_s2: float, turned: float, glitch_us: int) -> None:
    """16 mm past beams 12 mm apart, at 1050 mm/s to begin with. Twice as fast is not the same cube."""
    settings = replace(TWO_BEAMS, speed_mm_s=(700, 1500), glitch_us=glitch_us)

    def at_ms(way_mm: float) -> float:
        speed, pull = 1.05, pull_m_s2 / 1000
        return 2 * way_mm / (speed + (speed**2 + 2 * pull * way_mm) ** 0.5)

    length = 16 * turned
    above, below = dark(0, at_ms(length)), dark(at_ms(12), at_ms(12 + length), 1)
    assert could(settings, 1, above, below)
    assert not could(settings, 2, above, below)
    travel = (at_ms(12 + length) - at_ms(length)) / 2
    assert not could(settings, 1, above, dark(at_ms(12), at_ms(length) + travel, 1))


def test_two_cubes_that_the_second_beam_saw_apart_are_not_measured_by_it() -> None:
    """24 ms at 900 mm/s are too short for two cubes; without the second beam's word they are long enough."""
    assert not could(TWO_BEAMS, 2, *seen(24, SLOW, SLOW))
    assert could(TWO_BEAMS, 2, *seen(24, SLOW, SLOW), same=False)
    assert could(TWO_BEAMS, 2, dark(0, 24), None)


def test_one_cube_is_measured_by_both_beams_whatever_touched_it() -> None:
    """Where beams may have seen different cubes together, what is one cube is one at both."""
    assert not could(TWO_BEAMS, 1, *seen(20, SLOW, FAST), same=False)
    assert could(TWO_BEAMS, 1, dark(0, 20), None)


@pytest.mark.parametrize(
    ("whole_ms", "below_ms", "cubes"),
    [(8, 14, ()), (14, 8, ()), (14, 14, (1,)), (30, 30, (2,)), (14, 40, ()), (40, 14, ())],
)
def test_both_beams_must_be_dark_as_long_as_so_many_cubes_are(
    whole_ms: float, below_ms: float, cubes: tuple[int, ...]
) -> None:
    above, below = dark(0, whole_ms), dark(11, 11 + below_ms, 1)
    assert tuple(n for n in range(7) if could(TWO_BEAMS, n, above, below)) == cubes


def test_nothing_at_all_is_what_one_beam_calls_a_glitch() -> None:
    assert could(TWO_BEAMS, 0, dark(0, 14), dark(11, 11.7, 1))
    assert could(TWO_BEAMS, 0, dark(0, 0.7), None)
    assert not could(TWO_BEAMS, 0, dark(0, 14), None)
    assert not could(TWO_BEAMS, 0, dark(0, 14), dark(11, 25, 1))


@pytest.mark.parametrize(("light_us", "pieces"), [(399, [2]), (400, [1, 1]), (401, [1, 1])])
def test_light_as_long_as_chatter_may_be_parts_two_darknesses(light_us: int, pieces: list[int]) -> None:
    moments = [(0, True), (14_000, False), (14_000 + light_us, True), (30_000, False)]
    edges = [BeamEdge(seq, at_us * 1000, 0, 0, is_dark) for seq, (at_us, is_dark) in enumerate(moments, 1)]
    found, _ = occlusions(edges, Settings(), 0)
    assert [len(darkness.pieces) for darkness in found] == pieces
