"""Each fault of what a box keeps, measures, journal, games, the time, and the finding it makes."""

from __future__ import annotations

import os
import sqlite3
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.kit.journals import dodeka_header
from umpi.box.calibration import Calibration, write_calibration
from umpi.box.config import Config
from umpi.doctor.finding import Finding
from umpi.doctor.system import System
from umpi.games.quiz import Quiz
from umpi.journal import Journal
from umpi.kernel.registry import GameEntry
from umpi.simulator.tcs34725 import profile
from umpi.simulator.virtual import with_lanes

SIX = with_lanes(Config(), 6).beams


def written(path: Path, matches: int) -> None:
    journal = Journal(path)
    for _ in range(matches):
        journal.begin(dodeka_header())
    assert not journal.trouble
    journal.close()


# Measures


def test_the_report_lists_the_calibrated_devices(ward: Any, tmp_path: Path) -> None:
    write_calibration(tmp_path / "measured.json", Calibration(340, profile()))
    found = ward(beams=SIX).finding("measures")
    assert found.status == "ok"
    assert found.what == f"stamps fine to 340 µs, 7 colours, in {tmp_path / 'measured.json'}"


def test_a_funnel_that_nobody_measured_is_unproven(ward: Any) -> None:
    assert ward(beams=SIX).finding("measures").status == "not tested"
    assert ward(rail=1).finding("measures").status == "not tested"


def test_damaged_measures_are_out(ward: Any, tmp_path: Path) -> None:
    (tmp_path / "measured.json").write_text("{")
    found = ward().finding("measures")
    assert found.status == "failed"
    assert found.what.startswith(f"{tmp_path / 'measured.json'}: not a calibration file")


# Journal


def test_the_report_names_the_journal_and_its_number_of_games(ward: Any, tmp_path: Path) -> None:
    written(tmp_path / "games.db", 3)
    assert ward().finding("journal") == Finding("journal", "ok", f"{tmp_path / 'games.db'}, games in it: 3")


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


def test_another_programs_database_is_out(ward: Any, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "games.db") as file:
        file.execute("CREATE TABLE songs (name)")
    file.close()
    assert "another program’s database" in ward().finding("journal").what


def test_a_journal_with_a_damaged_page_is_out(ward: Any, tmp_path: Path) -> None:
    written(tmp_path / "games.db", 3)
    whole = (tmp_path / "games.db").read_bytes()
    (tmp_path / "games.db").write_bytes(whole[:4096] + b"\xa5" * (len(whole) - 4096))
    found = ward().finding("journal")
    assert found.status == "failed"
    assert "is damaged" in found.what
    assert "Move it away" in found.do


def test_a_folder_is_no_journal(ward: Any, tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    assert ward(journal=tmp_path / "games").finding("journal").what == f"{tmp_path / 'games'} is a folder"


@pytest.mark.parametrize("closed", ["games.db", "."])
def test_a_journal_that_may_not_be_written_is_out(ward: Any, tmp_path: Path, closed: str) -> None:
    """SQLite's write-ahead log is beside the file: the folder must be writable too."""
    written(tmp_path / "games.db", 1)
    patient = ward()
    patient.around.closed = [tmp_path / closed]
    found = patient.finding("journal")
    assert (found.status, found.what) == ("failed", f"{tmp_path / closed} may not be written")


def test_a_folder_that_may_not_be_looked_into_is_out(ward: Any, tmp_path: Path) -> None:
    patient = ward()

    def denied(folder: Path) -> int:
        raise PermissionError(13, "Permission denied", str(folder))

    patient.around.system = lambda: System(free_bytes=denied, games=list)
    found = patient.finding("journal")
    assert (found.status, found.what) == ("failed", f"{tmp_path} may not be looked into")


def test_without_a_journal_the_nearest_folder_must_be_writable(ward: Any, tmp_path: Path) -> None:
    patient = ward(journal=tmp_path / "box" / "umpi" / "games.db")
    patient.around.closed = [tmp_path]
    assert patient.finding("journal").what == f"{tmp_path} may not be written"


@pytest.mark.parametrize(("free_mb", "status"), [(0, "failed"), (1, "warning"), (19, "warning"), (20, "ok")])
def test_a_full_disk_is_out_and_a_nearly_full_one_doubtful(ward: Any, free_mb: int, status: str) -> None:
    patient = ward()
    patient.around.free_mb = free_mb
    assert patient.finding("journal").status == status


# Games and time


def test_games_are_counted_and_each_broken_game_is_reported(ward: Any) -> None:
    patient = ward()
    patient.around.games = [GameEntry("quiz", Quiz), GameEntry("chess", None, "ImportError: no chess")]
    found = patient.findings()
    assert Finding("games", "ok", "1 can be played") in found
    (broken,) = [finding for finding in found if finding.device == "game chess"]
    assert (broken.status, broken.what) == ("failed", "ImportError: no chess")


def test_the_wrong_time_is_never_out(ward: Any) -> None:
    patient = ward()
    patient.around.year = 1970
    found = patient.finding("time")
    assert (found.status, found.what) == ("not tested", "1970-05-06 07:08: nobody has set the clock")


def test_the_time_is_reported(ward: Any) -> None:
    assert ward().finding("time") == Finding("time", "ok", "2026-05-06 07:08")


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
