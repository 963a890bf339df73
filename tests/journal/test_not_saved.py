"""NOT SAVED is on the screen exactly while something is not on disk; acts are shown only after they are on disk."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.kit.journals import first_on_disk, on_disk, refuse
from tests.kit.rig import Rigs
from umpi.simulator.reading import reads

TURN = "red blue yellow"
SIGN = "NOT SAVED"


def test_acts_on_the_screen_are_on_disk(in_play: Any, path: Path) -> None:
    """What was shown was on disk before. The picture is read back after each transfer to the panel."""
    rig = in_play()
    lines_when_shown: list[int] = []

    def look() -> None:
        if reads(rig.box.picture(), "scores 100"):
            lines_when_shown.append(len(first_on_disk(path)))

    rig.box.chip.on_data = look
    rig.press(TURN)
    assert lines_when_shown
    assert set(lines_when_shown) == {2}


def test_a_box_without_a_disk_plays_under_the_sign_and_saves_when_it_comes(rigs: Rigs, path: Path) -> None:
    path.mkdir()
    rig = rigs()
    assert rig.shows(SIGN, "Which game?"), rig.screen
    rig.start("dodeka", "red blue ok ok")
    rig.press(TURN)
    assert rig.shows(SIGN)
    assert rig.acts == ["throw", "stop"]
    path.rmdir()
    rig.wait_ms(1000)
    assert not rig.shows(SIGN)
    assert [line["do"] for line in first_on_disk(path)] == ["throw", "stop"]


def test_not_saved_is_on_every_screen(in_play: Any, path: Path) -> None:
    rig = in_play()
    refuse(path, "true")
    rig.press(TURN)
    rig.press("back", ms=1000)
    assert rig.shows(SIGN), "the menu"
    rig.press("back ok")
    assert rig.shows(SIGN)
    rig.press("ok", ms=1000)
    assert rig.shows(SIGN), "a rule"


def test_a_disk_that_comes_late_with_the_games_of_before_saves_all(in_play: Any, rigs: Rigs, path: Path) -> None:
    in_play().press(TURN)
    rigs.switch_off()
    away = path.rename(path.with_name("away.db"))
    path.mkdir()
    rig = rigs()
    rig.start("dodeka", "red blue ok ok")
    rig.press(TURN)
    session = rig.referee.session
    uid, question, number = session.uid, session.question, session.number
    assert number < 0, "no list has it yet"
    path.rmdir()
    away.rename(path)
    rig.wait_ms(1000)
    assert not rig.shows(SIGN), rig.loop.journal.trouble
    assert [len(lines) for lines in on_disk(path).values()] == [2, 2]
    assert (session.uid, session.question) == (uid, question), "a phone's answer under way still counts"
    assert (session.number, list(on_disk(path))[1]) == (2, uid)


@pytest.mark.slow
def test_a_box_continues_while_another_program_locks_the_journal(in_play: Any, path: Path) -> None:
    """A copy being made of the file: each try waits two seconds, and no press may wait for more than its own."""
    rig = in_play()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        rig.loop.journal._file.execute("PRAGMA busy_timeout = 20")
        other.execute("BEGIN IMMEDIATE")
        rig.press(TURN)
        assert rig.shows(SIGN, "last run 100")
        other.execute("COMMIT")
    rig.wait_ms(1000)
    assert not rig.shows(SIGN)
