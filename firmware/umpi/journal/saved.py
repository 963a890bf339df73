"""How many rows a journal has had on disk, in a small file beside it. So the box notices that the newest are lost.

SQLite cannot: a write-ahead log that has lost its end looks like one to which nothing more was written.
"""

from __future__ import annotations

import os
import re
import sqlite3
from contextlib import suppress
from pathlib import Path
from zlib import crc32

from umpi.journal.beside import beside
from umpi.journal.schema import SUMMED

NOTED = re.compile(rb"(\d{12}) ([0-9a-f]{8})\n")
COUNTED = "SELECT " + " + ".join(f"coalesce((SELECT max(rowid) FROM {table}), 0)" for table in SUMMED)


def rows_on_disk(file: sqlite3.Connection) -> int:
    """Return how many rows were ever appended to a journal. Nothing deletes one, so the number only grows."""
    return int(file.execute(COUNTED).fetchone()[0])


class Saved:
    """The file beside a journal with the number of its rows.

    It is written after the rows are on disk, and never synced: a move must not wait for the card twice. So after a
    power cut the number can be too small, never too large.
    """

    def __init__(self, path: Path) -> None:
        self.path = beside(path, ".saved")
        self._noted = -1

    def read(self) -> int:
        """Return the number, 0 if there is none."""
        try:
            found = NOTED.fullmatch(self.path.read_bytes())
        except OSError:
            return 0
        return int(found[1]) if found and found[2] == _check(found[1]) else 0

    def note(self, rows: int) -> None:
        """Write the number, if it is another."""
        if rows == self._noted:
            return
        digits = b"%012d" % rows
        with suppress(OSError):  # the card that cannot be written is reported for the journal
            file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                os.pwrite(file, digits + b" " + _check(digits) + b"\n", 0)
            finally:
                os.close(file)
            self._noted = rows


def _check(digits: bytes) -> bytes:
    return b"%08x" % crc32(digits)
