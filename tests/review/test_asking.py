"""The puzzles as the panel and the page ask them: by a process of their own, in the language of the box."""

from __future__ import annotations

import fcntl
import json
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.kit.journals import leave
from umpi.i18n.translate import set_language
from umpi.journal import Journal
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find
from umpi.lab.patience import patience
from umpi.review import asking
from umpi.review.practice import FILE, Practice
from umpi.review.searching import SEARCH, alone

TODAY = date(2026, 11, 28)


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "games.db"
    leave(path, play_out(find("dodeka"), ["Ann", "Ben"], {"parts": 1}, 7))
    return path


def answered(journal: Path, puzzle: Any, choice: int, today: date = TODAY) -> Any:
    return asking.verdict(journal, {"match": puzzle["match"], "move": puzzle["move"], "choice": choice}, today)


def test_a_wrong_answer_says_what_was_better_and_by_how_much_and_a_right_one_comes_later(journal: Path) -> None:
    puzzle: Any = asking.question(journal, TODAY)["puzzle"]
    (card,) = [each for each in Practice.read(journal.with_name(FILE)).cards if each.puzzle.move == puzzle["move"]]
    options = card.puzzle.options
    wrong = answered(journal, puzzle, card.puzzle.chosen)
    best = puzzle["options"][card.puzzle.best]
    assert not wrong["right"]
    assert wrong["lines"][1:3] == (
        f"Better: {best}",
        f"Cost: {options[card.puzzle.chosen].cost} (turn points)",
    )
    assert wrong["lines"][-2:] == (
        f"{puzzle['title'].split(': ')[1].split()[0]} chose the same in the match.",
        "The puzzle comes again tomorrow.",
    )
    following: Any = asking.question(journal, TODAY)["puzzle"]
    assert following["move"] != puzzle["move"]
    due = Practice.read(journal.with_name(FILE)).card(puzzle["match"], puzzle["move"])
    assert due
    assert due.due == TODAY + timedelta(days=1)
    right = answered(journal, puzzle, card.puzzle.best, due.due)
    assert right["right"]
    assert right["lines"][0] == f"Right: {best}."
    assert right["lines"][-1] == "The puzzle comes again in 3 days."


def test_what_the_player_saw_is_said_in_the_language_of_the_box(journal: Path) -> None:
    set_language("de")
    try:
        puzzle: Any = asking.question(journal, TODAY)["puzzle"]
    finally:
        set_language("en")
    assert " übrig" in puzzle["situation"]


def test_an_answer_to_a_puzzle_that_is_gone_changes_nothing(journal: Path) -> None:
    asking.question(journal, TODAY)
    before = journal.with_name(FILE).read_bytes()
    gone = asking.verdict(journal, {"match": "elsewhere", "move": 1, "choice": 0}, TODAY)
    assert (gone["best"], gone["lines"]) == (None, ("This puzzle is no longer in the journal.",))
    assert journal.with_name(FILE).read_bytes() == before


def test_an_answer_before_the_day_does_not_count(journal: Path) -> None:
    puzzle: Any = asking.question(journal, TODAY)["puzzle"]
    (card,) = [each for each in Practice.read(journal.with_name(FILE)).cards if each.puzzle.move == puzzle["move"]]
    answered(journal, puzzle, card.puzzle.best)
    before = journal.with_name(FILE).read_bytes()
    for choice in (card.puzzle.best, card.puzzle.chosen):
        assert answered(journal, puzzle, choice)["lines"][-2:] == (
            "This puzzle was not due, so the answer does not count.",
            "The puzzle comes again in 3 days.",
        )
    assert journal.with_name(FILE).read_bytes() == before


@pytest.mark.parametrize("text", ["{", "[]", '{"umpi_puzzles": 0}', "\0\0\0", '{"umpi_puzzles": 1, "cards": [{}]}'])
def test_a_damaged_file_is_set_aside_and_puzzles_go_on(journal: Path, text: str) -> None:
    kept = journal.with_name(FILE)
    kept.write_text(text)
    puzzle: Any = asking.question(journal, TODAY)["puzzle"]
    said = "The file of the puzzles is damaged. It is now puzzles.json.damaged-{}; the puzzles start again."
    assert puzzle["situation"].startswith(said.format(1) + "\n")
    assert journal.with_name("puzzles.json.damaged-1").read_text() == text
    again: Any = asking.question(journal, TODAY)["puzzle"]
    assert "damaged" not in again["situation"], "it is said once"
    kept.write_text(text + " ")
    assert answered(journal, puzzle, 0)["lines"] == (said.format(2), "This puzzle is no longer in the journal.")
    assert journal.with_name("puzzles.json.damaged-1").read_text() == text, "the first one stays"


