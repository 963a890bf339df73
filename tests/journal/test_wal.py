"""The frames of a write-ahead log: which are whole, which SQLite takes, and a log that is sealed again."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from tests.kit.books import OFF_AND_ON, Scribe, a_play
from tests.kit.damage import DB, PAGE, SEED, WAL, Files
from tests.kit.power_cuts import lay_out
from umpi.journal.first_page import readable
from umpi.journal.wal import Log, changes_behind_damage, reseal

HEAD, FRAME = 32, 24 + PAGE  # https://sqlite.org/fileformat2.html#walformat
SUMS = 16  # in the head of a frame


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """A journal whose plug is pulled, with ten transactions and more in its log."""
    scribe = Scribe(tmp_path_factory.mktemp("plug") / DB)
    for step in a_play(SEED, 15):
        assert step[0] == OFF_AND_ON or scribe.do(step)
    files = {name: scribe.path.with_name(name).read_bytes() for name in (DB, WAL)}
    scribe.close()
    return files


def log_of(files: Files, folder: Path) -> Log:
    lay_out(files, folder)
    log = Log.of(folder / DB)
    assert log
    return log


def damaged(files: Files, at: int) -> Files:
    wal = bytearray(files[WAL])
    wal[at] ^= 1
    return {**files, WAL: bytes(wal)}


def rows(path: Path) -> list[tuple[object, ...]]:
    with closing(readable(path)) as file:
        tables = [name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        return [row for table in tables for row in file.execute(f"SELECT * FROM {table}")]


def test_a_damaged_frame_is_not_whole_nor_one_whose_sums_continue_damaged_sums(files: Files, tmp_path: Path) -> None:
    log = log_of(files, tmp_path / "found")
    many = (len(files[WAL]) - HEAD) // FRAME
    assert log.whole
    assert [at for at, _, _ in log.frames()] == [HEAD + FRAME * number for number in range(many)]
    assert all(log.is_whole(at) for at, _, _ in log.frames())
    number = many // 2
    frame = HEAD + FRAME * number
    for place, broken in (
        (0, {number}),
        (4, {number}),
        (SUMS, {number, number + 1}),
        (24, {number}),
        (FRAME - 1, {number}),
    ):
        log = log_of(damaged(files, frame + place), tmp_path / "found")
        assert {n for n, (at, _, _) in enumerate(log.frames()) if not log.is_whole(at)} == broken, place


def test_changes_behind_a_damaged_frame_are_counted_but_not_a_torn_end(files: Files, tmp_path: Path) -> None:
    path = tmp_path / "found" / DB
    ends = [number for number, (_, _, end) in enumerate(log_of(files, path.parent).frames()) if end]
    assert len(ends) > 10
    assert changes_behind_damage(path) == 0
    for behind in (1, 2, 3, len(ends)):
        lay_out(damaged(files, HEAD + FRAME * ends[-behind] + 30), path.parent)
        assert changes_behind_damage(path) == (behind if behind > 1 else 0)


def test_a_log_that_is_sealed_again_has_all_whole_frames_and_sqlite_reads_them(files: Files, tmp_path: Path) -> None:
    path = tmp_path / "found" / DB
    lay_out(files, tmp_path / "whole")
    known = rows(tmp_path / "whole" / DB)
    log = log_of(files, path.parent)
    contents = [(page, ends, log.content(at)) for at, page, ends in log.frames()]
    reseal(path)
    again = Log.of(path)
    assert again
    assert [(page, ends, again.content(at)) for at, page, ends in again.frames()] == contents
    assert again.whole
    assert all(again.is_whole(at) for at, _, _ in again.frames())
    shutil.copytree(path.parent, tmp_path / "read")
    assert rows(tmp_path / "read" / DB) == known
    number = len(contents) // 2
    lay_out(damaged(files, HEAD + FRAME * number + 24), path.parent)
    reseal(path)
    less = Log.of(path)
    assert less
    assert [less.content(at) for at, _, _ in less.frames()] == [
        content for place, (_, _, content) in enumerate(contents) if place != number
    ]
    assert all(less.is_whole(at) for at, _, _ in less.frames())
