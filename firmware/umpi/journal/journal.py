"""The journal of a box: an SQLite file with one row per line of a record, append-only."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from umpi.journal.lock import holder
from umpi.journal.queries import (
    CLOSED,
    ENDED,
    LEFT,
    ON,
    Kept,
    read_listed,
    read_match,
    read_matches,
    read_meta,
    read_number,
    read_on,
    read_players,
    read_written,
)
from umpi.journal.recovery import (
    PRIVATE,
    Damaged,
    check_blank,
    check_log,
    check_start,
    damage,
    keep_shortened,
    may_replace,
    mend,
    noted_beside,
)
from umpi.journal.saved import Saved, rows_on_disk
from umpi.journal.schema import WITHOUT_SUMMARIES, Foreign, Older, add_summaries, connect, has_tables, make_tables, why
from umpi.journal.transfer import Shipped, has, merge
from umpi.journal.writer import (
    BEGIN,
    LINE,
    META,
    NO_MATCH,
    OUTCOME,
    PHONE,
    RENAMED,
    REVOKED,
    SPOKEN,
    STATUS,
    TRACE,
    Deed,
    Row,
    new_uid,
    write_deeds,
)
from umpi.kernel.kept import KeptLine, MatchNews, Uid
from umpi.kernel.messages import Message, message, message_n
from umpi.kernel.record import dump
from umpi.kernel.registry import origin

log = logging.getLogger(__name__)
T = TypeVar("T")

UNUSABLE = "{path}: {fault}"
UNWRITTEN = "{path}, match {number}: {fault}"
IN_PLAY = "it needs repair, and a box uses it. Switch that box off and on: it repairs the file"
GONE = message("the file vanished while in use")
REPLACED = message(
    "another file is in its place. Move the old one back. Only if you want to play on with the new one, switch the box "
    "off and on"
)
FORKED = "Another box has continued match {number} too. Here it continues as match {copy}."


def _now() -> datetime:
    return datetime.now(UTC)


class Journal:
    """Write and read the matches of a box.

    If a write fails, the journal keeps the rows in memory and `trouble` contains the reason. Every later call tries to
    write them again, in order. `trouble` is "" only when everything is on disk. A refused row delays only the rows of
    its own match.

    `notice` reports how a damaged or older file was replaced, or which match continues in a copy. Raises Foreign if
    `path` is not a journal, or if a newer Umpi wrote it. Calls must not overlap. Each call may wait for the disk.

    `own` is whether `path` is the box's own file: what cannot be read there is put aside, unless it is a whole database
    of another program or of a newer Umpi. `known` is whether the box has had a journal: then an empty file is damage.

    A match is addressed by its uid. If another box has continued the same match, it continues here in a copy, which has
    a uid of its own. `take_news` reports that, and the numbers of new matches, which players read in lists.

    `wall` returns the wall-clock time, which is only a note for people.
    """

    def __init__(
        self, path: Path | str, wall: Callable[[], datetime] = _now, *, own: bool = False, known: bool = False
    ) -> None:
        self.path = Path(path)
        self._own, self._known = own, known
        self._saved = Saved(self.path)
        self.trouble: Message | str = ""
        self.notice: Message | str = ""
        self._wall = wall
        self._file: sqlite3.Connection | None = None
        self._in_use: os.stat_result | None = None  # which file that is: another one can get its name
        self._waiting: list[Deed] = []
        self._held: list[Row] | None = None  # the rows of the current deed
        self._lines: dict[Uid, int] = {}  # the number of lines of each match that began here or was read here
        self._meta: dict[Uid, dict[str, str]] = {}  # the values that this box has noted or read for each match
        self._numbers: dict[Uid, int] = {}  # the numbers that matches have got since they were reported
        self._copies: dict[Uid, Uid] = {}  # the copies that were begun since they were reported
        self._begun = 0
        self.writes = 0  # how often the file has been written
        self._write_out()

    def begin(self, header: Mapping[str, Any], rules: int | None = None, lines: Sequence[KeptLine] = ()) -> Uid:
        """Begin a match with this revision of its rules, put it on the table and return its uid.

        The header also gets the packages of a game that does not come with Umpi. `lines` contains the first lines of
        the match, in the form that `written()` returns. The journal writes all of them or none.
        """
        match = new_uid()
        self._begun += 1
        self._numbers[match] = -self._begun  # until it is on disk
        self._lines[match] = len(lines)
        whole = {**header, **origin(str(header.get("game")))}
        rows: list[Row] = [(BEGIN, match, (dump(whole), self._when(), rules))]
        rows += [(LINE, match, (n, *line)) for n, line in enumerate(lines, 1)]
        self._write(*rows, (STATUS, match, (ON,)))
        return match

    def append(
        self,
        match: Uid,
        lines: Sequence[Mapping[str, Any]],
        who: str,
        marks: Sequence[int | None] = (),
        outcome: Mapping[str, Any] | None = None,
    ) -> None:
        """Add lines to a match, all or none.

        `who` is the source of the lines: "panel", "funnel" or "box". `marks` contains the mark of the position after
        each line. `outcome` contains {"places", "scores"} if these lines end the match, also "together" if a team won.
        """
        if match not in self._lines:
            self._lines[match] = len(self.written(match))
        before = self._lines[match]
        rows: list[Row] = []
        for n, line in enumerate(lines):
            mark = marks[n] if n < len(marks) else None
            rows.append((LINE, match, (before + n + 1, dump(line), who, mark)))
        if outcome is not None:
            rows.append((OUTCOME, match, (before + len(lines), dump(outcome))))
            rows.append((META, match, (ENDED, dump(self._when()))))
        self._lines[match] += len(lines)
        self._write(*rows)

    def rename(self, match: Uid, players: Sequence[str]) -> None:
        """Note the new names of a match's players."""
        self._write((RENAMED, match, (dump(players),)))

    def take_up(self, match: Uid, lines: int) -> None:
        """Put an earlier match on the table again, with the given number of lines."""
        self._lines[match] = lines
        self._write((STATUS, match, (ON,)))

    def leave(self, match: Uid) -> None:
        """Note that the players have left a match that they can resume."""
        self._write((STATUS, match, (LEFT,)))
        self._forget(match)

    def close_match(self, match: Uid) -> None:
        """Note that the players have finished with a match, and move it out of the write-ahead log."""
        self._write((STATUS, match, (CLOSED,)))
        self._forget(match)
        self._settle()

    def note(self, match: Uid, what: str, value: object) -> None:
        """Note a value for a match outside its record, for example "doubt" or "turn_s"."""
        self._meta.setdefault(match, {})[what] = dump(value)
        self._write((META, match, (what, dump(value))))

    def keep_trace(self, match: Uid, lines: Sequence[str]) -> None:
        """Write the raw edges of an announcement, in the format that `umpi judge` reads."""
        self._write((TRACE, match, ("".join(line + "\n" for line in lines),)))

    def speak(self, language: str) -> None:
        """Note the new language of the box."""
        self._write((SPOKEN, NO_MATCH, (language,)))

    def pair(self, *, hash: str, who: str, name: str) -> None:
        """Note that a phone may act for `who`, and its name.

        `who` is "referee" or the colour of a button, for example "red". `hash` is the hash of the phone's secret.
        """
        self._write((PHONE, NO_MATCH, (hash, who, name, self._when())))

    def revoke(self, hash: str) -> None:
        """Note that a phone may no longer act."""
        self._write((REVOKED, NO_MATCH, (hash, self._when())))

    def phones(self) -> list[tuple[str, str, str]]:
        """List the phones on disk that may act, oldest first: hash, who, name."""
        paired = "SELECT hash, who, name FROM phone WHERE revoked IS NULL ORDER BY id"
        return self._read(lambda file: list(file.execute(paired)), [])

    def hold(self) -> None:
        """Collect all rows from now on until `release` writes them, all or none."""
        if self._held is None:
            self._held = []

    def release(self) -> None:
        """Write the collected rows."""
        held, self._held = self._held, None
        self._write(*(held or ()))

    @property
    def saved(self) -> bool:
        """Return whether everything is on disk."""
        return not self._waiting and not self._held

    def save(self) -> bool:
        """Write the waiting rows. Return True if everything is on disk."""
        try:
            self._write_out()
        except Foreign as fault:  # the file was replaced after the start: the game continues in memory
            self._set_trouble(why(fault))
        return not self.trouble and not self._held

    def matches(self) -> list[Kept]:
        """List the matches on disk, newest last."""
        return self._read(lambda file: list(read_matches(file)), [])

    def listed(self, most: int) -> list[Kept]:
        """List the match on the table, the newest open matches and the newest others on disk, newest last.

        At most `most` open ones are listed, and as many others.
        """
        return self._read(lambda file: list(read_listed(file, most)), [])

    def match(self, number: int) -> Kept | None:
        """Return a match on disk, or None if there is none of this number."""
        return self._read(lambda file: read_match(file, number), None)

    def on_table(self) -> Uid | None:
        """Return the match on the table according to the file, or None."""

        def look(file: sqlite3.Connection) -> Uid | None:
            kept = read_match(file, read_on(file) or 0)
            return kept.uid if kept else None

        return self._read(look, None)

    def take_news(self) -> MatchNews:
        """Return what has become of matches since the last call of this method."""
        news = MatchNews(self._numbers, self._copies)
        self._numbers, self._copies = {}, {}
        return news

    def lines(self, match: Uid) -> list[str]:
        """List the lines of a match on disk, without its header."""
        return [text for text, *_ in self.written(match)]

    def written(self, match: Uid) -> list[KeptLine]:
        """List the lines of a match on disk without its header, each with its author and mark."""
        return self._read(lambda file: read_written(file, read_number(file, match)), [])

    def noted(self, match: Uid, what: str) -> object:
        """Return the value last noted for a match, or None if there is no value."""
        value: object = self._read(lambda file: read_meta(file, read_number(file, match), what), None)
        if value is not None:
            self._meta.setdefault(match, {})[what] = dump(value)
        return value

    def players(self) -> list[str]:
        """List all players in the journal, most recent first."""
        return self._read(read_players, [])

    def spoken(self) -> str:
        """Return the language chosen last, or "" if none was ever chosen."""
        chosen = "SELECT language FROM spoken ORDER BY n DESC LIMIT 1"
        return self._read(lambda file: next((language for (language,) in file.execute(chosen)), ""), "")

    def has(self, match: Shipped) -> bool:
        """Return whether all lines of a match of another journal are on disk here."""
        return self._read(lambda file: has(file, match), False)

    def merge(self, matches: Sequence[Shipped]) -> Counter[str]:
        """Add the matches of another journal. Return how many got each result.

        The result is empty if nothing could be written. Then `trouble` contains the reason.
        """
        done: Counter[str] = Counter()
        if self.save() and self._file:
            try:
                done = merge(self._file, matches)
            except sqlite3.Error as fault:
                self.trouble = message("{path}: {fault}", path=self.path, fault=why(fault))
        return done

    def checkpoint(self) -> None:
        """Move the write-ahead log into the database file and sync it to disk."""
        if self.save():
            self._settle()

    def _settle(self) -> None:
        if self._file:
            try:
                self._file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            except sqlite3.Error:  # the data is on disk anyway, in the -wal file
                log.warning("%s: the -wal stays beside it", self.path, exc_info=True)

    def close(self) -> None:
        """Close the file after a last attempt to write the waiting rows. Log the rows that are lost."""
        if self._waiting:
            self.save()
        if lost := [*self._waiting, *([tuple(self._held)] if self._held else [])]:
            matches = {match for deed in lost for _, match, _ in deed} - {NO_MATCH}
            names = (str(self._read(partial(read_number, match=match), 0) or match) for match in matches)
            which = ", ".join(sorted(names)) or "none"
            rows = sum(map(len, lost))
            log.error("NOT SAVED at the end: entries: %s, of match: %s. %s", rows, which, self.trouble)
        self._shut()

    def _shut(self) -> None:
        if self._file:
            self._settle()  # SQLite leaves the log at the end if another file has taken the place of this one
            self._file.close()
            self._file = None

    def _read(self, look: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """Return the result of `look`, or `otherwise` if the file cannot be read.

        After a read error, `notice` contains the reason and the box continues.
        """
        if self._file:
            try:
                return look(self._file)
            except sqlite3.Error as fault:
                self.notice = message("The matches cannot be read: {fault}", fault=why(fault))
        return otherwise

    def _forget(self, match: Uid) -> None:
        """Remove a match from memory if all its lines are on disk."""
        if all(match != of for deed in (*self._waiting, self._held or ()) for _, of, _ in deed):
            self._lines.pop(match, None)
            self._meta.pop(match, None)

    def _when(self) -> str:
        return self._wall().isoformat(timespec="seconds")

    def _write(self, *rows: Row) -> None:
        """Write the rows as one deed, or add them to the collected deed after `hold`."""
        if self._held is not None:
            self._held += rows
            return
        self._waiting += [rows] if rows else []
        self.save()

    def _write_out(self) -> None:
        try:
            if self._file is None:
                self._file = self._opened()
                self._in_use = self.path.stat()
            elif not self.path.exists():
                raise FileNotFoundError(GONE)
            elif self._in_use and not os.path.samestat(self._in_use, self.path.stat()):
                self._settle()  # else the next start would take this log for that of the other file
                raise OSError(REPLACED)
            result = write_deeds(self._file, self._waiting, self._meta)
        except (sqlite3.Error, OSError) as fault:
            self._set_trouble(message(UNUSABLE, path=self.path, fault=why(fault)))
            if getattr(fault, "sqlite_errorname", "").startswith("SQLITE_READONLY"):
                self._shut()  # a file opened read-only stays read-only, so open it again
            return
        self.writes += 1
        self._waiting = result.left
        self._note_saved(self._file)
        self._held = None if self._held is None else list(result.moved(self._held))
        self._numbers |= {match: number for match, number in result.numbers.items() if match not in result.refused}
        for match, copy in result.copies.items():
            self._continue(match, copy, result.numbers)
        for match, reason in result.refused.items():
            number = result.numbers[match]
            self._set_trouble(message(UNWRITTEN if number else UNUSABLE, path=self.path, number=number, fault=reason))
            return
        self._set_trouble("")

    def _continue(self, match: Uid, copy: Uid, numbers: Mapping[Uid, int]) -> None:
        """Continue a match in its copy, which has one line more: a note."""
        if match in self._lines:
            self._lines[copy] = self._lines.pop(match) + 1
        if match in self._meta:
            self._meta[copy] = self._meta.pop(match)
        self._copies[match] = copy
        self.notice = message(FORKED, number=numbers[match], copy=numbers[copy])
        log.warning("%s", self.notice)

    def _note_saved(self, file: sqlite3.Connection) -> None:
        with suppress(sqlite3.Error):  # the next write reports what is wrong
            self._saved.note(rows_on_disk(file))

    def _set_trouble(self, trouble: Message | str) -> None:
        """Set `trouble`, and log it if it has changed."""
        if trouble and trouble != self.trouble:
            log.error("NOT SAVED: %s", trouble)
        elif self.trouble and not trouble:
            log.info("All is saved again in %s", self.path)
        self.trouble = trouble

    def _opened(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        saved = self._saved.read() if self.path.exists() else 0
        try:
            check_blank(self.path, self._own and (self._known or saved > 0))
            file = self._connected(self.path)
        except (Damaged, Older) as fault:
            if holder(self.path) not in (None, os.getpid()):
                raise OSError(IN_PLAY) from fault
            found = why(fault) if isinstance(fault, Damaged) else None
            if isinstance(fault, Older) and fault.schema == WITHOUT_SUMMARIES:
                found = self._bring_forward()
                if not found:
                    return self._opened()
            self.notice = mend(self.path, found, self._connected)
            log.warning("%s%s", f"{self.path}: {found}. " if found else "", self.notice)
            file = self._connected(self.path)
        else:
            if (lost := saved - rows_on_disk(file)) > 0:
                try:
                    aside = keep_shortened(self.path)
                except BaseException:
                    file.close()
                    raise
                self.notice = message_n(
                    "The disk has lost the last entry. Check the last move before you play on. Backup: {aside}.",
                    "The disk has lost the last {number} entries. Check the last moves before you play on. "
                    "Backup: {aside}.",
                    lost,
                    aside=aside,
                )
                log.error("%s: %s", self.path, self.notice)
        with suppress(sqlite3.OperationalError):  # a reader is in the way, or the disk, which the first write reports
            file.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # a damaged log then costs nothing from before this start
        noted_beside(self.path).unlink(missing_ok=True)
        return file

    def _bring_forward(self) -> str:
        """Add the summaries to a journal that has none; return the damage that prevents it, "" if none does.

        An interrupted attempt leaves the journal as it was.
        """
        log.info("%s: summing up its matches, which this version of Umpi needs", self.path)
        try:
            with closing(connect(self.path)) as file:
                add_summaries(file)
        except sqlite3.DatabaseError as fault:
            if found := damage(fault):
                return found
            raise
        return ""

    def _connected(self, path: Path) -> sqlite3.Connection:
        check_log(path)
        file = connect(path)
        try:
            made = has_tables(file, path)
            check_start(file, path, made)
            if not made:
                with suppress(OSError):  # a card for Windows has no such rights
                    path.chmod(PRIVATE)  # before SQLite makes the files beside it, which get the same
            file.execute("PRAGMA journal_mode=WAL")
            file.execute("PRAGMA synchronous=EXTRA")  # without WAL, also syncs the removal of the -journal file
            if not made:
                make_tables(file)
        except BaseException as fault:
            file.close()
            found = damage(fault)
            if found is not None and may_replace(path, fault, self._own):
                raise Damaged(found) from None
            raise
        return file
