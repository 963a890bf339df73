"""Tables of the shelf that somebody has read: places, faults, and what is said of the process that loads a game."""

from __future__ import annotations

import ast
import errno
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from http.client import IncompleteRead
from io import BytesIO
from pathlib import Path
from socket import gaierror
from typing import Any
from urllib.error import HTTPError, URLError

import pytest

from tests.kit.seen import check_seen
from tests.kit.wheels import KEY, expansion, file_of, package_of, wheel
from umpi.shelf import install, place
from umpi.shelf.faults import KNOWN, why_not
from umpi.shelf.index import Measured
from umpi.shelf.installed import Installed
from umpi.shelf.known import Shelf
from umpi.shelf.offers import Found, equal_of, minutes_of
from umpi.shelf.place import LONGEST_S, PART, PATIENCE_S, NoPlace, Place, Unreached
from umpi.shelf.wheel import Wheel, read_wheel

SEEN = Path(__file__).with_name("seen")


def test_each_place_that_somebody_types_is_what_somebody_has_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """To add a place, write it with an arrow behind it into places.txt, and approve what is read."""
    monkeypatch.setattr(os, "getcwd", lambda: "/work")
    monkeypatch.setenv("HOME", "/home/ann")
    lines = []
    for line in (SEEN / "places.txt").read_text("utf-8").splitlines():
        text = ast.literal_eval(line[: line.index("'", 1) + 1])
        try:
            found = Place.read(text)
            lines.append(f"{text!r} -> {found.where}{' (an address)' if found.is_address else ''}")
        except NoPlace as fault:
            lines.append(f"{text!r}: {fault}")
    check_seen(SEEN / "places.txt", lines)


def test_each_fault_of_a_disk_or_a_network_is_what_somebody_has_read() -> None:
    known = [f"{errno.errorcode[number]}: {why_not(OSError(number, 'the words of the system'))}" for number in KNOWN]
    others = [OSError(errno.EMFILE, "Too many open files"), OSError("no number"), OSError(), gaierror(-2, "not known")]
    check_seen(SEEN / "faults.txt", [*sorted(known), *(f"{fault!r}: {why_not(fault)}" for fault in others)])


ANSWERS: dict[str, object] = {  # what opening an address raises, or the answer
    "404": HTTPError("", 404, "", {}, None), "410": HTTPError("", 410, "", {}, None),  # type: ignore[arg-type]
    "500": HTTPError("", 500, "", {}, None), "a reason": URLError("the server is shy"),  # type: ignore[arg-type]
    "late": URLError(TimeoutError()), "late in the answer": TimeoutError(),
    "refused": URLError(OSError(errno.ECONNREFUSED, "")), "odd": URLError(ValueError("odd")),
    "broken off": IncompleteRead(b"", 3), "no address": ValueError("no address"),
    "reset": OSError(errno.ECONNRESET, ""), "whole": (b"whole", None), "too long": (b"0123456789+", None),
    "as long as may be": (b"0123456789", None), "short": (b"half", 5), "empty": (b"", 7),
    "long and short": (b"0123456789+", 4), "told and whole": (b"whole", 0),
}  # fmt: skip


class Answer(BytesIO):
    """What a server answers, and how much of it is missing."""

    length: int | None = None


