"""What tests write into a journal, what they read in it, and how they break it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from umpi.journal import Journal, open_to_read, read_lines, read_matches
from umpi.kernel.kept import Uid
from umpi.kernel.match import Match

HEADER = {"umpi": 1, "game": "dodeka", "players": ["Zoë", "Ernő"], "options": {}}
THROW, STOP = {"do": "throw", "keep": [], "dice": [1, 4, 8], "at": 7}, {"do": "stop", "at": 7}


def header(game: str, players: Iterable[str], **options: Any) -> dict[str, Any]:
    """The header of a match; the first player is at the red button, the second at the blue one."""
    names = list(players)
    return {"umpi": 1, "game": game, "players": names, "options": options, "buttons": list(range(len(names)))}


def dodeka_header(**options: Any) -> dict[str, Any]:
    """The header of a Dodéka of Ann and Ben."""
    return header("dodeka", ["Ann", "Ben"], **options)


def leave(path: Path, match: Match) -> None:
    """Write a match into a journal, as players left it; the box offers to resume it."""
    with closing(Journal(path)) as journal:
        number = journal.begin(header(match.game.id, match.players, **match.options))
        journal.append(number, [{**act.line(), "at": 1000 * at} for at, act in enumerate(match.acts, 1)], "panel")
        journal.leave(number)


def on_disk(path: Path) -> dict[Uid, list[Any]]:
    """What another process would read: the lines by match."""
    file = open_to_read(path)
    found = {kept.uid: [json.loads(text) for text in read_lines(file, kept.id)] for kept in read_matches(file)}
    file.close()
    return found


def first_on_disk(path: Path) -> list[Any]:
    """The lines of the first match that another process would read."""
    return next(iter(on_disk(path).values()))


def refuse(path: Path, when: str) -> None:
    """Break the file for lines where `when` holds, as a full card does in the middle of a group."""
    with closing(sqlite3.connect(path)) as file:
        fault = "SELECT RAISE(ABORT, 'disk full')"
        file.execute(f"CREATE TRIGGER full BEFORE INSERT ON line WHEN {when} BEGIN {fault}; END")


def mend(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file:
        file.execute("DROP TRIGGER full")
