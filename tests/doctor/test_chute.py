"""Single falling cubes measure the speed of a chute; nothing is measured from unclear edges."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

import pytest

from tests.kit.chute import Chute
from umpi.doctor.chute import Fall, Unmeasured, fall, judge, proposed
from umpi.timing.gate import BeamEdge, Settings

MS = 1_000_000
TWO = Settings(beams=2)


def edges(*stamps_ms: tuple[int, float, float]) -> list[BeamEdge]:
    """The edges of darknesses: beam, from, until."""
    moments = sorted(
        (round(ms * MS), beam, dark) for beam, start, end in stamps_ms for ms, dark in ((start, True), (end, False))
    )
    return [BeamEdge(number, t, 0, beam, dark) for number, (t, beam, dark) in enumerate(moments, 1)]


def falls(seeds: int, rough: bool, chatter: int, glitches: float) -> Iterator[tuple[float, float, Fall | None]]:
    """Single cubes of the physical model: true speed, true length in cubes, and what was measured of them."""
    for seed in range(seeds):
        chute = Chute(TWO, Random(seed))
        cubes = chute._cast(rough)[:1]
        beams = chute._beams(cubes)
        for spans in beams.values():
            rims = [moment for span in spans for moment in span]
            spans[:] = chute._chattered(spans, chatter)
            chute._glitch(spans, rims, glitches)
        (front_ns, back_ns), _ = cubes[0].spans
        length = (back_ns - front_ns) / 1e9 * cubes[0].speed / TWO.cube_mm
        try:
            yield cubes[0].speed, length, fall(chute._seen(cubes, beams, shuffled=True).edges, TWO)
        except Unmeasured:
            yield cubes[0].speed, length, None


def summary_of(fallen: Sequence[Fall]) -> tuple[int, int, float]:
    """Read the proposed lines as umpi.toml would be."""
    speed, turned = proposed(fallen, replace(TWO, speed_mm_s=(1150, 1151), turned=1.0))
    slow, fast = map(int, re.findall(r"\d+", speed))
    return slow, fast, float(turned.split()[2])


def test_two_beams_give_speed_and_length() -> None:
    """12 mm in 12 ms is 1 m/s, and 17.6 ms at that 17.6 mm: a tenth longer than a cube."""
    fallen = fall(edges((0, 0, 17.6), (1, 12, 29.6)), TWO)
    assert (fallen.speed_mm_s, fallen.turned) == (pytest.approx(1000), pytest.approx(1.1))


@pytest.mark.parametrize("rough", [False, True])
def test_a_clean_fall_is_measured_exactly(rough: bool) -> None:
    """Turned cubes too; but one that got stuck is none."""
    measured = [sample for sample in falls(500, rough, 0, 0) if sample[2]]
    assert len(measured) > 470
    for speed, length, fallen in measured:
        assert fallen
        assert fallen.speed_mm_s == pytest.approx(speed, rel=1e-5)
        assert fallen.turned == pytest.approx(length, rel=1e-5)


@pytest.mark.parametrize(("chatter", "glitches"), [(2, 0.02), (3, 0.3), (8, 1)])
def test_the_proposed_settings_fit_the_cube_despite_chatter_and_glitches(chatter: int, glitches: float) -> None:
    measured = [sample for sample in falls(1000, True, chatter, glitches) if sample[2]]
    assert len(measured) > 30
    for speed, length, fallen in measured:
        assert fallen
        slow, fast, turned = summary_of([fallen])
        assert slow <= speed <= fast
        assert length <= turned + 1e-9


@pytest.mark.parametrize(
    ("seen", "why"),
    [
        (edges((0, 0, 14), (0, 50, 64), (1, 12, 26), (1, 62, 76)), "more than one cube"),
        (edges((0, 0, 14)), "Only one of the beams"),
        (edges((0, 0, 0.5)), "too short"),
        (edges((0, 12, 26), (1, 0, 14)), "exchanged"),
        (edges((0, 0, 14), (1, 12, 40)), "not equally fast"),
        (edges((0, 0, 0.4), (0, 0.5, 14), (1, 12, 26)), "chattered at its rim"),
        (edges((0, 0, 14), (1, 12, 26))[:-1], "stayed dark"),
        (edges((0, 0, 14), (1, 12, 26))[1:], "lost"),
    ],
)
def test_an_impossible_measurement_gives_its_reason(seen: list[BeamEdge], why: str) -> None:
    with pytest.raises(Unmeasured, match=why):
        fall(seen, TWO)


def test_cubes_of_two_lanes_are_more_than_one() -> None:
    both = [*edges((0, 0, 14)), *(replace(edge, seq=edge.seq + 2, lane=1) for edge in edges((0, 1, 15)))]
    with pytest.raises(Unmeasured, match="more than one"):
        fall(both, Settings(lanes=2))


def test_a_measured_chute_within_its_settings_is_well() -> None:
    found = judge([Fall(0, 14 * MS, 1000, 1.02), Fall(0, 13 * MS, 1210, 1.2)], TWO)
    assert (found.status, found.what) == (
        "ok", "2 cubes: 1000 to 1210 mm/s, at most 1.20 cubes long, which the settings cover",
    )  # fmt: skip


def test_settings_that_do_not_cover_the_chute_are_doubtful_and_named() -> None:
    slow = judge([Fall(0, 14 * MS, 1000, 1.02), Fall(0, 13 * MS, 800, 1.0)], TWO)
    assert (slow.status, "speed_mm_s = [900, 1400] does not cover" in slow.what) == ("warning", True)
    assert "speed_mm_s = [720, 1400]" in slow.do, "ten gentle drops are not all of play"
    long = judge([Fall(0, 14 * MS, 1000, 1.2)], replace(TWO, turned=1.05))
    assert (long.status, "turned = 1.05 does not" in long.what) == ("warning", True)


def test_too_short_cubes_indicate_a_wrong_dimension() -> None:
    found = judge([Fall(0, 14 * MS, 1000, 0.8)], TWO)
    assert (found.status, "beam_gap_mm or cube_mm is wrong" in found.what) == ("warning", True)


def test_receivers_that_differ_make_a_cube_look_short_and_the_warning_says_by_how_much() -> None:
    """The second one is 1 ms slow. 16 mm with a gap of 12 mm, at 1.2 m/s: 10 ms from beam to beam."""
    seen = fall(edges((0, 0, 13.333), (1, 11, 24.333)), TWO)
    assert "the receivers of a lane differ by about 1000 µs" in judge([seen], TWO).what


def test_with_one_beam_only_the_occlusion_time_is_checked() -> None:
    """16 mm at 900 to 1400 mm/s, turned to 1.42: 11.4 to 25.2 ms, with 1.2 ms of slack."""
    one = Settings()
    fits = judge([fall(edges((0, 0, 14)), one), fall(edges((0, 0, 24)), one)], one)
    assert (fits.status, "Only two beams" in fits.do) == ("ok", True)
    assert judge([fall(edges((0, 0, 9)), one)], one).status == "warning"
    assert judge([fall(edges((0, 0, 30)), one)], one).status == "warning"


def test_with_one_beam_a_lane_the_shortest_and_the_longest_darkness_are_told() -> None:
    """11.4 ms is the least of a cube at 1.4 m/s; so both are as the settings have it."""
    found = judge([Fall(0, 14 * MS), Fall(0, 17 * MS), Fall(1, 15 * MS)], Settings(beams=1))
    assert (found.status, found.what) == ("ok", "3 cubes: dark for 14.0 to 17.0 ms, as the settings have it")
    for dark_ns in (5 * MS, 60 * MS):
        assert judge([Fall(0, 14 * MS), Fall(0, dark_ns)], Settings(beams=1)).status == "warning"
