"""The journal of a box: SQLite, one row a line, appended and never rewritten."""

from __future__ import annotations

import secrets
import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from umpi.journal.damage import Damaged, check_whole, is_own, mend
from umpi.journal.reading import CLOSED, LEFT, ON, Kept, players_of, read_aside, read_matches, read_on, read_written
from umpi.journal.shipping import Shipped, merge
from umpi.journal.tables import SCHEMA, Foreign, connect, insert, keep_copy, make_tables, schema_of, why
from umpi.rules.record import dump
from umpi.rules.words import Words, words

T = TypeVar("T")
Written = tuple[str, str, int | None]  # a line, who wrote it, the mark of the position it led to

BEGIN = insert("match", ":one", ":two", ":three", ":four")
LINE = insert("line", ":match", ":one", ":two", ":three", ":four")
RENAMED = insert("renamed", ":match", "1 + count(*)", ":one") + " FROM renamed WHERE match = :match"
STAND = insert("stand", ":match", ":one")
OUTCOME = insert("outcome", ":match", ":one", ":two").replace("INSERT", "INSERT OR REPLACE", 1)
ASIDE = insert("aside", ":match", ":one", ":two")
TRACE = insert("trace", ":match", "1 + count(*)", ":one") + " FROM trace WHERE match = :match"
SPOKEN = insert("spoken", ":one")
PHONE = insert("phone", ":one", ":two", ":three", ":four").replace("INSERT", "INSERT OR IGNORE", 1)
REVOKED = "UPDATE phone SET revoked = :two WHERE hash = :one AND revoked IS NULL"
VALUES = ("one", "two", "three", "four")

GONE = words("the file has gone while it was in use")
TAKEN = words("another box has gone on with this match; end it there or here")


def _now() -> datetime:
    return datetime.now(UTC)


