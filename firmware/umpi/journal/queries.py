"""Read-only queries on a journal: its matches, their lines, traces and outcomes."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from umpi.journal.schema import Older, connect, has_tables
from umpi.kernel.kept import CLOSED as CLOSED
from umpi.kernel.kept import LEFT as LEFT
from umpi.kernel.kept import ON as ON
from umpi.kernel.kept import Kept as Kept
from umpi.kernel.record import dump

HOW = "(SELECT how FROM match_status WHERE match = id ORDER BY n DESC LIMIT 1)"  # the status of a match, in SQL
RENAMED = "(SELECT players FROM renamed WHERE match = id ORDER BY n DESC LIMIT 1)"
ENDED = "ended"  # what `match_meta` calls the time when a match was last over, by the wall clock
NONE_YET = "No matches saved yet ({path}). Play one: umpi sim --open"


def check_file(path: Path) -> None:
    """Check that `path` may be a box's journal, without creating a file. Raises Foreign if it may not.

    A box converts the journal of an older Umpi.
    """
    with contextlib.suppress(OSError, Older), contextlib.closing(open_to_read(path)):
        pass


def open_to_read(path: Path) -> sqlite3.Connection:
    """Open a journal for reading.

    Raises Foreign if the file is not a journal, OSError if it cannot be read. Leaves no new file behind.
    """
    if not path.is_file():
        raise FileNotFoundError(NONE_YET.format(path=path))
    # If no process has the journal open, there is no -wal file, and SQLite need not create one to read.
    how = "mode=ro" if path.with_name(path.name + "-wal").exists() else "immutable=1"
    file = connect(f"{path.resolve().as_uri()}?{how}", uri=True)
    try:
        if not has_tables(file, path):
            raise FileNotFoundError(NONE_YET.format(path=path))
        return file
    except sqlite3.OperationalError as fault:
        file.close()
        raise OSError(f"{path}: {fault}") from None
    except BaseException:
        file.close()
        raise


def read_matches(file: sqlite3.Connection, after: int = 0) -> Iterator[Kept]:
    """Yield the matches of a journal with numbers above `after`, newest last."""
    yield from _read_kept(file, "id > ?", after)


def read_match(file: sqlite3.Connection, number: int) -> Kept | None:
    """Return a match of a journal, or None if there is none of this number."""
    return next(_read_kept(file, "id = ?", number), None)


def read_newest(file: sqlite3.Connection, most: int) -> Iterator[Kept]:
    """Yield at most so many matches of a journal, the newest ones, newest last."""
    yield from _read_kept(file, "id IN (SELECT id FROM match ORDER BY id DESC LIMIT ?)", most)


def read_listed(file: sqlite3.Connection, most: int) -> Iterator[Kept]:
    """Yield the match on the table, the newest open ones and the newest others, at most `most` each, newest last."""
    newest = f"SELECT id FROM match WHERE {HOW} {{how}} ORDER BY id DESC LIMIT ?"
    is_open, is_closed = newest.format(how=f"IS NOT '{CLOSED}'"), newest.format(how=f"= '{CLOSED}'")
    yield from _read_kept(file, f"id IN ({is_open}) OR id IN ({is_closed}) OR id = ?", most, most, read_on(file))


def _read_kept(file: sqlite3.Connection, which: str, *values: int | None) -> Iterator[Kept]:
    rows = file.execute(
        f"""
        SELECT id, header, began, (SELECT count(*) FROM line WHERE match = id), {HOW}, uid, rules, {RENAMED}
        FROM match WHERE {which} ORDER BY id
        """,
        values,
    )
    for number, header, began, lines, how, uid, rules, players in rows:
        if players is not None:
            with contextlib.suppress(ValueError):  # callers that need the header report that it cannot be read
                header = dump({**json.loads(header), "players": json.loads(players)})
        yield Kept(number, header, began, lines, how or LEFT, uid or "", rules)


def read_players(file: sqlite3.Connection) -> list[str]:
    """Return all players in a journal, most recent first."""
    names: dict[str, None] = {}
    for header, renamed in file.execute(f"SELECT header, {RENAMED} FROM match ORDER BY id DESC"):
        names.update(dict.fromkeys(players_of(header if renamed is None else f'{{"players":{renamed}}}')))
    return list(names)


def players_of(header: str) -> list[str]:
    """Return the players named in a header, or an empty list if it cannot be read."""
    try:
        names = json.loads(header)["players"]
    except (ValueError, TypeError, KeyError):
        return []
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


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


def read_written(file: sqlite3.Connection, match: int) -> list[tuple[str, str, int | None]]:
    """Return the lines of a match with their authors and marks.

    A mark identifies the position after the line. It is None if the journal does not contain it.
    """
    return list(file.execute("SELECT text, who, mark FROM line WHERE match = ? ORDER BY n", (match,)))


def read_traces(file: sqlite3.Connection, match: int) -> list[str]:
    """Return the traces of a match, one per announcement."""
    return [text for (text,) in file.execute("SELECT text FROM trace WHERE match = ? ORDER BY n", (match,))]


def read_outcome(file: sqlite3.Connection, kept: Kept) -> dict[str, Any] | None:
    """Return the outcome of a match, {"places", "scores"} by seat, "together" if a team has won.

    Returns None if the match is not over or the journal contains no outcome. Raises ValueError if the outcome cannot be
    read.
    """
    found = file.execute("SELECT text FROM outcome WHERE match = ? AND lines = ?", (kept.id, kept.lines)).fetchone()
    return json.loads(found[0]) if found else None


def read_revision(file: sqlite3.Connection, kept: Kept) -> int:
    """Return how often a match was written: its lines, and how often its players were renamed. It never falls."""
    (renamed,) = file.execute("SELECT count(*) FROM renamed WHERE match = ?", (kept.id,)).fetchone()
    return kept.lines + int(renamed)


def read_meta(file: sqlite3.Connection, match: int, what: str) -> Any:
    """Return the value last noted for a match, or None if there is no value."""
    newest = "SELECT text FROM match_meta WHERE match = ? AND what = ? ORDER BY n DESC LIMIT 1"
    found = file.execute(newest, (match, what)).fetchone()
    try:
        return json.loads(found[0]) if found else None
    except ValueError:
        return None
