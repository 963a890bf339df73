"""An older journal is brought up to today's schema whole or not at all, whatever fails meanwhile."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from books import ANOTHER, Book, Scribe, read_book, wipe
from faulty import FAULTS, Disk, Unreachable

from umpi.journal import Journal

FIRST_SCHEMA = """
    CREATE TABLE match (id INTEGER PRIMARY KEY, header TEXT NOT NULL, began TEXT NOT NULL);
    CREATE TABLE line (match INTEGER NOT NULL, n INTEGER NOT NULL, text TEXT NOT NULL, who TEXT NOT NULL,
        PRIMARY KEY (match, n));
    CREATE TABLE renamed (match INTEGER NOT NULL, n INTEGER NOT NULL, players TEXT NOT NULL, PRIMARY KEY (match, n));
    CREATE TABLE closed (match INTEGER PRIMARY KEY);
    CREATE TABLE spoken (n INTEGER PRIMARY KEY, language TEXT NOT NULL);
    PRAGMA application_id = 0x756D7069;
    PRAGMA user_version = 1;
"""


@pytest.fixture
def disk() -> Iterator[Disk]:
    try:
        layer = Disk()
    except Unreachable as fault:
        pytest.skip(str(fault))
    with layer.in_use():
        yield layer
        layer.mend()


def older(path: Path) -> None:
    """Write a journal as the first boxes did: one match closed, one left open with a player's name changed."""
    wipe(path)
    for kept in path.parent.glob("*.schema-1*"):
        kept.unlink()
    with closing(sqlite3.connect(path)) as file, file:
        file.executescript(FIRST_SCHEMA)
        for match in (1, 2):
            header = json.dumps({"umpi": 1, "game": "dodeka", "players": ["Ann", "Ben"], "options": {}})
            file.execute("INSERT INTO match VALUES (?, ?, '2025-01-01T00:00:00+00:00')", (match, header))
            for n in range(1, 60):
                text = json.dumps({"do": "throw", "dice": [n, match, 7], "at": n})
                file.execute("INSERT INTO line VALUES (?, ?, ?, 'panel')", (match, n, text))
        file.execute("INSERT INTO closed VALUES (1)")
        file.execute("""INSERT INTO renamed VALUES (2, 1, '["Ann", "Zoë"]')""")
        file.execute("INSERT INTO spoken VALUES (1, 'hu')")


def brought_up(disk: Disk, path: Path) -> Book:
    """What a box makes of it whom nothing troubles."""
    older(path)
    disk.mend()
    book = read_book(path)
    assert [(page.players, page.how, len(page.lines)) for page in book.pages] == [
        (["Ann", "Ben"], "closed", 59),
        (["Ann", "Zoë"], "left", 59),
    ]
    return book


def copy_is_whole(path: Path) -> bool:
    """Whether the copy is there that has the older schema, with all its lines."""
    with closing(sqlite3.connect(f"{path}.schema-1")) as file:
        schema = file.execute("PRAGMA user_version").fetchone()[0]
        return bool(schema == 1 and file.execute("SELECT count(*) FROM line").fetchone()[0] == 2 * 59)


@pytest.mark.parametrize("name", ["write torn", "write fails", "disk full", "sync fails"])
def test_it_is_all_there_whenever_that_is_cut_off(disk: Disk, tmp_path: Path, name: str) -> None:
    """An older file is brought up to date with a copy kept; cut at every call of the kind."""
    path = tmp_path / "games.db"
    whole = brought_up(disk, path)
    first = 0
    while True:
        older(path)
        disk.mend()
        disk.fail(FAULTS[name], first)
        Journal(path).close()
        if not disk.hit:
            break
        disk.mend()
        assert read_book(path) == whole, f"{name} at call {first}"
        assert copy_is_whole(path), f"{name} at call {first}"
        scribe = Scribe(path, whole.copy())
        assert scribe.do(ANOTHER)
        scribe.close()
        first += 1
    assert first
