"""The one law: on throws within the settings no clear verdict is wrong, and ordinary ones are seldom doubtful."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from scripts import REPO
from tests.kit.chute import Announcement, Chute, configurations
from tests.kit.mishaps import MISHAPS, Mishaps, at_the_box
from tests.kit.sampling import examples
from umpi.timing import gate as gate_module
from umpi.timing.gate import BeamEdge, Cube, Gate, Settings, judge
from umpi.timing.occlusion import BURST_NS, closing_ns, flickers, limits, occlusions, rested

GATES = st.builds(
    Settings,
    lanes=st.sampled_from((1, 6)),
    beams=st.sampled_from((1, 2)),
    cube_mm=st.sampled_from((16, 8, 12.5)),
    turned=st.sampled_from((1.42, 1.0, 1.2)),
    speed_mm_s=st.sampled_from(((900, 1400), (1500, 2400), (900, 2400), (1000, 1000))),
    beam_gap_mm=st.sampled_from((12, 5, 30, 60)),
    glitch_us=st.sampled_from((800, 0, 100, 2000)),
    chatter_us=st.sampled_from((400, 0, 900, 2500)),
    dead_heat_us=st.sampled_from((2000, 400, 0)),
    late_ms=st.sampled_from((20, 0)),
)
MS = 1_000_000
FREE_FALL = 9810.0, 9810.0
DEFAULT = tuple(configurations(Settings()))


def wrong(seen: Announcement, settings: Settings) -> str:
    """What a clear verdict says wrongly, "" where it is right or doubtful."""
    verdict = judge(seen.edges, settings)
    lanes = tuple(cube.lane for cube in verdict.cubes)
    return f"{lanes} instead of {seen.lanes}" if verdict.clear and lanes != seen.lanes else ""


@pytest.mark.slow
@given(GATES, st.randoms(use_true_random=False))
@hypothesis_settings(max_examples=examples(300), deadline=None)
def test_no_clear_verdict_is_wrong_whatever_the_gate(settings: Settings, chance: Random) -> None:
    assert not settings.refusal()
    assert not wrong(Chute(settings, chance).rough(), settings)


@pytest.mark.parametrize("settings", DEFAULT, ids=lambda s: f"{s.lanes}x{s.beams}")
@given(seed=st.integers(0, 2**64))
@hypothesis_settings(max_examples=examples(300), deadline=None)
def test_no_clear_verdict_is_wrong(settings: Settings, seed: int) -> None:
    assert not wrong(Chute(settings, Random(seed)).rough(), settings)


@pytest.mark.slow
@pytest.mark.parametrize("settings", DEFAULT, ids=lambda s: f"{s.lanes}x{s.beams}")
def test_ordinary_throws_are_seldom_doubtful(settings: Settings) -> None:
    chute = Chute(settings, Random(2026))
    thrown = [chute.ordinary() for _ in range(1000)]
    assert not any(wrong(seen, settings) for seen in thrown)
    assert sum(not judge(seen.edges, settings).clear for seen in thrown) <= 1000 // 200


@pytest.mark.parametrize(
    ("lanes", "glitch_us", "pulls"),
    [(1, 800, FREE_FALL), (6, 100, FREE_FALL), (6, 800, (-4000.0, 9810.0)), (1, 100, (-4000.0, 9810.0))],
)
def test_two_beams_are_sure_of_cubes_that_gain_and_lose_speed(
    lanes: int, glitch_us: int, pulls: tuple[float, float]
) -> None:
    """With one travel time for front and back, a quarter of these were doubtful; with quick sensors, all."""
    settings = Settings(lanes=lanes, beams=2, glitch_us=glitch_us)
    chute = Chute(settings, Random(2026), pulls)
    thrown = [chute.ordinary() for _ in range(200)]
    assert not any(wrong(seen, settings) for seen in (*thrown, *(chute.rough() for _ in range(100))))
    assert sum(not judge(seen.edges, settings).clear for seen in thrown) <= 200 // 200


CAUGHT = [
    ("a cube bounces back", 2), ("a fingertip goes in and out", 2), ("sun for seconds", 1), ("sun for seconds", 2),
    ("another lane's emitter", 1), ("another lane's emitter", 2), ("weak emitters", 2), ("a cube rests in the beam", 2),
]  # fmt: skip


@pytest.mark.parametrize(("name", "beams"), CAUGHT)
@pytest.mark.parametrize("lanes", [1, 6])
def test_the_gate_matches_the_figures_of_its_documentation(name: str, beams: int, lanes: int) -> None:
    """By the edges and the emitter test; `dev gate --mishaps` does this 10,000 times. No cube is no announcement."""
    mishaps = Mishaps(Settings(lanes=lanes, beams=beams), Random(7))
    for _ in range(50):
        seen = MISHAPS[name](mishaps)
        verdict = at_the_box(seen, mishaps.settings, mishaps.blind)
        assert not verdict.clear or not verdict.cubes or tuple(cube.lane for cube in verdict.cubes) == seen.lanes


@pytest.mark.slow
@given(GATES, st.integers(0, 2**64))
@hypothesis_settings(max_examples=examples(300), deadline=None)
def test_cubes_reported_live_agree_with_the_verdict(settings: Settings, seed: int) -> None:
    """In any order of arrival within `late_ms`, no reported cube is withdrawn or out of order."""
    seen = Chute(settings, Random(seed)).rough()
    gate, reported = Gate(settings), []
    for edge, at_ns in zip(seen.edges, seen.arrivals_ns, strict=True):
        while (due_ns := gate.due_ns) is not None and due_ns < at_ns:
            reported += gate.tick(due_ns)
        gate.edge(edge)
    verdict = gate.verdict()
    while (due_ns := gate.due_ns) is not None:
        reported += gate.tick(due_ns)
    assert verdict == judge(seen.edges, settings)
    if "late" in verdict.notes or gate.dark:
        return
    assert [(cube.lane, cube.t) for cube in reported] == [(cube.lane, cube.t) for cube in verdict.cubes]
    for early, cube in zip(reported, verdict.cubes, strict=True):
        assert early.doubts == cube.doubts or "stuck" in early.doubts, "a cube reported while stuck has not ended yet"


def judged_at_once(edges: list[BeamEdge], settings: Settings) -> tuple[tuple[Cube, ...], bool, bool, bool]:
    """Judge edges without dividing them: the cubes, a contradiction, a flicker, and one that rested in a beam."""
    ordered = sorted({edge.seq: edge for edge in reversed(edges)}.values(), key=lambda edge: (edge.t, edge.seq))
    seen, contradiction = occlusions(ordered, settings, ordered[-1].t)
    cubes = gate_module._judged(gate_module._sights(seen, settings), settings)
    return gate_module._with_margins(cubes), contradiction, flickers(seen, settings), rested(seen, settings)


@given(GATES, st.integers(0, 2**64))
@hypothesis_settings(max_examples=examples(100), deadline=None)
def test_tosses_are_judged_as_if_all_edges_were_judged_at_once(settings: Settings, seed: int) -> None:
    """The pauses between the tosses are as short and as long as anything that one toss can mean for another."""
    chance = Random(seed)
    chute, edges, gate = Chute(settings, chance), list[BeamEdge](), Gate(settings)
    bounds = limits(settings)
    spans = 0, bounds.chatter, closing_ns(settings), bounds.travel[1] + bounds.slack, 2 * MS, BURST_NS
    for toss in (chute.rough() for _ in range(3)):
        pause_ns = chance.choice(spans) + chance.randrange(-2000, 2000)
        shift_ns = max((edge.t for edge in edges), default=0) + pause_ns - min((e.t for e in toss.edges), default=0)
        first = max((edge.seq for edge in edges), default=0)
        for edge in toss.edges:
            edges.append(BeamEdge(edge.seq + first, edge.t + shift_ns, edge.lane, edge.beam, edge.dark))
            gate.edge(edges[-1])
            if chance.random() < 0.3:
                gate.tick(edges[-1].t)
    if not edges or gate.full:
        return
    verdict = gate.verdict()
    found = verdict.cubes, "contradiction" in verdict.notes, gate.flickers, gate.rested
    assert found == judged_at_once(edges, settings)


EDGES = st.lists(
    st.builds(
        BeamEdge, st.integers(1, 12), st.integers(0, 60_000_000), st.integers(0, 1), st.integers(0, 1), st.booleans()
    ),
    max_size=12,
)


@given(st.sampled_from(DEFAULT), EDGES)
@hypothesis_settings(deadline=None)
def test_any_edges_at_all_are_judged(settings: Settings, edges: list[BeamEdge]) -> None:
    possible = [edge for edge in edges if edge.lane < settings.lanes and edge.beam < settings.beams]
    verdict = judge(possible, settings)
    assert list(verdict.cubes) == sorted(verdict.cubes, key=lambda cube: (cube.t, cube.lane))
    assert verdict.clear == (not verdict.notes and not any(cube.doubts for cube in verdict.cubes))


@pytest.mark.slow
def test_the_script_counts_a_few_thousand_announcements() -> None:
    command = [sys.executable, "-m", "scripts.verdicts.gate", "1000", "--seed", "7"]
    process = subprocess.run(command, cwd=REPO, capture_output=True, text=True)
    assert process.returncode == 0, process.stdout + process.stderr
    rows = [line.split() for line in process.stdout.splitlines()[1:]]
    assert [row[:4] for row in rows] == [
        ["1", "x", "1", "1,000"],
        ["1", "x", "2", "1,000"],
        ["6", "x", "1", "1,000"],
        ["6", "x", "2", "1,000"],
    ]
    assert all(row[6] == "0" for row in rows), "clear but wrong"
