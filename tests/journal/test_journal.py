"""The journal: what is written is there again, all of a group or none, and what is not its own is left alone."""

from __future__ import annotations

import json
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.journals import HEADER, STOP, THROW, on_disk
from tests.kit.sampling import examples
from umpi.journal import SCHEMA, Foreign, Journal


def test_acts_are_on_disk_before_the_call_returns(path: Path) -> None:
    journal = Journal(path)
    match = journal.begin(HEADER)
    assert on_disk(path) == {match: []}
    journal.append(match, [THROW, STOP], "panel")
    assert on_disk(path) == {match: [THROW, STOP]}
    journal.append(match, [{"undo": 2}], "panel")
    assert on_disk(path) == {match: [THROW, STOP, {"undo": 2}]}, "an undo is a line too"
    assert journal.trouble == ""
    journal.close()


def test_a_new_journal_is_for_its_user_alone_and_an_old_one_keeps_its_rights(path: Path) -> None:
    journal = Journal(path)
    journal.begin(HEADER)
    assert {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()} == {
        "games.db": 0o600, "games.db-wal": 0o600, "games.db-shm": 0o600, "games.db.saved": 0o600
    }  # fmt: skip
    journal.close()
    path.chmod(0o640)
    Journal(path).close()
    assert path.stat().st_mode & 0o777 == 0o640


lines = st.dictionaries(
    st.text(max_size=5), st.integers() | st.text(max_size=5) | st.booleans() | st.none(), max_size=3
)


@settings(max_examples=examples(10))
@given(st.lists(st.lists(lines, max_size=3), max_size=5))
def test_every_line_comes_back_as_it_was(tmp_path_factory: Any, groups: list[list[dict[str, Any]]]) -> None:
    path = tmp_path_factory.mktemp("journal") / "games.db"
    journal = Journal(path)
    match = journal.begin(HEADER)
    for group in groups:
        journal.append(match, group, "box")
    journal.close()
    again = Journal(path)
    assert [json.loads(text) for text in again.lines(match)] == [line for group in groups for line in group]
    again.close()


def test_matches_are_listed_as_they_were_begun_and_open_until_they_are_closed(path: Path) -> None:
    journal = Journal(path)
    first, second = journal.begin(HEADER), journal.begin({**HEADER, "players": ["Ernő", "Ann"]})
    journal.append(second, [THROW], "panel")
    journal.close_match(first)
    journal.close_match(first)
    journal.close()
    again = Journal(path)
    assert [(kept.uid, kept.lines, kept.open) for kept in again.matches()] == [(first, 0, False), (second, 1, True)]
    assert json.loads(again.matches()[0].header) == HEADER
    assert again.players() == ["Ernő", "Ann", "Zoë"], "the latest first"
    again.append(second, [STOP], "panel")
    assert on_disk(path)[second] == [THROW, STOP]
    again.close()


def test_the_wall_clock_is_a_note_and_orders_nothing(path: Path) -> None:
    """A Pi has no clock of its own until the network gives it one."""
    days = iter((datetime(2026, 11, 21, tzinfo=UTC), datetime(1970, 1, 1, tzinfo=UTC)))
    journal = Journal(path, lambda: next(days))
    first, second = journal.begin(HEADER), journal.begin(HEADER)
    journal.close()
    matches = Journal(path).matches()
    assert [kept.uid for kept in matches] == [first, second]
    assert [kept.began[:4] for kept in matches] == ["2026", "1970"]


def foreign_files() -> dict[str, bytes]:
    return {"text": b"Dear diary, today we played.\n" * 40, "picture": b"\x89PNG\r\n" + bytes(5000)}


@pytest.mark.parametrize("content", foreign_files().values(), ids=foreign_files())
def test_a_file_of_another_kind_is_refused_and_left_as_it_is(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(Foreign, match=r"games\.db is not an Umpi journal.*--journal"):
        Journal(path)
    assert path.read_bytes() == content


def test_another_programs_database_is_refused_and_left_as_it_is(path: Path) -> None:
    with sqlite3.connect(path) as file:
        file.execute("CREATE TABLE recipes (cake TEXT)")
    before = path.read_bytes()
    with pytest.raises(Foreign, match="another program’s database"):
        Journal(path)
    assert path.read_bytes() == before


def test_a_journal_of_a_newer_umpi_is_refused(path: Path) -> None:
    Journal(path).close()
    with sqlite3.connect(path) as file:
        file.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    with pytest.raises(Foreign, match=r"newer Umpi \(schema \d+, this one reads \d+\). Update Umpi"):
        Journal(path)