@pytest.mark.parametrize("search", [True, False])
def test_a_file_of_a_newer_version_is_left_and_has_its_own_sentence(journal: Path, search: bool) -> None:
    file = journal.with_name(FILE)
    file.write_text('{"umpi_puzzles": 2}')
    said = (
        "A newer version of Umpi has written the puzzles, and they stay as they are in puzzles.json. "
        "Update Umpi to continue them."
    )
    assert asking.question(journal, TODAY, search) == {"puzzle": None, "why": said}
    verdict = asking.verdict(journal, {"match": "any", "move": 1, "choice": 0}, TODAY)
    assert (verdict["best"], verdict["lines"]) == (None, (said,))
    assert file.read_text() == '{"umpi_puzzles": 2}'


def test_an_answer_waits_for_no_search(journal: Path) -> None:
    puzzle: Any = asking.question(journal, TODAY)["puzzle"]
    with alone(journal.with_name(SEARCH)):
        assert "comes again" in answered(journal, puzzle, 0)["lines"][-1]
        assert asking.question(journal, TODAY)["puzzle"], "one that is known is asked at once"


def test_a_search_that_another_one_outlasts_says_so(journal: Path) -> None:
    with alone(journal.with_name(SEARCH)), patience(0.05):
        found = asking.question(journal, TODAY)
    assert found == {"puzzle": None, "why": "Another search of your matches is still running. Ask again later."}


def test_who_may_not_search_sees_the_puzzles_that_are_known(journal: Path) -> None:
    none: Any = asking.question(journal, TODAY, search=False)
    assert none["puzzle"] is None
    assert none["why"] == "No puzzle is known. A paired phone or the box can search your matches for one."
    assert not journal.with_name(FILE).exists()
    known = asking.question(journal, TODAY)
    assert asking.question(journal, TODAY, search=False) == known


def test_who_may_not_search_waits_for_nobody_and_writes_nothing(journal: Path) -> None:
    """Else a stranger's page would wait for a search of minutes, and wear the card."""
    file = journal.with_name(FILE)
    file.write_text("damaged")
    with file.with_suffix(".lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert asking.question(journal, TODAY, search=False)["puzzle"] is None
    assert file.read_text() == "damaged"


def test_a_puzzle_is_kept_while_its_match_is_away(journal: Path) -> None:
    puzzle: Any = asking.question(journal, TODAY)["puzzle"]
    cards = Practice.read(journal.with_name(FILE)).cards
    away = journal.rename(journal.with_name("away.db"))
    Journal(journal).close()
    assert asking.question(journal, TODAY)["puzzle"] is None
    assert Practice.read(journal.with_name(FILE)).cards == cards
    away.rename(journal)
    assert asking.question(journal, TODAY)["puzzle"] == puzzle


def test_without_matches_it_says_so(tmp_path: Path) -> None:
    Journal(tmp_path / "games.db").close()
    found = asking.question(tmp_path / "games.db", TODAY)
    assert found["puzzle"] is None
    assert "There is no puzzle today." in str(found["why"])


@pytest.mark.slow
def test_the_process_asks_and_judges(journal: Path) -> None:
    def run(given: object) -> Any:
        command = [sys.executable, "-m", "umpi.review.asking", "en", str(journal)]
        return json.loads(subprocess.run(command, input=json.dumps(given).encode(), capture_output=True).stdout)

    assert run({"search": False})["puzzle"] is None
    puzzle = run({"search": True})["puzzle"]
    assert len(puzzle["options"]) > 1
    found = run({"match": puzzle["match"], "move": puzzle["move"], "choice": 0})
    assert found["best"] in range(len(puzzle["options"]))
