"""Calls on the display: how long each is shown, its sound, the reason of a result, and scores that are hidden."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from umpi.conformance.texts import collect_cuts
from umpi.display import screens
from umpi.display.calls import LETTER_NS, LOOK_NS, PassingCalls
from umpi.display.menus import over
from umpi.display.panel import Panel
from umpi.games.dodekka.rules import Dodekka
from umpi.i18n.translate import LANGUAGES, set_language, tr
from umpi.kernel import Act, Call, Match, Result, View
from umpi.kernel.messages import message
from umpi.kernel.registry import find
from umpi.simulator.reading import drawn, reads
from umpi.table.seating import Seating
from umpi.table.sounds import sound_of
from umpi.table.standing import open_question, points_of

NAMES = ("Katy", "Bartholomew", "Christelle", "Maximilian", "Zsófia", "Kévin")
ONE, TWO = Call("bust", "Red busts"), Call("round", "Round 1: Red 4")


@given(st.lists(st.builds(Call, st.just("other"), st.text("ab ", max_size=40)), max_size=4), st.data())
def test_each_call_has_its_whole_time_however_late_the_box_looks(calls: list[Call], data: Any) -> None:
    passing, now_ns = PassingCalls(), 0
    passing.say(calls)
    passing.tick(now_ns, hidden=False)
    begun = []
    while (call := passing.current) is not None:
        begun.append((now_ns, call))
        assert passing.due_ns == now_ns + LOOK_NS + LETTER_NS * len(call.text)
        assert not passing.tick(passing.due_ns - 1, hidden=False)
        now_ns = passing.due_ns + data.draw(st.integers(0, 10 * LOOK_NS))
        assert passing.tick(now_ns, hidden=False)
    assert [call for _, call in begun] == calls
    assert all(later - earlier >= LOOK_NS for (earlier, _), (later, _) in pairwise(begun))
    assert passing.due_ns is None


def test_a_hidden_call_waits_and_then_has_its_whole_time() -> None:
    passing = PassingCalls()
    passing.say([ONE])
    passing.tick(0, hidden=False)
    assert passing.tick(LOOK_NS, hidden=True)
    assert (passing.current, passing.due_ns) == (None, None)
    assert not passing.tick(100 * LOOK_NS, hidden=True)
    assert passing.tick(200 * LOOK_NS, hidden=False)
    assert passing.current is ONE
    assert passing.due_ns == 201 * LOOK_NS + LETTER_NS * len(ONE.text)


def test_later_calls_replace_those_that_wait() -> None:
    passing = PassingCalls()
    passing.say([ONE, ONE])
    passing.tick(0, hidden=False)
    passing.say([TWO])
    passing.tick(1, hidden=False)
    assert passing.current is TWO
    assert passing.due_ns == 1 + LOOK_NS + LETTER_NS * len(TWO.text)


@pytest.mark.parametrize(
    ("calls", "sound"),
    [
        ([], "accepted"), ([ONE, TWO], "bad"), ([TWO, ONE], "call"), ([Call("no engine has it", "")], "call"),
        ([Call("guess", "", {"right": True})], "good"), ([Call("guess", "", {"right": False})], "bad"),
    ],
)  # fmt: skip
def test_the_first_call_chooses_the_sound(calls: list[Call], sound: str) -> None:
    assert sound_of(calls, over=False) == sound
    assert sound_of(calls, over=True) == "winner"


class Ended(Dodekka):
    """A game that ends for a reason that a test chooses."""

    ends: Result | None = None

    def asks(self) -> tuple[Any, ...]:
        """Ask nothing."""
        return ()

    def result(self) -> Result | None:
        """Return what the test has chosen."""
        return self.ends


REASONS = (
    message("highest score"),
    message("tied for the highest score, won with {number} cards in hand", number=12),
    message("tied for farthest ahead when no riddle is open"),
    message("tied for the fewest points after {rounds} rounds", rounds=12),
)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seats", [2, 3, 4, 6])
@pytest.mark.parametrize("winners", [1, 2, 3, 6])
def test_the_winners_screen_cuts_no_reason(language: str, seats: int, winners: int) -> None:
    set_language(language)
    table = Seating(Ended, NAMES[:seats], tuple(range(seats)))
    for why in REASONS:
        match = Match(Ended, NAMES[:seats])
        Ended.ends = Result(tuple(1 + (seat >= winners) for seat in range(seats)), why)
        with collect_cuts() as cuts:
            for sign in ("", tr("NOT SAVED")):
                screens.over(match, next(over(table)), 0, (), sign)
        assert not [cut for cut in cuts if cut.text not in NAMES]


def test_the_winners_screen_gives_the_reason_and_the_names() -> None:
    match = Match(Ended, NAMES[:3])
    for places, why, texts in (
        ((2, 1, 3), REASONS[0], ("Winner", "Bartholomew wins!", "Highest score")),
        ((2, 1, 3), REASONS[1], ("Bartholomew wins!", "Tied for the highest", "won with 12 cards")),
        ((1, 1, 1), REASONS[0], ("Winners", "Katy, Bartholomew and Christelle win!", "Highest score")),
    ):
        Ended.ends = Result(places, why)
        picture = screens.over(match, next(over(Seating(Ended, NAMES[:3], (0, 1, 2)))), 0)
        assert all(reads(picture, text) for text in texts), drawn(picture)
        assert reads(picture, "0"), "the scores are there"


class Hidden(Dodekka):
    """A game that hides its scores."""

    def view(self) -> View:
        """Hide the scores."""
        return replace(super().view(), hidden=True)


def test_hidden_scores_appear_on_no_screen_until_the_end() -> None:
    match, table = Match(Hidden, NAMES[:2]), Seating(Hidden, NAMES[:2], (0, 1))
    match.play(Act("deal", {"cards": ("fire-2", "earth-2", "air-4")}))
    panel = Panel([Hidden])
    panel.show(match, table)
    assert reads(panel.picture(), "Bartholomew")
    assert not any(tile.score for tile in screens.tiles_of(match, (0, 1)))
    panel.press("up")
    assert reads(panel.picture(), "hidden until the end"), drawn(panel.picture())
    assert points_of(match) == "Katy, Bartholomew"


def test_the_points_that_a_tile_shows_large_come_first() -> None:
    match = Match(find("dodeka"), NAMES[:2], {"target": 10})
    for dice in ((4, 4, 5), (1, 2, 3), (7, 7, 1)):  # the first two end a set
        match.play(Act("throw", {"keep": (), "dice": dice}))
        match.play(Act("stop"))
    assert points_of(match).replace("\N{NO-BREAK SPACE}", " ") == "Katy 0 (Σ100), Bartholomew 40 (Σ-100)"
    assert open_question(match) == "Katy: Roll 1 of 3"
    assert points_of(Match(find("dodeka"), NAMES)).count("(") == 0, "for six there is no room"
