"""Edges of buttons become presses: the first edge counts, chatter does not, a held key differs from a tap.

A hand that trembles makes one press of several.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from umpi.timing.debounce import Buttons, Press
from umpi.timing.edge import Edge
from umpi.timing.units import MS

CHATTER_MS, HOLD_MS, REPEAT_MS = 15, 600, 200


@dataclass(frozen=True)
class Tap:
    """A finger on a button, and the microseconds at which its contacts bounce, within the chatter time."""

    button: str
    pause_ms: int
    held_ms: int
    bounces: tuple[int, ...]


def edges_of(taps: list[Tap]) -> tuple[list[Edge], list[Press]]:
    """All edges of some taps, and the presses a person would say they made."""
    edges, presses, now_ns = [], [], 0
    for tap in taps:
        down_ns = now_ns + tap.pause_ms * MS
        up_ns = down_ns + tap.held_ms * MS
        for start_ns, level in ((down_ns, True), (up_ns, False)):
            edges.append(Edge(tap.button, level, start_ns))
            for bounce_us in tap.bounces:
                edges.append(Edge(tap.button, not level, start_ns + bounce_us * 1000))
                edges.append(Edge(tap.button, level, start_ns + bounce_us * 1000 + 500))
        presses.append(Press(tap.button, down_ns, tap.button == "ok" and tap.held_ms >= HOLD_MS))
        now_ns = up_ns
    return edges, presses


def presses_of(buttons: Buttons, edges: list[Edge], prompt: bool = True) -> list[Press]:
    """What a loop hears: a prompt one looks whenever something is due, a late one only at the edges and the end."""
    presses = []
    for edge in edges:
        while prompt and (due_ns := buttons.due_ns) is not None and due_ns < edge.at_ns:
            presses += buttons.tick(due_ns)
        presses += buttons.edge(edge)
    while (due_ns := buttons.due_ns) is not None:
        presses += buttons.tick(due_ns)
    return presses


def red(*changes: tuple[int, bool]) -> list[Edge]:
    return [Edge("red", level, ms * MS) for ms, level in changes]


bounces = st.sets(st.integers(1, CHATTER_MS - 2), max_size=5).map(lambda ms: tuple(1000 * at for at in sorted(ms)))
fingers = st.builds(Tap, st.sampled_from(["red", "blue", "ok"]), st.integers(40, 500), st.integers(40, 2000), bounces)
some_edges = st.dictionaries(st.integers(0, 900), st.booleans(), max_size=12).map(lambda edges: sorted(edges.items()))


@given(st.lists(fingers, max_size=8))
def test_a_bouncing_press_is_reported_once_with_the_stamp_of_its_first_edge(taps: list[Tap]) -> None:
    """The first edge acts at once, the filter is applied after it."""
    edges, presses = edges_of(taps)
    assert presses_of(Buttons({"ok"}), edges) == presses


def test_a_press_is_reported_at_its_first_edge_before_the_chatter_ends() -> None:
    assert Buttons().edge(Edge("red", True, 7)) == [Press("red", 7)]


def test_a_tap_of_three_milliseconds_is_not_lost() -> None:
    """The kernel's debounce of 1 ms has swallowed pulses of 8 ms."""
    assert presses_of(Buttons(), red((0, True), (3, False))) == [Press("red", 0)]
    assert presses_of(Buttons({"red"}), red((0, True), (3, False))) == [Press("red", 0)]


def test_after_a_tap_shorter_than_the_chatter_the_next_one_counts() -> None:
    """The line is looked at again when the chatter is over: the button is not believed to be down for ever."""
    assert presses_of(Buttons(), red((0, True), (3, False), (100, True))) == [Press("red", 0), Press("red", 100 * MS)]


def test_a_long_press_is_reported_once_as_soon_as_it_is_long() -> None:
    buttons = Buttons({"ok"})
    assert buttons.edge(Edge("ok", True, 0)) == []
    buttons.tick(15 * MS)
    assert buttons.due_ns == HOLD_MS * MS
    assert buttons.tick(HOLD_MS * MS - 1) == []
    assert buttons.tick(HOLD_MS * MS) == [Press("ok", 0, long=True)]
    assert buttons.edge(Edge("ok", False, 900 * MS)) == []
    assert buttons.tick(2000 * MS) == []
    assert buttons.due_ns is None


def test_a_button_without_a_second_meaning_can_be_held_for_ever() -> None:
    buttons = Buttons({"ok"})
    assert [*buttons.edge(Edge("red", True, 0)), *buttons.tick(10_000 * MS)] == [Press("red", 0)]


@given(some_edges, st.booleans())
def test_a_late_loop_reports_the_same_presses_as_a_prompt_one(changes: list[tuple[int, bool]], holding: bool) -> None:
    """What decides is the stamps, never when callbacks ran; a disk may hold the loop for a second."""
    held = {"red"} if holding else set()
    assert presses_of(Buttons(held), red(*changes), prompt=False) == presses_of(Buttons(held), red(*changes))


