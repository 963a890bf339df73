"""Puzzles: positions of own matches with one clear choice; they come again after days, and nothing else is kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from tests.foreign.quiet_high.quiet_high import QuietHigh
from umpi.cli import main
from umpi.games.dodeka.worths import TurnPoints
from umpi.journal import Journal
from umpi.kernel.game import Act, Game
from umpi.kernel.kept import Kept, Uid
from umpi.kernel.match import Match
from umpi.kernel.random_games import play_out
from umpi.kernel.record import Header
from umpi.kernel.registry import find
from umpi.kernel.seal import Seal
from umpi.lab.patience import patience
from umpi.review.practice import (
    DAYS,
    FILE,
    BadFile,
    Card,
    NewerFile,
    Practice,
    next_puzzle,
    position_of,
    practising,
    search,
)
from umpi.review.puzzles import Puzzle, puzzles_of
from umpi.review.sampled import judge_act
from umpi.review.searching import SEARCH, alone, how_far

TODAY = date(2026, 11, 28)


def kept(path: Path, match: Match, who: str = "panel") -> str:
    """Write a match to a journal; return its uid."""
    journal = Journal(path)
    uid = journal.begin(Header(match.game, match.players, match.options).line())
    journal.append(uid, [act.line() for act in match.acts], who)
    journal.close_match(uid)
    journal.close()
    return str(uid)


def random_dodeka(seed: int = 7) -> Match:
    return play_out(find("dodeka"), ["Ann", "Ben"], {"parts": 1}, seed)


def test_the_best_option_is_that_of_the_rules_and_clearly_so() -> None:
    match = random_dodeka()
    puzzles = list(puzzles_of(match, range(len(match.acts)), 2))
    assert len(puzzles) > 5
    for puzzle in puzzles:
        position = match.position(puzzle.move)
        choices = sorted(TurnPoints().choices(position), key=lambda each: each.average)
        assert puzzle.options[puzzle.best].words.name == choices[-1].words
        assert choices[-1].average - choices[-2].average >= choices[-1].average / 10
        assert puzzle.chosen != puzzle.best
        assert len(puzzle.options) == len(choices)
        assert match.asked(puzzle.move).seat == puzzle.seat
        assert puzzle.situation


def test_only_the_named_acts_are_puzzles() -> None:
    match = random_dodeka()
    moves = range(len(match.acts))
    whole, even = list(puzzles_of(match, moves, 2)), list(puzzles_of(match, moves[::2], 2))
    assert even == [puzzle for puzzle in whole if puzzle.move % 2 == 0]
    assert 0 < len(even) < len(whole)


@pytest.mark.slow
def test_a_sampled_puzzle_is_better_than_each_other_option_by_its_whole_interval() -> None:
    match = play_out(find("battledodes"), ["Ann", "Ben"], {}, 3)
    [puzzle] = puzzles_of(match, range(len(match.acts)), 100)
    assert [option.words.verb for option in puzzle.options] == ["attack", "done"]
    assert (puzzle.best, puzzle.chosen) == (0, 1)
    before = Match(match.game, match.players)
    for act in match.acts[: puzzle.move]:
        before.play(act)
    judged = judge_act(before, Act("done"), puzzle.move, 1000)
    assert judged
    assert judged.sure, "ten times as many worlds confirm it"


@pytest.mark.parametrize("game", ["dudab-buba", "scorepad", "quiz"])
def test_games_whose_choices_the_box_does_not_see_have_none(game: str) -> None:
    match = play_out(find(game), [f"P{seat}" for seat in range(find(game).seats[0])], {}, 1)
    assert list(puzzles_of(match, range(len(match.acts)), 2)) == []


def test_a_puzzle_comes_again_after_more_and_more_days_and_soon_after_a_wrong_answer() -> None:
    card, day = Card("", Puzzle(0, 0, "", (), 0), ""), TODAY
    waits = []
    for _ in range(7):
        card = card.after(True, day)
        assert card.due
        waits.append((card.due - day).days)
        day = card.due
    assert waits == [3, 7, 16, 35, 90, 90, 90]
    assert card.after(False, day).due == day + timedelta(days=DAYS[0])


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "games.db"
    kept(path, random_dodeka())
    return path


def test_new_matches_are_searched_once_and_the_position_is_found_again(journal: Path) -> None:
    file = journal.with_name(FILE)
    searched: list[tuple[int, int, int]] = []
    for _ in range(2):
        assert list(search(file, journal, find, 2, lambda match, *far: searched.append((match.id, *far)))) == []
        assert searched == [(1, 1, 1)]
    card = Practice.read(file).due(TODAY)[0]
    match = position_of(card, journal, find)
    assert match
    assert (match.seat, len(match.acts)) == (card.puzzle.seat, card.puzzle.move)
    assert position_of(Card("elsewhere", card.puzzle, card.check), journal, find) is None


def test_a_search_ends_in_the_rules_too_when_it_takes_too_long(journal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match turns each fault of its rules into a refusal, but not the end of the search's time."""

    def endless(position: object, seat: int, **given: object) -> None:
        while True:
            pass

    def searched(match: Match, *rest: object) -> Iterator[Puzzle]:
        with monkeypatch.context() as patch, patience(0.01):
            patch.setattr(match.game, "do_throw", endless)
            Match(match.game, match.players).play(match.acts[0])
        yield from ()

    kept(journal, random_dodeka(8))
    monkeypatch.setattr("umpi.review.practice.puzzles_of", searched)
    said = "Match 2 is searched only in part: it takes too long."
    assert list(search(journal.with_name(FILE), journal, find, 2)) == [said]


