"""Damaged files: opening one raises nothing, what is missing is never missing silently, the damaged file is kept."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path

import pytest

from tests.kit.books import OFF_AND_ON, OUTCOME, Book, Scribe, a_play, read_book
from tests.kit.damage import DB, PAGE, SECTOR, SEED, WAL, Files, Games, begins, flipped, zeroed
from tests.kit.driven import drive
from tests.kit.faulty import FAULTS, Disk
from tests.kit.journals import HEADER, THROW
from tests.kit.power_cuts import lay_out
from tests.kit.rig import Rigs
from tests.kit.sampling import QUICK, fewer, sampled
from umpi.cli import main
from umpi.journal import Foreign, Journal, check_file, open_to_read, read_matches
from umpi.journal.queries import CLOSED
from umpi.journal.recovery import Damaged, check_start
from umpi.journal.saved import Saved
from umpi.kernel.record import dump
from umpi.kernel.registry import find
from umpi.referee.session import MatchSession

WAL_HEAD, FRAME = 32, 24 + PAGE  # https://sqlite.org/fileformat2.html#walformat


@pytest.fixture(scope="module")
def unplugged(tmp_path_factory: pytest.TempPathFactory) -> Games:
    """A journal as a box leaves it whose plug is pulled: the last acts are in the -wal."""
    scribe = Scribe(tmp_path_factory.mktemp("plug") / DB)
    steps = [step for step in a_play(SEED, 60) if step[0] != OFF_AND_ON]
    for at, step in enumerate(steps):
        assert scribe.do(step)
        if at == len(steps) // 2:
            scribe.journal.checkpoint()
    files = {name: scribe.path.with_name(name).read_bytes() for name in (DB, WAL)}
    scribe.close()
    return Games(files, scribe.book)


def look(damaged: Files, whole: Book, folder: Path) -> tuple[str, Book]:
    """Open a damaged journal as a box does; return "all", "kept" if it reports and keeps it, or "silent"."""
    lay_out(damaged, folder)
    check_file(folder / DB)
    journal = Journal(folder / DB)
    trouble, notice = str(journal.trouble), str(journal.notice)
    journal.close()
    assert not trouble, "nothing keeps a box from putting a damaged file aside"
    there = read_book(folder / DB)
    if notice:
        aside = folder / f"{DB}.damaged-1"
        assert str(aside) in notice, notice
        for name, content in damaged.items():
            copy = folder / name.replace(DB, aside.name)
            assert copy.read_bytes() == content
            assert copy.stat().st_mode & 0o077 == 0, "as private as the journal"
        return "kept", there
    return ("all" if there == whole else "silent"), there


def cut_short(files: Files, name: str, sizes: Iterable[int]) -> Iterator[Files]:
    for size in sizes:
        yield {**files, name: files[name][:size]}


@pytest.mark.parametrize(("block", "share"), [pytest.param(PAGE, 1, marks=pytest.mark.slow), (SECTOR, 4)])
def test_a_file_cut_short_is_kept_and_what_can_be_read_is_there(
    switched_off: Games, tmp_path: Path, block: int, share: int
) -> None:
    """Torn off at a page, or within one: SQLite fills the rest with zeros and finds nothing wrong with them.

    A file of no bytes is what a box leaves that never came to begin it.
    """
    for damaged in cut_short(switched_off.files, DB, sampled(range(block, len(switched_off.files[DB]), block), share)):
        found, there = look(damaged, switched_off.book, tmp_path / "found")
        assert found == "kept", f"cut to {len(damaged[DB])}"
        assert begins(there, switched_off.book), f"cut to {len(damaged[DB])}"


@pytest.mark.parametrize("lost", [1, 16, PAGE - 1])
def test_a_last_page_that_is_cut_is_named_however_little_is_lost(
    switched_off: Games, tmp_path: Path, lost: int
) -> None:
    lay_out({**switched_off.files, DB: switched_off.files[DB][:-lost]}, tmp_path / "cut")
    with closing(sqlite3.connect(tmp_path / "cut" / DB)) as file, pytest.raises(Damaged) as found:
        check_start(file, tmp_path / "cut" / DB, made=True)
    assert str(found.value) == "its last page is cut short"


@pytest.mark.parametrize(("block", "share"), [(PAGE, 1), (SECTOR, 4)])
def test_a_lost_block_is_reported(switched_off: Games, tmp_path: Path, block: int, share: int) -> None:
    """An SD card gives zeros for a block it has lost. A lost head costs no match: the tables are at the same pages."""
    for at, damaged in enumerate(zeroed(switched_off.files, DB, block, share)):
        found, there = look(damaged, switched_off.book, tmp_path / "found")
        assert found != "silent", f"block {at} of {block}"
        assert begins(there, switched_off.book), f"block {at} of {block}"
        head = damaged[DB].startswith(bytes(SECTOR))
        assert not head or there == switched_off.book


def test_a_page_of_something_else_is_reported(switched_off: Games, tmp_path: Path) -> None:
    """Only a lost head can hide whose file it was."""
    for at, damaged in enumerate(zeroed(switched_off.files, DB, PAGE, 1, b"\x55")):
        if at:
            found, there = look(damaged, switched_off.book, tmp_path / "found")
            assert found != "silent", f"page {at}"
            assert begins(there, switched_off.book), f"page {at}"


def test_acts_in_the_wal_are_recovered_beside_a_damaged_page(unplugged: Games, tmp_path: Path) -> None:
    """The last acts are in the -wal, and the pages that they change are whole there."""
    kept = []
    for at, damaged in enumerate(zeroed(unplugged.files, DB, PAGE, 1, b"\x55")):
        if at:
            lay_out(damaged, tmp_path / "found")
            with closing(Journal(tmp_path / "found" / DB)) as journal:
                assert journal.trouble == ""
                notice = str(journal.notice)
            there = read_book(tmp_path / "found" / DB)
            assert notice or there == unplugged.book, f"page {at}"
            assert begins(there, unplugged.book), f"page {at}"
            kept.append(there.pages[-1:] == unplugged.book.pages[-1:])
    assert any(kept)


def test_the_box_says_on_its_screen_that_its_games_were_damaged(rigs: Rigs, tmp_path: Path) -> None:
    with closing(Journal(tmp_path / DB)) as journal:
        journal.speak("de")
    whole = (tmp_path / DB).read_bytes()
    (tmp_path / DB).write_bytes(bytes(PAGE) + whole[PAGE:])
    rig = rigs(journal=tmp_path / DB)
    assert rig.shows("Störung", "waren beschädigt."), rig.screen


def test_a_flipped_bit_is_reported(switched_off: Games, tmp_path: Path) -> None:
    """SQLite's pages have no checksum: Umpi itself must find a flipped bit in a text."""
    for number, damaged in enumerate(flipped(switched_off.files, DB, fewer(400, 4), SEED, PAGE)):
        found, there = look(damaged, switched_off.book, tmp_path / "found")
        assert found != "silent", f"flip {number}"
        assert begins(there, switched_off.book), f"flip {number}"


