"""Every accepted line, on disk before it is shown: SQLite, one row a line, appended and never rewritten."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from umpi.rules.record import dump

APPLICATION = 0x756D7069  # "umpi", in the file's own header
SCHEMA = 1
TABLES = """
    CREATE TABLE match (id INTEGER PRIMARY KEY, header TEXT NOT NULL, began TEXT NOT NULL);
    CREATE TABLE line (match INTEGER NOT NULL REFERENCES match, n INTEGER NOT NULL, text TEXT NOT NULL,
                       who TEXT NOT NULL, PRIMARY KEY (match, n));
    CREATE TABLE closed (match INTEGER PRIMARY KEY REFERENCES match);
    CREATE TABLE trace (match INTEGER NOT NULL REFERENCES match, n INTEGER NOT NULL, text TEXT NOT NULL,
                        PRIMARY KEY (match, n));
"""


class Foreign(Exception):
    """A file that is no journal of this Umpi's; it is left as it is."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A match in the journal: its header line, the wall clock's note of when it began, how many lines it has."""

    id: int
    header: str
    began: str
    lines: int
    open: bool


class Journal:
    """The journal of a box.

    What cannot be written is kept in memory, `trouble` says why, and every later call tries to write it again, in
    order: `trouble` is "" only when all is on disk. Raises Foreign where `path` is not a journal, or a newer one.
    Calls must not overlap; each may wait for the disk.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self.trouble = ""
        self._file: sqlite3.Connection | None = None
        self._waiting: list[tuple[str, tuple[object, ...]]] = []
        self._lengths: dict[int, int] = {}
        self.save()

    def begin(self, header: Mapping[str, Any]) -> int:
        """Begin a match; returns its number."""
        number = 1 + max(self._lengths, default=0)
        self._lengths[number] = 0
        self._write("INSERT INTO match VALUES (?, ?, ?)", number, dump(header), _now())
        return number

    def append(self, match: int, lines: Sequence[Mapping[str, Any]], who: str) -> None:
        """Add lines to a match, all or none; `who` acted ("panel", a seat, "box")."""
        for line in lines:
            self._lengths[match] += 1
            row = (match, self._lengths[match], dump(line), who)
            self._waiting.append(("INSERT INTO line VALUES (?, ?, ?, ?)", row))
        self.save()

    def close_match(self, match: int) -> None:
        """Note that the players are done with a match."""
        self._write("INSERT OR IGNORE INTO closed VALUES (?)", match)

    def keep_trace(self, match: int, lines: Sequence[str]) -> None:
        """Keep the raw edges of an announcement, as `umpi judge` reads them."""
        text = "".join(line + "\n" for line in lines)
        self._write("INSERT INTO trace SELECT ?, 1 + count(*), ? FROM trace WHERE match = ?", match, text, match)

    def save(self) -> bool:
        """Write what waits to be written; True where all is on disk."""
        try:
            if self._file is None:
                self._file = self._opened()
            with self._file:
                for statement, values in self._waiting:
                    self._file.execute(statement, values)
        except (sqlite3.Error, OSError) as fault:
            self.trouble = f"{self.path}: {fault}"
            return False
        self._waiting.clear()
        self.trouble = ""
        return True

    def matches(self) -> list[Kept]:
        """List the matches on disk, the newest last."""
        return list(read_matches(self._file)) if self._file else []

    def lines(self, match: int) -> list[str]:
        """List the lines of a match on disk, without its header."""
        return read_lines(self._file, match) if self._file else []

    def players(self) -> list[str]:
        """List everybody who has played, the latest first."""
        headers = [json.loads(kept.header) for kept in reversed(self.matches())]
        return list(dict.fromkeys(name for header in headers for name in header.get("players", ())))

    def close(self) -> None:
        """Close the file."""
        if self._file:
            self._file.close()
            self._file = None

    def _write(self, statement: str, *values: object) -> None:
        self._waiting.append((statement, values))
        self.save()

    def _opened(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        file = sqlite3.connect(self.path, check_same_thread=False, timeout=2.0)
        try:
            _check(file, self.path)
            file.execute("PRAGMA journal_mode=WAL")
            file.execute("PRAGMA synchronous=FULL")
            if not file.execute("PRAGMA user_version").fetchone()[0]:
                file.executescript(
                    f"BEGIN; {TABLES} PRAGMA application_id={APPLICATION}; PRAGMA user_version={SCHEMA}; COMMIT;"
                )
            for kept in read_matches(file):
                self._lengths.setdefault(kept.id, kept.lines)
        except BaseException:
            file.close()
            raise
        return file


def open_to_read(path: Path) -> sqlite3.Connection:
    """Open a journal to look into it; raises Foreign where it is none, OSError where it cannot be read."""
    if not path.is_file():
        raise FileNotFoundError(f"{path}: there is no journal here yet; it begins with the first game")
    try:
        file = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        _check(file, path)
    except sqlite3.OperationalError as fault:
        raise OSError(f"{path}: {fault}") from None
    return file


def read_matches(file: sqlite3.Connection) -> Iterator[Kept]:
    """Read the matches of a journal, the newest last."""
    rows = file.execute(
        "SELECT id, header, began, (SELECT count(*) FROM line WHERE match = id), "
        "NOT EXISTS (SELECT 1 FROM closed WHERE match = id) FROM match ORDER BY id"
    )
    for number, header, began, lines, is_open in rows:
        yield Kept(number, header, began, lines, bool(is_open))


def read_lines(file: sqlite3.Connection, match: int) -> list[str]:
    """Read the lines of a match as they were written, without its header."""
    return [text for (text,) in file.execute("SELECT text FROM line WHERE match = ? ORDER BY n", (match,))]


def read_traces(file: sqlite3.Connection, match: int) -> list[str]:
    """Read the traces of a match, an announcement each."""
    return [text for (text,) in file.execute("SELECT text FROM trace WHERE match = ? ORDER BY n", (match,))]


def _check(file: sqlite3.Connection, path: Path) -> None:
    try:
        application = file.execute("PRAGMA application_id").fetchone()[0]
        version = file.execute("PRAGMA user_version").fetchone()[0]
        tables = file.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    except sqlite3.DatabaseError as fault:
        if isinstance(fault, sqlite3.OperationalError):
            raise
        raise Foreign(f"{path} is no journal of Umpi: {fault}. Move it away, or name another with --journal.") from None
    if application != APPLICATION and (tables or version):
        raise Foreign(f"{path} is another program's database. Name another file with --journal.")
    if version > SCHEMA:
        raise Foreign(f"{path} is of a newer Umpi (schema {version}, this one reads {SCHEMA}). Update Umpi.")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