def test_after_a_press_that_arrived_late_the_next_one_counts_too() -> None:
    """Its release arrived first: the button is up, and can go down again."""
    edges = [Edge("red", False, 100 * MS), Edge("red", True, 50 * MS), Edge("red", True, 300 * MS)]
    assert presses_of(Buttons(), edges) == [Press("red", 50 * MS), Press("red", 300 * MS)]


@given(some_edges)
def test_every_press_has_the_stamp_of_an_edge(changes: list[tuple[int, bool]]) -> None:
    """A stamp is taken once, at the lowest layer, and never taken again."""
    stamps = {ms * MS for ms, level in changes if level}
    assert {press.at_ns for press in presses_of(Buttons(), red(*changes))} <= stamps


trembling = st.builds(
    Tap, st.sampled_from(["red", "ok"]), st.integers(REPEAT_MS, 900), st.integers(20, 900), st.just(())
)
shakes = st.lists(st.tuples(st.integers(1, 90), st.integers(1, REPEAT_MS - 1)), max_size=4)


@given(st.lists(st.tuples(trembling, shakes), max_size=6), st.booleans())
def test_a_trembling_hand_makes_the_press_that_a_steady_hand_makes(taps: list[tuple[Tap, Any]], prompt: bool) -> None:
    """Each press goes down again and again, sooner after each release than `repeat_ms`. The first stamp stays."""
    edges, presses, now_ns = [], [], 0
    for tap, again in taps:
        down_ns = now_ns + tap.pause_ms * MS
        now_ns = down_ns + tap.held_ms * MS
        edges += [Edge(tap.button, True, down_ns), Edge(tap.button, False, now_ns)]
        for held_ms, pause_ms in again:
            edges.append(Edge(tap.button, True, now_ns + pause_ms * MS))
            now_ns += (pause_ms + held_ms + CHATTER_MS) * MS
            edges.append(Edge(tap.button, False, now_ns))
        presses.append(Press(tap.button, down_ns, tap.button == "ok" and now_ns - down_ns >= HOLD_MS * MS))
    found = presses_of(Buttons({"ok"}, repeat_ms=REPEAT_MS), edges, prompt)
    assert sorted(found, key=attrgetter("at_ns")) == presses


@given(some_edges)
def test_a_late_loop_knows_of_a_trembling_press_at_the_same_moment(changes: list[tuple[int, bool]]) -> None:
    """The referee orders presses by that moment."""
    prompt, late = (
        [(press, press.known_ns) for press in presses_of(Buttons({"red"}, repeat_ms=REPEAT_MS), red(*changes), each)]
        for each in (True, False)
    )
    assert prompt == late


def test_in_a_race_the_first_press_counts_at_once_and_keeps_its_stamp() -> None:
    buttons, shaken = Buttons(repeat_ms=REPEAT_MS), red((0, True), (40, False), (100, True), (140, False))
    assert [buttons.edge(edge) for edge in shaken] == [[Press("red", 0)], [], [], []]
    assert buttons.edge(Edge("red", True, (140 + REPEAT_MS) * MS)) == [Press("red", (140 + REPEAT_MS) * MS)]


def test_a_press_that_is_interrupted_is_held_when_it_comes_back_late_enough() -> None:
    buttons = Buttons({"red"}, repeat_ms=REPEAT_MS)
    found = presses_of(buttons, red((0, True), (500, False), (650, True), (700, False)))
    assert [(press, press.known_ns) for press in found] == [(Press("red", 0, long=True), 650 * MS)]


@given(some_edges)
def test_nothing_repeats_unless_somebody_asks_for_it(changes: list[tuple[int, bool]]) -> None:
    """A session that was recorded without the setting replays as before: the release counts at once."""
    found = presses_of(Buttons({"red"}, repeat_ms=0), red(*changes))
    released = {at_ns + more for at_ns in (ms * MS for ms, _ in changes) for more in (0, CHATTER_MS * MS)}
    assert {press.known_ns for press in found if not press.long} <= released


@pytest.mark.parametrize("hold_ms", [200, 3000])
def test_a_button_is_held_after_the_chosen_time_and_lasting_as_long_after_it_as_ever(hold_ms: int) -> None:
    buttons = Buttons({"back"}, hold_ms=hold_ms)
    down = [*buttons.edge(Edge("back", True, 0)), *buttons.tick(hold_ms * MS - 1)]
    held = buttons.tick(hold_ms * MS)
    assert (down, held) == ([], [Press("back", 0, long=True)])
    assert buttons.tick((hold_ms + 2400) * MS - 1) == []
    assert buttons.tick((hold_ms + 2400) * MS) == [Press("back", 0, long=True, lasting=True)]
