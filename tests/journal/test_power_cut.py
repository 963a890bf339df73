"""The power cut after any call: whatever of the unsynced is left, what was shown is there, in order, none half."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from tests.kit.books import Book, Scribe, a_play, read_book
from tests.kit.faulty import FAULTS, Call, Disk
from tests.kit.power_cuts import LEFT, Card, lay_out
from tests.kit.sampling import SOAK

SEED, STEPS = 5, 30  # scripts/kill: longer plays, other seeds


SEED, STEPS = 5, 30  # scripts/kill: longer plays, other seeds


@pytest.fixture
def disk(disk: Disk) -> Iterator[Disk]:
    """The layer below every journal of a test, its pages moved out of the -wal after four."""
    with disk.checkpoints(4):
        yield disk


@dataclass
class Played:
    """A play to its end: what was on the card before it, the calls it made, and with each number of them what may be.

    The first of these books is the last that was shown; the act under way may be on disk too, and not yet be shown.
    """

    before: dict[str, bytes]
    calls: list[Call]
    books: list[tuple[Book, ...]]


def play(disk: Disk, path: Path, seed: int, steps: int = STEPS, book: Book | None = None) -> Played:
    """Write a play down, call by call; `book` is what `path` has already."""
    before = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    disk.log.clear()
    scribe = Scribe(path, book)
    waiting = [scribe.book.copy()]
    books = [tuple(waiting)] * len(disk.log)
    for step in a_play(seed, steps):
        ahead = len(disk.log)
        shown = scribe.do(step)
        waiting.append(scribe.book.copy())
        books += [tuple(waiting)] * (len(disk.log) - ahead)
        if shown:
            del waiting[:-1]
    scribe.close()
    books += [tuple(waiting)] * (len(disk.log) + 1 - len(books))
    return Played(before, list(disk.log), books)


def cuts(disk: Disk, played: Played, folder: Path, chance: Random, every: int = 1) -> Iterator[tuple[int, str, Book]]:
    """Cut the power after every n-th call, with each possible remainder; yield what the journal then has."""
    card = Card(chance, played.before)
    for number in range(len(played.books)):
        for left in LEFT if number % every == 0 else ():
            lay_out(card.cut(left), folder)
            with disk.looked_at():
                found = read_book(folder / "games.db")
            assert found in played.books[number], f"after call {number} of {len(played.calls)}, left: {left}"
            yield number, left, found
        if number < len(played.calls):
            card.take(played.calls[number])


def test_shown_acts_are_on_disk_after_a_power_cut(disk: Disk, tmp_path: Path) -> None:
    """What was shown was on disk before."""
    played = play(disk, tmp_path / "games.db", SEED)
    ahead = set()
    for number, _, found in cuts(disk, played, tmp_path / "found", Random(SEED), every=1 if SOAK else 3):
        ahead.add(found != played.books[number][0])
    assert ahead == {False, True}, "some cuts fall between an act on disk and its being shown"


@pytest.mark.slow
def test_shown_acts_are_on_disk_after_failed_syncs_and_a_power_cut(disk: Disk, tmp_path: Path) -> None:
    """A card that fails for a while and then loses its power: no write is worth anything that no good sync followed."""
    for first in range(0, 40, 8):
        folder = tmp_path / str(first)
        folder.mkdir()
        disk.mend()
        disk.fail(FAULTS["sync fails"], first, 3)
        played = play(disk, folder / "games.db", SEED)
        assert disk.hit == 3
        assert list(cuts(disk, played, tmp_path / "found", Random(first), every=5))


@pytest.mark.slow
def test_the_journal_continues_after_two_power_cuts(disk: Disk, tmp_path: Path) -> None:
    """Whatever was found, the box plays on with it, and loses nothing of the old or the new at the next cut."""
    first = play(disk, tmp_path / "games.db", SEED)
    path = tmp_path / "found" / "games.db"
    for number, _, found in cuts(disk, first, path.parent, Random(SEED), every=29):
        lay_out({file.name: file.read_bytes() for file in path.parent.iterdir()}, tmp_path / "on")
        second = play(disk, tmp_path / "on" / "games.db", number, 6, found)
        assert list(cuts(disk, second, tmp_path / "again", Random(number), every=7))