@pytest.mark.parametrize(("table", "column"), [("line", "text"), ("match", "header"), ("summary", "players")])
def test_flipped_bits_that_make_bytes_of_texts_cost_nothing(
    switched_off: Games, tmp_path: Path, capsys: pytest.CaptureFixture[str], table: str, column: str
) -> None:
    """SQLite has the kind of each value in one number, which is even for bytes and odd for a text."""
    path = tmp_path / DB
    path.write_bytes(switched_off.files[DB])
    with closing(sqlite3.connect(path)) as file, file:
        file.execute(f"UPDATE {table} SET {column} = CAST({column} AS BLOB)")
    assert main(["history", "--journal", str(path)]) == 2
    assert "The file is damaged" in capsys.readouterr().err
    found, there = look({DB: path.read_bytes()}, switched_off.book, tmp_path / "found")
    assert found == "kept"
    assert there == switched_off.book


@pytest.mark.parametrize(
    ("damage", "lines"),
    [
        ("UPDATE line SET text = replace(text, 4, 5) WHERE match = 1 AND n = 3", [2, 2]),
        ("DELETE FROM line WHERE match = 1 AND n = 3", [2, 2]),  # its outcome tells that it had more
        ("UPDATE line SET text = replace(text, 4, 5) WHERE match = 2 AND n = 2", [3, 1]),
        ("UPDATE line SET text = replace(text, 4, 5) WHERE match = 1 AND n = 2", [1, 2]),
    ],
)
def test_a_match_that_has_lost_moves_is_counted_as_incomplete(tmp_path: Path, damage: str, lines: list[int]) -> None:
    path = tmp_path / DB
    with closing(Journal(path)) as journal:
        over, in_play = journal.begin(HEADER), journal.begin(HEADER)
        journal.append(over, [THROW] * 3, "panel", outcome=OUTCOME)
        journal.append(in_play, [THROW] * 2, "panel")
    with closing(sqlite3.connect(path)) as file, file:
        file.execute(damage)
    with closing(Journal(path)) as journal:
        assert "Recovered: 2; incomplete: 1" in journal.notice
        assert [kept.lines for kept in journal.matches()] == lines


