"""The page of the hall in Chromium: tables live, leaderboards, head to head and pairings, on every screen."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from datetime import date, timedelta
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="pip install 'umpi[club]'")

import uvicorn
from results import NOW, STATE, Published, keep, result

from tests.kit.browsing import Phone
from tests.kit.patience import wait_for
from umpi.club.app import ClubApp
from umpi.club.hall import Hall
from umpi.club.store import Store
from umpi.mqtt.broker import Connected, Received
from umpi.web.door import listen_at
from umpi.web.serving import settings

pytestmark = pytest.mark.slow  # each needs a browser
SCREENS = (360, 740), (768, 1024), (1920, 1080)
NAMES = "Anne-Catherine", "Maximilian-Alexander", "Ann", "Ben", "Cid", "Dora", "Eve", "Ferdinand"
AXE = """
    const done = arguments[arguments.length - 1];
    // A text that is being faded in has little contrast.
    const ends = ({ effect }) => effect.getComputedTiming().endTime !== Infinity;
    document.getAnimations().filter(ends).forEach((animation) => animation.finish());
    axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => done(violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`)));
"""
TALLEST = "return Math.max(...[...document.querySelectorAll('.board td')].map((one) => one.offsetHeight))"
WIDE = "return document.documentElement.scrollWidth - innerWidth"


class Evening:
    """A hall that is served, and what its boxes say."""

    def __init__(self, store: Store) -> None:
        self._store, self._hall = store, Hall(store, Published(), lambda: NOW)
        self._club = ClubApp("Club", self._hall, store, date(2026, 1, 1), lambda: NOW)
        self._hall.handle(Connected())
        self._listening = listen_at("127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}/"
        self._server = uvicorn.Server(settings(self._club.app()))
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()
        wait_for(lambda: self._server.started)

    def _serve(self) -> None:
        self._loop.run_until_complete(self._server.serve([self._listening]))

    def publish(self, box: str, what: str, content: Any) -> None:
        payload = content.encode() if isinstance(content, str) else json.dumps(content).encode()
        self._hall.handle(Received(f"umpi/{box}/{what}", payload, False))
        self._loop.call_soon_threadsafe(self._club.publish)

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._club.stream.close)
        self._server.should_exit = True
        self._thread.join()
        self._listening.close()


def shows(number: int, **other: Any) -> dict[str, Any]:
    """The state of a table with two players."""
    one, two = NAMES[number], NAMES[number + 1]
    players = [
        {"seat": 0, "name": one, "button": 2 * number % 6, "score": 120 + number},
        {"seat": 1, "name": two, "button": (2 * number + 1) % 6, "score": -7},
    ]
    return {**STATE, "name": f"Table {number + 1}", "players": players, "turn": one, **other}


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """An evening with eight tables, one of which is offline, one a twin and one with a problem, after 30 matches."""
    store = Store(f"sqlite:///{tmp_path / 'club.db'}")
    store.migrate()
    for number in range(30):
        players = NAMES[number % 5 : number % 5 + 2 + number % 3]
        kind = ("dodeka", "Dodéka") if number % 2 else ("quiz", "Quiz")
        ago = NOW - timedelta(days=30 if number < 10 else 0, minutes=number)
        keep(
            store,
            result(f"u{number}", *players, game=kind[0], title=kind[1], ended=ago.isoformat(), box=f"box{number}"),
        )
    found = Evening(store)
    for number in range(7):
        found.publish(f"box{number}", "online", "offline" if number == 5 else "online")
        found.publish(f"box{number}", "state", shows(number))
    found.publish("box1", "state", shows(1, winners=[NAMES[1]], turn=""))
    found.publish("box2", "state", shows(2, problem="scanner: No answer on /dev/serial/by-id/usb-scanner"))
    for run in ("r2", "r1"):
        found.publish("box6", "state", shows(6, run=run))
    yield found
    found.close()
    store.close()


@pytest.fixture
def hall(evening: Evening, browser: Any) -> Iterator[Phone]:
    first = browser.current_window_handle
    page = Phone(browser, evening.url, 1920, 1080)
    page.find(".tables li")
    yield page
    page.here.close()
    browser.switch_to.window(first)


def go(hall: Phone, query: str) -> None:
    hall.here.get(hall.address + query)
    hall.find(".boards")


def test_the_tables_are_live(evening: Evening, hall: Phone) -> None:
    hall.reads(".tables", "Table 1", "Anne-Catherine", "120", "offline", "No answer on", "Two boxes have this id: box6")
    players = shows(0)["players"]
    players[0]["score"] = 777
    evening.publish("box0", "state", shows(0, players=players))
    hall.reads(".tables > li", "777")
    evening.publish(
        "box0", "next", {"game": "quiz", "players": [{"button": "red", "name": n} for n in ("Dora", "Eve")]}
    )
    hall.reads(".tables > li", "Next: Dora, Eve")
    evening.publish("box9", "state", {**shows(0), "name": "Table 9"})
    hall.reads(".tables", "Table 9")


def test_leaderboards_of_a_game_an_evening_and_a_season(evening: Evening, hall: Phone) -> None:
    hall.reads(".boards", "Matches won", "Dodéka", "Quiz", "Head to head")
    rows = "return [...document.querySelectorAll('.board')].map((one) => [...one.querySelectorAll('tbody tr')]\
        .map((row) => [...row.cells].map((cell) => cell.innerText)))"
    this_evening = hall.here.execute_script(rows)
    matches = sum(int(row[1]) for row in this_evening[0])
    assert matches == 20, "one winner of each match of this evening"
    hall.tap("nav a[href*='season']")
    hall.wait("return document.querySelector('nav a[href*=season]').ariaCurrent === 'page'")
    season = hall.here.execute_script(rows)
    assert sum(int(row[1]) for row in season[0]) == 30
    go(hall, "?when=season&game=quiz")
    assert "Dodéka" not in hall.text(".boards")
    before = hall.here.execute_script(rows)
    assert sum(int(row[1]) for row in before[0]) == 15
    evening.publish("box0", "result", result("new", "Zoé", "Ben", game="quiz", title="Quiz", box="box0"))
    hall.reads(".boards", "Zoé")


def test_head_to_head_says_who_was_ahead_of_whom(evening: Evening, hall: Phone) -> None:
    for number in range(3):
        evening.publish("box0", "result", result(f"h{number}", "Pia", "Oto", game="duel", title="Duel", box="box0"))
    go(hall, "?game=duel")
    hall.reads(".board:last-child", "Head to head", "Pia", "Oto")
    cells = hall.here.execute_script(
        "return [...document.querySelectorAll('.board:last-child tr')].map((row) =>"
        " [...row.cells].map((cell) => cell.innerText))"
    )
    assert cells == [["", "Pia", "Oto"], ["Pia", "", "3"], ["Oto", "0", ""]]


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_every_screen_shows_it_whole_by_day_and_by_night(
    evening: Evening, hall: Phone, width: int, height: int
) -> None:
    evening.publish(
        "box0", "next", {"game": "quiz", "players": [{"button": "red", "name": name} for name in NAMES[:6]]}
    )
    hall.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
    for scheme in ("light", "dark"):
        hall.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        go(hall, "")
        hall.reads(".tables", "Next:")
        assert hall.here.execute_script(WIDE) <= 0, scheme
        assert hall.here.execute_script(TALLEST) < 100, f"{scheme}: a name has three lines at most"
        source = files("axe_core_python").joinpath("axe.min.js").read_text()
        hall.cdp("Runtime.evaluate", expression=source)
        assert hall.here.execute_async_script(AXE) == [], scheme
    assert hall.complaints() == []
