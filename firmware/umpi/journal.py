"""Every accepted line, on disk before it is shown: SQLite, one row a line, appended and never rewritten."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from umpi.rules.record import dump
from umpi.rules.words import Words, words

APPLICATION = 0x756D7069  # "umpi", in the file's own header
SCHEMA = 1
TABLES = """
    CREATE TABLE IF NOT EXISTS match (id INTEGER PRIMARY KEY, header TEXT NOT NULL, began TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS line (match INTEGER NOT NULL REFERENCES match, n INTEGER NOT NULL, text TEXT NOT NULL,
                       who TEXT NOT NULL, PRIMARY KEY (match, n));
    CREATE TABLE IF NOT EXISTS renamed (match INTEGER NOT NULL REFERENCES match, n INTEGER NOT NULL,
                          players TEXT NOT NULL, PRIMARY KEY (match, n));
    CREATE TABLE IF NOT EXISTS closed (match INTEGER PRIMARY KEY REFERENCES match);
    CREATE TABLE IF NOT EXISTS trace (match INTEGER NOT NULL REFERENCES match, n INTEGER NOT NULL, text TEXT NOT NULL,
                        PRIMARY KEY (match, n));
    CREATE TABLE IF NOT EXISTS spoken (n INTEGER PRIMARY KEY, language TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS phone (id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, who TEXT NOT NULL,
                        name TEXT NOT NULL, began TEXT NOT NULL, revoked TEXT);
"""
BEGIN = "INSERT INTO match (header, began) VALUES (?, ?)"
LINE = "INSERT INTO line SELECT :match, 1 + count(*), :one, :two FROM line WHERE match = :match"
RENAMED = "INSERT INTO renamed SELECT :match, 1 + count(*), :one FROM renamed WHERE match = :match"
CLOSED = "INSERT OR IGNORE INTO closed VALUES (:match)"
SPOKEN = "INSERT INTO spoken (language) VALUES (:one)"
PHONE = "INSERT OR IGNORE INTO phone (hash, who, name, began) VALUES (:one, :two, :three, :four)"
REVOKED = "UPDATE phone SET revoked = :two WHERE hash = :one AND revoked IS NULL"
VALUES = ("one", "two", "three", "four")
TRACE = "INSERT INTO trace SELECT :match, 1 + count(*), :one FROM trace WHERE match = :match"

GONE = words("the file has gone while it was in use")
NO_JOURNAL = "{path} is no journal of Umpi: {fault}. Move it away, or name another with --journal."
NEWER = "{path} is of a newer Umpi (schema {schema}, this one reads {read}). Update Umpi."


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
    Calls must not overlap; each may wait for the disk. A match's number is its row's, unless another box has taken
    that first: then it is only this journal's name for it.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self.trouble = ""
        self._file: sqlite3.Connection | None = None
        self._waiting: list[tuple[str, int, tuple[object, ...]]] = []  # statement, match, values
        self._rows: dict[int, int] = {}  # the row of each match begun here, once it is written
        self._last = 0
        self._write_out()

    def begin(self, header: Mapping[str, Any]) -> int:
        """Begin a match; returns its number."""
        self._last += 1
        self._write(BEGIN, self._last, dump(header), _now())
        return self._last

    def append(self, match: int, lines: Sequence[Mapping[str, Any]], who: str) -> None:
        """Add lines to a match, all or none; `who` acted ("panel", "funnel", "box")."""
        self._waiting += [(LINE, match, (dump(line), who)) for line in lines]
        self.save()

    def rename(self, match: int, players: Sequence[str]) -> None:
        """Note how the players of a match are called from here on."""
        self._write(RENAMED, match, dump(players))

    def close_match(self, match: int) -> None:
        """Note that the players are done with a match."""
        self._write(CLOSED, match)

    def keep_trace(self, match: int, lines: Sequence[str]) -> None:
        """Keep the raw edges of an announcement, as `umpi judge` reads them."""
        self._write(TRACE, match, "".join(line + "\n" for line in lines))

    def speak(self, language: str) -> None:
        """Note which language the box speaks from here on."""
        self._write(SPOKEN, 0, language)

    def pair(self, hash: str, who: str, name: str) -> None:
        """Note that a phone may act for `who` ("referee", or the button "red") from here on, and what it is called.

        `hash` is that of the secret it shows for it.
        """
        self._write(PHONE, 0, hash, who, name, _now())

    def revoke(self, hash: str) -> None:
        """Note that a phone may act no more."""
        self._write(REVOKED, 0, hash, _now())

    def phones(self) -> list[tuple[str, str, str]]:
        """List the phones on disk that may act, the oldest first: hash, who, name."""
        paired = "SELECT hash, who, name FROM phone WHERE revoked IS NULL ORDER BY id"
        return list(self._file.execute(paired)) if self._file else []

    def save(self) -> bool:
        """Write what waits to be written; True where all is on disk."""
        try:
            self._write_out()
        except Foreign as fault:  # it has come since the start: the game goes on in memory
            self.trouble = _why(fault)
        return not self.trouble

    def _write(self, statement: str, match: int, *values: object) -> None:
        self._waiting.append((statement, match, values))
        self.save()

    def _write_out(self) -> None:
        rows = dict(self._rows)
        try:
            if self._file is None:
                self._file = self._opened()
            elif not self.path.exists():
                raise FileNotFoundError(GONE)
            with self._file:
                for statement, match, values in self._waiting:
                    if statement == BEGIN:
                        rows[match] = self._file.execute(statement, values).lastrowid or match
                    else:
                        row = rows.get(match, match)
                        self._file.execute(statement, {"match": row, **dict(zip(VALUES, values, strict=False))})
        except (sqlite3.Error, OSError) as fault:
            self.trouble = words("{path}: {fault}", path=self.path, fault=_why(fault))
            return
        self._rows = rows
        self._waiting.clear()
        self.trouble = ""

    def matches(self) -> list[Kept]:
        """List the matches on disk, the newest last."""
        return list(read_matches(self._file)) if self._file else []

    def lines(self, match: int) -> list[str]:
        """List the lines of a match on disk, without its header."""
        return read_lines(self._file, match) if self._file else []

    def writers(self, match: int) -> list[str]:
        """List who wrote each of these lines."""
        written = "SELECT who FROM line WHERE match = ? ORDER BY n"
        return [who for (who,) in self._file.execute(written, (match,))] if self._file else []

    def players(self) -> list[str]:
        """List everybody who has played, the latest first."""
        headers = [json.loads(kept.header) for kept in reversed(self.matches())]
        return list(dict.fromkeys(name for header in headers for name in header.get("players", ())))

    def spoken(self) -> str:
        """Tell the language that was chosen last, "" where none ever was."""
        chosen = "SELECT language FROM spoken ORDER BY n DESC LIMIT 1"
        return next((language for (language,) in self._file.execute(chosen)), "") if self._file else ""

    def close(self) -> None:
        """Close the file."""
        if self._file:
            self._file.close()
            self._file = None

    def _opened(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        file = sqlite3.connect(self.path, check_same_thread=False, timeout=0.5)
        try:
            _check(file, self.path)
            file.execute("PRAGMA journal_mode=WAL")
            file.execute("PRAGMA synchronous=FULL")
            file.executescript(
                f"BEGIN; {TABLES} PRAGMA application_id={APPLICATION}; PRAGMA user_version={SCHEMA}; COMMIT;"
            )
            self._last = max(self._last, *(kept.id for kept in read_matches(file)), 0)
        except BaseException:
            file.close()
            raise
        return file


def check_file(path: Path) -> None:
    """Look whether `path` may be a box's journal, without making one; raises Foreign where it may not."""
    with contextlib.suppress(OSError), contextlib.closing(open_to_read(path)):
        pass


def open_to_read(path: Path) -> sqlite3.Connection:
    """Open a journal to look into it; raises Foreign where it is none, OSError where it cannot be read."""
    if not path.is_file():
        raise FileNotFoundError(f"{path}: there is no journal here yet; it begins with the first game")
    try:
        file = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        _check(file, path, to_read=True)
    except sqlite3.OperationalError as fault:
        raise OSError(f"{path}: {fault}") from None
    return file


def read_matches(file: sqlite3.Connection) -> Iterator[Kept]:
    """Read the matches of a journal, the newest last."""
    there = {name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    renamed = "(SELECT players FROM renamed WHERE match = id ORDER BY n DESC LIMIT 1)" if "renamed" in there else "NULL"
    rows = file.execute(
        "SELECT id, header, began, (SELECT count(*) FROM line WHERE match = id), "
        f"NOT EXISTS (SELECT 1 FROM closed WHERE match = id), {renamed} FROM match ORDER BY id"
    )
    for number, header, began, lines, is_open, players in rows:
        if players is not None:
            header = dump({**json.loads(header), "players": json.loads(players)})
        yield Kept(number, header, began, lines, bool(is_open))


def read_lines(file: sqlite3.Connection, match: int) -> list[str]:
    """Read the lines of a match as they were written, without its header."""
    return [text for (text,) in file.execute("SELECT text FROM line WHERE match = ? ORDER BY n", (match,))]


def read_traces(file: sqlite3.Connection, match: int) -> list[str]:
    """Read the traces of a match, an announcement each."""
    return [text for (text,) in file.execute("SELECT text FROM trace WHERE match = ? ORDER BY n", (match,))]


def _check(file: sqlite3.Connection, path: Path, to_read: bool = False) -> None:
    try:
        application = file.execute("PRAGMA application_id").fetchone()[0]
        version = file.execute("PRAGMA user_version").fetchone()[0]
        tables = file.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    except sqlite3.DatabaseError as fault:
        if isinstance(fault, sqlite3.OperationalError):
            raise
        raise Foreign(words(NO_JOURNAL, path=path, fault=fault)) from None
    if to_read and not tables:
        raise FileNotFoundError(f"{path}: there is no journal here yet; it begins with the first game")
    if application != APPLICATION and (tables or version):
        raise Foreign(words("{path} is another program's database. Name another file with --journal.", path=path))
    if version > SCHEMA:
        raise Foreign(words(NEWER, path=path, schema=version, read=SCHEMA))


def _why(fault: Exception) -> str:
    """Tell what a fault says: a sentence of our own stays one of template and values."""
    own = fault.args[0] if fault.args else ""
    return own if isinstance(own, Words) else str(fault)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
