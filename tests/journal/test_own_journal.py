"""The box's own journal: whatever has become of the file, the box starts, keeps the file, and says so."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.kit.journals import HEADER, THROW
from umpi.journal import Foreign, Journal, check_file

NOISE = bytes(range(256)) * 16


def played(path: Path, acts: int = 5) -> Journal:
    journal = Journal(path)
    uid = journal.begin(HEADER)
    for _ in range(acts):
        journal.append(uid, [THROW], "panel")
    assert not journal.trouble
    return journal


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal whose box has lost its power: most of it is in the write-ahead log."""
    journal = played(tmp_path / "before" / "games.db")
    (tmp_path / "box").mkdir()
    for file in (tmp_path / "before").iterdir():
        shutil.copy(file, tmp_path / "box" / file.name)
    journal.close()
    return tmp_path / "box" / "games.db"


def noise(path: Path) -> None:
    path.write_bytes(NOISE + path.read_bytes()[len(NOISE) :])


def no_header(path: Path) -> None:
    path.write_bytes(NOISE[:100] + path.read_bytes()[100:])


def half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def gone(path: Path) -> None:
    path.unlink()


def empty_without_log(path: Path) -> None:
    empty(path)
    path.with_name("games.db-wal").unlink()


@pytest.mark.parametrize("spoil", [noise, no_header, half, empty, gone, empty_without_log])
def test_a_box_starts_on_its_own_journal_whatever_has_become_of_it(path: Path, spoil: Callable[[Path], None]) -> None:
    spoil(path)
    size = path.stat().st_size if path.exists() else 0
    check_file(path, own=True)
    with closing(Journal(path, own=True, known=True)) as journal:
        assert "games.db.damaged-1" in journal.notice, journal.notice
        assert path.with_name("games.db.damaged-1").stat().st_size >= size, "it may have got what the log contained"
        uid = journal.begin(HEADER)
        journal.append(uid, [THROW], "panel")
        assert not journal.trouble
    with closing(Journal(path, own=True, known=True)) as again:
        assert not again.notice, "it is said once"
        assert again.lines(uid)


@pytest.mark.parametrize("spoil", [noise, empty_without_log])
def test_a_file_that_somebody_named_is_left_alone(path: Path, spoil: Callable[[Path], None]) -> None:
    """It could be anybody's. An empty one is a new journal, as it always was."""
    spoil(path)
    path.with_name("games.db.saved").unlink()
    for beside in path.parent.glob("games.db-*"):
        beside.unlink()
    before = path.read_bytes()
    if before:
        with pytest.raises(Foreign):
            Journal(path)
        assert path.read_bytes() == before
    else:
        with closing(Journal(path)) as journal:
            assert not journal.notice
    assert not [*path.parent.glob("*damaged*")]


@pytest.mark.parametrize("made", ["CREATE TABLE recipe (name TEXT)", "PRAGMA user_version = 99"])
def test_a_whole_file_of_somebody_else_stays_also_at_the_boxs_own_place(path: Path, made: str) -> None:
    if "CREATE" in made:
        for file in path.parent.iterdir():
            file.unlink()
    with closing(sqlite3.connect(path)) as file:
        file.execute(made)
        file.commit()
    with pytest.raises(Foreign):
        check_file(path, own=True)
    with pytest.raises(Foreign):
        Journal(path, own=True, known=True)
    assert not [*path.parent.glob("*damaged*")]


def test_what_was_shown_and_is_gone_is_said(tmp_path: Path) -> None:
    """A card loses the end of the write-ahead log. For SQLite, it then looks as if nothing more had been written."""
    journal = played(tmp_path / "games.db")
    earlier = tmp_path / "earlier"
    earlier.mkdir()
    for end in ("", "-wal"):
        shutil.copy(tmp_path / f"games.db{end}", earlier / f"games.db{end}")
    (kept,) = journal.matches()
    for _ in range(3):
        journal.append(kept.uid, [THROW], "panel")
    shutil.copy(tmp_path / "games.db.saved", earlier / "games.db.saved")
    journal.close()
    found = {end: (earlier / f"games.db{end}").read_bytes() for end in ("", "-wal")}
    with closing(Journal(earlier / "games.db")) as lost:
        assert "lost" in lost.notice
        assert "3 entries" in lost.notice
        backup = earlier / "games.db.shortened-1"
        assert str(backup) in str(lost.notice)
        for end in ("", "-wal"):
            assert (earlier / f"{backup.name}{end}").read_bytes() == found[end], "the files as they were found"
        lost.append(kept.uid, [THROW], "panel")
    with closing(Journal(earlier / "games.db")) as again:
        assert not again.notice
    assert len([*earlier.glob("*.shortened-?")]) == 1
