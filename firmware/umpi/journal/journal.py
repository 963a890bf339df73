"""The journal of a box: SQLite, one row a line, appended and never rewritten."""

from __future__ import annotations

import logging
import secrets
import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from umpi.journal.queries import CLOSED, LEFT, ON, Kept, players_of, read_aside, read_matches, read_on, read_written
from umpi.journal.recovery import Damaged, check_whole, is_own, mend
from umpi.journal.schema import Foreign, connect, has_tables, make_tables, why
from umpi.journal.transfer import Shipped, merge
from umpi.journal.writer import (
    ASIDE,
    BEGIN,
    LINE,
    NO_MATCH,
    OUTCOME,
    PHONE,
    RENAMED,
    REVOKED,
    SPOKEN,
    STAND,
    TRACE,
    Deed,
    Row,
    write_deeds,
)
from umpi.kernel.messages import Message, message
from umpi.kernel.record import dump

log = logging.getLogger(__name__)
T = TypeVar("T")
Written = tuple[str, str, int | None]  # a line, who wrote it, the mark of the position it led to

UNUSABLE = "{path}: {fault}"
UNWRITTEN = "{path}, match {number}: {fault}"
GONE = message("the file has gone while it was in use")
FORKED = "Another box has continued match {number} too. Here it continues as match {copy}."


def _now() -> datetime:
    return datetime.now(UTC)


