"""Files that fail at any call: play continues in memory, the fault is reported, and all is on disk afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kit.books import ANOTHER, Scribe, a_play, read_book
from tests.kit.driven import drive
from tests.kit.faulty import FAULTS, LASTING, Disk
from tests.kit.file_faults import all_is_written_later, none_by_half
from tests.kit.rig import Rig, Rigs
from tests.kit.sampling import SOAK
from umpi.journal import Journal
from umpi.kernel.game import Act
from umpi.kernel.registry import find
from umpi.referee.session import MatchSession
from umpi.table.commands import Do, Start
from umpi.table.seating import Seating

SEED, STEPS = 3, 24  # ./scripts/dev kill: longer plays, other seeds
ONCE, A_WHILE = 1, 6
EVERY = 1 if SOAK else 3  # one in so many of the calls that could be struck first


@pytest.fixture
def disk(disk: Disk) -> Iterator[Disk]:
    """The layer below every journal of a test, its pages moved out of the -wal after four."""
    with disk.checkpoints(4):
        yield disk


@pytest.mark.slow
@pytest.mark.parametrize("times", [ONCE, A_WHILE, LASTING], ids=["once", "six times", "from then on"])
@pytest.mark.parametrize("name", [name for name in FAULTS if not FAULTS[name].torn])
def test_acts_that_could_not_be_written_are_written_after_the_fault(
    disk: Disk, tmp_path: Path, name: str, times: int
) -> None:
    """A full disk, a failing card: at every call of the kind, the journal never raises and loses nothing."""
    assert all_is_written_later(disk, tmp_path, a_play(SEED, STEPS), FAULTS[name], times, EVERY)


@pytest.mark.parametrize("name", ["write fails", "disk full", "sync fails", "read fails", "open fails"])
def test_a_disk_that_fails_for_good_is_trouble(disk: Disk, tmp_path: Path, name: str) -> None:
    """NOT SAVED is shown while anything is only in memory."""
    scribe = Scribe(tmp_path / "games.db")
    for step in a_play(SEED, STEPS // 2):
        assert scribe.do(step)
    scribe.close()
    disk.mend()
    disk.fail(FAULTS[name], 0)
    again = Scribe(tmp_path / "games.db")
    for _ in range(3):
        assert not again.do(ANOTHER)
        assert str(tmp_path / "games.db") in again.journal.trouble
    disk.mend()
    assert again.journal.save()
    assert read_book(tmp_path / "games.db").pages == scribe.book.pages + again.book.pages
    again.close()


@pytest.mark.slow
def test_a_write_torn_by_a_power_cut_leaves_no_incomplete_act(disk: Disk, tmp_path: Path) -> None:
    """At every write: half of it is there, and no later call comes through. What was shown is there, in order."""
    assert none_by_half(disk, tmp_path, a_play(SEED, STEPS), EVERY) > 100 / (2 * EVERY - 1)


SIGN = "NOT SAVED"
TABLE = Seating(find("dodeka"), ("Ann", "Ben"), (0, 1))
ANSWER = (Act("throw", {"keep": (), "dice": (1, 2, 3)}), Act("stop"))


def grant(rig: Rig, command: Any) -> None:
    rig.grant(command)
    rig.wait_ms(200)


@pytest.fixture
def games(disk: Disk, tmp_path: Path) -> Path:
    """A journal with an open match, and more beside it than SQLite keeps in memory."""
    journal = Journal(tmp_path / "games.db")
    match = journal.begin(TABLE.header().line())
    for _ in range(22):
        journal.keep_trace(match, ["edge lane_1 " + "7" * 100_000])
    journal.close()
    return tmp_path / "games.db"


@pytest.mark.slow
@pytest.mark.parametrize("times", [ONCE, LASTING], ids=["once", "from then on"])
@pytest.mark.parametrize("name", ["read fails", "open fails", "write fails"])
def test_a_box_starts_despite_any_fault_and_saves_all_afterwards(
    disk: Disk, rigs: Rigs, games: Path, name: str, times: int
) -> None:
    """What fails costs its own function, never the game. At calls on the way to the first screen."""
    fresh, before = games.read_bytes(), read_book(games)
    disk.mend()
    rigs()
    calls = disk.calls[name.split()[0]]
    rigs.switch_off()
    for first in sorted({*range(0, calls, max(1, calls // 8)), *range(max(0, calls - 12), calls)}):
        games.write_bytes(fresh)  # a start reads more of a match that it resumes than of one that it leaves
        disk.mend()
        disk.fail(FAULTS[name], first, times)
        rig = rigs()
        assert disk.hit, f"{name} at call {first}"
        if not rig.referee.session.on:
            grant(rig, Start(TABLE))
        grant(rig, Do(ANSWER))
        assert rig.acts[-2:] == ["throw", "stop"], f"{name} at call {first}:\n{rig.screen}"
        disk.mend()
        rig.wait_ms(1000)
        assert not rig.shows(SIGN), f"{name} at call {first}"
        rigs.switch_off()
        after = read_book(games)
        assert sum(len(page.lines) for page in after.pages) == 2 + sum(len(page.lines) for page in before.pages)


@pytest.mark.parametrize("name", ["write fails", "disk full", "sync fails"])
def test_a_game_continues_while_not_saved_is_shown(disk: Disk, rigs: Rigs, games: Path, name: str) -> None:
    rig = rigs()
    grant(rig, Start(TABLE))
    disk.mend()
    disk.fail(FAULTS[name], 0)
    for answers in (1, 2):
        grant(rig, Do(ANSWER))
        rig.wait_ms(5000)
        assert rig.shows(SIGN), rig.screen
        assert rig.acts == ["throw", "stop"] * answers
    disk.mend()
    rig.wait_ms(1000)
    assert not rig.shows(SIGN)
    assert [line["do"] for line, *_ in read_book(games).pages[-1].lines] == ["throw", "stop"] * 2


def test_a_match_left_and_gone_on_with_while_nothing_can_be_saved_is_saved_later(disk: Disk, games: Path) -> None:
    """Leave the table and sit down again, under NOT SAVED."""
    journal, session = Journal(games), MatchSession(find, lambda: 0)
    drive(journal, session.resume())
    answer = [act.line() for act in ANSWER]
    disk.mend()
    disk.fail(FAULTS["disk full"], 0)
    drive(journal, session.do(answer, 0, "panel"))
    drive(journal, session.leave(0))
    drive(journal, session.go_on(session.number, 0))
    drive(journal, session.do(answer, 0, "panel"))
    disk.mend()
    assert journal.save(), journal.trouble
    journal.close()
    assert [line["do"] for line, *_ in read_book(games).pages[0].lines] == ["throw", "stop"] * 2
