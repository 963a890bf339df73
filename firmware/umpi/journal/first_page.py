"""A first page for a copy of a journal that has lost its own: with it SQLite finds the tables again.

A journal has the same tables at the same pages as every other of its schema. What is read through a borrowed page is
checked row by row, as all that is recovered. The header: https://sqlite.org/fileformat2.html#the_database_header
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from umpi.journal.beside import beside
from umpi.journal.schema import connect, make_tables
from umpi.journal.wal import Log

PAGE = 4096  # bytes of a page, as SQLite makes them
HEAD = 100  # bytes of the header, at the start of the first page
PAGES = slice(28, 32)  # how many pages the file has


def give_first_page(path: Path) -> None:
    """Write another header or first page into a journal whose tables cannot be found. `path` is a copy.

    Its own page with a new header is tried, then that of a new journal. A first page in the log counts before both:
    SQLite reads it as soon as it finds a header.
    """
    damaged, log = path.read_bytes(), Log.of(path)
    if _has_tables(path):
        return
    pages = max(len(damaged) // PAGE, *(ends for _, _, ends in log.frames())) if log else len(damaged) // PAGE
    made = _made(path.with_name("made.db"))
    for first in (made[:HEAD] + damaged[HEAD:PAGE].ljust(PAGE - HEAD, b"\0"), made):
        path.write_bytes(_counted(first, pages) + damaged[PAGE:])
        if log:
            beside(path, "-wal").write_bytes(log.raw)  # the try before may have removed it
        if _has_tables(path):
            return


def _made(path: Path) -> bytes:
    with closing(connect(path)) as file:
        make_tables(file)
    return path.read_bytes()[:PAGE]


def _counted(first: bytes, pages: int) -> bytes:
    """Return a first page that says how many pages there are."""
    counted = bytearray(first)
    counted[PAGES] = pages.to_bytes(4, "big")
    return bytes(counted)


def _has_tables(path: Path) -> bool:
    if not path.exists() or path.stat().st_size == 0:
        return False  # SQLite would delete the log beside an empty file
    try:
        with closing(readable(path)) as file:
            return bool(file.execute("SELECT count(*) FROM sqlite_master WHERE name = 'match'").fetchone()[0])
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        return False


def readable(path: Path) -> sqlite3.Connection:
    """Open a damaged journal to read from it, also if it is shorter than its header says."""
    file = sqlite3.connect(path)
    file.execute("PRAGMA writable_schema = ON")  # the only way to make SQLite read a file that was cut short
    return file
