"""The summary of each match in the journal, and what looking matches up costs."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable
from contextlib import closing
from itertools import product
from pathlib import Path

import pytest

from tests.kit.books import OFF_AND_ON, Scribe, a_play, read_book
from tests.kit.damage import DB, PAGE, SEED, WAL, Files, begins
from tests.kit.journals import HEADER, STOP, THROW
from tests.kit.power_cuts import lay_out
from umpi.journal import Journal, open_to_read, read_match, read_newest
from umpi.journal.first_page import give_first_page, readable
from umpi.journal.queries import read_chain, read_listed, read_players
from umpi.journal.recovery import check_whole, is_own
from umpi.journal.schema import APPLICATION, SCHEMA, TABLES, WITHOUT_SUMMARIES, add_summaries, connect
from umpi.web.past import Past

LEAF = 13  # the kind of a page that has no pages below it: https://sqlite.org/fileformat2.html#b_tree_pages


def written(path: Path, seed: int, steps: int = 60) -> Scribe:
    """Play a match and close the journal."""
    scribe = Scribe(path)
    for step in a_play(seed, steps):
        scribe.do(step)
    scribe.close()
    return scribe


def without_summaries(path: Path) -> None:
    """Make the journal one of the schema before the summaries."""
    with closing(connect(path)) as file, file:
        kinds = "SELECT type, name FROM sqlite_master WHERE name IN ('summary', 'player', 'match_meta_match')"
        triggers = "SELECT type, name FROM sqlite_master WHERE type = 'trigger'"
        for kind, name in file.execute(f"{triggers} UNION {kinds}").fetchall():
            file.execute(f"DROP {kind} {name}")
        file.execute(f"PRAGMA user_version={WITHOUT_SUMMARIES}")


@pytest.mark.parametrize("seed", range(4))
def test_an_older_journal_is_brought_forward_in_its_place(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "games.db"
    book = written(path, seed).book
    without_summaries(path)
    assert read_book(path) == book
    assert {file.name for file in tmp_path.iterdir()} == {"games.db", "games.db.saved"}, "no copy is needed"
    with closing(connect(path)) as file:
        check_whole(file, True)
    assert path.read_bytes()[100] == LEAF


def test_the_definitions_of_the_tables_fit_into_the_first_page(tmp_path: Path) -> None:
    """A page of them that is lost costs every match."""
    path = tmp_path / "games.db"
    written(path, 1)
    assert path.read_bytes()[100] == LEAF


def test_an_older_journal_keeps_its_definitions_in_the_first_page(tmp_path: Path) -> None:
    """The older definitions have the spaces of their source."""
    path = tmp_path / "games.db"
    with closing(connect(path)) as file:
        file.executescript(f"{TABLES} PRAGMA application_id={APPLICATION}; PRAGMA user_version={WITHOUT_SUMMARIES};")
    with closing(Journal(path)) as journal:
        assert (journal.notice, journal.trouble) == ("", "")
        journal.begin(HEADER)
    assert path.read_bytes()[100] == LEAF


@pytest.mark.slow
def test_a_damaged_older_journal_is_repaired_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    book = written(path, 6).book
    without_summaries(path)
    whole = path.read_bytes()
    repaired = 0
    for at in range(PAGE, len(whole), PAGE):
        for old in tmp_path.iterdir():
            old.unlink()
        path.write_bytes(whole[:at] + bytes(PAGE) + whole[at + PAGE :])
        with closing(Journal(path)) as journal:
            assert journal.trouble == "", f"page at {at}"
            notice = str(journal.notice)
        there = read_book(path)
        assert begins(there, book), f"page at {at}"
        assert notice or there == book, f"page at {at}"
        repaired += bool(notice)
    assert repaired > 3


def brought_forward(path: Path, steps: int) -> bool:
    """Bring a journal forward, but interrupt it after so many times 40 steps of SQLite; return whether it was done."""
    left = iter(range(steps))
    with closing(connect(path)) as file:
        file.set_progress_handler(lambda: next(left, None) is None, 40)
        try:
            add_summaries(file)
        except sqlite3.OperationalError as fault:
            if str(fault) != "interrupted":
                raise
            return False
        return True


def test_an_interrupted_attempt_leaves_the_journal_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    book = written(path, 5).book
    without_summaries(path)
    steps = 1
    while not brought_forward(path, steps):
        with closing(sqlite3.connect(path)) as file:
            assert file.execute("PRAGMA user_version").fetchone() == (WITHOUT_SUMMARIES,)
            assert not file.execute("SELECT 1 FROM sqlite_master WHERE name IN ('summary', 'player')").fetchall()
        steps += 1
    assert steps > 20
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("PRAGMA user_version").fetchone() == (SCHEMA,)
    assert read_book(path) == book


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE summary SET how = 'left' WHERE how = 'closed'",
        "UPDATE summary SET outcome = '{}'",
        "UPDATE summary SET players = '[]'",
        "DELETE FROM summary WHERE match = 1",
        "DELETE FROM player WHERE match = 1 AND seat = 1",
        "INSERT INTO player VALUES ('Nobody', 1, 7)",
    ],
)
def test_a_summary_that_is_not_that_of_its_rows_is_found_and_repaired(tmp_path: Path, change: str) -> None:
    path = tmp_path / "games.db"
    with closing(Journal(path)) as journal:
        match = journal.begin(HEADER)
        journal.append(match, [THROW], "panel", [17])
        journal.close_match(match)
    book = read_book(path)
    with closing(sqlite3.connect(path)) as file, file:
        assert file.execute(change).rowcount
    with closing(Journal(path)) as journal:
        assert "damaged-1" in str(journal.notice)
    assert read_book(path) == book


def steps_of(path: Path, look: Callable[[sqlite3.Connection], object]) -> int:
    """Count the steps that SQLite takes to answer."""
    steps = 0

    def step() -> None:
        nonlocal steps
        steps += 1

    with closing(open_to_read(path)) as file:
        file.set_progress_handler(step, 1)
        look(file)
    return steps


@pytest.mark.parametrize(
    "look",
    [
        lambda file: read_match(file, 7),
        lambda file: list(read_newest(file, 5)),
        lambda file: list(read_listed(file, 5)),
        read_players,
    ],
    ids=["one match", "the newest", "the list of the menu", "the players"],
)
def test_a_look_costs_the_same_among_many_matches_as_among_few(
    tmp_path: Path, look: Callable[[sqlite3.Connection], object]
) -> None:
    costs = []
    for matches in (20, 400):
        path = tmp_path / f"{matches}.db"
        with closing(Journal(path)) as journal:
            journal.hold()
            for _ in range(matches):
                match = journal.begin(HEADER)
                journal.append(match, [THROW, STOP], "panel", [17, 18])
                journal.close_match(match)
            journal.release()
        costs.append(steps_of(path, look))
    assert costs[1] < costs[0] * 1.1


def test_the_chain_is_computed_from_the_record_that_a_phone_downloads(tmp_path: Path) -> None:
    path = tmp_path / "games.db"

    def chain() -> str:
        with closing(open_to_read(path)) as file:
            (kept,) = read_newest(file, 1)
            return read_chain(file, kept)

    chains = set[str]()
    with closing(Journal(path)) as journal:
        match = journal.begin(HEADER)
        for change in (
            lambda: journal.append(match, [THROW, STOP], "panel", [17, 18]),
            lambda: journal.rename(match, ["Ada", "Bob"]),
            lambda: journal.append(match, [THROW], "panel", [19]),
        ):
            change()
            computed = ""
            for line in (Past(path).record("1") or "").splitlines():
                computed = hashlib.sha256((computed + line).encode()).hexdigest()
            assert chain() == computed
            chains.add(computed)
    assert len(chains) == 3


# A copy of a journal without its first page gets another: all matches are found again.


HEAD_SIZE = 100  # https://sqlite.org/fileformat2.html#the_database_header


def rows_of(path: Path) -> list[tuple[object, ...]]:
    """Return all matches and lines that SQLite finds."""
    with closing(readable(path)) as file:
        tables = [name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        return [row for table in tables for row in file.execute(f"SELECT * FROM {table}")]


def unplugged(folder: Path, checkpoint: bool) -> tuple[Files, Files]:
    """Return a journal whose plug is pulled, and as it is switched off after that."""
    folder.mkdir()
    scribe = Scribe(folder / DB)
    steps = [step for step in a_play(SEED, 60) if step[0] != OFF_AND_ON]
    for at, step in enumerate(steps):
        assert scribe.do(step)
        if at == len(steps) // 2 and checkpoint:
            scribe.journal.checkpoint()
    found = {name: scribe.path.with_name(name).read_bytes() for name in (DB, WAL)}
    scribe.close()
    return found, {DB: scribe.path.read_bytes()}


def test_all_matches_are_found_again(tmp_path: Path) -> None:
    """Nothing is lost, the header, a sector, or the page; all is in the log, its end, or nothing."""
    in_log, no_log = unplugged(tmp_path / "first", checkpoint=False)
    partly, _ = unplugged(tmp_path / "second", checkpoint=True)
    path = tmp_path / "found" / DB
    for (kind, files), lost in product(enumerate((in_log, partly, no_log)), (0, HEAD_SIZE, 512, PAGE)):
        lay_out(files, path.parent)
        rows = rows_of(path)
        assert len(rows) > 100
        lay_out({**files, DB: bytes(min(lost, len(files[DB]))) + files[DB][lost:]}, path.parent)
        give_first_page(path)
        assert rows_of(path) == rows, (kind, lost)


def test_a_header_of_zeros_is_a_journal_and_a_page_of_another_program_is_none(tmp_path: Path) -> None:
    path = tmp_path / DB
    Journal(path).close()
    assert is_own(path)
    path.write_bytes(bytes(HEAD_SIZE) + b"\x0d" + bytes(PAGE - HEAD_SIZE - 1))
    assert is_own(path)
    path.write_bytes(bytes(HEAD_SIZE - 1) + b"\1" + bytes(PAGE - HEAD_SIZE))
    assert not is_own(path)
    path.write_bytes(b"")
    assert not is_own(path)