@pytest.mark.slow
def test_a_box_starts_with_damaged_games(switched_off: Games, tmp_path: Path) -> None:
    """Whatever the card gives back: a box that fails at this would be started again for ever, and fail again."""
    flips = flipped(switched_off.files, DB, fewer(1000, 4), SEED, PAGE)
    for number, damaged in enumerate(chain(flips, zeroed(switched_off.files, DB, SECTOR, 4))):
        lay_out(damaged, tmp_path / "found")
        try:
            journal = Journal(tmp_path / "found" / DB)
        except Foreign:
            continue
        try:
            journal.spoken(), journal.players(), journal.phones()
            session = MatchSession(find, lambda: 0)
            drive(journal, session.resume()), drive(journal, session.resumable())
        except Exception as fault:
            raise AssertionError(f"damage {number}") from fault
        finally:
            journal.close()


def test_a_flipped_bit_in_the_first_page_is_reported_or_the_file_is_refused_unchanged(
    switched_off: Games, tmp_path: Path
) -> None:
    """Without the signature of a journal, the file must not be touched."""
    for number, damaged in enumerate(flipped({DB: switched_off.files[DB][:PAGE]}, DB, fewer(200, 4), SEED)):
        files = {DB: damaged[DB] + switched_off.files[DB][PAGE:]}
        try:
            found, _ = look(files, switched_off.book, tmp_path / "found")
        except Foreign:
            assert [file.read_bytes() for file in (tmp_path / "found").iterdir()] == [files[DB]]
        else:
            assert found != "silent", f"flip {number}"


def test_a_damaged_definition_beside_a_wal_is_repaired(tmp_path: Path) -> None:
    """SQLite quotes a definition that it cannot read."""
    with closing(Journal(tmp_path / "before" / DB)) as journal:
        uid = journal.begin(HEADER)
        journal.checkpoint()
        journal.append(uid, [THROW], "panel")
        files = {name: (tmp_path / "before" / name).read_bytes() for name in (DB, WAL)}
    damaged = bytearray(files[DB])
    damaged[damaged.index(b"TABLE match_status") + 2] ^= 0x80
    lay_out({**files, DB: bytes(damaged)}, tmp_path / "found")
    with closing(Journal(tmp_path / "found" / DB)) as journal:
        assert "Recovered: 1; incomplete: 0" in journal.notice
        assert len(journal.lines(uid)) == 1


@pytest.mark.parametrize("block", [SECTOR, PAGE, 2 * PAGE])
def test_a_lost_block_at_the_start_of_a_wal_is_reported_and_the_frames_behind_it_are_read(
    unplugged: Games, tmp_path: Path, block: int
) -> None:
    files = {**unplugged.files, WAL: bytes(block) + unplugged.files[WAL][block:]}
    found, there = look(files, unplugged.book, tmp_path / "found")
    assert found == "kept"
    assert begins(there, unplugged.book)
    assert len(there.pages) == len(unplugged.book.pages)


