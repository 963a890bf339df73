"""The beams' lines to cubes, announcement after announcement."""

from __future__ import annotations

import pytest

from umpi.timing.edge import Edge
from umpi.timing.funnel import Funnel
from umpi.timing.gate import MOST_EDGES

MS = 1_000_000
CUBE_MS = 14


def fall(funnel: Funnel, line: str, at_ms: float, for_ms: float = CUBE_MS) -> None:
    funnel.edge(Edge(line, True, round(at_ms * MS)))
    funnel.edge(Edge(line, False, round((at_ms + for_ms) * MS)))


def test_lines_are_lanes_and_second_beams() -> None:
    funnel = Funnel(["lane_1", "second_1"])
    assert (funnel.settings.lanes, funnel.settings.beams) == (1, 2)
    assert Funnel([f"lane_{number}" for number in range(1, 7)]).settings.lanes == 6


def test_a_cube_is_reported_once_it_is_certain() -> None:
    funnel = Funnel(["lane_1"])
    fall(funnel, "lane_1", 100)
    assert funnel.tick(115 * MS) == ()
    assert funnel.due_ns
    assert [cube.t for cube in funnel.tick(funnel.due_ns)] == [100 * MS]
    assert funnel.due_ns is None, "nothing waits, nothing wakes"


def test_lost_edges_make_the_verdict_doubtful() -> None:
    """Events that may have been lost void the verdict and say so."""
    funnel = Funnel(["lane_1"])
    fall(funnel, "lane_1", 100)
    funnel.lost(2, 120 * MS)
    fall(funnel, "lane_1", 200)
    assert funnel.verdict.notes == ("lost: 2",)


def test_a_cube_stuck_during_a_reset_does_not_affect_the_next_announcement() -> None:
    funnel = Funnel(["lane_1", "lane_2"])
    funnel.edge(Edge("lane_1", True, 100 * MS))
    assert [cube.doubts for cube in funnel.tick(700 * MS)] == [("stuck", "open")]
    funnel.reset()
    funnel.edge(Edge("lane_1", False, 900 * MS))
    fall(funnel, "lane_2", 1000)
    assert [cube.lane for cube in funnel.tick(2000 * MS)] == [1]
    assert funnel.verdict.clear


def test_stray_glitches_are_forgotten() -> None:
    """A gate judges all it keeps at each look: a flickering beam must not fill the memory."""
    funnel = Funnel(["lane_1"])
    for number in range(20):
        fall(funnel, "lane_1", 100 + number, 0.2)
    funnel.tick(3000 * MS)
    assert len(funnel.trace) == 0


def test_a_beam_that_flickers_without_end_neither_fills_the_memory_nor_hides_a_cube() -> None:
    """Glitches among which no cube is are forgotten as soon as they fill the gate, and then count as lost."""
    funnel = Funnel(["lane_1", "lane_2"])
    for number in range(3 * MOST_EDGES):
        fall(funnel, "lane_1", 100 + 4 * number, 0.2)
        assert len(funnel.trace) <= MOST_EDGES
    fall(funnel, "lane_2", 200 + 12 * MOST_EDGES)
    assert [cube.lane for cube in funnel.verdict.cubes] == [1]
    assert (funnel.verdict.clear, funnel.verdict.notes) == (False, (f"lost: {MOST_EDGES}",))


