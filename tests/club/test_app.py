"""The page of the hall: all viewers share one drawing, and it equals that of a club that begins now."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

pytest.importorskip("sqlalchemy", reason="pip install 'umpi[club]'")
pytest.importorskip("openskill", reason="pip install 'umpi[club]'")

from results import NOW, STATE, Published, keep, result

from umpi.club import page
from umpi.club.app import ClubApp
from umpi.club.hall import Hall, Table
from umpi.club.store import Store
from umpi.mqtt.broker import Connected, Disconnected, Received

SEASON = date(2026, 1, 1)
BOXES, VIEWERS = 20, 10
QUERIES = "", "?when=season", "?when=season&game=quiz", "?game=none"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(f"sqlite:///{tmp_path / 'club.db'}")
    store.migrate()
    yield store
    store.close()


def publish(hall: Hall, box: str, what: str, content: Any) -> None:
    payload = content.encode() if isinstance(content, str) else json.dumps(content).encode()
    hall.handle(Received(f"umpi/{box}/{what}", payload, False))


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    """The event loop of the club."""
    with asyncio.Runner() as runner:
        yield runner


def looks(runner: asyncio.Runner, club: ClubApp, path: str, viewers: int = 1) -> list[str]:
    """Return what several viewers see if they ask at the same time."""

    async def look() -> list[str]:
        transport = httpx.ASGITransport(club.app())
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return [each.text for each in await asyncio.gather(*(client.get(path) for _ in range(viewers)))]

    return runner.run(look())


def evening(store: Store) -> tuple[Hall, ClubApp]:
    """Return a hall with its boxes, and its page."""
    hall = Hall(store, Published(), lambda: NOW)
    for number in range(BOXES):
        publish(hall, f"box{number}", "online", "online")
        publish(hall, f"box{number}", "state", {**STATE, "name": f"Table {number}"})
    return hall, ClubApp("Club", hall, store, SEASON, lambda: NOW)


def test_a_move_draws_one_table_for_all_viewers_and_a_match_the_boards_once(
    store: Store, runner: asyncio.Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    table, boards = page._table, page.boards

    def draw_table(of: Table) -> str:
        drawn.append(of.id)
        return table(of)

    def draw_boards(*of: Any) -> str:
        drawn.append("boards")
        return boards(*of)

    monkeypatch.setattr(page, "_table", draw_table)
    monkeypatch.setattr(page, "boards", draw_boards)
    hall, club = evening(store)
    for what, costs in (
        (None, [*(f"box{number}" for number in range(BOXES)), "boards"]),
        (("box3", "state", {**STATE, "name": "Table 3", "moves": 7}), ["box3", "boards"]),
        (("box3", "state", {**STATE, "name": "Table 3", "moves": 7, "run": "r2"}), []),
        (("box4", "result", result("u1", "Ann", "Ben", box="box4")), ["boards"]),
        (("box4", "result", result("u1", "Ann", "Ben", box="box4")), []),
    ):
        drawn.clear()
        if what:
            publish(hall, *what)
        assert len({*looks(runner, club, "/part?when=season", VIEWERS)}) == 1
        assert sorted(drawn) == sorted(costs), what


def test_each_change_is_an_event_of_some_bytes_and_nothing_else_is(store: Store) -> None:
    hall, club = evening(store)
    club.publish()
    version = club.stream.version
    club.publish()
    assert club.stream.version == version
    for what in (
        ("box1", "online", "offline"),
        ("box1", "state", {**STATE, "name": "Table 1", "turn": "Ben"}),
        ("box1", "result", result("u1", "Ann", "Ben")),
        (
            "box1",
            "next",
            {"game": "quiz", "players": [{"button": "red", "name": "Ann"}, {"button": "blue", "name": "B"}]},
        ),
        ("box99", "online", "online"),
    ):
        publish(hall, *what)
        club.publish()
        version += 1
        assert club.stream.version == version, what
        assert len(json.dumps(club.stream.latest)) < 100


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_the_page_after_many_changes_is_that_of_a_club_that_begins_now(
    store: Store, runner: asyncio.Runner, seed: int
) -> None:
    chance = Random(seed)
    hall, club = evening(store)
    for number in range(30):
        box, players = f"box{chance.randrange(BOXES)}", chance.sample(["Ann", "Ben", "Cid", "<Dora>"], 2)
        game = chance.choice([("quiz", "Quiz"), ("dodeka", "Dodéka")])
        match chance.choice(["state", "result", "result", "late", "undone", "online", "renamed"]):
            case "state":
                publish(hall, box, "state", {**STATE, "name": f"Table {number}", "moves": number})
            case "online":
                publish(hall, box, "online", chance.choice(["online", "offline"]))
            case "renamed":
                with suppress(KeyError):  # nobody has played under the name yet
                    store.rename(players[0], "Eve")
            case what:
                uid = f"u{chance.randrange(number + 1)}" if what == "undone" else f"u{number}"
                ended = (NOW - timedelta(days=chance.choice([0, 0, 3]), minutes=chance.randrange(50))).isoformat()
                other = {"game": game[0], "title": game[1], "ended": ended, "over": what != "undone"}
                keep(store, result(uid, *players, box="box1", revision=number + 1, **other))
        query = chance.choice(QUERIES)
        fresh = ClubApp("Club", hall, store, SEASON, lambda: NOW)
        for path in (f"/part{query}", f"/{query}"):
            assert looks(runner, club, path) == looks(runner, fresh, path)


def test_a_page_without_its_database_says_why_and_not_that_nobody_has_played(
    tmp_path: Path, runner: asyncio.Runner
) -> None:
    away = Store(f"sqlite:///{tmp_path / 'no' / 'club.db'}")
    hall = Hall(away, Published(), lambda: NOW)
    for trouble in ("", "refused"):  # whether or not the hall knows it
        hall.trouble = trouble
        (html,) = looks(runner, ClubApp("Club", hall, away, SEASON, lambda: NOW), "/part?when=season")
        assert html.count("The database cannot be reached") == 1
        assert "Tables" in html
        assert "No match has ended yet" not in html


def test_a_page_without_its_broker_says_that_its_tables_are_old(store: Store, runner: asyncio.Runner) -> None:
    hall, club = evening(store)
    warning = "The broker cannot be reached"
    assert warning not in looks(runner, club, "/part")[0], "before the first attempt, nobody knows"
    for event, shown in ((Disconnected("gone"), True), (Connected(), False)):
        club.publish()
        version = club.stream.version
        hall.handle(event)
        club.publish()
        assert club.stream.version == version + 1, "open pages ask again"
        (html,) = looks(runner, club, "/part")
        assert (warning in html) == shown
        assert "Table 3" in html


def test_a_season_without_a_first_day_begins_with_the_year_also_if_the_club_runs_on(
    store: Store, runner: asyncio.Runner
) -> None:
    """Until six in the morning it is still the last evening of the year."""
    now = [datetime(2026, 12, 31, 20).astimezone()]
    hall, name = Hall(store, Published(), lambda: now[0]), "td>Ann<"
    club, fixed = (ClubApp("Club", hall, store, season, lambda: now[0]) for season in (None, SEASON))
    keep(store, result("u1", "Ann", "Ben", ended=now[0].isoformat()), now[0])
    for at, shown in ((now[0], True), (datetime(2027, 1, 1, 5).astimezone(), True), (datetime(2027, 1, 1, 7), False)):
        now[0] = at.astimezone()
        (html,) = looks(runner, club, "/part?when=season")
        assert (name in html) == shown, at
        assert name in looks(runner, fixed, "/part?when=season")[0]


def test_the_page_of_a_running_club_shows_what_another_process_has_renamed(
    tmp_path: Path, store: Store, runner: asyncio.Runner
) -> None:
    hall, club = evening(store)
    keep(store, result("u1", "Annie", "Ben"))
    other = Store(f"sqlite:///{tmp_path / 'club.db'}")
    assert "Annie" in looks(runner, club, "/part?when=season")[0]
    club.publish()
    hall.ask_again()
    keep(store, result("u2", "Annie", "Ben"))
    club.publish()
    version = club.stream.version
    hall.ask_again()
    club.publish()
    assert club.stream.version == version, "what this process has written is no news"
    other.rename("Annie", "Zoe")
    hall.ask_again()
    club.publish()
    assert club.stream.version == version + 1
    (html,) = looks(runner, club, "/part?when=season")
    assert "Zoe" in html
    assert "Annie" not in html
    other.close()
