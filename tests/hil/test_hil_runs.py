"""The results contain everything that ran in a guest, and the end of the guest itself."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from scripts import REPO
from scripts.guest.guest import CANNOT, GuestFault, NoGuest, guarded
from scripts.hil.plan import Part
from scripts.hil.runs import Runs
from tests.kit.patience import wait_for

RUN = """
import sys
from pathlib import Path
from scripts.guest import guest
work = Path(sys.argv[1])
guest.LOCK = work / "lock"
guest.Guest(work, lambda line: print(line, flush=True)).run("true")
"""
RIGHT = {"name": "quiz", "passed": True, "detail": "20 steps"}


class FakeGuest:
    """A guest that writes these results and ends in this way."""

    def __init__(self, folder: Path, results: list[dict[str, object]], end: bool | str) -> None:
        self.out, self.work, self.python = folder, folder, folder / "python"
        self._results, self._end = results, end
        self.command = ""

    def run(self, command: str, **_: object) -> bool:
        self.command = command
        (self.out / "results").write_text("".join(f"{json.dumps(result)}\n" for result in self._results))
        if isinstance(self._end, str):
            raise GuestFault(self._end)
        return self._end


def run(folder: Path, results: list[dict[str, object]], end: bool | str, exact: bool = True) -> Runs:
    """Run one guest that plays the quiz."""
    runs = Runs(folder, 1)
    runs.guest = FakeGuest(folder, results, end)
    runs.run(Part("boxes", ["quiz"], exact=exact))
    return runs


def test_passed_results_are_kept(tmp_path):
    assert run(tmp_path, [RIGHT], True).results == [RIGHT]


@pytest.mark.parametrize("end", ["it took more than 1 s to come to its end", False])
def test_a_guest_that_fails_after_its_last_result_counts_as_failed(tmp_path, end):
    kept, added = run(tmp_path, [RIGHT], end).results
    assert kept == RIGHT
    assert (added["name"], added["passed"]) == ("boxes", False)
    assert (end or "its command failed") in str(added["detail"])


def test_what_did_not_run_is_reported_once(tmp_path):
    detail = {"name": "quiz", "passed": False, "detail": "the guest: it was too slow"}
    assert run(tmp_path, [], "it was too slow").results == [detail]
    wrong = RIGHT | {"passed": False}
    assert run(tmp_path, [wrong], False).results == [wrong]


@pytest.mark.parametrize(("exact", "word"), [(True, "exact"), (False, "ordinary")])
def test_the_command_contains_the_kind_of_time(tmp_path, exact, word):
    assert f" {word} quiz" in run(tmp_path, [RIGHT], True, exact).guest.command


@pytest.mark.parametrize(
    ("fault", "status", "message"),
    [
        (NoGuest("root is needed"), CANNOT, "hil: skipped: root is needed"),
        (GuestFault("it stood still"), 1, "hil: the guest: it stood still"),
    ],
)
def test_without_a_guest_the_exit_status_and_a_message_say_why(capsys, fault, status, message):
    def action():
        raise fault

    assert guarded("hil", action) == status
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("status", [0, 1])
def test_the_exit_status_is_that_of_the_action(status):
    assert guarded("hil", lambda: status) == status


@pytest.mark.parametrize(("status", "detail"), [
    (0, "20 steps; its session replays here"),
    (1, "its session does not replay here: event 3 leads to another picture"),
])  # fmt: skip
def test_the_session_files_of_the_guest_must_replay_here(tmp_path, status, detail):
    umpi, sessions = tmp_path / "venv/bin/umpi", tmp_path / "sessions"
    umpi.parent.mkdir(parents=True)
    umpi.write_text(f"#!/bin/sh\necho event 3 leads to another picture >&2\nexit {status}\n")
    umpi.chmod(0o755)
    sessions.mkdir()
    (sessions / "quiz.jsonl").write_text("")
    results = run(tmp_path, [RIGHT], True).results
    assert results == [{"name": "quiz", "passed": status == 0, "detail": detail}]


def test_a_guest_does_not_outlive_the_process_that_runs_it(tmp_path, monkeypatch):
    (tmp_path / "out").mkdir()
    (tmp_path / "kernel").write_text("6.1")
    machine = tmp_path / "qemu-system-x86_64"
    machine.write_text("#!/bin/sh\necho $$\nexec sleep 3600\n")
    machine.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setenv("PYTHONPATH", str(REPO))
    with subprocess.Popen([sys.executable, "-c", RUN, str(tmp_path)], stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout
        state = Path("/proc", running.stdout.readline().strip(), "stat")
        assert " Z " not in state.read_text()
        running.kill()
    wait_for(lambda: not state.exists() or " Z " in state.read_text())
