"""Each fault of what a box keeps, measures, journal, games, the time, and the finding it makes."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.kit.journals import dodeka_header
from umpi.box.config import Config
from umpi.doctor.system import System
from umpi.journal import Journal
from umpi.simulator.virtual import with_lanes

SIX = with_lanes(Config(), 6).beams


def written(path: Path, matches: int) -> None:
    journal = Journal(path)
    for _ in range(matches):
        journal.begin(dodeka_header())
    assert not journal.trouble
    journal.close()


def test_damaged_measures_are_out(ward: Any, tmp_path: Path) -> None:
    (tmp_path / "measured.json").write_text("{")
    found = ward().finding("measures")
    assert found.status == "failed"
    assert found.what.startswith(f"{tmp_path / 'measured.json'}: not a calibration file")


# Journal


def test_a_missing_journal_is_well_and_is_not_created(ward: Any, tmp_path: Path) -> None:
    path = tmp_path / "box" / "umpi" / "games.db"
    assert ward(journal=path).finding("journal").status == "ok"
    assert not (tmp_path / "box").exists()


def test_looking_leaves_the_journal_as_it_is_to_the_byte(ward: Any, tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    written(path, 1)
    before = path.stat().st_mtime_ns, path.read_bytes()
    ward().findings()
    assert (path.stat().st_mtime_ns, path.read_bytes()) == before


def test_a_journal_in_use_is_read_beside_its_box(ward: Any, tmp_path: Path) -> None:
    journal = Journal(tmp_path / "games.db")
    journal.begin(dodeka_header())
    assert ward().finding("journal").what.endswith("games in it: 1")
    journal.begin(dodeka_header())
    assert not journal.trouble
    journal.close()


@pytest.mark.parametrize("content", [b"no database at all" * 100, b"SQLite format 3\0" + b"x" * 5000])
def test_another_file_is_out_and_left_alone(ward: Any, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "games.db").write_bytes(content)
    found = ward().finding("journal")
    assert found.status == "failed"
    assert str(tmp_path / "games.db") in found.what
    assert (tmp_path / "games.db").read_bytes() == content


# The system


def test_the_real_system_answers(tmp_path: Path) -> None:
    """What a test answers in its stead elsewhere."""
    system = System()
    assert system.free_bytes(tmp_path) > 0
    assert system.may_write(tmp_path)
    assert not system.may_write(tmp_path / "nobody")
    before = datetime.now()
    assert before <= system.now() <= datetime.now()
    assert "quiz" in {entry.id for entry in system.games()}


@pytest.mark.skipif(os.path.exists("/dev/i2c-31"), reason="there is a bus 31 here")
def test_a_bus_that_is_not_there_raises(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        System().answering(31, [0x3C])