def test_of_a_wal_of_zeros_the_lost_entries_are_reported(unplugged: Games, tmp_path: Path) -> None:
    lay_out({**unplugged.files, WAL: bytes(len(unplugged.files[WAL]))}, tmp_path / "found")
    Saved(tmp_path / "found" / DB).note(10**6)
    with closing(Journal(tmp_path / "found" / DB)) as journal:
        assert not journal.trouble
        assert "The disk has lost the last" in journal.notice


def test_a_wal_cut_short_leaves_whole_acts_in_order(unplugged: Games, tmp_path: Path) -> None:
    """A power cut leaves this: a torn end cannot be distinguished from one that was never written."""
    for damaged in cut_short(unplugged.files, WAL, sampled(range(0, len(unplugged.files[WAL]), 3 * SECTOR), 3)):
        _, there = look(damaged, unplugged.book, tmp_path / "found")
        assert begins(there, unplugged.book), f"cut to {len(damaged[WAL])}"


@pytest.mark.slow
def test_a_damaged_wal_keeps_complete_acts_in_order_and_is_reported(unplugged: Games, tmp_path: Path) -> None:
    """SQLite takes the first frame whose checksum is wrong for the end; the frames behind it tell that it is not.

    But for the last act: one alone behind the end may as well have been torn by a power cut, before it was shown.
    """
    wal, complete = unplugged.files[WAL], 0
    commits = [at for at in range(WAL_HEAD, len(wal), FRAME) if any(wal[at + 4 : at + 8])]
    for number, damaged in enumerate(flipped(unplugged.files, WAL, 100, SEED)):
        flip = next(at for at in range(len(wal)) if damaged[WAL][at] != wal[at])
        found, there = look(damaged, unplugged.book, tmp_path / "found")
        assert begins(there, unplugged.book), f"flip {number} at {flip}"
        assert found != "silent" or flip >= commits[-2], f"flip {number} at {flip}"
        complete += there == unplugged.book
    assert complete > 60, "what is behind the damaged place is read as well"


def test_games_damaged_again_are_kept_beside_those_of_the_first_time(switched_off: Games, tmp_path: Path) -> None:
    path = tmp_path / DB
    for number in (1, 2):
        path.write_bytes(switched_off.files[DB][: 5 * PAGE])
        with_notice = Journal(path)
        assert str(path.with_name(f"{DB}.damaged-{number}")) in str(with_notice.notice)
        with_notice.close()
    assert len(list(tmp_path.glob(f"{DB}.damaged-*"))) == 2


@pytest.mark.slow
def test_a_power_cut_while_it_is_put_aside_loses_nothing(disk: Disk, switched_off: Games, tmp_path: Path) -> None:
    """Torn at any write, the damaged file is still there, and the next start makes of it what this one would have."""
    damaged = {DB: switched_off.files[DB][: 9 * PAGE]}
    _, there = look(damaged, switched_off.book, tmp_path / "found")
    first = 0
    while True:
        lay_out(damaged, tmp_path / "found")
        disk.mend()
        disk.fail(FAULTS["write torn"], first)
        cut_off = Journal(tmp_path / "found" / DB)
        cut_off.close()
        if not disk.hit:
            break
        disk.mend()
        again = Journal(tmp_path / "found" / DB)
        assert again.trouble == ""
        assert again.notice or cut_off.notice
        again.close()
        assert read_book(tmp_path / "found" / DB) == there, f"write {first}"
        first += 5 if QUICK else 1
    assert first > 10


