"""The check of the whole journal after the first picture: on its own thread, shown to the players, noted for repair."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from queue import Queue
from threading import Event
from typing import Any

import pytest

from tests.kit.journals import dodeka_header
from tests.kit.patience import PATIENCE_S, wait_for
from tests.kit.rig import Rigs
from umpi.box.config import Config
from umpi.journal import Journal, recovery
from umpi.journal.recovery import noted_beside
from umpi.referee.events import DeviceStatus
from umpi.service.journal_check import JournalCheck
from umpi.simulator.virtual import VirtualBox

FOUND = "table line: other than written, 1"


@pytest.fixture
def damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A large journal with a damaged line in an old match."""
    monkeypatch.setattr(recovery, "SMALL", 0)
    monkeypatch.setattr(recovery, "RECENT", 2)
    path = tmp_path / "games.db"
    with closing(Journal(path)) as journal:
        for _ in range(4):
            match = journal.begin(dodeka_header())
            journal.append(match, [{"do": "throw", "keep": [], "dice": [1, 4, 8]}, {"do": "stop"}] * 3, "panel")
            journal.close_match(match)
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("UPDATE line SET text = replace(text, '8', '9') WHERE match = 1 AND n = 3")
    return path


def test_damage_is_posted_and_noted_so_that_the_next_start_repairs_it(damaged: Path) -> None:
    posted = Queue[DeviceStatus]()
    JournalCheck(damaged, posted.put).start()
    assert posted.get(timeout=PATIENCE_S) == DeviceStatus("journal", FOUND)
    assert noted_beside(damaged).read_text() == f"{FOUND}\n"
    with closing(Journal(damaged)) as journal:
        assert "incomplete: 1" in str(journal.notice)


def test_damage_that_cannot_be_noted_is_posted_all_the_same(damaged: Path) -> None:
    noted_beside(damaged).mkdir()
    posted = Queue[DeviceStatus]()
    JournalCheck(damaged, posted.put).start()
    assert posted.get(timeout=PATIENCE_S) == DeviceStatus("journal", FOUND)


def test_a_box_checks_its_journal_after_its_first_picture(damaged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop is not asked to check anything before it has made a round."""
    rounds: list[int] = []
    box = VirtualBox(Config(journal=damaged), time.monotonic_ns)
    monkeypatch.setattr(JournalCheck, "start", noting(JournalCheck.start, lambda: rounds.append(box.loop.turned)))

    async def play() -> None:
        stop = asyncio.Event()
        running = asyncio.create_task(box.loop.run(stop))
        await asyncio.to_thread(wait_for, lambda: "journal" in box.loop.view.broken)
        stop.set()
        await running

    asyncio.run(play())
    box.close()
    assert rounds == [1]


def noting(start: Any, note: Any) -> Any:
    def noted(check: JournalCheck) -> None:
        note()
        start(check)

    return noted


def test_a_box_that_is_switched_off_gives_the_check_up(damaged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    came, posted = Event(), Queue[DeviceStatus]()
    check = JournalCheck(damaged, posted.put)

    def check_rest(path: Path, pause: Any) -> str:
        check.stop()
        try:
            pause()
        finally:
            came.set()
        return FOUND

    monkeypatch.setattr("umpi.service.journal_check.check_rest", check_rest)
    check.start()
    assert came.wait(PATIENCE_S)
    assert check._thread
    check._thread.join(PATIENCE_S)
    assert posted.empty()


def test_the_panel_says_that_saved_games_are_damaged_at_once_and_what_to_do(rigs: Rigs) -> None:
    rig = rigs()
    rig.loop.inbox.post(DeviceStatus("journal", FOUND))
    rig.settle()
    assert rig.shows("Saved matches", "Switch the box", "off and on"), rig.screen
    rig.press("back")
    assert not rig.shows("Saved matches"), "it is said once"
    assert rig.shows("ERR"), rig.screen
