"""Read-only queries on a journal: its matches, their lines, traces and outcomes."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from functools import reduce
from hashlib import sha256
from pathlib import Path
from typing import Any

from umpi.journal.beside import beside
from umpi.journal.schema import connect, has_tables
from umpi.kernel.kept import CLOSED as CLOSED
from umpi.kernel.kept import LEFT as LEFT
from umpi.kernel.kept import ON as ON
from umpi.kernel.kept import Kept as Kept
from umpi.kernel.kept import KeptLine, Uid
from umpi.kernel.record import dump
from umpi.kernel.seal import SEAL

ENDED = "ended"  # what `match_meta` calls the time when a match was last over, by the wall clock
NONE_YET = "No matches saved yet ({path}). Play one: umpi sim --open"


def open_to_read(path: Path) -> sqlite3.Connection:
    """Open a journal for reading.

    Raises Foreign if the file is not a journal, OSError if it cannot be read, sqlite3.DatabaseError if it is damaged.
    Leaves no new file behind.
    """
    if not path.is_file():
        raise FileNotFoundError(NONE_YET.format(path=path))
    # If no process has the journal open, there is no -wal file, and SQLite need not create one to read.
    logged = beside(path, "-wal").exists()
    # SQLite only says "unable to open". Do not try by opening: closing it would drop the locks that this process has on
    # it, and another program that closes the journal would delete the log (https://www.sqlite.org/howtocorrupt.html).
    if not os.access(path, os.R_OK, effective_ids=os.access in os.supports_effective_ids):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    file = connect(f"{path.resolve().as_uri()}?{'mode=ro' if logged else 'immutable=1'}", uri=True)
    try:
        if not has_tables(file, path):
            raise FileNotFoundError(NONE_YET.format(path=path))
        return file
    except sqlite3.OperationalError as fault:
        file.close()
        closed = logged and fault.sqlite_errorcode & 0xFF == sqlite3.SQLITE_CANTOPEN  # SQLite writes beside a log
        way = ". Copy it and its -wal into a folder that you may write" if closed else ""
        raise OSError(f"{path}: {fault}{way}") from None
    except BaseException:
        file.close()
        raise


def read_matches(file: sqlite3.Connection, after: int = 0) -> Iterator[Kept]:
    """Yield the matches of a journal with numbers above `after`, newest last."""
    yield from _read_kept(file, "id > ?", after)


def read_match(file: sqlite3.Connection, number: int) -> Kept | None:
    """Return a match of a journal, or None if there is none of this number."""
    return next(_read_kept(file, "id = ?", number), None)


def read_number(file: sqlite3.Connection, match: Uid) -> int:
    """Return the number of a match of a journal, or 0 if it is not there."""
    found = file.execute("SELECT id FROM match WHERE uid = ?", (match,)).fetchone()
    return int(found[0]) if found else 0


def read_newest(file: sqlite3.Connection, most: int) -> Iterator[Kept]:
    """Yield at most so many matches of a journal, the newest ones, newest last."""
    yield from _read_kept(file, "id IN (SELECT id FROM match ORDER BY id DESC LIMIT ?)", most)


def read_listed(file: sqlite3.Connection, most: int) -> Iterator[Kept]:
    """Yield the match on the table, the newest open ones and the newest others, at most `most` each, newest last."""
    newest = f"SELECT match FROM summary WHERE how {{how}} '{CLOSED}' ORDER BY match DESC LIMIT ?"
    is_open, is_closed = newest.format(how="!="), newest.format(how="=")
    yield from _read_kept(file, f"id IN ({is_open}) OR id IN ({is_closed}) OR id = ?", most, most, read_on(file))


def _read_kept(file: sqlite3.Connection, which: str, *values: int | None) -> Iterator[Kept]:
    rows = file.execute(
        f"""
        SELECT id, header, began, uid, rules, coalesce((SELECT max(n) FROM line WHERE line.match = id), 0),
            how, players, renamed, outcome,
            (SELECT text FROM match_meta WHERE match_meta.match = id AND what = '{ENDED}' ORDER BY n DESC LIMIT 1)
        FROM match JOIN summary ON summary.match = id WHERE {which} ORDER BY id
        """,
        values,
    )
    for number, header, began, uid, rules, lines, how, players, renamed, outcome, ended in rows:
        if renamed:
            with contextlib.suppress(ValueError):  # callers that need the header report that it cannot be read
                header = dump({**json.loads(header), "players": json.loads(players)})
        over = outcome is not None
        yield Kept(number, header, began, lines, how, Uid(uid or ""), rules, renamed, outcome, ended if over else None)


def read_players(file: sqlite3.Connection) -> list[str]:
    """Return all players in a journal, most recent first."""
    each_name = """
        WITH RECURSIVE known (name) AS (
            SELECT min(name) FROM player
            UNION ALL SELECT (SELECT min(name) FROM player WHERE name > known.name) FROM known WHERE name IS NOT NULL)
        SELECT name, (SELECT max(match) FROM player WHERE player.name = known.name) AS last FROM known
        WHERE name IS NOT NULL
    """  # by the index: a step for each name, not for each match
    newest = f"SELECT known.name FROM ({each_name}) AS known JOIN player ON player.name = known.name AND match = last"
    return [name for (name,) in file.execute(f"{newest} ORDER BY last DESC, seat")]


def read_chain(file: sqlite3.Connection, kept: Kept) -> str:
    """Return the chain over the record of a match."""
    return chain_of((kept.header, *read_lines(file, kept.id)))


def chain_of(record: Iterable[str]) -> str:
    """Return the chain over the lines of a record: for each line SHA-256 of the chain before it and the line.

    The chain before the header is "". Anyone who has the record can compute it. A line that is changed, lost or moved
    changes it.
    """
    return reduce(lambda chain, line: sha256(f"{chain}{line}".encode()).hexdigest(), record, "")


def read_on(file: sqlite3.Connection) -> int | None:
    """Return which match is on the table, or None."""
    newest = "SELECT match, n FROM match_status WHERE how = ? ORDER BY n DESC LIMIT 1"
    for match, n in file.execute(newest, (ON,)).fetchall():  # merged rows can have higher numbers than ours
        since = file.execute("SELECT 1 FROM match_status WHERE match = ? AND n > ?", (match, n)).fetchone()
        return None if since else int(match)
    return None


def read_lines(file: sqlite3.Connection, match: int) -> list[str]:
    """Return the lines of a match as they were written, without its header."""
    return [text for (text,) in file.execute("SELECT text FROM line WHERE match = ? ORDER BY n", (match,))]


def hides_hands(file: sqlite3.Connection, kept: Kept) -> bool:
    """Return whether a match has lines with what only one player may know now: it is neither over nor closed."""
    return kept.hidden and any(f'"{SEAL}"' in line for line in read_lines(file, kept.id))


def read_written(file: sqlite3.Connection, match: int) -> list[KeptLine]:
    """Return the lines of a match with their authors and marks.

    A mark identifies the position after the line. It is None if the journal does not contain it.
    """
    return list(file.execute("SELECT text, who, mark FROM line WHERE match = ? ORDER BY n", (match,)))


def read_traces(file: sqlite3.Connection, match: int) -> list[str]:
    """Return the traces of a match, one per announcement."""
    return [text for (text,) in file.execute("SELECT text FROM trace WHERE match = ? ORDER BY n", (match,))]


def read_outcome(kept: Kept) -> dict[str, Any] | None:
    """Return the outcome of a match, {"places", "scores"} by seat, "together" if a team has won.

    Returns None if the match is not over or the journal contains no outcome. Raises ValueError if the outcome cannot be
    read.
    """
    return None if kept.outcome is None else json.loads(kept.outcome)


def ended_of(kept: Kept) -> str | None:
    """Return when a match was last over, by the wall clock; None if it is not over, or the journal does not know."""
    try:
        ended = json.loads(kept.ended or "null")
    except ValueError:
        return None
    return ended if isinstance(ended, str) else None


def read_meta(file: sqlite3.Connection, match: int, what: str) -> Any:
    """Return the value last noted for a match, or None if there is no value."""
    newest = "SELECT text FROM match_meta WHERE match = ? AND what = ? ORDER BY n DESC LIMIT 1"
    found = file.execute(newest, (match, what)).fetchone()
    try:
        return json.loads(found[0]) if found else None
    except ValueError:
        return None


def read_all_meta(file: sqlite3.Connection, match: int, what: str) -> list[Any]:
    """Return all values noted for a match under this name, oldest first, without those that cannot be read."""
    values = []
    for (text,) in file.execute("SELECT text FROM match_meta WHERE match = ? AND what = ? ORDER BY n", (match, what)):
        with contextlib.suppress(ValueError):
            values.append(json.loads(text))
    return values
