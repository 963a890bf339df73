"""Recovery of a damaged or older journal: keep the file, and copy its readable rows into a new one."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from umpi.journal.schema import APPLICATION, SUMMED, sum_of
from umpi.kernel.messages import Message, message

BESIDE = ("", "-wal", "-shm")  # the files of one SQLite database
HEAD = 100  # bytes of the SQLite header; the application number is at offset 68
MENDED = "The saved games were damaged ({fault}). Backup: {aside}; recovered: {carried}, cut: {short}."
CONVERTED = (
    "{path} was made by an older Umpi. The old file is now {aside}. Matches recovered: {carried}, cut: {short}. "
    "Keep the old file if a match is missing."
)


class Damaged(Exception):
    """A journal of Umpi that cannot be read completely."""


def is_own(path: Path) -> bool:
    """Return whether a file was a journal of Umpi.

    It was one if it contains Umpi's application number, or if a lost block has left only zeros in the header.
    """
    with path.open("rb") as file:
        head = file.read(HEAD)
    return head[68:72] == APPLICATION.to_bytes(4, "big") or (len(head) > 0 and not any(head))


def check_whole(file: sqlite3.Connection, path: Path, made: bool) -> None:
    """Check the integrity of every page, table and row. Raises Damaged.

    `made` is whether the tables exist. If not, only the pages are checked.
    """
    found: str = file.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise Damaged(" ".join(found.removeprefix("*** in database main ***").split()))
    if path.stat().st_size % file.execute("PRAGMA page_size").fetchone()[0]:
        raise Damaged("its last page is cut short")
    if not made:
        return
    there = {name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    for table, of in SUMMED.items():
        if table not in there:
            raise Damaged(f"no table {table}")
        try:
            wrong = f"SELECT count(*) FROM {table} WHERE sum IS NOT sum_of({', '.join(of)})"
            if count := file.execute(wrong).fetchone()[0]:
                raise Damaged(f"table {table}: other than written, {count}")
        except sqlite3.OperationalError as fault:  # invalid text, or a missing column
            raise Damaged(f"table {table}: {fault}") from None


def mend(path: Path, fault: str | None, connected: Callable[[Path], sqlite3.Connection]) -> Message:
    """Replace a damaged or older journal by a new one with its readable rows. Return a message for the players.

    `fault` is None if an older Umpi made the file. The file remains beside the new one as <name>.damaged-1 or
    <name>.older-1, or with the next free number. `connected` opens a new journal. If the repair fails or is
    interrupted, the file remains in its place.
    """
    kept = f"{path.name}.{'older' if fault is None else 'damaged'}"
    aside = next(free for number in count(1) if not (free := path.with_name(f"{kept}-{number}")).exists())
    new = path.with_name(path.name + ".new")
    try:
        for end in BESIDE:
            new.with_name(new.name + end).unlink(missing_ok=True)
            _copy(path.with_name(path.name + end), aside.with_name(aside.name + end))
        with closing(connected(new)) as file:
            carried, short = _carry_over(aside, file)
            file.execute("PRAGMA journal_mode=DELETE")  # the data must be in the one file that is moved
    except BaseException:
        for end in BESIDE:  # the box tries again each second, so failed attempts must leave no copies
            aside.with_name(aside.name + end).unlink(missing_ok=True)
        raise
    for end in BESIDE[1:]:  # SQLite would otherwise apply them to the new file
        path.with_name(path.name + end).unlink(missing_ok=True)
    new.replace(path)
    if fault is None:
        return message(CONVERTED, path=path, aside=aside, carried=carried, short=short)
    return message(MENDED, fault=fault, aside=aside, carried=carried, short=short)


def _copy(source: Path, copy: Path) -> None:
    if source.exists():
        shutil.copyfile(source, copy)
        with copy.open("rb") as file:
            os.fsync(file.fileno())


def _carry_over(aside: Path, file: sqlite3.Connection) -> tuple[int, int]:
    """Copy the readable rows of a damaged journal. Return how many matches were copied and how many cut short.

    A match is copied up to its first unreadable line. Matches that are completely lost are not counted.
    """
    with TemporaryDirectory() as folder:
        for end in BESIDE:  # reading would change the damaged file, so read a copy
            _copy(aside.with_name(aside.name + end), Path(folder, "games.db" + end))
        with closing(sqlite3.connect(Path(folder, "games.db"))) as damaged, file:
            for table in SUMMED:
                known = {name for _, name, *_ in file.execute(f"PRAGMA table_info({table})")}
                for row in _readable(damaged, table):
                    if not _as_written(table, row):
                        continue
                    columns = [name for name in row.keys() if name in known]  # noqa: SIM118, a Row is no dictionary
                    slots = ", ".join("?" * len(columns))
                    values = [row[name] for name in columns]
                    file.execute(f"INSERT OR IGNORE INTO {table} ({', '.join(columns)}) VALUES ({slots})", values)
    return _only_whole(file)


def _readable(damaged: sqlite3.Connection, table: str) -> Iterator[sqlite3.Row]:
    """Yield the rows of a table up to the first unreadable one, then from the last row backwards."""
    damaged.row_factory = sqlite3.Row
    damaged.text_factory = lambda raw: raw.decode("utf-8", "replace")
    for order in ("", "ORDER BY rowid DESC"):
        try:
            yield from damaged.execute(f"SELECT * FROM {table} NOT INDEXED {order}")
            return
        except (sqlite3.DatabaseError, UnicodeDecodeError):
            continue


def _as_written(table: str, row: sqlite3.Row) -> bool:
    """Return whether the checksum of a row matches its values."""
    known = row.keys()
    return all(name in known for name in (*SUMMED[table], "sum")) and (
        row["sum"] == sum_of(*(row[name] for name in SUMMED[table]))
    )


def _only_whole(file: sqlite3.Connection) -> tuple[int, int]:
    """Delete lines after a gap, and rows without a match. Return how many matches remain and how many were cut."""
    gaps = "SELECT match, min(n) AS n FROM (SELECT match, n + 1 AS n FROM line UNION SELECT id, 1 FROM match) AS next \
        WHERE NOT EXISTS (SELECT 1 FROM line WHERE line.match = next.match AND line.n = next.n) GROUP BY match"
    with file:
        ends = dict(file.execute(gaps).fetchall())
        short = 0
        for match, end in ends.items():
            short += file.execute("DELETE FROM line WHERE match = ? AND n > ?", (match, end)).rowcount > 0
        for table in ("line", "renamed", "match_status", "outcome", "match_meta", "trace"):
            file.execute(f"DELETE FROM {table} WHERE match NOT IN (SELECT id FROM match)")
        carried: int = file.execute("SELECT count(*) FROM match").fetchone()[0]
    return carried, short
