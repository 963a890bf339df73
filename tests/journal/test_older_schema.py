"""A journal of an older Umpi: brought up to today's tables with a copy kept, whole or not at all."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from umpi.cli import main
from umpi.journal import SCHEMA, Journal, open_to_read, read_matches
from umpi.journal import schema as journal_tables

OLD = (Path(__file__).parent / "schema-1.sql").read_text(encoding="utf-8")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file as the first boxes made it: one match done with, one that lies open and has been renamed."""
    path = tmp_path / "games.db"
    with closing(sqlite3.connect(path)) as file:
        file.executescript(OLD)
    return path


def schema(path: Path) -> int:
    with closing(sqlite3.connect(path)) as file:
        number: int = file.execute("PRAGMA user_version").fetchone()[0]
        return number


def test_all_that_was_in_it_is_there_and_a_copy_as_it_was(path: Path) -> None:
    before = path.read_bytes()
    with closing(Journal(path)) as journal:
        done, left = journal.matches()
        assert (done.how, done.lines, left.how, left.lines) == ("closed", 7, "left", 2)
        assert '"Ann", "Cleo"' in left.header
        assert done.uid != left.uid != ""
        assert done.rules is None, "which revision of the rules it was begun by was not kept"
        assert journal.on_table() is None
        assert journal.lines(left.id)[1] == '{"do": "stop", "at": 700}'
        assert journal.written(done.id)[6][1:] == ("phone:Blue", None)
        assert journal.spoken() == "hu"
        assert journal.phones() == [("ab" * 32, "red", "Phone")]
    kept = path.with_name("games.db.schema-1")
    assert schema(path) == SCHEMA
    assert schema(kept) == 1
    with closing(sqlite3.connect(kept)) as copy, closing(sqlite3.connect(":memory:")) as original:
        original.deserialize(before)
        assert list(copy.iterdump()) == list(original.iterdump())


def test_a_box_goes_on_with_it(path: Path, rigs: Any) -> None:
    rig = rigs(journal=path)
    assert rig.says("Ann", "Cleo"), rig.screen
    rig.press("ok")
    assert rig.acts == ["throw", "stop"]
    rig.press("red red green")
    assert rig.referee.journal.trouble == ""
    assert rig.lines == 4


def test_looking_at_it_changes_nothing_and_leaves_nothing_behind(path: Path) -> None:
    before = path.read_bytes()
    with closing(open_to_read(path)) as file:
        assert [kept.how for kept in read_matches(file)] == ["closed", "left"]
    assert main(["history", "--journal", str(path)]) == 0
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == ["games.db"]


@pytest.mark.parametrize("at", range(1, 24, 2))
def test_cut_off_in_between_it_is_wholly_old_or_wholly_new(
    path: Path, at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The power goes before the Nth statement; the next start brings it up all the same."""
    real = sqlite3.connect
    left = at

    def connect(*args: Any, **keys: Any) -> sqlite3.Connection:
        file = real(*args, **keys)

        def allow(action: int, *_: Any) -> int:
            nonlocal left
            writing = action in (sqlite3.SQLITE_CREATE_TABLE, sqlite3.SQLITE_ALTER_TABLE, sqlite3.SQLITE_INSERT)
            left -= writing
            return sqlite3.SQLITE_DENY if left <= 0 and writing else sqlite3.SQLITE_OK

        file.set_authorizer(allow)
        return file

    monkeypatch.setattr(sqlite3, "connect", connect)
    with closing(Journal(path)) as journal:
        stopped = bool(journal.trouble)
    monkeypatch.setattr(sqlite3, "connect", real)
    assert schema(path) == (1 if stopped else SCHEMA)
    with closing(Journal(path)) as journal:
        assert [kept.lines for kept in journal.matches()] == [7, 2]
        assert journal.trouble == ""


def test_some_of_these_stops_stop_it() -> None:
    """The range above reaches from the first statement of the change to its last."""
    assert journal_tables.TABLES.count("CREATE TABLE") < 24


def test_without_room_for_the_copy_nothing_is_changed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.with_name("games.db.schema-1.part").mkdir()  # stands where the copy would
    with closing(Journal(path)) as journal:
        assert journal.trouble
        match = journal.begin({"umpi": 1})
        assert match < 0, "it is kept in memory"
        path.with_name("games.db.schema-1.part").rmdir()
        assert journal.save()
        assert [kept.lines for kept in journal.matches()] == [7, 2, 0]
