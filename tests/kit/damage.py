"""Journals as a box leaves them, and what may happen to their files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from tests.kit.books import Book
from tests.kit.sampling import sampled

SEED = 4
SECTOR, PAGE = 512, 4096
DB, WAL = "games.db", "games.db-wal"
Files = dict[str, bytes]


@dataclass
class Games:
    """The files of a journal, and what is in it."""

    files: Files
    book: Book


def begins(there: Book, whole: Book) -> bool:
    """Whether every match that is there has the first lines of one there was, and those in order."""
    pages = iter(whole.pages)
    return all(any(_begins(page.lines, other.lines) for other in pages) for page in there.pages)


def _begins(lines: list[tuple[object, ...]], whole: list[tuple[object, ...]]) -> bool:
    return lines == whole[: len(lines)]


def zeroed(files: Files, name: str, block: int, share: int, fill: bytes = b"\0") -> Iterator[Files]:
    """Lose one block at a time, or some of them: zeros, or something else, are in its place."""
    for at in sampled(range(0, len(files[name]), block), share):
        yield {**files, name: files[name][:at] + fill * block + files[name][at + block :]}


def flipped(files: Files, name: str, times: int, seed: int, first: int = 0) -> Iterator[Files]:
    """One bit at a time, from this byte on."""
    chance = Random(seed)
    for _ in range(times):
        content = bytearray(files[name])
        content[chance.randrange(first, len(content))] ^= 1 << chance.randrange(8)
        yield {**files, name: bytes(content)}
