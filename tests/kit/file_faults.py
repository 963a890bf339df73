"""Files that fail at any call: write a play down whatever fails, and look at what is on disk then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from tests.kit.books import ANOTHER, Book, Scribe, Step, read_book, wipe
from tests.kit.faulty import FAULTS, Disk, Fault


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


def none_by_half(disk: Disk, folder: Path, play: Sequence[Step], every: int = 1) -> int:
    """Look at it at every write; returns how many those were."""
    struck = 0
    for path, scribe, states in fail_everywhere(disk, folder, play, FAULTS["write torn"], 1, every):
        struck += 1
        scribe.close()
        disk.mend()
        there = read_book(path)
        assert there in states[:2], f"write {struck}"
        with_more = Scribe(path, there)
        assert with_more.do(ANOTHER)
        with_more.close()
        assert read_book(path).pages[:-1] == there.pages, f"write {struck}: it goes on"
    return struck
