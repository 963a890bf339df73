"""The season month by month: evenings, matches, hours, players, and what was played most."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from tests.club.results import NOW, keep, result
from umpi.club.page import boards
from umpi.club.store import Played, Store

ONE = Played(
    "1", "box1", "dodeka", "Dodéka", datetime(2026, 3, 1, 20, tzinfo=UTC), date(2026, 3, 1), ("Ann", "Ben"), (1, 2),
    (9, 8), 5400.0,
)  # fmt: skip


def months(*played: Played) -> list[list[str]]:
    html = boards(played, {}, months=True).rpartition("<h3>By month</h3>")[2]
    return [re.findall("<td>(.*?)</td>", row) for row in html.split("<tr>")[2:]]


def test_each_month_has_its_evenings_matches_hours_players_and_most_played() -> None:
    later = date(2026, 4, 2)
    played = (
        ONE,
        replace(ONE, uid="2", game="quiz", title="Quiz", players=("Ann", "Cem"), lasted_s=None),
        replace(ONE, uid="3", game="quiz", title="Quiz", evening=date(2026, 3, 8), lasted_s=1800.0),
        replace(ONE, uid="4", evening=later),
    )
    assert months(*played) == [
        ["2026-04", "1", "1", "1.5", "2", "Dodéka (1)"],
        ["2026-03", "2", "3", "2.0", "3", "Quiz (2)"],
    ]


def test_an_evening_has_no_months() -> None:
    assert "By month" not in boards([ONE], {})


@pytest.mark.parametrize(
    ("began", "lasted_s"),
    [((NOW - timedelta(minutes=65)).isoformat(), 3600.0), ("", None), ((NOW - timedelta(days=2)).isoformat(), None)],
    ids=["an hour", "unknown", "left open for days"],
)
def test_how_long_a_match_lasted_comes_from_its_result(tmp_path: Path, began: str, lasted_s: float | None) -> None:
    store = Store(f"sqlite:///{tmp_path / 'club.db'}")
    store.migrate()
    keep(store, result("a", "Ann", "Ben", began=began))
    (played,) = store.played()
    assert played.lasted_s == lasted_s
    store.close()


def test_the_ratings_without_luck_come_from_the_results_and_have_a_board_of_their_own(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'club.db'}")
    store.migrate()
    keep(store, result("a", "Ann", "Ben", without_luck=[612.5, 800]))
    keep(store, result("b", "Ann", "Ben"))
    found = store.played()
    assert sorted(each.without_luck or () for each in found) == [(), (612.5, 800.0)]
    html = boards(found, {"dodeka": "Dodéka"})
    table = html.partition("<h3>Dodéka, without luck</h3>")[2].partition("</section>")[0]
    rows = [re.findall("<td>(.*?)</td>", row) for row in table.split("<tr>")[2:]]
    assert [(row[0], *row[3:]) for row in rows] == [("Ben", "1", "1"), ("Ann", "0", "1")]
    assert "without luck" not in boards([each for each in found if not each.without_luck], {"dodeka": "Dodéka"})
    store.close()
