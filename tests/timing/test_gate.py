"""Each rule, doubt and note of the gate on edges worked out by hand, and the live gate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from umpi.timing import gate as gate_module
from umpi.timing.gate import MOST_EDGES, BeamEdge, Gate, Settings, Verdict, judge
from umpi.timing.occlusion import Occlusion, occlusions

MS = 1_000_000
ONE = Settings()  # one cube darkens 10.229 to 26.444 ms, two 21.658 to 51.688, six at most 152.666
STRAIGHT = Settings(turned=1.0)  # one 10.229 to 18.977, two 21.658 to 36.755, three from 33.086
SIX = Settings(lanes=6)
TWO_BEAMS = Settings(beams=2)
SIX_OF_TWO = Settings(lanes=6, beams=2)

Dark = tuple[float, float | None] | tuple[float, float | None, int] | tuple[float, float | None, int, int]


def edges(*darks: Dark) -> list[BeamEdge]:
    """Darknesses in milliseconds, (from, to, lane, beam), as edges in the order of their stamps."""
    moments = []
    for begin, end, lane, beam in ((*dark, 0, 0)[:4] if len(dark) < 4 else dark for dark in darks):
        moments.append((round(begin * MS), lane, beam, True))
        if end is not None:
            moments.append((round(end * MS), lane, beam, False))
    return [BeamEdge(number, *moment) for number, moment in enumerate(sorted(moments), 1)]


def summary_of(verdict: Verdict) -> list[tuple[int, float, tuple[str, ...]]]:
    """Lane, front in ms and doubts of each cube."""
    return [(cube.lane, cube.t / MS, cube.doubts) for cube in verdict.cubes]


def doubts(settings: Settings, *darks: Dark) -> list[tuple[str, ...]]:
    return [cube.doubts for cube in judge(edges(*darks), settings).cubes]


def test_no_edges_are_no_cubes_and_that_is_clear() -> None:
    assert judge([], ONE) == Verdict((), True, ())


def test_cubes_are_in_the_order_of_their_stamps_with_the_margin_to_the_next() -> None:
    verdict = judge(edges((5, 19, 3), (0.0009999, 14, 5), (40, 54, 3)), SIX)
    assert summary_of(verdict) == [(5, 0.001, ()), (3, 5.0, ()), (3, 40.0, ())]
    assert [cube.margin_us for cube in verdict.cubes] == [4999, 35_000, None]
    assert verdict.clear


def test_the_margin_is_rounded_down() -> None:
    late = [replace(edge, t=edge.t + 999) for edge in edges((30, 44))]
    assert (
        judge([*edges((0, 14)), *(replace(edge, seq=edge.seq + 2) for edge in late)], ONE).cubes[0].margin_us == 30_000
    )


@pytest.mark.parametrize(
    ("dark_us", "doubt"),
    [(10_228, ("short",)), (10_229, ()), (21_657, ()), (21_658, ("count",)), (26_844, ("count",))],
)
def test_how_long_one_cube_darkens_a_beam(dark_us: int, doubt: tuple[str, ...]) -> None:
    """From 16 mm at 1400 mm/s less 1.2 ms to where two begin; beyond 26.444 the contract says two, but a slow turned
    cube with a glitch at either rim that no light sets off lasts 26.844."""
    assert doubts(ONE, (0, dark_us / 1000))[0] == doubt


@pytest.mark.parametrize(
    ("dark_ms", "cubes", "doubt"),
    [(18.97, 1, ()), (20, 1, ("long",)), (21.7, 2, ()), (33, 2, ()), (33.2, 2, ("count",)), (200, 1, ("long",))],
)
def test_touching_cubes_are_recognised_by_their_occlusion_time(
    dark_ms: float, cubes: int, doubt: tuple[str, ...]
) -> None:
    assert doubts(STRAIGHT, (0, dark_ms)) == [doubt] * cubes


def test_the_fronts_of_touching_cubes_divide_the_darkness_rounded_down() -> None:
    assert [cube.t for cube in judge(edges((1, 25.000001)), STRAIGHT).cubes] == [1_000_000, 13_000_000]


def test_chatter_is_merged_and_its_front_is_the_first_dark() -> None:
    assert summary_of(judge(edges((0, 0.3), (0.699, 9), (9.2, 14)), ONE)) == [(0, 0.0, ())]


def test_light_of_the_chatter_limit_is_light() -> None:
    assert doubts(ONE, (0, 14), (14.4, 28)) == [(), ()]
    assert doubts(STRAIGHT, (0, 14), (14.399, 28)) == [(), ()]


def test_a_single_glitch_is_no_cube() -> None:
    assert doubts(ONE, (0, 14), (30, 30.799), (50, 64)) == [(), ()]
    assert doubts(ONE, (0, 14), (30, 30.8)) == [(), ("short",)]


def test_glitches_in_a_row_are_short_however_they_merge() -> None:
    assert doubts(ONE, (0, 0.7), (1, 1.7)) == [("short",)]
    train = [(n * 0.9, n * 0.9 + 0.7) for n in range(20)]
    assert doubts(STRAIGHT, *train) == [("count",)], "there need not be any cube"


def test_the_core_occlusion_bounds_what_glitches_at_its_edges_hide() -> None:
    """Whole 19.5 ms, longer than one cube; its core is 17.7."""
    assert doubts(STRAIGHT, (0, 0.7), (0.9, 18.6), (18.8, 19.5)) == [()]


def test_a_stuck_cube_is_one_cube() -> None:
    assert doubts(ONE, (0, 400)) != [("stuck",)]
    assert doubts(ONE, (0, 400.001), (450, 464)) == [("stuck",), ()]


def test_a_darkness_that_does_not_end_is_open() -> None:
    assert doubts(ONE, (0, None)) == [("open",)]
    assert doubts(SIX, (0, None, 1), (500, 514, 2)) == [("stuck", "open"), ()]


def test_a_dead_heat_is_borne_by_both() -> None:
    assert doubts(SIX, (0, 14, 1), (2, 16, 0), (4.001, 18, 2)) == [("dead-heat",), ("dead-heat",), ()]


def test_with_equal_stamps_the_lower_lane_is_first() -> None:
    assert summary_of(judge(edges((0, 14, 4), (0, 14, 2)), SIX)) == [(2, 0.0, ("dead-heat",)), (4, 0.0, ("dead-heat",))]


def test_in_one_lane_there_is_no_dead_heat() -> None:
    assert doubts(replace(ONE, dead_heat_us=90_000), (0, 14), (25, 39)) == [(), ()]


def test_glitches_in_a_chain_can_turn_an_order_beyond_the_window() -> None:
    """Lane 0 may have come at 2.1 + 0.8 ms, behind lane 1."""
    chain = [(0, 0.7), (1.05, 1.75), (2.1, 16)]
    assert doubts(SIX, *chain, (2.899, 17, 1)) == [("dead-heat",), ("dead-heat",)]
    assert doubts(SIX, *chain, (2.9, 17, 1)) == [(), ()]


def test_quick_sensors_do_not_make_a_hidden_glitch_quicker() -> None:
    """A glitch that touches the front moves it by up to 0.8 ms, and nothing shows it."""
    quick = replace(SIX, dead_heat_us=400)
    assert doubts(quick, (0, 14, 1), (0.799, 15, 2)) == [("dead-heat",), ("dead-heat",)]
    assert doubts(quick, (0, 14, 1), (0.8, 15, 2)) == [(), ()]


def test_a_lane_of_its_own_has_one_cube() -> None:
    assert doubts(SIX, (0, 24, 1)) == [()]
    assert doubts(SIX, (0, 30, 1)) == [("count",)]
    assert doubts(SIX, (0, 300, 1)) == [("long",)]


def test_two_beams_distinguish_a_slow_turned_cube_from_two_quick_ones() -> None:
    """24 ms dark: at 900 mm/s 21.6 mm, one cube; at 1400 mm/s 33.6 mm, two."""
    assert doubts(TWO_BEAMS, (0, 24), (13.333, 37.333, 0, 1)) == [()]
    assert doubts(TWO_BEAMS, (0, 24), (8.571, 32.571, 0, 1)) == [(), ()]


def test_two_beams_know_two_in_a_seats_lane() -> None:
    assert doubts(SIX_OF_TWO, (0, 24, 3), (8.571, 32.571, 3, 1)) == [("count",)]


def test_two_speeds_are_not_one_cube() -> None:
    """A slow cube, a quick one at its heels: the fronts say 900 mm/s, the backs 1400, the length is 23.4 mm."""
    assert doubts(TWO_BEAMS, (0, 26), (13.333, 34.571, 0, 1)) == [("count",)]
    assert doubts(SIX_OF_TWO, (0, 26, 1), (13.333, 34.571, 1, 1)) == [("count",)]


def test_a_cube_that_one_beam_of_two_saw() -> None:
    assert summary_of(judge(edges((0, 14), (50, 64, 0, 1)), TWO_BEAMS)) == [(0, 0.0, ("beam",)), (0, 50.0, ("beam",))]


def test_a_stuck_cube_reaches_the_second_beam_late() -> None:
    assert doubts(TWO_BEAMS, (0, 500), (505, 519, 0, 1)) == [("stuck",)]


def test_a_missing_number_is_a_lost_edge() -> None:
    verdict = judge([replace(edge, seq=edge.seq * 2) for edge in edges((0, 14))], ONE)
    assert (verdict.notes, verdict.clear, doubts(ONE, (0, 14))) == (("lost: 2",), False, [()])


def test_a_number_that_comes_twice_is_dropped() -> None:
    once = edges((0, 14), (30, 44))
    assert judge([*once, once[1], replace(once[0], t=99 * MS)], ONE) == judge(once, ONE)


def test_an_edge_later_than_may_be_is_used_and_noted() -> None:
    first, second, third = edges((0, 14), (20, None))
    assert judge([first, third, second], ONE).notes == ()
    first, second, third = edges((0, 14), (34.000001, None))
    verdict = judge([first, third, second], ONE)
    assert (verdict.notes, summary_of(verdict)[0]) == (("late",), (0, 0.0, ()))


def test_two_darks_in_a_row_contradict_each_other() -> None:
    assert judge([BeamEdge(1, 0, 0, 0, True), BeamEdge(2, 5, 0, 0, True), BeamEdge(3, 14 * MS, 0, 0, False)], ONE) == (
        replace(judge(edges((0, 14)), ONE), clear=False, notes=("contradiction",))
    )
    assert judge([BeamEdge(1, 0, 0, 0, False)], ONE) == Verdict((), False, ("contradiction",))


def test_notes_are_in_order() -> None:
    tangled = [BeamEdge(4, 50 * MS, 0, 0, False), BeamEdge(1, 0, 0, 0, True), BeamEdge(6, 60 * MS, 0, 0, False)]
    assert judge(tangled, ONE).notes == ("lost: 3", "late", "contradiction")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("lanes", 0), ("lanes", 7), ("lanes", True), ("beams", 3), ("cube_mm", 0), ("cube_mm", float("inf")),
        ("turned", 0.9), ("speed_mm_s", (1400, 900)), ("speed_mm_s", (0, 900)), ("speed_mm_s", 900),
        ("beam_gap_mm", -1), ("glitch_us", -1), ("glitch_us", 11_428), ("chatter_us", 0.5), ("dead_heat_us", "2"),
        ("stuck_ms", 0), ("late_ms", None),
    ],
)  # fmt: skip
def test_a_senseless_setting_is_named(name: str, value: object) -> None:
    assert replace(ONE, **{name: value}).refusal().startswith(f'"{name}" must be ')
    assert ONE.refusal() == ""


def test_a_cube_is_reported_once_no_edge_can_change_it() -> None:
    gate = Gate(ONE)
    assert gate.due_ns is None
    for edge in edges((0, 14)):
        gate.edge(edge)
    assert gate.due_ns == round(34.4 * MS)
    assert gate.tick(gate.due_ns - 1) == ()
    assert [cube.t for cube in gate.tick(gate.due_ns)] == [0]
    assert (gate.tick(99 * MS), gate.due_ns) == ((), None)


BETWEEN = (  # cubes at beam 0 in ms; an occlusion of beam 1 in ns, and for which cube it counts
    # 12 mm take 8.571428 to 13.333334 ms; glitches and chatter move each front by 1.2 ms
    ([(0, 14)], 7_371_427, None), ([(0, 14)], 7_371_428, 0),
    # a cube that was stuck may be late by as much as it darkened beam 0
    ([(0, 14)], 28_533_334, 0), ([(0, 14)], 28_533_335, None),
    # but from when the next cube may have come, it counts for that one
    ([(0, 14), (20, 34)], 27_371_427, 0), ([(0, 14), (20, 34)], 27_371_428, 1),
    ([(0, 14), (40, 54)], 28_533_334, 0), ([(0, 14), (40, 54)], 28_533_335, None),
    # unless the first one is in time
    ([(0, 5), (6, 20)], 14_533_334, 0), ([(0, 5), (6, 20)], 14_533_335, 1),
    ([(0, 14), (20, 34)], 48_533_334, 1), ([(0, 14), (20, 34)], 48_533_335, None),
)  # fmt: skip


def test_an_occlusion_of_the_second_beam_counts_for_the_cube_that_made_it() -> None:
    for above, below_ns, cube in BETWEEN:
        below = below_ns / MS
        verdict = judge(edges(*above, (below, below + 14, 0, 1)), TWO_BEAMS)
        alone = {round(each.t) for each in verdict.cubes if "beam" in each.doubts}
        fronts = [round(begin * MS) for begin, _ in above]
        unseen = {front for index, front in enumerate(fronts) if index != cube}
        assert alone == unseen | ({below_ns} if cube is None else set()), (above, below_ns)


def test_a_beam_still_dark_holds_back_what_came_after_it() -> None:
    gate = Gate(SIX)
    for edge in edges((0, None, 4), (5, 19, 2)):
        gate.edge(edge)
    assert gate.dark == ((4, 0),)
    assert (gate.due_ns, gate.tick(420 * MS)) == (420 * MS + 1, ())
    assert [(cube.lane, cube.doubts) for cube in gate.tick(420 * MS + 1)] == [(4, ("stuck", "open")), (2, ())]
    gate.edge(BeamEdge(4, 700 * MS, 4, 0, False))
    assert gate.due_ns is None
    assert summary_of(gate.verdict()) == [(4, 0.0, ("stuck",)), (2, 5.0, ())]


def test_an_announcement_begins_where_the_numbers_of_the_one_before_ended() -> None:
    gate = Gate(ONE, counted=6)
    gate.edge(BeamEdge(8, 0, 0, 0, True))
    assert gate.verdict().notes == ("lost: 1",)
    gate = gate.next()
    gate.edge(BeamEdge(7, 0, 0, 0, True))
    assert gate.trace() == ()
    gate.edge(BeamEdge(10, 5, 0, 0, True))
    assert gate.trace() == (BeamEdge(2, 5, 0, 0, True),)


def tosses(settings: Settings, count: int) -> list[list[BeamEdge]]:
    """Eight tosses per second, each by the edges of its cube, in lane 0."""
    moments = [
        [
            (beam * 11 * MS + 125 * MS * toss + after, beam, not after)
            for beam in range(settings.beams)
            for after in (0, 14 * MS)
        ]
        for toss in range(count)
    ]
    numbers = iter(range(1, 1_000_000))
    return [[BeamEdge(next(numbers), t, 0, beam, dark) for t, beam, dark in sorted(each)] for each in moments]


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many edges were given to each search for occlusions, which all other work follows."""
    counts: list[int] = []

    def counted(edges: Sequence[BeamEdge], *rest: Any) -> tuple[list[Occlusion], bool]:
        counts.append(len(edges))
        return occlusions(edges, *rest)

    monkeypatch.setattr(gate_module, "occlusions", counted)
    return counts


