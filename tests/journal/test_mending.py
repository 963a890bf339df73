"""A damaged journal is kept; its readable matches are copied, and the box names its place."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.kit.journals import HEADER, STOP, THROW
from tests.kit.rig import Rigs
from umpi.journal import Foreign, Journal
from umpi.journal.recovery import Damaged, check_whole

PAGE = 4096
WRITTEN = ['{"do": "throw", "keep": [], "dice": [1, 4, 8], "at": 7}', '{"do": "stop", "at": 7}']


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "games.db"
    with closing(Journal(path)) as journal:
        for _ in range(6):
            match = journal.begin(HEADER)
            for _ in range(40):
                journal.append(match, [THROW, STOP], "panel", [17, 18])
            journal.close_match(match)
        journal.speak("de")
    return path


def spoil(path: Path, page: int, content: bytes = b"\x55") -> bytes:
    whole = path.read_bytes()
    path.write_bytes(whole[: page * PAGE] + (content * PAGE)[:PAGE] + whole[(page + 1) * PAGE :])
    return path.read_bytes()


def pages(path: Path) -> int:
    return len(path.read_bytes()) // PAGE


@pytest.mark.slow
def test_whatever_page_is_lost_the_box_starts_and_the_old_file_is_kept(path: Path) -> None:
    whole = path.read_bytes()
    carried = set()
    for page in range(pages(path)):
        path.write_bytes(whole)
        damaged = spoil(path, page, b"\0" if page % 2 == 0 else b"\x55")
        for aside in path.parent.glob("*.damaged-*"):
            aside.unlink()
        try:
            journal = Journal(path)
        except Foreign:
            assert page == 0, "only a lost head can hide whose file it was"
            continue
        with closing(journal):
            assert journal.trouble == ""
            matches = journal.matches()
            carried.add(len(matches))
            for kept in matches:
                assert journal.lines(kept.uid) == (WRITTEN * 40)[: kept.lines]
            aside = path.with_name("games.db.damaged-1")
            if journal.notice:
                assert str(aside) in journal.notice
                assert aside.read_bytes() == damaged
            else:
                assert len(matches) == 6, "a page that holds nothing"
            journal.append(journal.begin(HEADER), [THROW], "panel")
            assert journal.trouble == ""
    assert 6 in carried


def test_a_lost_head_is_known_by_its_empty_block(path: Path) -> None:
    """The tables of a journal are always at the same pages, so a lost first page costs no match."""
    spoil(path, 0, b"\0")
    with closing(Journal(path)) as journal:
        assert "games.db.damaged-1" in journal.notice
        assert [journal.lines(kept.uid) for kept in journal.matches()] == [WRITTEN * 40] * 6


def test_each_damage_is_kept_under_a_number_of_its_own(path: Path) -> None:
    for number in (1, 2):
        spoil(path, 0, b"\0")
        Journal(path).close()
        assert path.with_name(f"games.db.damaged-{number}").exists()


def test_acts_in_the_wal_are_recovered_too(path: Path) -> None:
    journal = Journal(path)
    match = journal.begin(HEADER)
    journal.append(match, [THROW], "panel")
    wal = path.with_name("games.db-wal").read_bytes()
    main = path.read_bytes()
    journal.close()
    path.write_bytes(main)
    path.with_name("games.db-wal").write_bytes(wal)
    for page in range(pages(path) - 1, 1, -1):
        spoil(path, page)
        with closing(sqlite3.connect(path)) as file:
            try:
                check_whole(file, made=False)  # the pages; the rows need the functions of the journal
            except (Damaged, sqlite3.DatabaseError):
                break
        path.write_bytes(main)
        path.with_name("games.db-wal").write_bytes(wal)
    with closing(Journal(path)) as again:
        assert again.notice
        assert again.lines(match) == WRITTEN[:1]


def test_the_box_says_it_on_the_screen(rigs: Rigs, path: Path) -> None:
    spoil(path, 0, b"\0")
    rig = rigs(journal=path)
    assert rig.shows("Störung", "waren beschädigt."), rig.screen


def test_a_disk_too_full_to_mend_it_leaves_it_where_it_is(path: Path) -> None:
    damaged = spoil(path, 0, b"\0")
    path.with_name("games.db.new").mkdir()  # stands where the new one would
    with closing(Journal(path)) as journal:
        assert journal.trouble
        assert path.read_bytes() == damaged
        path.with_name("games.db.new").rmdir()
        assert journal.save()
        assert journal.notice


def test_a_line_that_cannot_be_read_cuts_its_match_short_and_no_other(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("DELETE FROM line WHERE match = 3 AND n = 11")
        file.execute("PRAGMA writable_schema = ON")
    spoil(path, pages(path) - 1)
    with closing(Journal(path)) as journal:
        if journal.notice:
            assert all(kept.lines in (10, 80) or kept.lines < 80 for kept in journal.matches())
            assert next(kept.lines for kept in journal.matches() if kept.id == 3) <= 10
