"""The write-ahead log beside a journal: what SQLite does not see behind a damaged place in it.

SQLite takes the first frame with a wrong checksum for the end of the log, and says nothing of the frames behind it.
The format: https://sqlite.org/walformat.html
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Literal

from umpi.frozen import frozen
from umpi.journal.beside import beside
from umpi.journal.schema import connect

HEAD = struct.Struct(">8I")  # magic number, version, bytes of a page, count of restarts, two salts, two sums
FRAME = struct.Struct(">6I")  # number of the page, pages of the file if a transaction ends here, two salts, two sums
NUMBERS, SALTS, SUMS = 8, slice(16, 24), slice(24, 32)  # in a head; NUMBERS is what the sums cover of a frame's head
BIG = 0x377F0683  # the magic number of a log whose sums are over words of big-endian bytes; one less: little-endian
VERSION = 3007000
PAGES = tuple(2**power for power in range(9, 17))  # the sizes of a page, in bytes
MAPPED = sys.platform != "emscripten"  # in a browser, a file that SQLite maps is not what a reader of it sees
TAKEN_AT = 16  # where the file -shm has the number of frames that SQLite takes, in the byte order of the machine
Sums = tuple[int, int]


@frozen
class Log:
    """The bytes of a log, with `size` bytes a page, and the `salts` of its newest frames."""

    raw: bytes
    size: int
    salts: bytes
    whole: bool  # whether its head is as written

    @classmethod
    def of(cls, path: Path) -> Log | None:
        """Read the log of a journal; None if it has no frame."""
        log = beside(path, "-wal")
        raw = log.read_bytes() if log.is_file() else b""
        if len(raw) < HEAD.size + FRAME.size:
            return None
        magic, version, size, *_ = HEAD.unpack_from(raw)
        sums = _summed(raw[: SUMS.start], (0, 0), _order(raw))
        whole = magic in (BIG - 1, BIG) and version == VERSION and sums == struct.unpack(">2I", raw[SUMS])
        if whole:
            return cls(raw, size, raw[SALTS], True)
        size = _page_size(path)
        heads = range(HEAD.size, len(raw) - FRAME.size + 1, FRAME.size + size)
        salts = next(filter(any, (raw[at + 8 : at + 16] for at in heads)), None)  # a lost block has zeros
        return None if salts is None else cls(raw, size, salts, False)

    def frames(self, first: int = 0) -> Iterator[tuple[int, int, int]]:
        """Yield from frame `first` on, the oldest is 0: where a frame is, its page, and whether it ends a transaction.

        Frames that are left from before the last restart have other salts, and are passed over.
        """
        length = FRAME.size + self.size
        for at in range(HEAD.size + first * length, len(self.raw) - length + 1, length):
            page, ends, *_ = FRAME.unpack_from(self.raw, at)
            if self.raw[at + 8 : at + 16] == self.salts:
                yield at, page, ends

    def content(self, at: int) -> bytes:
        """Return the page in the frame at a place."""
        return self.raw[at + FRAME.size : at + FRAME.size + self.size]

    def is_whole(self, at: int) -> bool:
        """Return whether the checksum of the frame at a place is right. It begins with that of the frame before it."""
        before = self.raw[SUMS] if at == HEAD.size else self.raw[at - self.size - 8 : at - self.size]
        covered = self.raw[at : at + NUMBERS] + self.content(at)
        sums = struct.unpack_from(">2I", self.raw, at + 16)
        return _summed(covered, struct.unpack(">2I", before), _order(self.raw)) == sums


def changes_behind_damage(path: Path) -> int:
    """Return how many transactions in the log of a journal SQLite would pass over; 0 if there is no damage.

    One alone at the end counts as none: a power cut can tear it, before it is shown. Raises sqlite3.Error or
    UnicodeDecodeError if the journal cannot be read.
    """
    log = Log.of(path)
    if log is None:
        return 0
    if not log.whole:  # damaged, or torn as the log began again: then all its frames are in the journal
        return 0 if _is_in_journal(log, path) else max(1, _ends(log, 0))
    behind = _ends(log, _taken(path) if MAPPED else _whole(log))
    return behind if behind > 1 else 0


def reseal(path: Path) -> None:
    """Write the log of a journal with the checksums of its whole frames alone, so that SQLite reads all of them."""
    log = Log.of(path)
    if log is None:
        return
    head = struct.pack(">3I4x", BIG, VERSION, log.size) + log.salts  # SQLite reads no count of restarts
    sums = _summed(head, (0, 0), "big")
    written = [head, struct.pack(">2I", *sums)]
    for at, page, ends in log.frames():
        if log.is_whole(at):
            numbers = struct.pack(">2I", page, ends)
            sums = _summed(numbers + log.content(at), sums, "big")
            written += [numbers, log.salts, struct.pack(">2I", *sums), log.content(at)]
    beside(path, "-wal").write_bytes(b"".join(written))


def _ends(log: Log, first: int) -> int:
    return sum(ends != 0 for _, _, ends in log.frames(first))


def _taken(path: Path) -> int:
    """Return how many frames of the log SQLite takes. A connection that only reads moves none into the journal."""
    with closing(connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as file:
        file.execute("SELECT count(*) FROM sqlite_master").fetchone()
        with beside(path, "-shm").open("rb") as index:
            head = index.read(TAKEN_AT + 4)
    return int.from_bytes(head[TAKEN_AT:], sys.byteorder)


def _whole(log: Log) -> int:
    """Return how many frames SQLite takes, by their checksums: all up to the last whole transaction before a wrong one.

    This reads the whole log, which takes longer than asking SQLite.
    """
    taken = 0
    for number, (at, _, ends) in enumerate(log.frames(), 1):
        if not log.is_whole(at):
            break
        taken = number if ends else taken
    return taken


def _is_in_journal(log: Log, path: Path) -> bool:
    """Return whether the newest page of each number in a log is in the journal."""
    newest = {page: at for at, page, _ in log.frames()}
    with path.open("rb") as file:
        for page, at in newest.items():
            if not page:  # a damaged number: the first page is 1
                return False
            file.seek((page - 1) * log.size)
            if file.read(log.size) != log.content(at):
                return False
    return bool(newest)


def _page_size(path: Path) -> int:
    with path.open("rb") as file:
        size = int.from_bytes(file.read(18)[16:], "big")
    return size if size in PAGES else PAGES[3]


def _order(raw: bytes) -> Literal["little", "big"]:
    return "big" if raw[3] & 1 else "little"


def _summed(content: bytes, before: Sums, order: Literal["little", "big"]) -> Sums:
    """Return the checksum of a log over 8 bytes and more, continued from that of what is before."""
    one, other = before
    words = struct.unpack(f"{'>' if order == 'big' else '<'}{len(content) // 4}I", content)
    for even, odd in zip(words[::2], words[1::2], strict=True):
        one = one + even + other & 0xFFFFFFFF
        other = other + odd + one & 0xFFFFFFFF
    return one, other
