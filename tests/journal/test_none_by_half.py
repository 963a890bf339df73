"""The power cut at any write of anything done at the table: the box comes back as it stood before it, or after."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.kit.books import wipe
from tests.kit.deaths import Stand, stand
from tests.kit.driven import drive
from tests.kit.faulty import FAULTS, Disk
from tests.kit.power_cuts import cuts, lay_out, play
from tests.kit.sampling import QUICK, SOAK
from umpi.journal import Journal
from umpi.kernel.registry import find
from umpi.referee.session import MatchSession
from umpi.referee.transcript import amendment, undo_line
from umpi.table.seating import Seating

MS = 1_000_000
STOP = {"do": "stop"}
Action = Callable[[MatchSession, int], Coroutine[Any, Any, object]]


def throw(*dice: int) -> dict[str, object]:
    return {"do": "throw", "keep": (), "dice": dice}


def table(*players: str) -> Seating:
    return Seating(find("dodeka"), players, (0, 1))


def begin(*players: str) -> Action:
    return lambda session, at_ns: session.begin(table(*players), at_ns)


def do(*lines: dict[str, object]) -> Action:
    return lambda session, at_ns: session.do(lines, at_ns, "panel")


def take_back(session: MatchSession, at_ns: int) -> Coroutine[Any, Any, object]:
    assert session.match
    return session.do([undo_line(session.match, session.joined)], at_ns, "panel")


def correct(session: MatchSession, at_ns: int) -> Coroutine[Any, Any, object]:
    assert session.match
    lines, _ = amendment(session.match, 0, throw(2, 2, 2))
    return session.do(lines, at_ns, "panel")


ACTIONS: tuple[tuple[str, Action], ...] = (
    ("begin", begin("Ann", "Ben")),
    ("answer", do(throw(1, 2, 3), STOP)),
    ("answer again", do(throw(3, 4, 5), STOP)),
    ("rename", lambda session, _: session.rename(1, "Zoë")),
    ("take back", take_back),
    ("answer once more", do(throw(7, 7, 7), STOP)),
    ("correct", correct),
    ("go back", lambda session, at_ns: session.go_back(2, at_ns, "panel")),
    ("enter what was forgotten", do(throw(4, 5, 6), STOP)),
    ("put back", lambda session, at_ns: session.put_back(at_ns, "panel")),
    ("leave", lambda session, _: session.leave(0)),
    ("begin another", begin("Ernő", "Li")),
    ("answer there", do(throw(1, 2, 3), STOP)),
    ("no", lambda session, _: session.leave(0)),
    ("go on with the first", lambda session, _: session.go_on(1, 0)),
    ("end it", lambda session, _: session.end("Ann left. The match cannot continue and ends.")),
)


def play_to(disk: Disk, path: Path, last: int, first_write: int) -> tuple[Stand, Stand]:
    """Do all actions, with the power cut at this write of the last one; return the states before and after it."""
    disk.mend()
    wipe(path)
    journal, session = Journal(path), MatchSession(find, lambda: 0)
    for at, (_, action) in enumerate(ACTIONS[: last + 1]):
        if at == last:
            before = look(disk, path)
            disk.mend()
            disk.fail(FAULTS["write torn"], first_write)
        with contextlib.suppress(sqlite3.Error):  # the power is gone, and nobody there to see it
            drive(journal, action(session, at * 1000 * MS))
    with contextlib.suppress(sqlite3.Error):
        journal.close()
    return before, look(disk, path)


def look(disk: Disk, path: Path) -> Stand:
    """Look at a copy, as a power cut at this moment would leave it."""
    aside = path.with_name("aside.db")
    wipe(aside)
    with disk.looked_at():
        for end in ("", "-wal"):
            if Path(f"{path}{end}").exists():
                Path(f"{aside}{end}").write_bytes(Path(f"{path}{end}").read_bytes())
        return stand(aside)


@pytest.mark.slow
@pytest.mark.parametrize("last", [pytest.param(at, id=name) for at, (name, _) in enumerate(ACTIONS)])
def test_it_is_done_or_not_done(disk: Disk, tmp_path: Path, last: int) -> None:
    """Every act that was shown is there after, none half."""
    path = tmp_path / "games.db"
    before, after = play_to(disk, path, last, 1 << 30)
    assert after != before
    first = 0
    while True:
        _, left = play_to(disk, path, last, first)
        if not disk.hit:
            assert left == after
            break
        assert left in (before, after), f"the power cut at write {first}"
        first += 1
    assert first


# The power cut after any call: whatever of the unsynced is left, what was shown is there, in order, none half.


SEED, STEPS = 5, 30  # ./scripts/dev kill: longer plays, other seeds


@pytest.fixture
def disk(disk: Disk) -> Iterator[Disk]:
    """The layer below every journal of a test, its pages moved out of the -wal after four."""
    with disk.checkpoints(4):
        yield disk


@pytest.mark.slow
def test_shown_acts_are_on_disk_after_a_power_cut(disk: Disk, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """What was shown was on disk before, and a torn end of the -wal is not taken for damage."""
    played = play(disk, tmp_path / "games.db", SEED, STEPS)
    ahead = set()
    for number, _, found in cuts(
        disk, played, tmp_path / "found", Random(SEED), every=1 if SOAK else 15 if QUICK else 3
    ):
        ahead.add(found != played.books[number][0])
    assert ahead == {False, True}, "some cuts fall between an act on disk and its being shown"
    assert "its -wal" not in caplog.text


@pytest.mark.slow
def test_shown_acts_are_on_disk_after_failed_syncs_and_a_power_cut(disk: Disk, tmp_path: Path) -> None:
    """A card that fails for a while and then loses its power: no write is worth anything that no good sync followed."""
    for first in range(0, 40, 8):
        folder = tmp_path / str(first)
        folder.mkdir()
        disk.mend()
        disk.fail(FAULTS["sync fails"], first, 3)
        played = play(disk, folder / "games.db", SEED, STEPS)
        assert disk.hit == 3
        assert list(cuts(disk, played, tmp_path / "found", Random(first), every=5))


@pytest.mark.slow
def test_the_journal_continues_after_two_power_cuts(disk: Disk, tmp_path: Path) -> None:
    """Whatever was found, the box plays on with it, and loses nothing of the old or the new at the next cut."""
    first = play(disk, tmp_path / "games.db", SEED, STEPS)
    path = tmp_path / "found" / "games.db"
    for number, _, found in cuts(disk, first, path.parent, Random(SEED), every=29):
        lay_out({file.name: file.read_bytes() for file in path.parent.iterdir()}, tmp_path / "on")
        second = play(disk, tmp_path / "on" / "games.db", number, 6, found)
        assert list(cuts(disk, second, tmp_path / "again", Random(number), every=7))
