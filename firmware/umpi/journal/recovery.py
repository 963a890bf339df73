"""Checks of a journal, and recovery of a damaged or older one: keep the file, copy its readable rows into a new one."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from umpi.journal.beside import beside
from umpi.journal.first_page import HEAD, PAGE, give_first_page, readable
from umpi.journal.queries import open_to_read, read_listed, read_on
from umpi.journal.schema import (
    APPLICATION,
    SUMMED,
    SUMMED_UP,
    Foreign,
    Newer,
    Older,
    Theirs,
    connect,
    definitions,
    definitions_made,
    has_tables,
    sum_of,
    sum_up_again,
    why,
)
from umpi.journal.wal import Log, changes_behind_damage, reseal
from umpi.journal.writer import new_uid
from umpi.kernel.messages import Message, message

PRIVATE = 0o600  # who has played what is for the user of the box alone
BESIDE = ("", "-wal", "-shm")  # the files of one SQLite database
OF_A_MATCH = ("line", "renamed", "match_status", "outcome", "match_meta", "trace")  # the tables that name a match
REPEATED = "summary", "player"  # the tables that repeat what the others contain
SMALL = 1024 * 1024  # bytes of a journal that is checked whole at the start, which takes some 50 ms: 80 matches
RECENT = 100  # rows of each table that are checked at the start of a larger one
LAST = 2**62  # a value that sorts behind all others
BATCH = 500  # rows that are checked at once while the box plays: two milliseconds or so
OWN_TABLE = b"CREATE TABLE match_status"  # the first page of a journal has the definitions of its tables
EMPTY = "the file is empty"
MENDED = "The saved matches were damaged. Recovered: {carried}; incomplete: {short}. Backup: {aside}."
CONVERTED = (
    "{path} was made by an older Umpi. The old file is now {aside}. Recovered: {carried}; incomplete: {short}. Keep "
    "the old file if a match is missing."
)


class Damaged(Exception):
    """A journal of Umpi that cannot be read completely."""


def is_own(path: Path) -> bool:
    """Return whether a file was a journal of Umpi.

    It was one if its first page has Umpi's application number or tables, also if that page is only in the log beside
    it, or if a lost block has left only zeros in the header.
    """
    with path.open("rb") as file:
        first = file.read(PAGE)
    if _is_first_page(first) or (len(first) > 0 and not any(first[:HEAD])):
        return True
    log = Log.of(path)
    return log is not None and any(page == 1 and _is_first_page(log.content(at)) for at, page, _ in log.frames())


def _is_first_page(first: bytes) -> bool:
    return first[68:72] == APPLICATION.to_bytes(4, "big") or OWN_TABLE in first


def may_replace(path: Path, fault: BaseException, own: bool) -> bool:
    """Return whether a box may put a file that it cannot read aside. `own` is whether it is the box's own file.

    There only Umpi writes, so what no SQLite can read was a journal. Elsewhere it can be anybody's, and stays. A whole
    database of another program or of a newer Umpi stays everywhere.
    """
    return is_own(path) or (own and not isinstance(fault, Theirs))


def check_file(path: Path, own: bool = False) -> None:
    """Check that `path` may be a box's journal, without creating a file. Raises Foreign if it may not.

    A box converts the journal of an older Umpi, and repairs a damaged one. `own` as in `may_replace`.
    """
    try:
        open_to_read(path).close()
    except (OSError, Older):
        pass
    except (Foreign, sqlite3.Error) as fault:
        if damage(fault) is None or not may_replace(path, fault, own):
            raise


def check_blank(path: Path, known: bool) -> None:
    """Check that an empty file is a new journal. Raises Damaged if a card has lost its content.

    It has if changes are in the log beside it, or if the box is `known`, so that it has had a journal.
    """
    there = path.exists()
    if there and path.stat().st_size:
        return
    if Log.of(path):
        path.touch()  # so that it has a name when it is put aside
        raise Damaged(EMPTY)
    if there and known:
        raise Damaged(EMPTY)


def check_log(path: Path) -> None:
    """Check that SQLite passes over nothing in the write-ahead log, before the file is opened. Raises Damaged."""
    behind = 0
    if path.exists() and path.stat().st_size and is_own(path):
        # What is wrong with the journal itself is reported when the box opens it.
        with suppress(sqlite3.Error, UnicodeDecodeError):
            behind = changes_behind_damage(path)
            behind = behind and changes_behind_damage(path)  # another process can begin the log again in between
    if behind:
        raise Damaged(f"its -wal: changes behind a damaged place: {behind}")


def check_start(file: sqlite3.Connection, path: Path, made: bool) -> None:
    """Check as much as a start may wait for. Raises Damaged. `made` is whether the tables exist.

    That is everything in a small journal, or if damage was found before. Of a large one, it is what the box needs to
    resume and to write: `check_rest` checks all of it while the box plays.
    """
    if path.stat().st_size % file.execute("PRAGMA page_size").fetchone()[0]:
        raise Damaged("its last page is cut short")
    if not made or path.stat().st_size <= SMALL or noted_beside(path).exists():
        check_whole(file, made)
        return
    for table in _tables(file):
        _check_rows(file, table, "ORDER BY rowid DESC LIMIT :many", many=RECENT)
    with _readable("table match"):
        match = next((kept.id for kept in reversed(list(read_listed(file, RECENT))) if kept.open), None)
        match = read_on(file) or match
    if match is not None:
        _check_match(file, match)
    try:
        for table, columns in SUMMED.items():  # where new rows go; a lost page there would keep the box from saving
            slots = ", ".join("?" * len(columns))
            file.execute(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({slots})", [LAST] * len(columns))
    except (sqlite3.OperationalError, sqlite3.IntegrityError):
        pass  # the card is full or cannot be written: the first write reports that
    finally:
        file.rollback()


def check_whole(file: sqlite3.Connection, made: bool, pause: Callable[[], object] = lambda: None) -> None:
    """Check every page, table and row. Raises Damaged.

    Calls `pause` after each BATCH of rows; no read transaction is open then. `made` is whether the tables exist. If
    not, only the pages are checked.
    """
    found: str = file.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise Damaged(" ".join(found.removeprefix("*** in database main ***").split()))
    if not made:
        return
    for table in _tables(file):
        last: int | None = -(2**63)
        while last is not None:
            last = _check_rows(file, table, "WHERE rowid > :last ORDER BY rowid LIMIT :many", last=last, many=BATCH)
            pause()
    for (match,) in file.execute("SELECT id FROM match ORDER BY id").fetchall():
        _check_summary(file, match)
        pause()
    named = "SELECT count(DISTINCT match || ' ' || value) FROM summary, json_each(players)"
    there, counted = file.execute(f"SELECT count(*), ({named}) FROM player").fetchone()
    if there != counted:
        raise Damaged("table player: other than the players of its matches")


def check_rest(path: Path, pause: Callable[[], object]) -> str:
    """Check the whole journal of a box that uses it meanwhile; return the damage, "" if there is none.

    Damage must be found twice: SQLite's own check also reports a card that fails once. Raises OSError or sqlite3.Error
    if the file cannot be read now, which is no evidence of damage. What `pause` raises ends the check.
    """
    return _checked_rest(path, pause) and _checked_rest(path, pause)


def _checked_rest(path: Path, pause: Callable[[], object]) -> str:
    try:
        with closing(connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as file:
            check_whole(file, has_tables(file, path), pause)
    except (Damaged, Foreign, UnicodeDecodeError, sqlite3.Error) as fault:
        found = damage(fault)
        if found is None:
            raise
        return found
    return ""


def note_damage(path: Path, found: str) -> None:
    """Note damage beside the journal, so that the next start checks all before it plays, and repairs the file."""
    with noted_beside(path).open("w") as note:
        note.write(f"{found}\n")
        note.flush()
        os.fsync(note.fileno())


def damage(fault: BaseException) -> str | None:
    """Return what is damaged according to an exception; None if it is no evidence of damaged content."""
    if isinstance(fault, Damaged):
        return why(fault)
    if isinstance(fault, Foreign) and not isinstance(fault, Newer | Older):
        return "its head cannot be read"
    broken = isinstance(fault, sqlite3.DatabaseError | UnicodeDecodeError)
    return why(fault) if broken and not isinstance(fault, sqlite3.OperationalError) else None


def noted_beside(path: Path) -> Path:
    """Return the file beside a journal that exists if damage was found while the box played."""
    return beside(path, ".damaged")


def _check_match(file: sqlite3.Connection, match: int) -> None:
    """Check all rows of a match, and that the index finds all its lines: new ones would take the place of others."""
    for table in OF_A_MATCH:
        _check_rows(file, table, "WHERE match = :match", match=match)
    _check_summary(file, match)
    by_index = "SELECT count(*), min(rowid) FROM line WHERE match = ?"
    count, first = file.execute(by_index, (match,)).fetchone()
    by_table = "SELECT count(*), coalesce(max(n), 0) FROM line NOT INDEXED WHERE rowid >= ? AND match = ?"
    if file.execute(by_table, (first, match)).fetchone() != (count, count):
        raise Damaged(f"match {match}: lines are missing")


def _check_summary(file: sqlite3.Connection, match: int) -> None:
    """Check that the summary and the players of a match are those of its rows. Raises Damaged."""
    missing = "SELECT 1 FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM player WHERE name = value AND match = ?)"
    with _readable(f"the summary of match {match}"):
        right = file.execute(f"{SUMMED_UP} WHERE id = ?", (match,)).fetchone()
        there = file.execute("SELECT * FROM summary WHERE match = ?", (match,)).fetchone()
        unknown = right and file.execute(missing, (right[2], match)).fetchone()
    if there != right or unknown:
        raise Damaged(f"match {match}: its summary is not that of its rows")


def _tables(file: sqlite3.Connection) -> Iterator[str]:
    """Yield the names of the tables with checksums. Raises Damaged if a table is missing."""
    there = definitions(file)
    for table in (*SUMMED, *REPEATED):
        if table not in there:
            raise Damaged(f"no table {table}")
    if there != definitions_made():
        raise Damaged("its tables are defined other than written")
    yield from SUMMED


def _check_rows(file: sqlite3.Connection, table: str, which: str, **values: int) -> int | None:
    """Check the checksums of some rows; return the last rowid, None if there are none. Raises Damaged."""
    columns = ", ".join(SUMMED[table])
    rows = f"SELECT rowid AS at, {columns}, sum FROM {table} {which}"
    wrong = f"SELECT max(at), total(sum IS NOT sum_of({columns})) FROM ({rows})"
    with _readable(f"table {table}"):
        last, count = file.execute(wrong, values).fetchone()
    if count:
        raise Damaged(f"table {table}: other than written, {int(count)}")
    return None if last is None else int(last)


@contextmanager
def _readable(what: str) -> Iterator[None]:
    """Raise Damaged instead of an error that is about the content: invalid text, or a missing column."""
    try:
        yield
    except sqlite3.OperationalError as fault:
        if getattr(fault, "sqlite_errorname", "SQLITE_ERROR") != "SQLITE_ERROR":
            raise  # the card or another process is in the way
        raise Damaged(f"{what}: {fault}") from None


def mend(path: Path, fault: str | None, connected: Callable[[Path], sqlite3.Connection]) -> Message:
    """Replace a damaged or older journal by a new one with its readable rows. Return a message for the players.

    `fault` is None if an older Umpi made the file. The file remains beside the new one as <name>.damaged-1 or
    <name>.older-1, or with the next free number. `connected` opens a new journal. If the repair fails or is
    interrupted, the file remains in its place.
    """
    aside = _free_name(path, "older" if fault is None else "damaged")
    new = beside(path, ".new")
    try:
        for end in BESIDE:
            beside(new, end).unlink(missing_ok=True)
        _copy_all(path, aside)
        with closing(connected(new)) as file:
            carried, short = _carry_over(aside, file, fault is None)
            file.execute("PRAGMA journal_mode=DELETE")  # the data must be in the one file that is moved
    except BaseException:
        _remove_all(aside)
        raise
    for end in BESIDE[1:]:  # SQLite would otherwise apply them to the new file
        beside(path, end).unlink(missing_ok=True)
    new.replace(beside(path, ""))
    if fault is None:
        return message(CONVERTED, path=path, aside=aside, carried=carried, short=short)
    return message(MENDED, aside=aside, carried=carried, short=short)


def keep_shortened(path: Path) -> Path:
    """Copy a journal that has lost its newest rows beside it, before a new row overwrites its log; return the copy.

    Raises OSError, and leaves no copy then.
    """
    aside = _free_name(path, "shortened")
    try:
        _copy_all(path, aside)
    except BaseException:
        _remove_all(aside)
        raise
    return aside


def _free_name(path: Path, what: str) -> Path:
    names = (beside(path, f".{what}-{number}") for number in count(1))
    return next(free for free in names if not free.exists())


def _copy_all(path: Path, aside: Path) -> None:
    for end in BESIDE:
        _copy(beside(path, end), beside(aside, end))


def _remove_all(aside: Path) -> None:
    """Remove the copies of an attempt that failed: the box tries again each second."""
    for end in BESIDE:
        beside(aside, end).unlink(missing_ok=True)


def _copy(source: Path, copy: Path) -> None:
    if source.exists():
        copy.touch(PRIVATE)  # before it is filled
        shutil.copyfile(source, copy)
        with copy.open("rb") as file:
            os.fsync(file.fileno())


def _carry_over(aside: Path, file: sqlite3.Connection, older: bool) -> tuple[int, int]:
    """Copy the readable rows of a damaged or older journal. Return how many matches were copied and how many cut short.

    A match is copied up to its first unreadable line. Matches that are completely lost are not counted.
    """
    refused = set[object]()  # the matches of lines that are other than written: no gap shows that the last one is lost
    with TemporaryDirectory() as folder:
        _copy_all(aside, Path(folder, "games.db"))  # reading would change the damaged file
        reseal(Path(folder, "games.db"))
        give_first_page(Path(folder, "games.db"))
        with closing(readable(Path(folder, "games.db"))) as damaged, file:
            for table in SUMMED:
                known = {name for _, name, *_ in file.execute(f"PRAGMA table_info({table})")}
                for row in _readable_rows(damaged, table):
                    if older and "sum" not in row:
                        row = _with_sum(table, row)
                    if not _as_written(table, row):
                        if table == "line":
                            refused.add(row.get("match"))
                        continue
                    columns = [name for name in row if name in known]
                    slots = ", ".join("?" * len(columns))
                    values = [row[name] for name in columns]
                    file.execute(f"INSERT OR IGNORE INTO {table} ({', '.join(columns)}) VALUES ({slots})", values)
    return _only_whole(file, refused)


def _readable_rows(damaged: sqlite3.Connection, table: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table up to the first unreadable one, then from the last row backwards.

    Bytes are read as text: one flipped bit makes them of a text, and nothing else is bytes in a journal.
    """
    damaged.text_factory = bytes
    for order in ("", "ORDER BY rowid DESC"):
        try:
            rows = damaged.execute(f"SELECT * FROM {table} NOT INDEXED {order}")
            names = [name for name, *_ in rows.description]
            for row in rows:
                yield dict(zip(names, map(_as_text, row), strict=True))
            return
        except (sqlite3.DatabaseError, UnicodeDecodeError):
            continue


