"""A damaged journal: kept aside as it is, and what can still be read of it carried over into a new one."""

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
HEAD = 100  # bytes of its header, the application's number at 68
MENDED = "The games were damaged ({fault}). They are kept as {aside}; carried over: {carried}, cut short: {short}."


class Damaged(Exception):
    """A journal of Umpi's own that cannot be read whole."""


def is_own(path: Path) -> bool:
    """Tell whether a file was a journal of Umpi's: it bears its number, or a lost block stands where that was."""
    with path.open("rb") as file:
        head = file.read(HEAD)
    return head[68:72] == APPLICATION.to_bytes(4, "big") or (len(head) > 0 and not any(head))


def check_whole(file: sqlite3.Connection, path: Path, made: bool) -> None:
    """Check that every page is as it was written, and every table and row where they are made; raises Damaged."""
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
        except sqlite3.OperationalError as fault:  # a text that is none, or a column that has gone
            raise Damaged(f"table {table}: {fault}") from None


def mend(path: Path, fault: str, connected: Callable[[Path], sqlite3.Connection]) -> Message:
    """Put a new journal in the place of a damaged one, with what can be read of that; returns what to say of it.

    The damaged one is kept beside it as <name>.damaged-1, or the next number. `connected` opens a new journal.
    Whatever fails, or is cut off, leaves the damaged one where it is.
    """
    aside = next(free for number in count(1) if not (free := path.with_name(f"{path.name}.damaged-{number}")).exists())
    new = path.with_name(path.name + ".new")
    try:
        for end in BESIDE:
            new.with_name(new.name + end).unlink(missing_ok=True)
            _copy(path.with_name(path.name + end), aside.with_name(aside.name + end))
        with closing(connected(new)) as file:
            carried, short = _carry_over(aside, file)
            file.execute("PRAGMA journal_mode=DELETE")  # all of it in the one file that is moved
    except BaseException:
        for end in BESIDE:  # it is tried again each second: only one copy is to be made
            aside.with_name(aside.name + end).unlink(missing_ok=True)
        raise
    for end in BESIDE[1:]:  # or SQLite would play them into the new one
        path.with_name(path.name + end).unlink(missing_ok=True)
    new.replace(path)
    return message(MENDED, fault=fault, aside=aside, carried=carried, short=short)


def _copy(source: Path, copy: Path) -> None:
    if source.exists():
        shutil.copyfile(source, copy)
        with copy.open("rb") as file:
            os.fsync(file.fileno())


def _carry_over(aside: Path, file: sqlite3.Connection) -> tuple[int, int]:
    """Carry what can be read of a damaged journal into a new one; returns how many matches, and how many cut short.

    A match is carried up to the first line that cannot be read. What the file itself no longer tells is not counted.
    """
    with TemporaryDirectory() as folder:
        for end in BESIDE:  # a copy, as reading it would change it
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
    """Read the rows of a table up to the first that cannot be, then from the last one back."""
    damaged.row_factory = sqlite3.Row
    damaged.text_factory = lambda raw: raw.decode("utf-8", "replace")
    for order in ("", "ORDER BY rowid DESC"):
        try:
            yield from damaged.execute(f"SELECT * FROM {table} NOT INDEXED {order}")
            return
        except (sqlite3.DatabaseError, UnicodeDecodeError):
            continue


def _as_written(table: str, row: sqlite3.Row) -> bool:
    """Check whether a row has the sum of its values."""
    known = row.keys()
    return all(name in known for name in (*SUMMED[table], "sum")) and (
        row["sum"] == sum_of(*(row[name] for name in SUMMED[table]))
    )


def _only_whole(file: sqlite3.Connection) -> tuple[int, int]:
    """Leave out lines that follow a gap, and what belongs to no match."""
    gaps = "SELECT match, min(n) AS n FROM (SELECT match, n + 1 AS n FROM line UNION SELECT id, 1 FROM match) AS next \
        WHERE NOT EXISTS (SELECT 1 FROM line WHERE line.match = next.match AND line.n = next.n) GROUP BY match"
    with file:
        ends = dict(file.execute(gaps).fetchall())
        short = 0
        for match, end in ends.items():
            short += file.execute("DELETE FROM line WHERE match = ? AND n > ?", (match, end)).rowcount > 0
        for table in ("line", "renamed", "stand", "outcome", "aside", "trace"):
            file.execute(f"DELETE FROM {table} WHERE match NOT IN (SELECT id FROM match)")
        carried: int = file.execute("SELECT count(*) FROM match").fetchone()[0]
    return carried, short
