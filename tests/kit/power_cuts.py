"""What a power cut can leave on the card: from the calls written down, the files as they may be found afterwards.

What was synced is there; of what was written since, any part may be, in pieces of a sector
(https://sqlite.org/atomiccommit.html, section 2). A new name is there for certain once SQLite has synced the folder,
which it does with the first sync of a -wal or -journal it has made; up to then names come and go in order.
A sync that failed is worth nothing, and what it was for need not be on the card after the next one that did not
(https://wiki.postgresql.org/wiki/Fsync_Errors).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.kit.books import Book, Scribe, a_play, read_book
from tests.kit.faulty import Call, Disk

SECTOR = 512
LEFT = ("nothing", "all", "some", "sectors")  # of what was not synced


@dataclass
class File:
    """One file: what is safe, and what was asked of it since."""

    safe: bytearray = field(default_factory=bytearray)
    since: list[Call] = field(default_factory=list)
    fresh: bool = True  # no sync yet has reached it


class Card:
    """A folder on a card with these files in it, followed call by call."""

    def __init__(self, chance: Random, files: Mapping[str, bytes]) -> None:
        self._chance = chance
        self._names = {name: File(bytearray(content), fresh=False) for name, content in files.items()}
        self._safe = dict(self._names)  # the names that are there for certain
        self._moves: list[tuple[str, File | None]] = []  # of names since the folder was synced

    def take(self, call: Call) -> None:
        """Follow one call."""
        if call.what == "made":
            self._names[call.name] = File()
            self._moves.append((call.name, self._names[call.name]))
        elif call.what == "delete":
            self._names.pop(call.name, None)
            self._moves.append((call.name, None))
            if call.at:
                self._sync_folder()
        elif call.what == "sync":
            self._sync(self._names[call.name], call)
        else:
            self._names[call.name].since.append(call)

    def _sync(self, file: File, call: Call) -> None:
        for each in file.since:
            if call.done or self._chance.random() < 0.5:
                _apply(file.safe, each)
        file.since.clear()
        if call.done and file.fresh and call.name.endswith(("-wal", "-journal")):
            self._sync_folder()
        file.fresh = file.fresh and not call.done

    def _sync_folder(self) -> None:
        self._safe = dict(self._names)
        self._moves.clear()

    def cut(self, left: str) -> dict[str, bytes]:
        """Cut the power; returns the files that are found, with so much left of what was not synced."""
        names = dict(self._safe)
        moves = {"nothing": 0, "all": len(self._moves)}.get(left, self._chance.randint(0, len(self._moves)))
        for name, file in self._moves[:moves]:
            names.pop(name, None)
            if file:
                names[name] = file
        return {name: bytes(self._found(file, left)) for name, file in names.items()}

    def _found(self, file: File, left: str) -> bytearray:
        found = bytearray(file.safe)
        for call in file.since if left != "nothing" else ():
            for piece in _sectors(call) if left == "sectors" else (call,):
                if left == "all" or self._chance.random() < 0.5:
                    _apply(found, piece)
        return found


def lay_out(files: Mapping[str, bytes], folder: Path) -> None:
    """Put these files, and no others, into a folder."""
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for name, content in files.items():
        (folder / name).write_bytes(content)


@dataclass
class Played:
    """A play to its end: what was on the card before it, the calls it made, and with each number of them what may be.

    The first of these books is the last that was shown; the act under way may be on disk too, and not yet be shown.
    """

    before: dict[str, bytes]
    calls: list[Call]
    books: list[tuple[Book, ...]]


def play(disk: Disk, path: Path, seed: int, steps: int, book: Book | None = None) -> Played:
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
    """Cut the power after every n-th call, with each possible remainder; yield what the journal then has.

    Many a cut leaves the same files as one before; these are read once.
    """
    card, read = Card(chance, played.before), dict[frozenset[tuple[str, bytes]], Book]()
    for number in range(len(played.books)):
        for left in LEFT if number % every == 0 else ():
            files = card.cut(left)
            lay_out(files, folder)
            same = frozenset(files.items())
            if same not in read:
                with disk.looked_at():
                    read[same] = read_book(folder / "games.db")
            found = read[same]
            assert found in played.books[number], f"after call {number} of {len(played.calls)}, left: {left}"
            yield number, left, found
        if number < len(played.calls):
            card.take(played.calls[number])


def _apply(content: bytearray, call: Call) -> None:
    if call.what == "truncate":
        del content[call.at :]
        content.extend(bytes(call.at - len(content)))
    else:
        content.extend(bytes(max(0, call.at - len(content))))
        content[call.at : call.at + len(call.data)] = call.data


def _sectors(call: Call) -> Sequence[Call]:
    if call.what != "write":
        return (call,)
    edges = [call.at, *range(call.at - call.at % SECTOR + SECTOR, call.at + len(call.data), SECTOR)]
    ends = [*edges[1:], call.at + len(call.data)]
    return [
        Call("write", call.name, at, call.data[at - call.at : end - call.at])
        for at, end in zip(edges, ends, strict=True)
    ]
