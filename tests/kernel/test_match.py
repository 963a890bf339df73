"""A match: an act in, a new position out, or a refusal that changes nothing."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass
from typing import Any

import pytest
from toy import Toy

from umpi.games.dodeka import Dodeka
from umpi.games.dodekka import Dodekka
from umpi.kernel import Act, Match, Refused, Result, View
from umpi.kernel.game import Game
from umpi.kernel.match import Broken
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find, games
from umpi.kernel.replacing import replace, twin_of

SAY = {"bet": True, "stake": 4}


def toy(*acts: Act) -> Match:
    match = Match(Toy, ["Ann", "Ben"])
    for act in acts:
        match.play(act)
    return match


def say(stake: int, **fields: Any) -> Act:
    return Act("say", {"bet": True, "stake": stake, **fields})


def throw(*dice: int) -> Act:
    return Act("throw", {"keep": (), "dice": dice})


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (Act("say", {}), '"say" needs "bet"'),
        (Act("say", {"bet": True}), '"say" needs "stake"'),
        (Act("say", {"bet": False, "stake": 4}), '"say" has no "stake"'),
        (Act("say", {"bet": 1, "stake": 4}), "bet: 1 is not in true, false"),
        (say(6), '"say" needs "sure"'),
        (say(4, sure=True), '"say" has no "sure"'),
        (say(0), "stake: 0 is not a whole number from 1 to 9"),
        (say(9, sure=True, **{"with": "nine"}), "another word"),
        (Act("say", SAY, by=1), r"for Ann \(seat 0\), not for seat 1"),
        (Act("say", {**SAY, "seat": 0}), '"say" has no "seat"'),
        (Act("point-at", {"seat": 1, "marks": (0, 1)}, by=0), r"for Ben \(seat 1\)"),
        (Act("point-at", {"seat": 2, "marks": (0, 1)}), "seat: 2 is not in 0, 1"),
        (Act("ring-out", {"dice": (1, 2), "cards": ("red", "red"), "left": ()}, by=0), "belongs to no player"),
        (Act("ring-out", {"dice": (1, 7), "cards": ("red", "red"), "left": ()}), "dice: 7 is not in 1 to 6"),
        (Act("ring-out", {"dice": (1, 1), "cards": ("blue", "blue"), "left": ()}), "blue appears only once"),
        (Act("sing"), 'Toy has no "sing"; expected: say, point-at, ring-out, crash'),
        (Act("do_say", SAY), "has no"),
        (Act("crash"), "failed on .crash.: ZeroDivisionError: a bug"),
    ],
)
def test_a_refused_act_says_why_and_changes_nothing(act: Act, reason: str) -> None:
    """Nothing is ever half-applied; refused in words a player understands."""
    match = toy(say(1))
    match.undo()
    before = (match.state(), match.now, list(match.acts), match.asks)
    with pytest.raises(Refused, match=reason):
        match.play(act)
    assert (match.state(), match.now, match.acts, match.asks) == before


def test_fields_that_follow_and_names_of_python_reach_the_game() -> None:
    """`more` tells what follows from the answers; a keyword gets a trailing "_"."""
    match = toy(say(6, sure=False, **{"with": None}), Act("point-at", {"seat": 1, "marks": (3, 2)}, by=1))
    match.play(Act("say", {"bet": False}, by=0))
    assert match.now.scores() == (6, 2)


def test_an_engine_that_fails_is_broken_and_the_game_goes_on() -> None:
    """A bug of a plug-in costs its act, never the game."""
    match = toy(say(2))
    with pytest.raises(Broken):
        match.play(Act("crash"))
    assert match.play(say(3)).scores() == (2, 3)


def test_after_the_end_every_act_is_refused_and_the_end_can_be_taken_back() -> None:
    """`seat` is null once over, every action refused; an end can be taken back too."""
    match = toy(say(8, sure=True), say(1), say(5))
    assert (match.seat, match.asks, match.state()["winners"]) == (None, (), (0,))
    for act in (say(1), Act("ring-out"), Act("sing"), Act("point-at", {"seat": 0, "marks": (0, 0)})):
        with pytest.raises(Refused, match="over"):
            match.play(act)
    match.undo()
    assert (match.seat, match.state()["winners"], match.now.scores()) == (0, (), (8, 1))
    match.play(say(1))
    assert match.now.scores() == (9, 1)


@pytest.mark.parametrize("count", [0, -1, 4])
def test_only_what_stands_is_taken_back(count: int) -> None:
    """Acts to be taken back: 1 or more, no more than there are."""
    match = toy(say(1), say(1), say(1))
    with pytest.raises(Refused):
        match.undo(count)
    assert len(match.acts) == 3
    match.undo(3)
    assert (match.acts, match.now) == ([], Toy.setup(2))


def test_names_with_braces_stand_in_refusals_as_they_are() -> None:
    """A name is a value of a sentence, never a part of its template."""
    match = Match(Dodekka, ["{card}", "{0}"], {"track": "hands"})
    match.play(Act("hand", {"seat": 0, "cards": ("fire-4",)}))
    with pytest.raises(Refused, match=r"\{card\}’s hand"):
        match.play(Act("hand", {"seat": 1, "cards": ("fire-4",)}))


@pytest.mark.parametrize(
    ("part", "wrong", "why"),
    [
        ("phase", property(lambda self: 5), "expected text"),
        ("scores", lambda self: (1,), "expected one score per seat"),
        ("view", lambda self: View(beside=("a", "b", "c")), "a text beside each seat or beside none"),
        ("view", lambda self: None, "expected a View"),
        ("result", lambda self: Result((1,), "short"), "expected a place for each seat"),
    ],
)
def test_a_position_that_cannot_be_shown_is_broken(
    part: str, wrong: Any, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The box could show no picture of it, and nobody could take the act back."""
    match = toy(say(4))
    match.check_position()
    monkeypatch.setattr(Toy, part, wrong)
    with pytest.raises(Broken, match=why):
        match.check_position()