def _as_text(value: object) -> object:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _as_written(table: str, row: Mapping[str, Any]) -> bool:
    """Return whether the checksum of a row matches its values."""
    return all(name in row for name in (*SUMMED[table], "sum")) and (
        row["sum"] == sum_of(*(row[name] for name in SUMMED[table]))
    )


def _with_sum(table: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row of schema 1, which had no checksums, with all columns of today. A match gets a uid."""
    whole = {**dict.fromkeys(SUMMED[table]), **({"uid": new_uid()} if table == "match" else {}), **row}
    return {**whole, "sum": sum_of(*(whole[name] for name in SUMMED[table]))}


def _only_whole(file: sqlite3.Connection, refused: Set[object]) -> tuple[int, int]:
    """Delete lines after a gap, and rows without a match. Return how many matches remain and how many were cut.

    A match was cut if it has lost lines, is among those `refused`, or was over after more lines than it has.
    """
    gaps = "SELECT match, min(n) AS n FROM (SELECT match, n + 1 AS n FROM line UNION SELECT id, 1 FROM match) AS next \
        WHERE NOT EXISTS (SELECT 1 FROM line WHERE line.match = next.match AND line.n = next.n) GROUP BY match"
    over = "SELECT match FROM outcome WHERE lines > (SELECT count(*) FROM line WHERE line.match = outcome.match)"
    with file:
        for table in OF_A_MATCH:
            file.execute(f"DELETE FROM {table} WHERE match NOT IN (SELECT id FROM match)")
        ends = dict(file.execute(gaps).fetchall())
        short = ends.keys() & refused
        for match, end in ends.items():
            if file.execute("DELETE FROM line WHERE match = ? AND n > ?", (match, end)).rowcount:
                short.add(match)
        short.update(match for (match,) in file.execute(over))
        sum_up_again(file)
        carried: int = file.execute("SELECT count(*) FROM match").fetchone()[0]
    return carried, len(short)
