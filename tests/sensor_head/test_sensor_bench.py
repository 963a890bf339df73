"""The head's own modules and the box's side of the talk, over as bad a cable as you like, in virtual time."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from tests.kit.chute import Chute, configurations
from tests.kit.pico import MS, PERIOD, US, Bench, fall, garbage_on_the_cable, moves_of
from tests.kit.sampling import examples
from umpi.drivers.head_protocol import HeadEdge, Lost, Until
from umpi.timing.funnel import Funnel
from umpi.timing.gate import Cube, Settings, judge

S = 1000 * MS
ALL = tuple(f"{beam}_{lane}" for beam in ("lane", "second") for lane in range(1, 7))


def reported(bench: Bench) -> list[tuple[str, bool]]:
    return [(edge.line, edge.active) for edge in bench.edges]


def moved(bench: Bench) -> list[tuple[str, bool]]:
    return [(name, dark) for name, dark, _ in bench.moved]


def within_bounds(bench: Bench) -> bool:
    """Return whether all edges were reported, with stamps as near to the truth as they claim."""
    return all(
        abs(edge.at_ns - at_ns) <= edge.off_ns for edge, (_, _, at_ns) in zip(bench.edges, bench.moved, strict=True)
    )


def test_edges_at_the_pins_are_reported_in_order_with_stamps_within_bounds() -> None:
    bench = Bench(("lane_1", "lane_2", "wall")).ready()
    bench.run(400 * MS, sorted([*fall("lane_1", 50), *fall("lane_2", 55.5), (200 * MS, "wall", True)]))
    assert reported(bench) == moved(bench)
    assert within_bounds(bench)
    assert max(edge.off_ns for edge in bench.edges) < 2 * MS, "the bench looks each millisecond"
    assert bench.edges[1].at_ns - bench.edges[0].at_ns == 5_500_000


def announcement_reported(bench: Bench, settings: Settings, seen: Any) -> tuple[list[Cube], Funnel]:
    """Play an announcement at the pins; return the cubes that a funnel reported live, and the funnel."""
    names = [line for line in ALL if int(line[-1]) <= settings.lanes and (settings.beams == 2 or line[0] == "l")]
    assert set(names) == set(bench.lines)
    funnel, live, until_ns = Funnel(names, {"late_ms": settings.late_ms}), [], [0]

    def on_news(news: Any) -> None:
        match news:
            case HeadEdge():
                funnel.edge(news)
            case Lost(count):
                funnel.lost(count, until_ns[0])
            case Until(at_ns):
                until_ns[0] = at_ns
                live.extend(funnel.tick(at_ns))

    bench.on_news = on_news
    moves = moves_of(seen.edges)
    start_ns = moves[0][0]
    bench.run(moves[-1][0] - start_ns + 1300 * MS, [(at_ns - start_ns, name, dark) for at_ns, name, dark in moves])
    return live, funnel


@pytest.mark.parametrize("settings", tuple(configurations(Settings())), ids=lambda s: f"{s.lanes}x{s.beams}")
@pytest.mark.parametrize("kind", ["ordinary", "rough"])
def test_the_gate_judges_the_heads_edges_as_it_judges_direct_ones(settings: Settings, kind: str) -> None:
    """Stalls of the cable change nothing: cubes are reported live only after all earlier edges have arrived."""
    chance = Random(f"{settings}{kind}")
    chute = Chute(settings, chance)
    lines = [line for line in ALL if int(line[-1]) <= settings.lanes and (settings.beams == 2 or line[0] == "l")]
    delays = [300 * US] * 30 + [50 * MS, 120 * MS]
    for _ in range(8):
        seen = chute.ordinary() if kind == "ordinary" else chute.rough()
        if len(seen.edges) != max(edge.seq for edge in seen.edges):
            continue  # the chute lost some
        bench = Bench(lines, ticks=PERIOD - chance.randrange(400_000), delay=lambda: chance.choice(delays)).ready()
        ordered = sorted(seen.edges, key=lambda edge: (edge.t, edge.seq))
        start_ns = ordered[0].t
        live, funnel = announcement_reported(bench, settings, seen)
        began_ns = bench.moved[0][2]
        direct = judge(
            [
                replace(edge, seq=seq, t=(edge.t - start_ns + began_ns) // US * US)
                for seq, edge in enumerate(ordered, 1)
            ],
            settings,
        )
        if "contradiction" in direct.notes:
            continue  # two changes of a beam at one moment: a pin has an order there, the chute has not
        assert [(cube.lane, cube.margin_us, cube.doubts) for cube in funnel.verdict.cubes] == [
            (cube.lane, cube.margin_us, cube.doubts) for cube in direct.cubes
        ]
        own = {"flicker", "rested"}.intersection(funnel.verdict.notes)  # only the box has them
        notes = tuple(note for note in funnel.verdict.notes if note not in own)
        assert (funnel.verdict.clear, notes) == (direct.clear and not own, direct.notes)
        shift_ns = funnel.verdict.cubes[0].t - direct.cubes[0].t if direct.cubes else 0
        assert all(cube.t == other.t + shift_ns for cube, other in zip(funnel.verdict.cubes, direct.cubes, strict=True))
        final = {(cube.lane, cube.t): cube.doubts for cube in funnel.verdict.cubes}
        assert all(final.get((cube.lane, cube.t)) == () for cube in live if not cube.doubts), "clear stays clear"


def test_a_wall_needs_no_lane() -> None:
    bench = Bench(("wall",)).ready()
    bench.run(200 * MS, [(10 * MS, "wall", True), (50 * MS, "wall", True)])
    assert reported(bench) == [("wall", True), ("wall", True)]


def test_an_announcement_across_the_wrap_of_the_counter_is_complete() -> None:
    bench = Bench(("lane_1",), ticks=PERIOD - 250_000).ready()
    bench.run(600 * MS, [*fall("lane_1", 100), *fall("lane_1", 225), *fall("lane_1", 300)])
    assert reported(bench) == moved(bench)
    assert within_bounds(bench)
    stamps = [edge.at_ns for edge in bench.edges]
    assert [later - stamps[0] for later in stamps] == [at_ns - bench.moved[0][2] for _, _, at_ns in bench.moved]


@pytest.mark.slow
def test_an_hour_and_three_wraps_go_by() -> None:
    bench = Bench(("lane_1",))
    bench.STEP_NS = 100 * MS
    bench.ready()
    bench.ppm = 35
    for _ in range(60):
        bench.run(60 * S, fall("lane_1", 1000))
    assert reported(bench) == moved(bench)
    assert within_bounds(bench)
    assert not bench.distrust
    drift, off = bench.talk.clock.drift_ppm()
    assert abs(drift + 35) <= off < 60


@pytest.mark.slow
@given(st.integers(0, 2**32))
@hypothesis_settings(max_examples=examples(8), deadline=None)
def test_no_bound_is_broken_whatever_cable_crystal_and_stalls_do(seed: int) -> None:
    chance = Random(seed)
    bench = Bench(("lane_1", "lane_2"), delay=lambda: round(chance.expovariate(1 / (2 * MS))))
    bench.ready()
    for _ in range(20):
        bench.ppm = chance.uniform(-590, 590)
        stalled = {end for end in ("head", "box") if chance.random() < 0.15}
        bench.stalled = stalled - bench.stalled  # twice in a row would be silence
        lane = chance.choice(("lane_1", "lane_2"))
        bench.run(chance.randrange(20 * MS, 1200 * MS), fall(lane, chance.random() * 5, 1 + chance.random() * 10))
    bench.stalled = set()
    bench.run(300 * MS)
    assert not bench.distrust
    assert reported(bench) == moved(bench)
    assert within_bounds(bench)


def test_a_line_lost_on_the_cable_is_reported_before_the_next_beat() -> None:
    bench = Bench(("lane_1",)).ready()
    bench.run(100 * MS, fall("lane_1", 10))
    until_ns = bench.until_ns
    bench.spoil = lambda data: b"" if b" light " in data else data
    bench.run(40 * MS, fall("lane_1", 1, 15))
    assert bench.lost == 1, "the beat after it tells"
    assert bench.until_ns > until_ns
    bench.spoil = bytes
    bench.run(40 * MS, fall("lane_1", 1, 15))
    assert bench.lost == 1
    assert len(bench.edges) == 5


def test_a_head_that_was_too_busy_says_how_many_changes_it_lost() -> None:
    bench = Bench(("lane_1",)).ready()
    bench.stalled = {"head"}
    bench.run(900 * MS, [(t * MS, "lane_1", t % 2 == 0) for t in range(701)])
    bench.stalled = set()
    bench.run(100 * MS)
    assert (len(bench.edges), bench.lost) == (0, 701), "its ring holds 512"
    assert bench.talk.dark == {"lane_1"}, "it says what is dark now"
    bench.run(50 * MS, [(MS, "lane_1", False)])
    assert (len(bench.edges), bench.lost) == (1, 701)
    assert not bench.distrust


def test_a_stall_of_the_box_is_no_silence_of_the_head() -> None:
    bench = Bench(("lane_1",)).ready()
    bench.stalled = {"box"}
    bench.run(20 * S, fall("lane_1", 10_000))
    bench.stalled = set()
    bench.run(100 * MS)
    assert not bench.distrust
    assert len(bench.edges) == 2
    assert within_bounds(bench)


def test_a_head_that_stalls_is_given_up_after_two_seconds() -> None:
    bench = Bench(("lane_1",)).ready()
    bench.stalled = {"head"}
    bench.run(3 * S)
    assert "silent" in bench.distrust


def test_a_head_that_restarts_unnoticed_is_set_up_again() -> None:
    bench = Bench(("lane_1",)).ready()
    bench.run(100 * MS, fall("lane_1", 10))
    pico, bench._head_ns = bench.pico, 0.0
    bench.pico = type(pico)(lambda: int(bench._head_ns // US) % PERIOD, "5eed5eed")
    bench.run(700 * MS)
    assert "went back" in bench.distrust
    bench.call()
    bench.ready()
    bench.run(100 * MS, fall("lane_1", 10))
    assert reported(bench) == moved(bench)


@pytest.mark.parametrize("at_ms", range(0, 60, 4))
def test_the_plug_may_be_pulled_at_any_moment_of_an_announcement(at_ms: int) -> None:
    """No report is withdrawn or repeated, and the next announcement is complete."""
    bench = Bench(("lane_1", "lane_2")).ready()
    moves = sorted([*fall("lane_1", 5), *fall("lane_2", 12, 30), *fall("lane_1", 30)])
    bench.run(at_ms * MS + 1, [move for move in moves if move[0] <= at_ms * MS])
    before = len(bench.edges)
    assert reported(bench) == moved(bench)[:before]
    bench._head_ns = 0.0
    bench.plug_in("5eed5eed")
    bench.moved.clear()
    bench.edges.clear()
    bench.ready()
    bench.run(200 * MS, moves)
    assert reported(bench) == moved(bench)
    assert within_bounds(bench)


def test_emitters_can_be_proven_without_a_cube_being_seen() -> None:
    bench = Bench(("lane_1", "second_1", "lane_2")).ready()
    news: list[Any] = []
    bench.on_news = news.append
    bench.talk.emit(1, False)
    bench.run(100 * MS)
    bench.talk.emit(1, True)
    bench.run(100 * MS)
    switched = [item for item in news if type(item).__name__ == "Emitted"]
    assert [(item.on, item.dark) for item in switched] == [(False, {"lane_1", "second_1"}), (True, set())]
    assert bench.edges == []
    bench.run(100 * MS, fall("lane_1", 10))
    assert len(bench.edges) == 2


def test_garbage_on_the_cable_makes_no_edge_and_hides_none() -> None:
    garbage_on_the_cable(Random(5), 40_000)
