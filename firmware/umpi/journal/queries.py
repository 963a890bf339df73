"""Looks into a journal without changing it: its matches, their lines, traces and outcomes."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from umpi.journal.schema import connect, has_tables
from umpi.kernel.record import dump

ON, LEFT, CLOSED = "on", "left", "closed"  # how a match stands: on the table, left open, done with

NONE_YET = "{path}: there is no journal here yet; it begins with the first game"


@dataclass(frozen=True, slots=True)
class Kept:
    """A match in the journal: its header line, the wall clock's note of when it began, how many lines it has.

    `how` it stands is "on" (the table), "left" or "closed"; `rules` is the revision of those it was begun by, None
    where that was not kept.
    """

    id: int
    header: str
    began: str
    lines: int
    how: str
    uid: str
    rules: int | None

    @property
    def open(self) -> bool:
        """Whether the players are not done with it."""
        return self.how != CLOSED


def check_file(path: Path) -> None:
    """Look whether `path` may be a box's journal, without making one; raises Foreign where it may not."""
    with contextlib.suppress(OSError), contextlib.closing(open_to_read(path)):
        pass


def open_to_read(path: Path) -> sqlite3.Connection:
    """Open a journal to look into it; raises Foreign where it is none, OSError where it cannot be read.

    It leaves no file behind.
    """
    if not path.is_file():
        raise FileNotFoundError(NONE_YET.format(path=path))
    # Where nobody has it open there is no -wal beside it, and SQLite need not make one to read
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


def read_matches(file: sqlite3.Connection) -> Iterator[Kept]:
    """Read the matches of a journal, the newest last."""
    rows = file.execute(
        """
        SELECT id, header, began, (SELECT count(*) FROM line WHERE match = id),
            (SELECT how FROM stand WHERE match = id ORDER BY n DESC LIMIT 1), uid, rules,
            (SELECT players FROM renamed WHERE match = id ORDER BY n DESC LIMIT 1)
        FROM match ORDER BY id
        """
    )
    for number, header, began, lines, how, uid, rules, players in rows:
        if players is not None:
            with contextlib.suppress(ValueError):  # a header that cannot be read is told where it is needed
                header = dump({**json.loads(header), "players": json.loads(players)})
        yield Kept(number, header, began, lines, how or LEFT, uid or "", rules)


def players_of(header: str) -> list[str]:
    """Read the players off a header, none where it cannot be read."""
    try:
        names = json.loads(header)["players"]
    except (ValueError, TypeError, KeyError):
        return []
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


def read_on(file: sqlite3.Connection) -> int | None:
    """Read which match is on the table, None where none is."""
    newest = "SELECT match, n FROM stand WHERE how = ? ORDER BY n DESC LIMIT 1"
    for match, n in file.execute(newest, (ON,)).fetchall():  # another's rows may have been written later than theirs
        since = file.execute("SELECT 1 FROM stand WHERE match = ? AND n > ?", (match, n)).fetchone()
        return None if since else int(match)
    return None


def read_lines(file: sqlite3.Connection, match: int) -> list[str]:
    """Read the lines of a match as they were written, without its header."""
    return [text for (text,) in file.execute("SELECT text FROM line WHERE match = ? ORDER BY n", (match,))]


def read_written(file: sqlite3.Connection, match: int) -> list[tuple[str, str, int | None]]:
    """Read these lines, who wrote each, and the mark of the position it led to, None where that was not kept."""
    return list(file.execute("SELECT text, who, mark FROM line WHERE match = ? ORDER BY n", (match,)))


def read_traces(file: sqlite3.Connection, match: int) -> list[str]:
    """Read the traces of a match, an announcement each."""
    return [text for (text,) in file.execute("SELECT text FROM trace WHERE match = ? ORDER BY n", (match,))]


def read_outcome(file: sqlite3.Connection, kept: Kept) -> dict[str, Any] | None:
    """Read how a match ended, {"places", "scores"} by seat; None where it has not, or that was not kept.

    Raises ValueError where it cannot be read.
    """
    found = file.execute("SELECT text FROM outcome WHERE match = ? AND lines = ?", (kept.id, kept.lines)).fetchone()
    return json.loads(found[0]) if found else None


def read_aside(file: sqlite3.Connection, match: int, what: str) -> Any:
    """Read what was noted last beside a match; None where nothing was."""
    newest = "SELECT text FROM aside WHERE match = ? AND what = ? ORDER BY n DESC LIMIT 1"
    found = file.execute(newest, (match, what)).fetchone()
    try:
        return json.loads(found[0]) if found else None
    except ValueError:
        return None
