"""The page of the hall is what somebody has read and looked at: hall.html has an evening and a season of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="pip install 'umpi[club]'")

from umpi.club.hall import Table
from umpi.club.page import boards, page, tables
from umpi.club.store import Played
from umpi.i18n.translate import set_language
from umpi.mqtt.payloads import TablePlayer, TableState

SEEN = Path(__file__).with_name("hall.html")
FIRST = date(2026, 10, 2)
GAMES = {"dodeka": "Dodéka", "quiz": "Quiz <buzzer>", "dodekka": "Dodekka"}
PLAY = TableState(
    "Table 1", "run", None, 7, "Dodéka", (TablePlayer("Ann & Ben", 0, 120), TablePlayer("Cem", 3, None)), "Cem", 9,
)  # fmt: skip
HALL = (
    Table("0b", "Table 2", True, TableState(title="Quiz", players=(TablePlayer("Zoé", 5, 0),), winners=("Zoé",))),
    Table("0a", "Table 1", True, PLAY, ("Dora", "Eve <3")),
    Table("0c", "", False, TableState(problem="The disk is full.")),
    Table("0d", "Twin", True, twin=True),
)


def played(number: int, game: str, *places: tuple[str, int]) -> Played:
    evening = FIRST + timedelta(days=9 * number)
    names, ranks = tuple(name for name, _ in places), tuple(place for _, place in places)
    ended = datetime(evening.year, evening.month, evening.day, 20, tzinfo=UTC)
    lasted_s = None if number == 2 else 1800.0 * (number + 1)
    return Played(f"{number}", "0a", game, GAMES[game], ended, evening, names, ranks, (0,) * len(names), lasted_s)


MATCHES = (
    played(0, "dodeka", ("Ann", 1), ("Ben", 2), ("Cem", 3)), played(1, "quiz", ("Cem", 1), ("Ann", 1)),
    played(2, "dodeka", ("Ben", 1), ("Ann", 2)), played(3, "dodeka", ("Ann", 1), ("Ben", 2)),
    played(4, "quiz", ("<Dora>", 1), ("Ann", 2)),
)  # fmt: skip


def pages() -> Iterator[str]:
    """Return pages with all that there may be: an evening, a season, one game of it in French, and nothing yet."""
    yield page("Umpi & friends", tables(HALL, "refused <1>") + boards(MATCHES, GAMES), "evening", "", GAMES)
    yield page("Club", tables(HALL[:1], "", lost=True) + boards(MATCHES, GAMES, months=True), "season", "", GAMES)
    set_language("fr")
    yield page("Club", tables([], "") + boards(MATCHES, GAMES, "quiz", {}, months=True), "season", "quiz", GAMES)
    set_language("en")
    yield page("Club", boards([], {}), "evening", "", {})


def test_each_page_is_as_somebody_has_read_it() -> None:
    """After a change on purpose: write the new lines, and look at the file in a browser."""
    now = "\n".join(pages()).replace("><", ">\n<").splitlines()
    assert now == SEEN.read_text(encoding="utf-8").splitlines()


def test_a_table_that_has_not_changed_is_not_drawn_again() -> None:
    drawn: dict[str, tuple[int, str]] = {}
    whole = tables(HALL, "", drawn)
    drawn["0a"] = 0, "kept"
    assert tables(HALL, "", drawn).count("kept") == 1
    HALL[1].changes += 1
    assert tables(HALL, "", drawn) == whole
    HALL[1].changes -= 1


def test_a_board_shows_everybody_who_has_played() -> None:
    names = [f"P{number:02}" for number in range(120)]
    matches = [played(0, "dodeka", (one, 1), (other, 2)) for one, other in zip(names[::2], names[1::2], strict=True)]
    shown = boards(matches, GAMES)
    assert all(shown.count(f"<td>{name}</td>") >= 2 for name in names), "among the matches won, and among the ratings"
