"""The same stamps lead to the same result, however the edges were batched and in whatever order they were read."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.kit.core import Core, Hand
from tests.kit.rig import MS
from umpi.kernel.registry import find, games
from umpi.referee.effects import JournalCall, TimePicture
from umpi.referee.input_queue import LATE_NS
from umpi.simulator.chute import toss
from umpi.timing.edge import Edge
from umpi.timing.gate import Settings
from umpi.timing.lines import COLOURS, NAVIGATION

BUTTONS = (*COLOURS, *NAVIGATION)
CHATTER_MS = 16  # nobody presses a button again within this time
taps = st.lists(
    st.tuples(st.sampled_from(BUTTONS), st.integers(CHATTER_MS, 900), st.integers(-300, 400)), min_size=1, max_size=25
)


def edges_of(taps: list[tuple[str, int, int]], begin_ns: int) -> list[Edge]:
    """Taps by their buttons, how long each is down, and the time until the next in ms, below 0 if they overlap."""
    edges: list[Edge] = []
    free_ns: dict[str, int] = {}
    at_ns = begin_ns
    for number, (button, down_ms, pause_ms) in enumerate(taps):
        at_ns = max(at_ns, free_ns.get(button, at_ns))
        up_ns = at_ns + down_ms * MS + number  # no two edges at one moment
        edges += [Edge(button, True, at_ns + number), Edge(button, False, up_ns)]
        free_ns[button] = up_ns + CHATTER_MS * MS
        at_ns += max(1, down_ms + pause_ms) * MS
    return sorted(edges, key=lambda edge: edge.at_ns)


def began(game: str) -> Core:
    return begun(Hand(), game, find(game).seats[0])


def begun(hand: Hand, game: str, seats: int, keys: str = "") -> Core:
    """Begin a match, and press these keys; what has led there does not count."""
    hand.begin(game, seats)
    hand.press(keys)
    hand.core.run_to(10_000 * MS)
    hand.core.effects.clear()
    return hand.core


def played(core: Core, edges: list[Edge], batch: Any) -> tuple[list[Any], bytes]:
    """Play edges in batches; return the lines of the journal and the sounds, and the last picture.

    While devices are checked, each picture is timed, and in other batches there are other pictures.
    """
    waiting: list[Edge] = []
    for edge, following in zip(edges, [*edges[1:], None], strict=True):
        waiting.append(edge)
        if following is None or batch():
            core.give(mixed(waiting), edge.at_ns)
            waiting = []
    core.run_to(edges[-1].at_ns + 60_000 * MS)  # the calls of the last answer have passed
    effects = [effect for effect in core.effects if not isinstance(effect, TimePicture)]
    return effects, core.picture.tobytes()


def mixed(edges: list[Edge]) -> list[Edge]:
    """The same edges in another order, which is the same each time."""
    return Random(len(edges)).sample(edges, len(edges))


@pytest.mark.parametrize("game", [game.id for game in games()])
@example([("back", 725, 0), ("yellow", 16, -85), *[("red", 16, 0)] * 3], Random(1))  # leave, and resume
@example([*[("red", 16, 0), ("blue", 16, 0)], ("back", 600, 0), ("black", 16, 0), *[("red", 16, 0)] * 3], Random(1))
@given(taps, st.randoms(use_true_random=False))
def test_edges_in_any_batches_lead_to_the_same_lines_sounds_and_picture(
    game: str, taps: list[tuple[str, int, int]], chance: Random
) -> None:
    edges = edges_of(taps, 20_000 * MS)
    one_by_one = played(began(game), edges, lambda: True)
    assert played(began(game), edges, lambda: chance.random() < 0.3) == one_by_one
    assert played(began(game), edges, lambda: False) == one_by_one


def test_a_turn_begins_when_a_button_was_pressed_however_late_that_is_read() -> None:
    core = began("dodeka")
    core.referee._timers.turn.allow(60, 10_000 * MS)
    edges = edges_of([(button, 50, 50) for button in ("red", "blue", "yellow")], 20_000 * MS)  # a run ends the turn
    core.give(edges, 25_000 * MS)
    assert core.referee.panel.table.state.clock == "0:56"


@given(st.permutations(range(6)), st.lists(st.integers(0, 3), min_size=6, max_size=6))
def test_in_a_race_edges_may_be_read_late_and_in_another_order(order: list[int], gaps: list[int]) -> None:
    """The kernel hands an edge over at most `LATE_NS` after a later one."""
    start_ns = 20_000 * MS
    stamps = [start_ns + sum(gaps[: at + 1]) * MS + at for at in range(6)]
    edges = [Edge(COLOURS[seat], True, stamps[seat]) for seat in range(6)]
    orders = []
    for read in (range(6), order):
        core = begun(Hand(), "quiz", len(COLOURS), "ok")
        for seat in read:
            core.give([edges[seat]], max(stamps))
        core.run_to(start_ns + LATE_NS + 1000 * MS)
        calls = [effect for effect in core.effects if isinstance(effect, JournalCall) and effect.name == "append"]
        orders.append([line["seat"] for call in calls for line in call.values[1]])
    assert orders[0] == [*range(6)]
    assert orders[0] == orders[1]


@given(st.permutations(COLOURS), st.integers(1, 60), st.randoms(use_true_random=False))
def test_cubes_in_any_batches_lead_to_the_same_acts(order: list[str], gap_ms: int, chance: Random) -> None:
    """The funnel takes the edges of its beams in the order in which they are read."""
    lanes = {"beams": tuple(f"lane_{lane}" for lane in range(1, 7))}
    sentences = []
    for batch in (lambda: True, lambda: chance.random() < 0.2):
        core = begun(Hand(**lanes), "dohdles", len(COLOURS), "red red")
        flights = toss(order, Settings(lanes=6), 20_000 * MS, "apart", gap_ms)
        waiting: list[Edge] = []
        for at_ns, line, dark in sorted(flights):
            waiting.append(Edge(line, dark, at_ns))
            if batch():
                core.give(waiting, at_ns)
                waiting = []
        core.give(waiting, at_ns)
        core.run_to(at_ns + 5000 * MS)
        calls = [effect for effect in core.effects if isinstance(effect, JournalCall) and effect.name == "append"]
        sentences.append([line for call in calls for line in call.values[1]])
    assert sentences[0]
    assert sentences[1] == sentences[0]