def test_a_damaged_file_on_a_full_card_is_put_aside_once(disk: Disk, switched_off: Games, tmp_path: Path) -> None:
    """The box tries again every second: that must not make a copy each time."""
    damaged = {DB: switched_off.files[DB][: 9 * PAGE]}
    lay_out(damaged, tmp_path / "found")
    disk.fail(FAULTS["disk full"], 0)
    journal = Journal(tmp_path / "found" / DB)
    for _ in range(5):
        assert not journal.save()
    assert len(list((tmp_path / "found").glob(f"{DB}.damaged-*"))) <= 1
    disk.mend()
    assert journal.save(), journal.trouble
    assert journal.notice
    assert len(list((tmp_path / "found").glob(f"{DB}.damaged-*"))) == 1
    journal.close()
    assert begins(read_book(tmp_path / "found" / DB), switched_off.book)


def test_the_journal_of_an_older_umpi_is_kept_and_its_matches_are_copied(tmp_path, switched_off):
    """The message names the file, where it was kept, and what to do."""
    path = tmp_path / DB
    path.write_bytes(switched_off.files[DB])
    with closing(sqlite3.connect(path)) as file:
        older = "ALTER TABLE match_status RENAME TO stand; ALTER TABLE match_meta RENAME TO aside;"
        file.executescript(f"{older} PRAGMA user_version=2")
    before = path.read_bytes()
    with pytest.raises(Foreign, match=r"made by an older Umpi \(schema 2, .*Start the box once"):
        open_to_read(path).close()
    check_file(path)  # a box does start with it
    with closing(Journal(path)) as journal:
        kept, many = path.with_name(f"{DB}.older-1"), len(switched_off.book.pages)
        assert str(journal.notice) == (
            f"{path} was made by an older Umpi. The old file is now {kept}. Recovered: {many}; incomplete: 0. "
            "Keep the old file if a match is missing."
        )
        assert kept.read_bytes() == before
        first = journal.matches()[0].uid
        journal.note(first, "turn_s", 30)
        journal.close_match(first)
        assert not journal.trouble
    with closing(open_to_read(path)) as file:
        assert next(read_matches(file)).how == CLOSED


SCHEMA_1 = """
    CREATE TABLE match (id INTEGER PRIMARY KEY, header TEXT NOT NULL, began TEXT NOT NULL);
    CREATE TABLE line (match INTEGER NOT NULL REFERENCES match, n INTEGER NOT NULL, text TEXT NOT NULL,
                       who TEXT NOT NULL, PRIMARY KEY (match, n));
    CREATE TABLE trace (match INTEGER NOT NULL REFERENCES match, n INTEGER NOT NULL, text TEXT NOT NULL,
                        PRIMARY KEY (match, n));
    PRAGMA application_id = 0x756d7069; PRAGMA user_version = 1;
"""


def test_a_journal_from_before_there_were_checksums_is_converted_with_its_matches(path: Path) -> None:
    """Nothing in it shows damage, so all rows are taken as they are. Its matches had no uid."""
    with closing(sqlite3.connect(path)) as file, file:
        file.executescript(SCHEMA_1)
        for match in (1, 2):
            file.execute("INSERT INTO match VALUES (?, ?, '2026-11-20T19:00:00+00:00')", (match, dump(HEADER)))
            file.execute("INSERT INTO line VALUES (?, 1, ?, 'panel')", (match, dump(THROW)))
    with closing(Journal(path)) as journal:
        assert "Recovered: 2; incomplete: 0" in journal.notice
    with closing(Journal(path)) as journal:
        assert not journal.notice
        first, second = journal.matches()
        assert first.uid != second.uid
        assert journal.lines(first.uid) == journal.lines(second.uid) == [dump(THROW)]


@pytest.mark.parametrize("command", ["history", "stats", "puzzle"])
def test_of_a_damaged_file_a_command_says_what_saves_its_matches(
    switched_off: Games, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    content = switched_off.files[DB]
    (tmp_path / DB).write_bytes(content[:PAGE] + bytes(reversed(content[PAGE:])))
    assert main([command, "--journal", str(tmp_path / DB)]) == 2
    remedy = f"To keep it and save what can be read: umpi sim --journal {tmp_path / DB}"
    assert capsys.readouterr().err.endswith(f"The file is damaged. {remedy}\n")
