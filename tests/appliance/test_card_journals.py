"""An update that converts the journal, and is taken back: the old version plays on with what it can read."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from umpi.appliance.journals import COPY, forget_copy, journal_schema, keep_copy, take_back
from umpi.journal import Journal
from umpi.journal.schema import SCHEMA

HEADER = {"umpi": 1, "game": "scorepad", "players": ["Ann", "Ben"]}


class Cut(Exception):
    """The power fails."""


def journal_of(folder: Path) -> Path:
    """Make a journal with one match, its copy, and then a newer version of it with another match."""
    path = folder / "games.db"
    journal = Journal(path)
    journal.begin(HEADER)
    journal.close()
    path.chmod(0o600)
    keep_copy(path)
    journal = Journal(path)
    journal.begin(HEADER)
    journal.close()
    with closing(sqlite3.connect(path)) as file:
        file.execute(f"PRAGMA user_version={SCHEMA + 1}")
    return path


def matches(path: Path) -> int:
    with closing(sqlite3.connect(path)) as file:
        return int(file.execute("SELECT count(*) FROM match").fetchone()[0])


def test_the_copy_is_used_and_the_newer_journal_is_kept(tmp_path: Path) -> None:
    path = journal_of(tmp_path)
    assert take_back(path, SCHEMA)
    assert (journal_schema(path), matches(path)) == (SCHEMA, 1)
    assert matches(tmp_path / "games.db.newer") == 2
    assert path.stat().st_mode & 0o777 == 0o600
    journal = Journal(path)
    assert not journal.trouble
    journal.close()
    assert not take_back(path, SCHEMA), "once"


def test_a_version_that_reads_the_journal_keeps_it(tmp_path: Path) -> None:
    path = journal_of(tmp_path)
    assert not take_back(path, SCHEMA + 1)
    assert matches(path) == 2


def test_what_was_put_aside_before_stays(tmp_path: Path) -> None:
    path = journal_of(tmp_path)
    assert take_back(path, SCHEMA)
    journal_of_next = tmp_path / "next"
    journal_of_next.mkdir()
    shutil.copy(journal_of(journal_of_next), path)
    shutil.copy(journal_of_next / f"games.db{COPY}", tmp_path / f"games.db{COPY}")
    assert take_back(path, SCHEMA)
    assert (matches(tmp_path / "games.db.newer"), matches(tmp_path / "games.db.newer-2"), matches(path)) == (2, 2, 1)


def test_after_an_accepted_update_no_copy_can_replace_newer_matches(tmp_path: Path) -> None:
    path = journal_of(tmp_path)
    forget_copy(path)
    assert not take_back(path, SCHEMA)
    assert matches(path) == 2


def test_without_a_copy_nothing_changes(tmp_path: Path) -> None:
    path = journal_of(tmp_path)
    (tmp_path / f"games.db{COPY}").unlink()
    assert not take_back(path, SCHEMA)
    assert matches(path) == 2


def test_a_power_cut_between_any_two_changes_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace, first = Path.replace, tmp_path / "first"
    first.mkdir()
    journal_of(first)
    for at in range(10):
        folder = tmp_path / str(at)
        shutil.copytree(first, folder)
        path, done = folder / "games.db", []

        def cut(self: Path, to: Path, at: int = at, done: list[int] = done) -> Path:
            if len(done) == at:
                raise Cut
            done.append(1)
            return replace(self, to)

        with monkeypatch.context() as patched:
            patched.setattr(Path, "replace", cut)
            try:
                take_back(path, SCHEMA)
                was_cut = False
            except Cut:
                was_cut = True
        take_back(path, SCHEMA)
        assert (journal_schema(path), matches(path)) == (SCHEMA, 1)
        assert matches(folder / "games.db.newer") == 2
        if not was_cut:
            break
    assert at >= 2