class Journal:
    """The journal of a box.

    What cannot be written is kept in memory, `trouble` says why, and every later call tries to write it again, in
    order: `trouble` is "" only when all is on disk. `notice` says what was done to a damaged file. Raises Foreign
    where `path` is not a journal, or a newer one. Calls must not overlap; each may wait for the disk. A match's number
    is its row's; below 0 where that could not be written at first. `wall` is the wall clock, whose time is a note for
    people.
    """

    def __init__(self, path: Path | str, wall: Callable[[], datetime] = _now) -> None:
        self.path = Path(path)
        self.trouble = ""
        self.notice: Words | str = ""
        self._wall = wall
        self._file: sqlite3.Connection | None = None
        self._waiting: list[tuple[str, int, tuple[object, ...]]] = []  # statement, match, values
        self._rows: dict[int, int] = {}  # the row of each match begun here, once it is written
        self._lines: dict[int, int] = {}  # how many lines each match has that was begun or read here
        self._begun = 0
        self._held = False
        self._write_out()

    def begin(self, header: Mapping[str, Any], rules: int | None = None, written: Sequence[Written] = ()) -> int:
        """Begin a match by this revision of its rules, and put it on the table; returns its number.

        `written` are lines it begins with, as `written()` has them: all are on disk, or none.
        """
        self._begun += 1
        begun = -self._begun  # its name until it has a row
        self._waiting.append((BEGIN, begun, (dump(header), self._when(), secrets.token_hex(16), rules)))
        self._waiting += [(LINE, begun, (n, *line)) for n, line in enumerate(written, 1)]
        self._write(STAND, begun, ON)
        number = self._rows.pop(begun) if not self._waiting else begun  # with a row it needs no other name
        self._lines[number] = len(written)
        return number

    def append(
        self,
        match: int,
        lines: Sequence[Mapping[str, Any]],
        who: str,
        marks: Sequence[int | None] = (),
        outcome: Mapping[str, Any] | None = None,
    ) -> None:
        """Add lines to a match, all or none; `who` acted ("panel", "funnel", "box").

        `marks` are those of the positions the lines led to, `outcome` {"places", "scores"} where they ended it.
        """
        if match not in self._lines:
            self._lines[match] = len(self.written(match))
        before = self._lines[match]
        for n, line in enumerate(lines):
            mark = marks[n] if n < len(marks) else None
            self._waiting.append((LINE, match, (before + n + 1, dump(line), who, mark)))
        self._lines[match] = before + len(lines)
        if outcome is not None:
            self._waiting.append((OUTCOME, match, (self._lines[match], dump(outcome))))
        self.save()

    def rename(self, match: int, players: Sequence[str]) -> None:
        """Note how the players of a match are called from here on."""
        self._write(RENAMED, match, dump(players))

    def take_up(self, match: int, lines: int) -> None:
        """Put a match of before on the table again, as whoever takes it up has it: with so many lines."""
        self._lines[match] = lines
        self._write(STAND, match, ON)

    def leave(self, match: int) -> None:
        """Note that the players have left a match, which can be gone on with."""
        self._write(STAND, match, LEFT)
        self._forget(match)

    def close_match(self, match: int) -> None:
        """Note that the players are done with a match."""
        self._write(STAND, match, CLOSED)
        self._forget(match)

    def note(self, match: int, what: str, value: Any) -> None:
        """Note a value beside a match, that is no line of it: "doubt", "turn_s"."""
        self._write(ASIDE, match, what, dump(value))

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
        self._write(PHONE, 0, hash, who, name, self._when())

    def revoke(self, hash: str) -> None:
        """Note that a phone may act no more."""
        self._write(REVOKED, 0, hash, self._when())

    def phones(self) -> list[tuple[str, str, str]]:
        """List the phones on disk that may act, the oldest first: hash, who, name."""
        paired = "SELECT hash, who, name FROM phone WHERE revoked IS NULL ORDER BY id"
        return self._read(lambda file: list(file.execute(paired)), [])

    def hold(self) -> None:
        """Keep what is noted from here on until `release`, which writes it all or none."""
        self._held = True

    def release(self) -> None:
        """Write what was held."""
        self._held = False
        self.save()

    @property
    def saved(self) -> bool:
        """Whether all that was noted is on disk."""
        return not self._waiting

    def save(self) -> bool:
        """Write what waits to be written; True where all is on disk."""
        if self._held:
            return self.saved
        try:
            self._write_out()
        except Foreign as fault:  # it has come since the start: the game goes on in memory
            self.trouble = why(fault)
        return not self.trouble

    def matches(self) -> list[Kept]:
        """List the matches on disk, the newest last."""
        return self._read(lambda file: list(read_matches(file)), [])

    def on_table(self) -> int | None:
        """Tell the match that is on the table, on disk; None where none is."""
        return self._read(read_on, None)

    def row(self, match: int) -> int:
        """Tell the row of a match, its number in `matches()`."""
        return self._rows.get(match, match)

    def lines(self, match: int) -> list[str]:
        """List the lines of a match on disk, without its header."""
        return [text for text, *_ in self.written(match)]

    def written(self, match: int) -> list[Written]:
        """List the lines of a match on disk, without its header: each with who wrote it, and its mark."""
        return self._read(lambda file: read_written(file, self.row(match)), [])

    def noted(self, match: int, what: str) -> Any:
        """Tell what was noted last beside a match; None where nothing was."""
        return self._read(lambda file: read_aside(file, self.row(match), what), None)

    def players(self) -> list[str]:
        """List everybody who has played, the latest first."""
        lists = (players_of(kept.header) for kept in reversed(self.matches()))
        return list(dict.fromkeys(name for names in lists for name in names))

    def spoken(self) -> str:
        """Tell the language that was chosen last, "" where none ever was."""
        chosen = "SELECT language FROM spoken ORDER BY n DESC LIMIT 1"
        return self._read(lambda file: next((language for (language,) in file.execute(chosen)), ""), "")

    def merge(self, matches: Sequence[Shipped]) -> Counter[str]:
        """Bring in matches of another journal; returns what became of them, nothing where `trouble` says why not."""
        done: Counter[str] = Counter()
        if self.save() and self._file:
            try:
                done = merge(self._file, matches)
            except sqlite3.Error as fault:
                self.trouble = words("{path}: {fault}", path=self.path, fault=why(fault))
        return done

    def settle(self) -> None:
        """Bring all there is into the one file, and that onto the disk."""
        if self.save() and self._file:
            try:
                self._file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            except sqlite3.Error as fault:  # it is on disk all the same, in the -wal beside it
                self.notice = why(fault)

    def close(self) -> None:
        """Close the file."""
        if self._file:
            self._file.close()
            self._file = None

    def _read(self, look: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """Look into the file; where the card does not let it be read, that is said, and the box plays on."""
        if self._file:
            try:
                return look(self._file)
            except sqlite3.Error as fault:
                self.notice = words("The games cannot be read: {fault}", fault=why(fault))
        return otherwise

    def _forget(self, match: int) -> None:
        """Keep nothing in memory of a match whose lines are all on disk."""
        if not self._waiting:
            self._lines.pop(match, None)

    def _when(self) -> str:
        return self._wall().isoformat(timespec="seconds")

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
                    row = rows.get(match, match)
                    named = {"match": row, **dict(zip(VALUES, values, strict=False))}
                    written = self._file.execute(statement, named)
                    if statement == BEGIN:
                        rows[match] = written.lastrowid or match
        except (sqlite3.Error, OSError) as fault:
            taken = getattr(fault, "sqlite_errorname", "") == "SQLITE_CONSTRAINT_PRIMARYKEY"
            self.trouble = words("{path}: {fault}", path=self.path, fault=TAKEN if taken else why(fault))
            if getattr(fault, "sqlite_errorname", "").startswith("SQLITE_READONLY"):
                self.close()  # opened while nothing could be written, it would stay so
            return
        self._rows = rows
        self._waiting.clear()
        self.trouble = ""

    def _opened(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            return self._connected(self.path)
        except Damaged as fault:
            self.notice = mend(self.path, why(fault), self._connected)
            return self._connected(self.path)

    def _connected(self, path: Path) -> sqlite3.Connection:
        file = connect(path)
        try:
            schema = schema_of(file, path)
            check_whole(file, path, schema)
            file.execute("PRAGMA journal_mode=WAL")
            file.execute("PRAGMA synchronous=EXTRA")  # FULL, and where there can be no WAL its -journal is surely gone
            if schema < SCHEMA:
                if schema:
                    keep_copy(file, path, schema)
                make_tables(file, schema)
        except BaseException as fault:
            file.close()
            failed = isinstance(fault, sqlite3.OperationalError)  # not for what lies there
            broken = isinstance(fault, sqlite3.DatabaseError | UnicodeDecodeError) and not failed
            if (broken or type(fault) is Foreign) and is_own(path):
                raise Damaged("its head cannot be read" if isinstance(fault, Foreign) else why(fault)) from None
            raise
        return file
