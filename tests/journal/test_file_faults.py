"""Files that fail at any call: play continues in memory, the fault is reported, and all is on disk afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.kit.books import ANOTHER, Book, Scribe, Step, a_play, read_book, wipe
from tests.kit.driven import drive
from tests.kit.faulty import FAULTS, LASTING, Disk, Fault
from tests.kit.rig import Rig, Rigs
from tests.kit.sampling import SOAK
from umpi.display.commands import Do, Start
from umpi.display.setup import TableSetup
from umpi.journal import Journal
from umpi.kernel.game import Act
from umpi.kernel.registry import find
from umpi.referee.session import MatchSession

SEED, STEPS = 3, 24  # scripts/kill: longer plays, other seeds
ONCE, A_WHILE = 1, 6
EVERY = 1 if SOAK else 3  # one in so many of the calls that could be struck first


@pytest.fixture
def disk(disk: Disk) -> Iterator[Disk]:
    """The layer below every journal of a test, its pages moved out of the -wal after four."""
    with disk.checkpoints(4):
        yield disk


def play_on(disk: Disk, path: Path, play: Sequence[Step]) -> tuple[Scribe, list[Book]]:
    """Write a play whatever fails; returns the scribe and the states that may be on disk if it ended here.

    The first of them is the last that may have been shown, the second has the act under way. Whenever all is said to
    be on disk after a fault, it is.
    """
    scribe = Scribe(path)
    states, seen = [scribe.book.copy()], 0
    for step in play:
        if scribe.do(step):
            del states[:]
            if disk.hit != seen:
                seen = disk.hit
                with disk.looked_at():
                    assert read_book(path) == scribe.book, f"said to be on disk after {step[0]}"
        states.append(scribe.book.copy())
        if disk.dead:
            break
    return scribe, states


def fail_everywhere(
    disk: Disk, folder: Path, play: Sequence[Step], fault: Fault, times: int, every: int
) -> Iterator[tuple[Path, Scribe, list[Book]]]:
    """Write it once for each call the fault could strike first, or for one of so many by chance."""
    first, chance = 0, Random(every)
    while True:
        path = folder / "games.db"
        wipe(path)
        disk.mend()
        disk.fail(fault, first, times)
        scribe, states = play_on(disk, path, play)
        if not disk.hit:
            scribe.close()
            return
        yield path, scribe, states
        first += chance.randint(1, 2 * every - 1)


@pytest.mark.slow
@pytest.mark.parametrize("times", [ONCE, A_WHILE, LASTING], ids=["once", "six times", "from then on"])
@pytest.mark.parametrize("name", [name for name in FAULTS if not FAULTS[name].torn])
def test_acts_that_could_not_be_written_are_written_after_the_fault(
    disk: Disk, tmp_path: Path, name: str, times: int
) -> None:
    """A full disk, a failing card: at every call of the kind, the journal never raises and loses nothing."""
    assert all_is_written_later(disk, tmp_path, a_play(SEED, STEPS), FAULTS[name], times, EVERY)


def all_is_written_later(
    disk: Disk, folder: Path, play: Sequence[Step], fault: Fault, times: int, every: int = 1
) -> int:
    """Look at it at every call of the kind; returns how many those were."""
    struck = 0
    for path, scribe, _ in fail_everywhere(disk, folder, play, fault, times, every):
        struck += 1
        disk.mend()
        assert scribe.journal.save(), f"{fault.name} at call {struck}: {scribe.journal.trouble}"
        assert read_book(path) == scribe.book, f"{fault.name} at call {struck}"
        scribe.do(ANOTHER)
        scribe.close()
        assert read_book(path) == scribe.book, f"{fault.name} at call {struck}, switched off and on"
    return struck


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


def none_by_half(disk: Disk, folder: Path, play: Sequence[Step], every: int = 1) -> int:
    """Look at it at every write; returns how many those were."""
    struck = 0
    for path, scribe, states in fail_everywhere(disk, folder, play, FAULTS["write torn"], ONCE, every):
        struck += 1
        scribe.close()
        disk.mend()
        there = read_book(path)
        assert there in states[:2], f"write {struck}"
        with_more = Scribe(path, there.copy())
        assert with_more.do(ANOTHER)
        with_more.close()
        assert read_book(path).pages[:-1] == there.pages, f"write {struck}: it goes on"
    return struck


SIGN = "NOT SAVED"
TABLE = TableSetup(find("dodeka"), ("Ann", "Ben"), (0, 1))
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
    drive(journal, session.leave())
    drive(journal, session.go_on(session.number))
    drive(journal, session.do(answer, 0, "panel"))
    disk.mend()
    assert journal.save(), journal.trouble
    journal.close()
    assert [line["do"] for line, *_ in read_book(games).pages[0].lines] == ["throw", "stop"] * 2
