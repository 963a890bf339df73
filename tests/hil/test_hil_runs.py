"""What came of a guest is told of all that was tried there, and of the guest itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hil_box.main import Runs
from hil_box.plan import Part
from hil_guest.guest import CANNOT, GuestFault, NoGuest, guarded

RIGHT = {"what": "quiz", "right": True, "told": "20 steps"}


class FakeGuest:
    """A guest that leaves results behind, and comes to a named end."""

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
    """Run one guest in which the quiz is tried."""
    runs = Runs(folder, 1)
    runs.guest = FakeGuest(folder, results, end)
    runs.run(Part("boxes", ["quiz"], exact=exact))
    return runs


def test_all_is_well_where_all_was_right(tmp_path):
    assert run(tmp_path, [RIGHT], True).results == [RIGHT]


@pytest.mark.parametrize("end", ["it took more than 1 s to come to its end", False])
def test_a_guest_that_ends_badly_after_its_last_result_is_a_wrong_result(tmp_path, end):
    kept, added = run(tmp_path, [RIGHT], end).results
    assert kept == RIGHT
    assert (added["what"], added["right"]) == ("boxes", False)
    assert (end or "its command failed") in str(added["told"])


def test_what_was_not_come_to_is_told_once(tmp_path):
    told = {"what": "quiz", "right": False, "told": "the guest: it was too slow"}
    assert run(tmp_path, [], "it was too slow").results == [told]
    wrong = RIGHT | {"right": False}
    assert run(tmp_path, [wrong], False).results == [wrong]


@pytest.mark.parametrize(("exact", "word"), [(True, "exact"), (False, "ordinary")])
def test_the_guest_is_told_whose_time_it_has(tmp_path, exact, word):
    assert f" {word} quiz" in run(tmp_path, [RIGHT], True, exact).guest.command


@pytest.mark.parametrize(
    ("fault", "status", "said"),
    [
        (NoGuest("root is needed"), CANNOT, "hil: skipped: root is needed"),
        (GuestFault("it stood still"), 1, "hil: the guest: it stood still"),
    ],
)
def test_where_there_is_no_guest_the_status_says_so_and_a_line_why(capsys, fault, status, said):
    def doing():
        raise fault

    assert guarded("hil", doing) == status
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("status", [0, 1])
def test_what_guests_have_led_to_is_the_status(status):
    assert guarded("hil", lambda: status) == status


@pytest.mark.parametrize(("status", "told"), [
    (0, "20 steps; its session replays here"),
    (1, "its session does not replay here: event 3 leads to another picture"),
])  # fmt: skip
def test_what_a_box_recorded_there_must_replay_here(tmp_path, status, told):
    umpi, sessions = tmp_path / "venv/bin/umpi", tmp_path / "sessions"
    umpi.parent.mkdir(parents=True)
    umpi.write_text(f"#!/bin/sh\necho event 3 leads to another picture >&2\nexit {status}\n")
    umpi.chmod(0o755)
    sessions.mkdir()
    (sessions / "quiz.jsonl").write_text("")
    results = run(tmp_path, [RIGHT], True).results
    assert results == [{"what": "quiz", "right": status == 0, "told": told}]
