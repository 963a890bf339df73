"""A journal that is a symbolic link, for example to a stick: everything is as with the file that it leads to."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tests.kit.journals import HEADER, THROW, on_disk
from umpi.journal import InUse, Journal, claimed


@pytest.fixture
def link(tmp_path: Path, path: Path) -> Path:
    """A link to the journal in another folder. Nothing is there yet."""
    (tmp_path / "box").mkdir()
    (tmp_path / "box" / "games.db").symlink_to(path)
    return tmp_path / "box" / "games.db"


def test_a_reader_sees_what_a_box_has_just_written(link: Path) -> None:
    with closing(Journal(link)) as journal:
        match = journal.begin(HEADER)
        journal.append(match, [THROW], "panel")
        assert on_disk(link) == {match: [THROW]}


def test_one_box_at_a_time_uses_the_journal_by_either_name(link: Path, path: Path) -> None:
    with claimed(link), pytest.raises(InUse), claimed(path):
        pass
    with claimed(path), pytest.raises(InUse), claimed(link):
        pass


def test_a_repair_keeps_the_link_and_all_files(link: Path, path: Path, tmp_path: Path) -> None:
    with closing(Journal(link)) as journal:
        match = journal.begin(HEADER)
        for _ in range(5):
            journal.append(match, [THROW], "panel")
        files = {end: path.with_name(path.name + end).read_bytes() for end in ("", "-wal")}
    log = bytearray(files["-wal"])
    log[len(log) // 2] ^= 1
    files["-wal"] = bytes(log)
    for end, content in files.items():
        path.with_name(path.name + end).write_bytes(content)
    with closing(Journal(link)) as journal:
        assert "games.db.damaged-1" in journal.notice
        assert not journal.trouble
    assert link.is_symlink()
    for end, content in files.items():
        assert path.with_name(f"games.db.damaged-1{end}").read_bytes() == content
    assert [file.name for file in link.parent.iterdir()] == ["games.db"]
    assert on_disk(link).keys() == {match}