@pytest.mark.parametrize("address", [True, False], ids=["address", "folder"])
def test_what_a_server_answers_is_read_or_named(address: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    class Opener:
        def open(self, url: str, timeout: float) -> Answer:
            asked.append((url, timeout))
            if isinstance(given, Exception):
                raise given
            assert isinstance(given, tuple)
            answer = Answer(given[0])
            answer.length = given[1]
            return answer

    monkeypatch.setattr(place, "_OPENER", Opener())
    lines = []
    where = "https://games.example" if address else str(tmp_path)
    for name, given in (
        ANSWERS.items() if address else [("whole", b"whole"), ("too long", b"0123456789+"), ("gone", None)]
    ):
        if isinstance(given, bytes):
            (tmp_path / "a b.json").write_bytes(given)
        else:
            (tmp_path / "a b.json").unlink(missing_ok=True)
        done: list[int] = []
        try:
            said = repr(Place(where).fetch("a b.json", 10, done.append))
        except Unreached as fault:
            said = fault.reason.replace(str(tmp_path), "FOLDER")
        lines.append(f"{name}: {said}, progress {done}")
    assert {*asked} == ({("https://games.example/a%20b.json", PATIENCE_S)} if address else set())
    check_seen(SEEN / f"answers-{'address' if address else 'folder'}.txt", lines)


def test_a_file_is_read_in_parts_until_its_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(place.time, "monotonic", lambda: clock[0])

    class Slow(BytesIO):
        part_s = LONGEST_S / 3

        def read1(self, size: int | None = -1, /) -> bytes:
            clock[0] += self.part_s
            return super().read1(size)

    slow, done = Slow(b"x" * (2 * PART + 5)), list[int]()
    assert len(place._read(slow, 10 * PART, done.append)) == 2 * PART + 5
    assert done == [PART, 2 * PART, 2 * PART + 5]
    slow, done = Slow(b"x" * (2 * PART + 5)), []
    slow.part_s += 1
    with pytest.raises(TimeoutError):
        place._read(slow, 10 * PART, done.append)
    assert done == [PART, 2 * PART]


OWLS = read_wheel(file_of(), wheel())
HOUR = read_wheel("umpi_late_hour-0.1-py3-none-any.whl", expansion())
LINE = {"id": "night-owls", "title": "Night owls"}
WHOLE = {"id": "dodeka", "expansions": ["Umpi_Late.Hour 0.1"], "seats": [2, 6]}
BROKEN = {"id": "dodeka", "error": "the expansion late_hour.rules:LateHour: NameError"}
OTHER = {"id": "dodeka", "error": "the expansion late_hours.rules:X: NameError"}


def json_lines(*entries: object) -> str:
    return "".join(f"{json.dumps(each)}\n" for each in entries)


PROCESSES: list[tuple[Wheel, int, str, str]] = [  # the wheel, and the status, the output and the errors of `umpi games`
    (OWLS, 0, json_lines(LINE, {"id": "dodeka"}), ""),
    (OWLS, 0, json_lines({**LINE, "error": "a fault"}), "a warning"),
    (OWLS, 0, json_lines({"id": "dodeka"}), ""),
    (OWLS, 0, json_lines({"id": "dodeka"}), "first\nlast words\n \n"),
    (OWLS, 7, json_lines(LINE), ""),
    (OWLS, 7, "half a li", "Traceback\nKilled\n"),
    (OWLS, 0, f"hello\n{json_lines(LINE)}", ""),
    (OWLS, 0, "5\n", ""),
    (OWLS, 0, "{}\n", ""),
    (OWLS, 0, "x" * 79 + "\n", ""),
    (OWLS, 0, "x" * 81 + "\n", ""),
    (HOUR, 0, json_lines(WHOLE, LINE), ""),
    (HOUR, 0, json_lines({"id": "dodeka"}), ""),
    (HOUR, 0, json_lines({"id": "dodeka"}), "no such module"),
    (HOUR, 0, json_lines(BROKEN), "no such module"),
    (HOUR, 0, json_lines(OTHER), "no such module"),
    (HOUR, 0, json_lines({**WHOLE, "id": "dodekka"}), ""),
    (HOUR, 3, json_lines(WHOLE), ""),
    (HOUR, 0, "hello\n", ""),
]  # fmt: skip


def process_lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    for each, status, out, err in PROCESSES:
        done = subprocess.CompletedProcess([], status, out, err)
        monkeypatch.setattr(install, "umpi", lambda folder, *words, timeout_s, done=done: done)
        yield f"{each.games[0]}, status {status}: {out!r} {err!r}"
        yield from (f"    {line}" for line in install.try_out(Path("new"), each))


def test_what_is_said_of_the_process_that_loads_a_game_is_what_somebody_has_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    check_seen(SEEN / "processes.txt", process_lines(monkeypatch))


def test_a_game_that_loads_too_slowly_is_named_with_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(folder: Path, *words: str, timeout_s: float) -> Any:
        assert (folder, words, timeout_s) == (Path("new"), ("games", "--json"), install.TRIED_S)
        raise subprocess.TimeoutExpired(words, timeout_s)

    monkeypatch.setattr(install, "umpi", late)
    assert install.try_out(Path("new"), OWLS) == [{"id": "night-owls", "error": "it did not end within 120 s"}]


@pytest.mark.parametrize(("before", "path"), [(None, "new"), ("", "new"), ("a:b", "new:a:b")])
def test_the_process_finds_the_new_package_first(
    before: str | None, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It reads nothing that somebody types, writes no file beside the package, and its words may be any bytes."""
    ran: list[Any] = []
    monkeypatch.delenv("PYTHONPATH", raising=False)
    if before is not None:
        monkeypatch.setenv("PYTHONPATH", before)
    monkeypatch.setattr(subprocess, "run", lambda command, **how: ran.append((command, how)))
    install.umpi(Path("new"), "check", "night-owls", timeout_s=5.0)
    ((command, how),) = ran
    assert command == [sys.executable, "-P", "-m", "umpi", "check", "night-owls"]
    environment = how.pop("env")
    added = {"PYTHONPATH": path.replace(":", os.pathsep), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONIOENCODING": "utf-8"}
    assert environment == {**os.environ, **added}
    assert how == {
        "capture_output": True, "encoding": "utf-8", "errors": "replace", "stdin": subprocess.DEVNULL, "check": False,
        "timeout": 5.0,
    }  # fmt: skip


def test_a_version_of_the_same_shelf_with_another_content_is_new() -> None:
    package = package_of(wheel())
    found = Found(Shelf(Place("/shelf"), KEY.public), package, package.games[0])
    own = Installed("0.1", "folder", package.sha256, "/shelf", ("night-owls",))
    other = Installed("0.1", "folder", "00", "/shelf", ("night-owls",))
    elsewhere = Installed("0.1", "folder", "00", "/other", ("night-owls",))
    assert [found.newer_than(each) for each in (None, own, other, elsewhere)] == [False, False, True, False]


def test_minutes_and_fairness_follow_from_the_measures() -> None:
    """Ten seconds a move; below 5 % chance alone does not explain the wins."""

    def measured(moves: float | None, even: float | None) -> Measured:
        return Measured(200, 2, moves, (0.5, 0.5), even)

    assert [minutes_of(measured(moves, None)) for moves in (None, 0.0, 60.0, 90.0)] == [None, 0.0, 10.0, 15.0]
    assert [equal_of(measured(None, even)) for even in (None, 0.0, 0.049, 0.05, 1.0)] == [
        None,
        False,
        False,
        True,
        True,
    ]