class Journal:
    """The journal of a box.

    What cannot be written is kept in memory, `trouble` says why, and every later call tries to write it again, in
    order: `trouble` is "" only when all is on disk. A row that is refused holds back its own match only. `notice` says
    what was done to a damaged file, or which match continues in a copy. Raises Foreign where `path` is not a journal,
    or a newer one. Calls must not overlap; each may wait for the disk. A match's number is its row's; below 0 where
    that could not be written at first. A match that another box has continued too continues here in a copy: after
    each call `row` returns the number to go on with. `wall` is the wall clock, whose time is a note for people.
    """

    def __init__(self, path: Path | str, wall: Callable[[], datetime] = _now) -> None:
        self.path = Path(path)
        self.trouble: Message | str = ""
        self.notice: Message | str = ""
        self._wall = wall
        self._file: sqlite3.Connection | None = None
        self._waiting: list[Deed] = []
        self._held: list[Row] | None = None  # the rows of the deed that is under way
        self._rows: dict[int, int] = {}  # the row of each match begun here, once it is written
        self._copies: dict[int, int] = {}  # the row in which a match continues that another box has continued too
        self._lines: dict[int, int] = {}  # how many lines each match has that was begun or read here
        self._asides: dict[int, dict[str, str]] = {}  # what this box has noted beside each match, or read there
        self._begun = 0
        self.writes = 0  # how often the file has been written
        self._write_out()

    def begin(self, header: Mapping[str, Any], rules: int | None = None, written: Sequence[Written] = ()) -> int:
        """Begin a match by this revision of its rules, and put it on the table; returns its number.

        `written` are lines it begins with, as `written()` has them: all are on disk, or none.
        """
        self._begun += 1
        begun = -self._begun  # its name until it has a row
        self._lines[begun] = len(written)
        rows: list[Row] = [(BEGIN, begun, (dump(header), self._when(), secrets.token_hex(16), rules))]
        rows += [(LINE, begun, (n, *line)) for n, line in enumerate(written, 1)]
        self._write(*rows, (STAND, begun, (ON,)))
        return self._rows.pop(begun, begun)  # with a row it needs no other name

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
        match = self._rows.get(match, match)
        if match not in self._lines:
            self._lines[match] = len(self.written(match))
        before = self._lines[match]
        rows: list[Row] = []
        for n, line in enumerate(lines):
            mark = marks[n] if n < len(marks) else None
            rows.append((LINE, match, (before + n + 1, dump(line), who, mark)))
        if outcome is not None:
            rows.append((OUTCOME, match, (before + len(lines), dump(outcome))))
        self._lines[match] += len(lines)
        self._write(*rows)

    def rename(self, match: int, players: Sequence[str]) -> None:
        """Note how the players of a match are called from here on."""
        self._write((RENAMED, match, (dump(players),)))

    def take_up(self, match: int, lines: int) -> None:
        """Put a match of before on the table again, as whoever takes it up has it: with so many lines."""
        self._copies.pop(match, None)
        self._lines[self._rows.get(match, match)] = lines
        self._write((STAND, match, (ON,)))

    def leave(self, match: int) -> None:
        """Note that the players have left a match, which can be gone on with."""
        self._write((STAND, match, (LEFT,)))
        self._forget(match)

    def close_match(self, match: int) -> None:
        """Note that the players are done with a match."""
        self._write((STAND, match, (CLOSED,)))
        self._forget(match)

    def note(self, match: int, what: str, value: Any) -> None:
        """Note a value beside a match, that is no line of it: "doubt", "turn_s"."""
        self._asides.setdefault(self._rows.get(match, match), {})[what] = dump(value)
        self._write((ASIDE, match, (what, dump(value))))

    def keep_trace(self, match: int, lines: Sequence[str]) -> None:
        """Keep the raw edges of an announcement, as `umpi judge` reads them."""
        self._write((TRACE, match, ("".join(line + "\n" for line in lines),)))

    def speak(self, language: str) -> None:
        """Note which language the box speaks from here on."""
        self._write((SPOKEN, NO_MATCH, (language,)))

    def pair(self, hash: str, who: str, name: str) -> None:
        """Note that a phone may act for `who` ("referee", or the button "red") from here on, and what it is called.

        `hash` is that of the secret it shows for it.
        """
        self._write((PHONE, NO_MATCH, (hash, who, name, self._when())))

    def revoke(self, hash: str) -> None:
        """Note that a phone may act no more."""
        self._write((REVOKED, NO_MATCH, (hash, self._when())))

    def phones(self) -> list[tuple[str, str, str]]:
        """List the phones on disk that may act, the oldest first: hash, who, name."""
        paired = "SELECT hash, who, name FROM phone WHERE revoked IS NULL ORDER BY id"
        return self._read(lambda file: list(file.execute(paired)), [])

    def hold(self) -> None:
        """Keep what is noted from here on until `release`, which writes it all or none."""
        if self._held is None:
            self._held = []

    def release(self) -> None:
        """Write what was held."""
        held, self._held = self._held, None
        self._write(*(held or ()))

    @property
    def saved(self) -> bool:
        """Whether all that was noted is on disk."""
        return not self._waiting and not self._held

    def save(self) -> bool:
        """Write what waits to be written; True where all is on disk."""
        try:
            self._write_out()
        except Foreign as fault:  # it has come since the start: the game goes on in memory
            self._tell(why(fault))
        return not self.trouble and not self._held

    def matches(self) -> list[Kept]:
        """List the matches on disk, the newest last."""
        return self._read(lambda file: list(read_matches(file)), [])

    def on_table(self) -> int | None:
        """Tell the match that is on the table, on disk; None where none is."""
        return self._read(read_on, None)

    def row(self, match: int) -> int:
        """Return the row of a match, or of its copy: its number in `matches()`."""
        match = self._rows.get(match, match)
        return self._copies.get(match, match)

    def lines(self, match: int) -> list[str]:
        """List the lines of a match on disk, without its header."""
        return [text for text, *_ in self.written(match)]

    def written(self, match: int) -> list[Written]:
        """List the lines of a match on disk, without its header: each with who wrote it, and its mark."""
        return self._read(lambda file: read_written(file, self._rows.get(match, match)), [])

    def noted(self, match: int, what: str) -> Any:
        """Tell what was noted last beside a match; None where nothing was."""
        match = self._rows.get(match, match)
        value = self._read(lambda file: read_aside(file, match, what), None)
        if value is not None:
            self._asides.setdefault(match, {})[what] = dump(value)
        return value

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
                self.trouble = message("{path}: {fault}", path=self.path, fault=why(fault))
        return done

    def settle(self) -> None:
        """Bring all there is into the one file, and that onto the disk."""
        if self.save() and self._file:
            try:
                self._file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            except sqlite3.Error:  # it is on disk all the same, in the -wal beside it
                log.warning("%s: the -wal stays beside it", self.path, exc_info=True)

    def close(self) -> None:
        """Close the file, after a last try to write what waits; what could not be written is logged."""
        if self._waiting:
            self.save()
        if lost := [*self._waiting, *([tuple(self._held)] if self._held else [])]:
            matches = {self.row(match) for deed in lost for _, match, _ in deed} - {NO_MATCH}
            which = ", ".join("a new one" if match < 0 else str(match) for match in sorted(matches)) or "none"
            rows = sum(map(len, lost))
            log.error("NOT SAVED at the end: entries: %s, of match: %s. %s", rows, which, self.trouble)
        self._shut()

    def _shut(self) -> None:
        if self._file:
            self._file.close()
            self._file = None

    def _read(self, look: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """Look into the file; where the card does not let it be read, that is said, and the box plays on."""
        if self._file:
            try:
                return look(self._file)
            except sqlite3.Error as fault:
                self.notice = message("The games cannot be read: {fault}", fault=why(fault))
        return otherwise

    def _forget(self, match: int) -> None:
        """Keep nothing in memory of a match whose lines are all on disk."""
        match = self._rows.get(match, match)
        if all(match != of for deed in (*self._waiting, self._held or ()) for _, of, _ in deed):
            self._lines.pop(match, None)
            self._asides.pop(match, None)

    def _when(self) -> str:
        return self._wall().isoformat(timespec="seconds")

    def _write(self, *rows: Row) -> None:
        """Write the rows of one deed, or add them to the deed that is held."""
        rows = tuple((statement, self._rows.get(match, match), values) for statement, match, values in rows)
        if self._held is not None:
            self._held += rows
            return
        self._waiting += [rows] if rows else []
        self.save()

    def _write_out(self) -> None:
        try:
            if self._file is None:
                self._file = self._opened()
            elif not self.path.exists():
                raise FileNotFoundError(GONE)
            written = write_deeds(self._file, self._waiting, self._asides)
        except (sqlite3.Error, OSError) as fault:
            self._tell(message(UNUSABLE, path=self.path, fault=why(fault)))
            if getattr(fault, "sqlite_errorname", "").startswith("SQLITE_READONLY"):
                self._shut()  # opened while nothing could be written, it would stay so
            return
        self.writes += 1
        self._waiting = written.left
        self._held = None if self._held is None else list(written.moved(self._held))
        for match, row in {**written.begun, **written.copies}.items():
            if match in self._lines:
                self._lines[row] = self._lines.pop(match) + (match in written.copies)
            if match in self._asides:
                self._asides[row] = self._asides.pop(match)
            if match in written.copies:
                self.notice = message(FORKED, number=match, copy=row)
                log.warning("%s", self.notice)
        self._copies |= written.copies
        self._rows |= written.begun
        self._rows = {name: written.copies.get(row, row) for name, row in self._rows.items()}
        for match, reason in written.refused.items():
            template = UNWRITTEN if match > NO_MATCH else UNUSABLE
            self._tell(message(template, path=self.path, number=match, fault=reason))
            return
        self._tell("")

    def _tell(self, trouble: Message | str) -> None:
        """Keep what cannot be written in `trouble`, and log it where it is news."""
        if trouble and trouble != self.trouble:
            log.error("NOT SAVED: %s", trouble)
        elif self.trouble and not trouble:
            log.info("All is saved again in %s", self.path)
        self.trouble = trouble

    def _opened(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            return self._connected(self.path)
        except Damaged as fault:
            self.notice = mend(self.path, why(fault), self._connected)
            log.warning("%s", self.notice)
            return self._connected(self.path)

    def _connected(self, path: Path) -> sqlite3.Connection:
        file = connect(path)
        try:
            made = has_tables(file, path)
            check_whole(file, path, made)
            file.execute("PRAGMA journal_mode=WAL")
            file.execute("PRAGMA synchronous=EXTRA")  # FULL, and where there can be no WAL its -journal is surely gone
            if not made:
                make_tables(file)
        except BaseException as fault:
            file.close()
            failed = isinstance(fault, sqlite3.OperationalError)  # not for what lies there
            broken = isinstance(fault, sqlite3.DatabaseError | UnicodeDecodeError) and not failed
            if (broken or type(fault) is Foreign) and is_own(path):
                raise Damaged("its head cannot be read" if isinstance(fault, Foreign) else why(fault)) from None
            raise
        return file
