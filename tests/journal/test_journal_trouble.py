"""A journal that cannot be written: the fault is reported, and all is written later, in order."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.kit.journals import HEADER, STOP, THROW, on_disk
from umpi.journal import Journal


def test_a_folder_that_cannot_be_is_trouble_not_a_crash(tmp_path: Path) -> None:
    """Like a read-only card: root may write anywhere, so a file is in the place of the folder."""
    (tmp_path / "umpi").write_text("")
    journal = Journal(tmp_path / "umpi" / "games.db")
    assert str(tmp_path / "umpi" / "games.db") in journal.trouble
    match = journal.begin(HEADER)
    journal.append(match, [THROW], "panel")
    assert journal.matches() == []
    (tmp_path / "umpi").unlink()
    assert journal.save()
    assert on_disk(tmp_path / "umpi" / "games.db") == {match: [THROW]}
    journal.close()


def test_two_boxes_on_one_journal_lose_nothing(path: Path) -> None:
    """`umpi run` as a service and `umpi sim` beside it name the same file."""
    one, other = Journal(path), Journal(path)
    mine, theirs = one.begin(HEADER), other.begin(HEADER)
    one.append(mine, [THROW], "panel")
    other.append(theirs, [THROW, STOP], "panel")
    assert (one.trouble, other.trouble) == ("", "")
    assert sorted(map(len, on_disk(path).values())) == [1, 2]
    one.close()
    other.close()


def test_a_foreign_file_that_turns_up_later_is_trouble_and_is_left_as_it_is(path: Path) -> None:
    """The game continues in memory; the loop must not end."""
    path.mkdir()
    journal = Journal(path)
    path.rmdir()
    path.write_bytes(b"Dear diary, today we played.\n" * 40)
    match = journal.begin(HEADER)
    journal.append(match, [THROW], "panel")
    assert "is not an Umpi journal" in journal.trouble
    assert path.read_bytes().startswith(b"Dear diary")


def test_a_journal_that_is_replaced_while_in_use_is_trouble_until_it_is_back(path: Path) -> None:
    """As by `mv backup.db games.db` beside a box that plays: SQLite then writes into a file that has no name."""
    with closing(Journal(path)) as journal:
        match = journal.begin(HEADER)
        journal.checkpoint()
        backup, old = path.with_name("backup.db"), path.with_name("old.db")
        shutil.copy(path, backup)
        path.rename(old)
        backup.rename(path)
        journal.append(match, [THROW], "panel")
        assert "another file is in its place" in journal.trouble
        assert on_disk(path) == {match: []}
        old.rename(path)
        assert journal.save()
    assert on_disk(path) == {match: [THROW]}


@pytest.mark.parametrize("written", [False, True])
def test_a_journal_that_has_been_replaced_and_the_new_one_keep_what_is_theirs(path: Path, written: bool) -> None:
    """The log of the old one lies beside the new one, whose next start would take it for its own."""
    with closing(Journal(path)) as other:
        theirs = other.begin(HEADER)
    new, old = path.with_name("new.db"), path.with_name("old.db")
    path.rename(new)
    with closing(Journal(path)) as journal:
        ours = journal.begin(HEADER)
        journal.append(ours, [THROW], "panel")
        path.rename(old)
        new.rename(path)
        if written:
            journal.append(ours, [THROW], "panel")
    with closing(Journal(path)) as again:
        assert again.trouble == ""
    assert on_disk(path) == {theirs: []}
    assert on_disk(old) == {ours: [THROW]}


def test_a_journal_from_before_traces_were_kept_takes_lines_and_traces(path: Path) -> None:
    """A file of schema 1 as the first boxes made it."""
    Journal(path).close()
    with closing(sqlite3.connect(path)) as file:
        file.executescript("DROP TABLE trace; PRAGMA user_version = 1")
    journal = Journal(path)
    match = journal.begin(HEADER)
    journal.keep_trace(match, ["an edge"])
    journal.append(match, [THROW], "panel")
    assert journal.trouble == ""
    assert on_disk(path) == {match: [THROW]}
    journal.close()
