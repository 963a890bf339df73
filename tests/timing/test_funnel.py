"""The beams' lines to cubes, announcement after announcement."""

from __future__ import annotations

from umpi.timing.edge import Edge
from umpi.timing.funnel import Funnel

MS = 1_000_000
CUBE_MS = 14


def fall(funnel: Funnel, line: str, at_ms: float, for_ms: float = CUBE_MS) -> None:
    funnel.edge(Edge(line, True, round(at_ms * MS)))
    funnel.edge(Edge(line, False, round((at_ms + for_ms) * MS)))


def test_lines_are_lanes_and_second_beams() -> None:
    funnel = Funnel(["lane_1", "second_1"])
    assert (funnel.settings.lanes, funnel.settings.beams) == (1, 2)
    assert Funnel([f"lane_{number}" for number in range(1, 7)]).settings.lanes == 6


def test_a_cube_is_told_once_it_is_certain() -> None:
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


def test_what_is_stuck_over_a_reset_does_not_spoil_the_next_announcement() -> None:
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


def test_a_loss_after_the_last_edge_is_told_and_one_long_before_the_first_is_not() -> None:
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