def test_hands_that_are_hidden_are_in_no_puzzle_until_the_match_is_over(tmp_path: Path) -> None:
    """Neither in a new one, nor in one that was found before the match continued."""

    def quiet_high(game: str) -> type[Game]:
        return QuietHigh

    def dealt(*cards: int) -> Act:
        return Act("deal", {"cards": cards}, seal=Seal.of({"cards": cards}, ("cards",), "salt"))

    path, file = tmp_path / "games.db", tmp_path / FILE
    match = Match(QuietHigh, ["Ann", "Ben"], {"rounds": 2})
    for act in (dealt(30, 31, 32), dealt(1, 2, 60), Act("play", {"card": 30}), Act("play", {"card": 1})):
        match.play(act)
    with closing(Journal(path)) as journal:
        uid = journal.begin(Header(match.game, match.players, match.options).line())
        journal.append(uid, [act.line() for act in match.acts], "panel")
        assert list(search(file, path, quiet_high, 20)) == []
        assert Practice.read(file) == Practice([], {})
        journal.close_match(uid)
        assert list(search(file, path, quiet_high, 20)) == []
        [card] = Practice.read(file).cards
        assert position_of(card, path, quiet_high)
        journal.take_up(uid, len(match.acts))
    assert position_of(card, path, quiet_high) is None


def throws(journal: Journal, uid: Uid, first: tuple[int, ...], then: tuple[int, ...], *before: Any) -> None:
    lines = [{"do": "throw", "keep": [], "dice": dice} for dice in (first, then)]
    journal.append(uid, [*before, *lines], "panel")


def test_after_an_undo_the_puzzle_of_the_other_move_comes_in_its_place(tmp_path: Path) -> None:
    """The dice were entered wrongly: the choices are those of the right dice, as the position is."""
    path, file = tmp_path / "games.db", tmp_path / FILE
    with closing(Journal(path)) as journal:
        uid = journal.begin(Header(find("dodeka"), ["Ann", "Ben"], {}).line())
        throws(journal, uid, (10, 10, 10), (1, 2, 8))
        assert list(search(file, path, find, 2)) == []
        [old] = Practice.read(file).cards
        assert position_of(old, path, find)
        throws(journal, uid, (2, 3, 9), (1, 4, 12), {"undo": 2})
        assert position_of(old, path, find) is None
        assert list(search(file, path, find, 2)) == []
        [new] = Practice.read(file).cards
        assert (new.puzzle.move, new.puzzle.options) != (1, old.puzzle.options)
        throws(journal, uid, (10, 10, 10), (1, 2, 8), {"undo": 2})
        assert position_of(old, path, find), "by the same acts, at another time"


def test_cards_of_earlier_versions_are_searched_for_again(journal: Path) -> None:
    """They do not say which acts they are about."""
    file = journal.with_name(FILE)
    list(search(file, journal, find, 2))
    whole = json.loads(file.read_text())
    found = Practice.read(file)
    for card in whole["cards"]:
        del card["check"]
    file.write_text(json.dumps(whole))
    assert Practice.read(file) == Practice([], {})
    list(search(file, journal, find, 2))
    assert Practice.read(file) == found


def test_what_the_box_played_is_no_puzzle(tmp_path: Path) -> None:
    """Whoever sat there at the start: a seat can be given to the box, and taken back, during a match."""
    match = random_dodeka()
    kept(tmp_path / "games.db", match, "box")
    assert list(search(tmp_path / FILE, tmp_path / "games.db", find, 2)) == []
    assert Practice.read(tmp_path / FILE).cards == []


