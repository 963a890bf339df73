"""A journal too large to be checked before the first picture: what is found then, and what while the box plays."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.kit.books import Book, read_book
from tests.kit.damage import DB, PAGE, SECTOR, SEED, Files, Games, begins, flipped, zeroed
from tests.kit.faulty import FAULTS, Disk
from tests.kit.journals import HEADER, STOP, THROW
from tests.kit.power_cuts import lay_out
from tests.kit.sampling import fewer
from umpi.cli import main
from umpi.journal import Foreign, Journal, claimed, open_to_read, recovery, schema
from umpi.journal.recovery import check_rest, note_damage, noted_beside

FOUND = "table line: other than written, 1"


@pytest.fixture(autouse=True)
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every journal for a large one."""
    monkeypatch.setattr(recovery, "SMALL", 0)


def fill(path: Path, matches: int, lines: int = 20) -> Path:
    """Write finished matches, and the last one on the table."""
    with closing(Journal(path)) as journal:
        for number in range(matches):
            match = journal.begin(HEADER)
            journal.append(match, [THROW, STOP] * (lines // 2), "panel", [17, 18] * (lines // 2))
            if number < matches - 1:
                journal.close_match(match)
    return path


def spoil_line(path: Path, match: int, n: int) -> None:
    """Change a line as a flipped bit would."""
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("UPDATE line SET text = replace(text, '8', '9') WHERE match = ? AND n = ?", (match, n))


def play_on(damaged: Files, folder: Path) -> tuple[bool, bool, str]:
    """Open a damaged journal, play a new match and go on with the one on the table, and check the rest meanwhile.

    Returns whether the start repaired it, whether all was saved, and what the check found.
    """
    lay_out(damaged, folder)
    with closing(Journal(folder / DB)) as journal:
        assert journal.trouble == "", "nothing keeps a box from putting a damaged file aside"
        mended = bool(journal.notice)
        on = journal.on_table()
        if on is not None:
            journal.append(on, [THROW], "panel", [99])
        journal.append(journal.begin(HEADER), [THROW, STOP], "panel", [1, 2])
        saved = journal.saved
        found = check_rest(folder / DB, int)
        if found:
            note_damage(folder / DB, found)
    return mended, saved, found


def test_any_damage_is_found_while_the_box_plays_and_repaired_at_the_next_start(
    switched_off: Games, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is missing silently, and what was played and saved in between is there."""
    monkeypatch.setattr(recovery, "RECENT", 2)
    folder, seen = tmp_path / "found", Counter[str]()
    cases = [*flipped(switched_off.files, DB, fewer(400, 4), SEED, PAGE), *zeroed(switched_off.files, DB, SECTOR, 4)]
    for number, damaged in enumerate(cases):
        try:
            mended, saved, found = play_on(damaged, folder)
        except Foreign:
            assert not any(damaged[DB][:SECTOR]), "only a lost head can hide whose file it was"
            continue
        with closing(Journal(folder / DB)) as again:
            assert bool(again.notice) == bool(found), f"damage {number}"
        there = read_book(folder / DB)
        seen["at the start" if mended else "while it played" if found else "nowhere"] += 1
        if not mended and not found:
            assert ends(there) == ends(expected(switched_off.book)), f"damage {number}"
        if saved:
            assert [line[0] for line in there.pages[-1].lines] == [THROW, STOP], f"damage {number}"
        assert not noted_beside(folder / DB).exists()
    assert min(seen["at the start"], seen["while it played"]) >= len(cases) // 20, seen


def expected(book: Book) -> Book:
    """The book after `play_on`."""
    book = book.copy()
    assert book.on_table
    book.append(book.on_table, [THROW], "panel", [99], None)
    book.begin(HEADER, 1)
    book.append(len(book.pages), [THROW, STOP], "panel", [1, 2], None)
    return book


def ends(book: Book) -> list[list[tuple[Any, ...]]]:
    return [page.lines for page in book.pages]


def test_whatever_was_played_is_kept_in_order_when_the_damage_is_repaired(
    switched_off: Games, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No line of a match takes the place of another one, even if an index has lost it."""
    monkeypatch.setattr(recovery, "RECENT", 2)
    after = expected(switched_off.book)
    for number, damaged in enumerate(flipped(switched_off.files, DB, fewer(400, 4), SEED + 1, PAGE)):
        mended, _, found = play_on(damaged, tmp_path / "found")
        if found and not mended:
            assert begins(read_book(tmp_path / "found" / DB), after), f"flip {number}"


def rows_checked(path: Path, monkeypatch: pytest.MonkeyPatch, do: Callable[[Path], object]) -> tuple[int, list[str]]:
    """Count the rows whose checksums are computed, and list the statements."""
    rows, statements = 0, list[str]()
    real_sum, real_connect = schema.sum_of, schema.connect

    def counted(*values: object) -> int:
        nonlocal rows
        rows += 1
        return real_sum(*values)

    def connect(*arguments: Any, **named: Any) -> sqlite3.Connection:
        file = real_connect(*arguments, **named)
        file.set_trace_callback(statements.append)
        return file

    with monkeypatch.context() as patch:
        patch.setattr(schema, "sum_of", counted)
        patch.setattr("umpi.journal.journal.connect", connect)
        do(path)
    return rows, statements


def opened(path: Path) -> None:
    with closing(Journal(path)) as journal:
        assert (journal.trouble, journal.notice) == ("", "")


@pytest.mark.slow
def test_a_start_checks_as_much_of_many_matches_as_of_few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recovery, "RECENT", 10)
    few, _ = rows_checked(fill(tmp_path / "few.db", 12), monkeypatch, opened)
    many, statements = rows_checked(fill(tmp_path / "many.db", 120), monkeypatch, opened)
    assert few == many < 100
    assert statements
    assert not any("integrity_check" in each for each in statements), "it reads every page"


def test_a_small_journal_is_checked_whole_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path = fill(tmp_path / DB, 12)
    spoil_line(path, 3, 5)
    monkeypatch.setattr(recovery, "SMALL", path.stat().st_size)
    with closing(Journal(path)) as journal:
        assert "incomplete: 1" in str(journal.notice)
    assert FOUND in caplog.text


@pytest.mark.parametrize("match", [12, 11, 1])
def test_the_match_to_resume_and_the_newest_rows_are_checked_at_the_start(tmp_path: Path, match: int) -> None:
    """The first match is on the table again. Another old one is checked while the box plays."""
    path = fill(tmp_path / DB, 12)
    with closing(Journal(path)) as journal:
        journal.take_up(journal.matches()[0].uid, 20)
    spoil_line(path, match, 17)
    with closing(Journal(path)) as journal:
        assert "incomplete: 1" in str(journal.notice)
        assert journal.listed(20)[match - 1].lines == 16


def test_an_old_match_is_checked_while_the_box_plays(tmp_path: Path) -> None:
    path = fill(tmp_path / DB, 12)
    spoil_line(path, 3, 5)
    opened(path)
    assert check_rest(path, int) == FOUND


def test_the_check_pauses_between_batches_and_sees_nothing_wrong_in_what_is_written_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recovery, "BATCH", 50)
    path, pauses = fill(tmp_path / DB, 20), 0
    with closing(Journal(path)) as journal:
        last = journal.matches()[-1].uid

        def write() -> None:
            nonlocal pauses
            pauses += 1
            if pauses < 30:
                journal.append(last, [THROW], "panel", [17], {"places": [1, 2], "scores": [pauses, 0]})

        assert check_rest(path, write) == ""
        assert journal.saved
    assert pauses > 20 * 20 / 50 + len(schema.SUMMED)


def test_a_check_that_is_stopped_reads_no_further(tmp_path: Path) -> None:
    class Stopped(Exception):
        pass

    def stop() -> None:
        raise Stopped

    path = fill(tmp_path / DB, 2)
    spoil_line(path, 1, 5)
    with pytest.raises(Stopped):
        check_rest(path, stop)


@pytest.mark.slow
def test_a_file_that_cannot_be_read_now_is_not_taken_for_a_damaged_one(tmp_path: Path) -> None:
    path = fill(tmp_path / DB, 2)
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            check_rest(path, int)


def test_a_note_of_damage_that_is_gone_by_itself_only_costs_a_check(tmp_path: Path) -> None:
    path = fill(tmp_path / DB, 2)
    note_damage(path, FOUND)
    opened(path)
    assert not noted_beside(path).exists()


def test_an_import_repairs_no_journal_that_a_box_uses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The box would go on to write into the file that was put aside."""
    path, export = fill(tmp_path / DB, 2), tmp_path / "matches.jsonl"
    assert main(["history", "--journal", str(path), "--export", str(export)]) == 0
    spoil_line(path, 1, 5)
    note_damage(path, FOUND)
    before = path.read_bytes()
    # Another process has it: this one would be taken for the box itself.
    with claimed(path):
        path.with_name(f"{DB}.lock").write_text("1\n")
        assert main(["history", "--journal", str(path), "--import", str(export)]) == 2
    assert "a box uses it" in capsys.readouterr().err
    assert path.read_bytes() == before
    with closing(Journal(path)) as journal:
        assert journal.notice
    with closing(open_to_read(path)):
        pass


def test_no_page_that_is_lost_keeps_the_box_from_saving(tmp_path: Path) -> None:
    """The start writes a row of each kind and takes it back: it finds out whether there is room for new ones."""
    whole = fill(tmp_path / "whole.db", 12).read_bytes()
    for number, damaged in enumerate(zeroed({DB: whole}, DB, PAGE, 1)):
        lay_out(damaged, tmp_path / "found")
        if number == 0:
            continue
        with closing(Journal(tmp_path / "found" / DB)) as journal:
            match = journal.begin(HEADER)
            journal.append(match, [THROW, STOP], "panel", [1, 2], {"places": [1, 2], "scores": [1, 0]})
            journal.rename(match, ["Ann", "Ben"])
            journal.note(match, "turn_s", 30)
            journal.keep_trace(match, ["edge"])
            assert (journal.saved, str(journal.trouble)) == (True, ""), f"page {number}"


def test_a_start_leaves_no_row_of_its_own(tmp_path: Path) -> None:
    path = fill(tmp_path / DB, 2)
    before = read_book(path)
    opened(path)
    assert read_book(path) == before


@pytest.mark.slow
def test_a_read_that_fails_once_is_not_taken_for_damage(disk: Disk, tmp_path: Path) -> None:
    path = fill(tmp_path / DB, 40)
    disk.mend()
    assert check_rest(path, int) == ""
    for first in range(disk.calls["read"]):
        disk.mend()
        disk.fail(FAULTS["read fails"], first, 1)
        try:
            assert check_rest(path, int) == "", f"read {first}"
        except sqlite3.OperationalError:
            continue
        finally:
            assert disk.hit, f"read {first}"