def test_edges_that_a_full_gate_did_not_keep_count_as_lost() -> None:
    """While one beam is dark and others flicker, nothing is forgotten; the dark one then was no cube either."""
    funnel = Funnel(["lane_1", "lane_2", "lane_3"])
    for number in range(MOST_EDGES // 2 - 1):
        fall(funnel, "lane_1", 100 + 4 * number, 0.2)
    funnel.edge(Edge("lane_2", True, 900 * MS))
    funnel.edge(Edge("lane_1", True, round(900.1 * MS)))
    for at_ms in (900.2, 900.3):
        fall(funnel, "lane_3", at_ms, 0.05)
    funnel.edge(Edge("lane_1", False, round(900.4 * MS)))
    funnel.edge(Edge("lane_2", False, round(900.5 * MS)))
    assert len(funnel.trace) == MOST_EDGES + 2
    fall(funnel, "lane_3", 1000)
    assert (funnel.verdict.clear, funnel.verdict.notes) == (False, (f"lost: {MOST_EDGES + 2 + 4}",))


def test_a_loss_after_the_last_edge_counts_but_not_one_long_before_the_first() -> None:
    """Events that may have been lost void the verdict; a button that chattered a minute ago does not."""
    funnel = Funnel(["lane_1"])
    funnel.lost(1, 100 * MS)
    fall(funnel, "lane_1", 60_000)
    assert funnel.verdict.clear
    funnel.lost(3, 60_050 * MS)
    assert (funnel.verdict.clear, funnel.verdict.notes) == (False, ("lost: 3",))
    funnel.reset()
    funnel.lost(2, 70_000 * MS)
    fall(funnel, "lane_1", 70_100)
    assert funnel.verdict.notes == ("lost: 2",)


def test_a_beam_that_is_dark_from_before_hides_what_passes_it() -> None:
    """The cube of lane 1 rests in its beam; another one that passes there meanwhile leaves no edge."""
    funnel = Funnel(["lane_1", "lane_2"])
    funnel.edge(Edge("lane_1", True, 100 * MS))
    funnel.tick(700 * MS)
    funnel.reset()
    fall(funnel, "lane_2", 1000)
    assert (funnel.verdict.clear, funnel.verdict.notes) == (False, ("blocked",))
    funnel.edge(Edge("lane_1", False, 1100 * MS))
    assert funnel.verdict.notes == ("blocked",), "it was blocked when the cube fell"
    funnel.reset()
    fall(funnel, "lane_2", 2000)
    assert funnel.verdict.clear


def test_a_cube_that_flickers_beside_another_makes_the_verdict_doubtful() -> None:
    """Foreign light reaches a receiver for most of the time: what is left of its cube are glitches."""
    for glitches, notes in ((3, ()), (4, ("flicker",))):
        funnel = Funnel(["lane_1", "lane_2"])
        fall(funnel, "lane_1", 100)
        for number in range(glitches):
            fall(funnel, "lane_2", 105 + 3 * number, 0.5)
        assert [cube.lane for cube in funnel.verdict.cubes] == [0]
        assert (funnel.verdict.clear, funnel.verdict.notes) == (not notes, notes)


@pytest.mark.parametrize("dark_ms", [26.5, 30, 140])
def test_a_single_beam_that_is_dark_for_longer_than_one_cube_makes_the_verdict_doubtful(dark_ms: float) -> None:
    """A cube that rubs on the sides, or rests in the beam, is dark for as long as cubes that touch."""
    funnel = Funnel(["lane_1"])
    fall(funnel, "lane_1", 100, dark_ms)
    assert (funnel.verdict.clear, funnel.verdict.notes) == (False, ("rested",))


def test_only_a_single_beam_of_a_single_lane_needs_that_doubt() -> None:
    for lines, dark_ms in ((["lane_1"], 26), (["lane_1", "second_1"], 30), (["lane_1", "lane_2"], 30)):
        funnel = Funnel(lines)
        fall(funnel, "lane_1", 100, dark_ms)
        assert funnel.verdict.notes == ()


def test_a_flicker_is_found_however_often_the_funnel_looks_at_it() -> None:
    """No glitch is near enough to the next to concern it in any other way."""
    funnel = Funnel(["lane_1", "lane_2"])
    for number in range(4):
        fall(funnel, "lane_2", 100 + 16 * number, 0.5)
        assert funnel.verdict.cubes == ()
    fall(funnel, "lane_1", 300)
    assert funnel.verdict.notes == ("flicker",)


def test_glitches_far_from_each_other_are_no_flicker() -> None:
    funnel = Funnel(["lane_1", "lane_2"])
    for number in range(6):
        fall(funnel, "lane_2", 100 + 20 * number, 0.5)
    fall(funnel, "lane_1", 300)
    assert funnel.verdict.clear


def test_a_receiver_that_sees_light_makes_the_announcement_doubtful_before_it_and_after_it() -> None:
    funnel = Funnel(["lane_1"])
    funnel.lit(True)
    fall(funnel, "lane_1", 100)
    assert funnel.verdict.notes == ("blind",)
    funnel.lit(False)
    assert not funnel.verdict.clear, "it was so while the cube fell"
    funnel.reset()
    fall(funnel, "lane_1", 1000)
    assert funnel.verdict.clear
    funnel.lit(True)
    assert funnel.verdict.notes == ("blind",)


def test_a_source_that_begins_again_reports_what_is_dark_now() -> None:
    """The head was unplugged while a cube was in lane 1, so its end was not reported."""
    funnel = Funnel(["lane_1", "lane_2"])
    funnel.edge(Edge("lane_1", True, 100 * MS))
    funnel.reset()
    funnel.began(("ok",))
    fall(funnel, "lane_2", 1000)
    assert funnel.verdict.clear
    funnel.reset()
    funnel.began(("lane_1",))
    for toss in (2000, 3000):
        fall(funnel, "lane_2", toss)
        assert funnel.verdict.notes == ("blocked",)
        funnel.reset()