def look(gate: Gate) -> None:
    """Ask a gate all that the referee asks it in a round."""
    for _ in range(5):
        gate.tick(0), gate.verdict(), gate.due_ns, gate.front_ns, gate.flickers, gate.rested


@pytest.mark.parametrize("settings", [ONE, TWO_BEAMS, SIX, SIX_OF_TWO])
def test_a_toss_costs_as_much_at_the_end_of_many_as_at_the_beginning(settings: Settings, judged: list[int]) -> None:
    """Each edge has those of its own cube judged again, and no edge of the tosses before."""
    gate, costs = Gate(settings), []
    for toss in tosses(settings, MOST_EDGES // (2 * settings.beams)):
        judged.clear()
        for edge in toss:
            gate.edge(edge)
            look(gate)
        costs.append(sum(judged))
    assert len(gate.verdict().cubes) == len(costs)
    assert set(costs) == {costs[0]}


@pytest.mark.slow
def test_a_beam_that_stays_dark_lets_no_edge_cost_more_than_an_announcement_keeps(judged: list[int]) -> None:
    """Everything after the stuck cube belongs together. What is judged twice is what ends and what stays dark."""
    gate = Gate(SIX_OF_TWO)
    gate.edge(BeamEdge(1, -MS, 5, 0, True))
    for edge in (edge for toss in tosses(SIX_OF_TWO, 500) for edge in toss):
        judged.clear()
        gate.edge(replace(edge, seq=edge.seq + 1))
        look(gate)
        assert sum(judged) <= 2 * (MOST_EDGES + 12)
    assert sum(judged) == 0, "an edge that is not kept costs nothing"
    assert len(gate.trace()) <= MOST_EDGES + 12


@pytest.mark.parametrize("settings", [ONE, SIX_OF_TWO])
def test_an_announcement_of_too_many_edges_is_unclear_and_the_next_is_not(settings: Settings) -> None:
    gate, number = Gate(settings), 0
    for edge in (edge for toss in tosses(settings, 1000) for edge in toss):
        assert gate.full or gate.verdict().notes == ()
        gate.edge(edge)
        number = edge.seq
    verdict = gate.verdict()
    assert (verdict.clear, verdict.notes) == (False, ("many",))
    assert verdict == judge(gate.trace(), settings), "its trace says so too"
    assert gate.unkept == number - MOST_EDGES
    gate = gate.next()
    gate.edge(BeamEdge(number + 1, 0, 0, 0, True))
    assert gate.verdict().notes == ()


def test_a_full_gate_still_sees_how_a_darkness_ends() -> None:
    """It would otherwise report a stuck cube."""
    gate = Gate(SIX)
    gate.edge(BeamEdge(1, 0, 5, 0, True))
    for edge in [edge for toss in tosses(SIX, 500) for edge in toss][: MOST_EDGES + 3]:
        gate.edge(replace(edge, seq=edge.seq + 1))
    assert gate.dark == ((5, 0),)
    gate.edge(BeamEdge(MOST_EDGES + 5, 60_000 * MS, 5, 0, False))
    assert gate.dark == ()
    assert "many" in gate.verdict().notes


def test_a_late_edge_is_judged_with_the_toss_that_it_belongs_to() -> None:
    """The end of the first of three cubes is read last."""
    one, two, three = (list(toss) for toss in tosses(ONE, 3))
    gate = Gate(ONE)
    for edge in (one[0], *two, *three):
        gate.edge(edge)
        look(gate)
    gate.edge(one[1])
    verdict = gate.verdict()
    assert (verdict.notes, summary_of(verdict)) == (("late",), [(0, 0.0, ()), (0, 125.0, ()), (0, 250.0, ())])
    assert verdict == judge(gate.trace(), ONE)