def test_the_file_keeps_everything_and_says_where_it_is_damaged(journal: Path, tmp_path: Path) -> None:
    list(search(tmp_path / FILE, journal, find, 2))
    practice = Practice.read(tmp_path / FILE)
    practice.answered(practice.cards[0], True, TODAY)
    practice.write(tmp_path / FILE)
    assert Practice.read(tmp_path / FILE) == practice
    assert Practice.read(tmp_path / "none.json") == Practice([], {})
    for text in ("{", '{"umpi_puzzles": 0}', '{"umpi_puzzles": 1, "searched": {}, "cards": [{}]}', "[]"):
        (tmp_path / FILE).write_text(text)
        with pytest.raises(BadFile, match=FILE):
            Practice.read(tmp_path / FILE)


def test_a_file_of_a_newer_version_stays_as_it_is(journal: Path, capsys: Any) -> None:
    file = journal.with_name(FILE)
    file.write_text('{"umpi_puzzles": 2, "cards": {}}')
    with pytest.raises(NewerFile, match=FILE), practising(file):
        pass
    assert main(["puzzle", "--journal", str(journal)]) == 2
    assert "A newer version of Umpi has written the puzzles" in capsys.readouterr().err
    assert file.read_text() == '{"umpi_puzzles": 2, "cards": {}}'
    assert [each.name for each in journal.parent.glob("puzzles.json*")] == [FILE]


def test_who_asks_during_a_search_waits_for_its_puzzle_and_starts_none(journal: Path) -> None:
    """The other search has found one when it ends."""
    file, searched = journal.with_name(FILE), list[Kept]()
    with ThreadPoolExecutor(1) as other:
        with alone(journal.with_name(SEARCH)) as note:
            note(3, 17)
            waits = Event()
            asked = other.submit(
                next_puzzle, file, journal, find, 2, TODAY,
                progress=lambda match, *_: searched.append(match), waits=waits.set,
            )  # fmt: skip
            assert waits.wait(60)
            assert how_far(journal.with_name(SEARCH)) == (3, 17)
            with practising(file) as practice:
                assert practice.cards == [], "nobody holds the file while matches are searched"
            list(search(file, journal, find, 2))
        assert asked.result(60)
    assert searched == []
    assert how_far(journal.with_name(SEARCH)) is None


def test_a_search_that_was_killed_is_not_taken_for_one_that_runs(tmp_path: Path) -> None:
    (tmp_path / SEARCH).write_text("3 17")
    assert how_far(tmp_path / SEARCH) is None


def asked(journal: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any, *typed: str) -> str:
    """Run `umpi puzzle`, type these lines, and return what it prints."""
    lines = iter(typed)

    def read(prompt: str) -> str:
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", read)
    assert main(["puzzle", "--journal", str(journal)]) == 0
    out: str = capsys.readouterr().out
    return out


def test_the_command_asks_and_notes_the_answer(journal: Path, monkeypatch: Any, capsys: Any) -> None:
    assert main(["puzzle", "--json", "--journal", str(journal)]) == 0
    first = json.loads(capsys.readouterr().out)
    assert [*first] == [
        "umpi_puzzle", "game", "match", "move", "seat", "name", "situation", "options", "best", "chosen",
    ]  # fmt: skip
    due = Practice.read(journal.with_name(FILE)).due(TODAY)
    assert (first["umpi_puzzle"], first["move"]) == (1, due[0].puzzle.move + 1)
    with closing(Journal(journal)) as kept:
        header = json.loads(next(each.header for each in kept.matches() if each.uid == first["match"]))
    assert (first["game"], first["name"]) == (header["game"], header["players"][first["seat"]])
    assert [option["cost"] for option in first["options"]].count("") == 1
    left = asked(journal, monkeypatch, capsys, "0", "no", "q")
    assert left.count("Type a number from 1 to") == 2
    assert "The puzzle comes again." in left
    right = asked(journal, monkeypatch, capsys, str(first["best"] + 1))
    assert "Right. Best: " in right
    assert f"{first['name']} chose: {first['options'][first['chosen']]['words']}" in right
    assert main(["puzzle", "--json", "--journal", str(journal)]) == 0
    second = json.loads(capsys.readouterr().out)
    assert second["move"] != first["move"]
    wrong = asked(journal, monkeypatch, capsys, str(second["chosen"] + 1))
    assert f"Wrong, that costs {second['options'][second['chosen']]['cost']}." in wrong
    assert main(["puzzle", "--count", "--journal", str(journal)]) == 0
    assert capsys.readouterr().out.endswith(" due today.\n")


def test_without_matches_there_is_no_puzzle(tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    Journal(tmp_path / "games.db").close()
    assert "There is no puzzle today." in asked(tmp_path / "games.db", monkeypatch, capsys)
    assert main(["puzzle", "--journal", str(tmp_path / "nothing.db")]) == 2
    assert "nothing.db" in capsys.readouterr().err
