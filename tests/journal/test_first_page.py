"""A copy of a journal without its first page gets another: all matches are found again."""

from __future__ import annotations

from contextlib import closing
from itertools import product
from pathlib import Path

from tests.kit.books import OFF_AND_ON, Scribe, a_play
from tests.kit.damage import DB, PAGE, SEED, WAL, Files
from tests.kit.power_cuts import lay_out
from umpi.journal import Journal
from umpi.journal.first_page import give_first_page, readable
from umpi.journal.recovery import is_own

HEADER = 100  # https://sqlite.org/fileformat2.html#the_database_header


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
    for (kind, files), lost in product(enumerate((in_log, partly, no_log)), (0, HEADER, 512, PAGE)):
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
    path.write_bytes(bytes(HEADER) + b"\x0d" + bytes(PAGE - HEADER - 1))
    assert is_own(path)
    path.write_bytes(bytes(HEADER - 1) + b"\1" + bytes(PAGE - HEADER))
    assert not is_own(path)
    path.write_bytes(b"")
    assert not is_own(path)
