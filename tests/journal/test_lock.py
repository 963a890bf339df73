"""Two boxes on one journal: the second says so at its start, and names a journal of its own."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.kit.journals import HEADER
from umpi.cli import main
from umpi.journal import InUse, Journal, claimed

HOLD = """
import pathlib, sys
from umpi.journal import claimed
with claimed(pathlib.Path(sys.argv[1])):
    print("claimed", flush=True)
    sys.stdin.read()
"""


@pytest.mark.parametrize(
    ("command", "status"), [(["sim", "--port", "0"], 2), (["sim", "--script", "x"], 2), (["run"], 1)]
)
def test_a_second_box_says_who_has_the_journal_and_names_another(
    path: Path, command: list[str], status: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line. The service tries again by itself, as the other box may stop."""
    monkeypatch.setattr("umpi.service.run.pin_factory", lambda name, *_: None)
    with claimed(path):
        assert main([*command, "--journal", str(path)]) == status
    free = path.with_name("games-2.db")
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == (
        "",
        f"umpi: {path} is in use by another box (process {os.getpid()}). "
        f"Stop that box, or start this one with a journal of its own: --journal {free}\n",
    )
    assert not path.exists(), "the second has touched nothing"


def test_a_journal_of_its_own_is_one_that_no_box_has(path: Path) -> None:
    """games-2.db is offered again when the box that had it has stopped."""
    second = path.with_name("games-2.db")
    second.touch()
    with claimed(path):
        with pytest.raises(InUse, match=r"--journal .*games-2\.db$"), claimed(path):
            pass
        with claimed(second), pytest.raises(InUse, match=r"--journal .*games-3\.db$"), claimed(path):
            pass


def test_a_box_that_is_killed_leaves_its_journal_free(path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as box:
        assert box.stdout
        assert box.stdout.readline() == "claimed\n"
        with pytest.raises(InUse, match=f"process {box.pid}"), claimed(path):
            pass
        box.send_signal(signal.SIGKILL)
        box.wait()
        with claimed(path):
            pass


def test_reading_and_importing_need_no_lock(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(Journal(path)) as journal:
        journal.begin(HEADER)
    with claimed(path):
        assert main(["history", "--journal", str(path)]) == 0
        assert main(["stats", "--journal", str(path)]) == 0
        exported = path.with_name("all.jsonl")
        assert main(["history", "--export", str(exported), "--journal", str(path)]) == 0
        assert main(["history", "--import", str(exported), "--journal", str(path)]) == 0
    assert "1 match: 0 new" in capsys.readouterr().out


def test_without_a_lock_file_the_box_still_starts(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Like a read-only card. Root may write anywhere, so a file is in the place of the folder."""
    (tmp_path / "umpi").write_text("")
    with claimed(tmp_path / "umpi" / "games.db"):
        pass
    assert "another box on this journal goes unseen" in caplog.text


def test_of_a_folder_that_is_read_only_the_log_names_the_cause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The files are those of an ordinary user: root may write anywhere."""

    def opened(file: Path, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_CREAT:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), file)
        return really(file, flags, mode)

    really = os.open
    monkeypatch.setattr(os, "open", opened)
    with claimed(tmp_path / "games.db"):
        pass
    assert "games.db.lock: Permission denied" in caplog.text