def test_a_table_that_cannot_be_set_up_is_broken() -> None:
    """The message names the engine as the cause."""
    with pytest.raises(Broken, match="Toy rules failed to set up"):
        Match(Toy, ["Ann", "Ben"], {"bad data": 1})


def test_an_amended_act_is_replaced_and_what_still_holds_is_played_again() -> None:
    """Amending plays the new act, then each later act that still holds."""
    stop = Act("stop")
    match = Match(Dodeka, ["Ann", "Ben"])
    for act in (throw(1, 2, 4), stop, throw(3, 3, 9), stop):
        match.play(act)
    before = match.state()
    copy, lost = match.amended(2, throw(1, 4, 8))
    assert (lost, copy.now.facts()["points"], copy.acts[3]) == ([], (0, 250), stop)
    second = Act("throw", {"keep": (1, 2), "dice": (3,)})
    copy, lost = match.amended(1, second)
    assert (lost, copy.acts) == ([stop], [throw(1, 2, 4), second, throw(3, 3, 9)])
    assert copy.now.facts()["last"] == {"seat": 0, "combination": "pair", "points": 40}
    assert (match.state(), len(match.acts)) == (before, 4)
    copy.undo()
    assert match.state() == before


def test_an_amendment_that_is_refused_leaves_everything() -> None:
    """The new act must be allowed there; where none stands there is nothing to amend."""
    match = toy(say(1), say(2))
    with pytest.raises(Refused):
        match.amended(0, say(0))
    for index in (-1, 2):
        with pytest.raises(IndexError):
            match.amended(index, say(1))
    assert match.now.scores() == (1, 2)


def test_a_correction_with_a_wrong_answer_is_a_refusal_and_no_failure_of_what_follows():
    """`more` gets only answers that their fields accept."""
    game = find("dudab-buba")
    match = play_out(game, ("Ann", "Ben"), {"track": "score"}, seed=1)
    index, hand = 1, match.acts[0].given["hand"]
    given = {**match.acts[index].given, "hand": hand * 3}
    with pytest.raises(Refused):
        match.amended(index, Act("tally", given))


# Copies of positions: quick for every game that comes with Umpi, and refused for a field that is not there.


@dataclass(frozen=True)
class TeaBreak(Dodeka):
    """A game with one more field, and without slots of its own."""

    cups: int = 0


@pytest.mark.parametrize("game", [*games(), TeaBreak], ids=lambda game: game.__name__)
def test_python_sets_the_fields_of_a_copy_in_one_step_each(game: type[Game]) -> None:
    assert twin_of(game) is not game  # it raises TypeError where Python would not allow it


def test_a_copy_is_a_frozen_position_of_the_same_class() -> None:
    position = TeaBreak.setup(3)
    copy = replace(position, cups=2, turn=1)
    assert (type(copy), copy.cups, copy.turn, copy.part, position.cups) == (TeaBreak, 2, 1, position.part, 0)
    with pytest.raises(FrozenInstanceError):
        copy.cups = 3  # type: ignore[misc]


def test_a_field_may_have_any_name() -> None:
    @dataclass(frozen=True, slots=True)
    class Hike:
        position: int = 0
        kind: str = "on foot"

    assert replace(Hike(), position=4, kind="by bus") == Hike(4, "by bus")


def test_a_field_that_is_not_there_is_named() -> None:
    with pytest.raises(AttributeError, match=r"^TeaBreak has no field plates$"):
        replace(TeaBreak.setup(2), plates=1)
