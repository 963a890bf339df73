"""Hints: off by default; on, the box and the phones show what it would do, and a late hint changes nothing."""

from __future__ import annotations

import sys
from queue import SimpleQueue
from random import Random
from typing import Any

import pytest

from tests.kit.journals import dodeka_header
from tests.kit.patience import got
from tests.kit.rig import Rig, Rigs
from umpi.i18n.translate import set_language
from umpi.journal import Journal
from umpi.kernel.game import Act
from umpi.kernel.match import Match
from umpi.kernel.record import dump
from umpi.kernel.registry import find
from umpi.lab.advice import NoAdvice, advise, answer
from umpi.referee.effects import FindHint
from umpi.referee.events import HintFound
from umpi.service.hints import hint_finder
from umpi.table.hint import tell_hint


@pytest.fixture
def rig(rigs: Rigs, tmp_path: Any) -> Rig:
    """A Dodéka of Ann and Ben on a box that gives hints; `rig.wanted` are those it asks for."""
    journal = Journal(tmp_path / "games.db")
    journal.leave(journal.begin(dodeka_header()))
    journal.close()
    rig = rigs(hint=True)
    rig.press("ok")
    rig.wanted = []
    rig.loop._find_hint = rig.wanted.append
    assert isinstance(rig, Rig)
    return rig


def asks(rig: Rig) -> FindHint:
    rig.press("back", ms=1000)
    rig.choose("What would you do?")
    wanted: FindHint = rig.wanted[-1]
    return wanted


def test_a_box_gives_no_hints_unless_its_file_says_so(in_play: Any) -> None:
    rig = in_play()
    rig.press("back", ms=1000)
    with pytest.raises(AssertionError):
        rig.choose("What would you do?")


def test_a_hint_is_shown_in_the_words_of_the_question_and_plays_nothing(rig: Rig) -> None:
    wanted = asks(rig)
    assert rig.shows("Hint follows"), rig.screen
    assert wanted.question == rig.referee.session.question
    rig.loop.inbox.post(HintFound(wanted.question, Act("throw", {"keep": ()})))
    rig.settle()
    assert rig.shows("Suggestion: roll"), rig.screen
    assert rig.acts == []
    rig.press("red")
    assert rig.shows("Ann", "Final dice"), rig.screen
    assert not rig.shows("Hint follows")


def test_the_game_continues_and_a_late_hint_is_dropped(rig: Rig) -> None:
    wanted = asks(rig)
    rig.press("red blue yellow")
    before = rig.screen
    assert rig.acts[:1] == ["throw"]
    rig.loop.inbox.post(HintFound(wanted.question, Act("throw", {"keep": ()})))
    rig.settle()
    assert rig.screen == before


def test_a_hint_that_comes_after_its_match_was_left_shows_nothing_and_is_asked_for_again(rig: Rig) -> None:
    wanted = asks(rig)
    rig.menu("Exit match")
    before = rig.screen
    rig.loop.inbox.post(HintFound(wanted.question, Act("throw", {"keep": ()})))
    rig.settle()
    assert (rig.screen, rig.box.lit(), rig.loop.view.playing) == (before, [], False)
    rig.press("ok")
    assert asks(rig).question == wanted.question
    assert len(rig.wanted) == 2, "nobody shows the first one any more"


def test_a_repeated_request_shows_the_hint_again_without_computing_it(rig: Rig) -> None:
    wanted = asks(rig)
    rig.loop.inbox.post(HintFound(wanted.question, why="nothing"))
    rig.settle()
    rig.press("red")
    asks(rig)
    assert len(rig.wanted) == 1
    assert rig.shows("no hint for this question"), rig.screen


def test_entered_values_stay_when_a_hint_arrives(rig: Rig) -> None:
    wanted = asks(rig)
    rig.press("red")
    rig.loop.inbox.post(HintFound(wanted.question, Act("throw", {"keep": ()})))
    rig.settle()
    assert rig.shows("Suggestion: roll"), rig.screen
    rig.press("ok")
    rig.press("blue yellow")
    assert rig.acts[:1] == ["throw"], "of three dice, one entered before the hint"


@pytest.mark.slow
def test_a_process_finds_a_hint_and_one_that_fails_is_reported() -> None:
    found: SimpleQueue[HintFound] = SimpleQueue()
    header = {"umpi": 1, "game": "dodekka", "players": ["Ann", "Ben"], "options": {}}
    record = dump(header), dump({"do": "deal", "cards": ["fire-1", "fire-2", "air-1"]})
    hint_finder(found.put).find(FindHint("1.1", record))
    assert got(found) in (HintFound("1.1", Act("turn")), HintFound("1.1", Act("take")))
    hint_finder(found.put).find(FindHint("1.0", ()))
    assert got(found) == HintFound("1.0", why="failed")
    hint_finder(found.put, ["/nowhere/python"]).find(FindHint("1.0", record))
    assert got(found) == HintFound("1.0", why="failed")


def test_a_newer_hint_ends_the_process_of_an_older_one() -> None:
    found: SimpleQueue[HintFound] = SimpleQueue()
    wait = "import sys; sys.stdin.read() == 'a' and input(); print('{\"why\": \"nothing\"}')"
    finder = hint_finder(found.put, [sys.executable, "-c", f"import signal; signal.alarm(50); {wait}"])
    finder.find(FindHint("1.0", ()))
    first = finder._process
    finder.find(FindHint("1.1", ()))
    assert got(found) == HintFound("1.1", why="nothing")
    assert first is not None
    assert first.wait() < 0
    assert found.empty(), "nobody waits for the older one"


def advice(game: str, *acts: Act, seats: int = 2, **options: Any) -> Act:
    match = Match(find(game), tuple(f"P{seat + 1}" for seat in range(seats)), options)
    for act in acts:
        match.play(act)
    return advise(match, Random(1).random)


def test_the_strategy_that_knows_the_game_advises_and_dice_are_no_part_of_it() -> None:
    assert advice("dodeka", Act("throw", {"keep": (), "dice": (4, 4, 1)})) == Act("throw", {"keep": (4, 4)})


def test_without_a_decision_or_with_hidden_cards_there_is_no_hint() -> None:
    with pytest.raises(NoAdvice, match="nothing"):  # who starts is rolled
        advice("battledodes")
    with pytest.raises(NoAdvice, match="nothing"):
        advice("scorepad", seats=2)
    match = Match(find("dudab-buba"), ("Ann", "Ben"), {})
    dealer: Any = match.game.dealer(Random(5).random, match.now)  # type: ignore[attr-defined]
    while match.seat is None:
        match.play(dealer.act(match.now))
    with pytest.raises(NoAdvice, match="hidden"):
        advise(match, Random(1).random)


def test_a_game_without_a_strategy_of_its_own_is_searched() -> None:
    lines = [dump({"umpi": 1, "game": "dohdles", "players": ["A", "B", "C"], "options": {}}).encode()]
    found: Any = answer(lines, find, Random(1).random)
    assert found["act"]["do"] == "clue"
    assert set(found["act"]) == {"do", "riddle", "kind"}


def test_values_are_named_as_on_the_buttons() -> None:
    match = Match(find("dodeka"), ("Ann", "Ben"), {})
    match.play(Act("throw", {"keep": (), "dice": (5, 7, 9)}))
    set_language("en")
    assert tell_hint(match, Act("throw", {"keep": (5, 7)})) == "Suggestion: roll 5, 7"
