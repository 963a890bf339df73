"""`umpi replay`: what is printed, when, and with which exit status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from written import DEAL, HEADER, TAKE

from tests.kit.patience import patiently, run_to_end
from umpi.cli import main

COMMAND = [sys.executable, "-m", "umpi"]
Capture = pytest.CaptureFixture[bytes]


def steps_printed(capture: Capture) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capture.readouterr().out.splitlines()]


def record(folder: Path, *lines: object, end: str = "\n") -> str:
    path = folder / "game.jsonl"
    path.write_bytes("\n".join([*map(json.dumps, [HEADER, *lines])]).encode() + end.encode())
    return str(path)


def test_with_trace_every_line_but_the_header_prints_its_state(tmp_path: Path, capfdbinary: Capture) -> None:
    """With `--trace`: `n` the number of actions that stand, `line` as the file counts; the end has no line."""
    lines = [DEAL, TAKE, {"note": "x"}, {"refuse": TAKE | {"by": 0}}, {"undo": 1}]
    assert main(["replay", "--trace", record(tmp_path, *lines)]) == 0
    *trace, last = steps_printed(capfdbinary)
    assert [(step["n"], step["line"]) for step in trace] == [(1, 2), (2, 3), (2, 4), (2, 5), (1, 6)]
    assert [set(step) for step in trace] == [{"n", "line", "state"}] * 5
    assert [step["state"]["seat"] for step in trace] == [0, 1, 1, 1, 0]
    assert last == {"n": 1, "state": trace[-1]["state"]}


def test_an_error_is_the_last_line_and_bears_the_state_before_it(tmp_path: Path, capfdbinary: Capture) -> None:
    """`{"n", "line", "error", "state"}`, nothing after it."""
    assert main(["replay", "--trace", record(tmp_path, DEAL, TAKE | {"by": 1}, TAKE)]) == 1
    first, last = steps_printed(capfdbinary)
    assert (last["n"], last["line"], last["state"]) == (1, 3, first["state"])
    assert set(last) == {"n", "line", "error", "state"}


@pytest.mark.parametrize(("game", "header", "explained"), [
    ("dohdles", {}, True), ("dohdles", {"revision": 2}, False), ("dodekka", {}, False),
])  # fmt: skip
def test_a_refusal_of_a_record_without_a_revision_says_how_to_give_it(
    game: str,
    header: dict[str, Any],
    explained: bool,
    tmp_path: Path,
    capfdbinary: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Older boxes wrote no revision; a game whose rules never changed needs none. A program gets the reason alone."""
    (tmp_path / "old.jsonl").write_text(
        json.dumps({"umpi": 1, "game": game, "players": ["Ann", "Ben", "Cleo"], **header}) + '\n{"do": "claim"}\n'
    )
    assert main(["replay", str(tmp_path / "old.jsonl")]) == 1
    (last,) = steps_printed(capfdbinary)
    assert '"claim"' in last["error"]
    assert "revision" not in last["error"]
    monkeypatch.setattr("umpi.cli.records.for_people", lambda: True)
    assert main(["replay", str(tmp_path / "old.jsonl")]) == 1
    said = capfdbinary.readouterr().err.decode().rstrip()
    assert last["error"] in said
    assert said.endswith('write its revision into the header, as in "revision": 1.') == explained


@pytest.mark.parametrize("end", ["", "\n", "\r\n", "\n\n \t\r\n"])
def test_the_last_line_may_lack_its_end(end: str, tmp_path: Path, capfdbinary: Capture) -> None:
    """Only LF ends a line, the last may lack it; blank lines are passed over."""
    assert main(["replay", record(tmp_path, DEAL, end=end)]) == 0
    assert [step["n"] for step in steps_printed(capfdbinary)] == [1]


def test_only_lf_ends_a_line(tmp_path: Path, capfdbinary: Capture) -> None:
    """CR, U+2028 and U+0085 end no line."""
    for mark in ("\r", "\u2028", "\u0085"):
        path = tmp_path / "game.jsonl"
        path.write_bytes(f"{json.dumps(HEADER)}\n{json.dumps(DEAL)}{mark}{json.dumps(TAKE)}\n".encode())
        assert main(["replay", str(path)]) == 2
        assert [(step["n"], step["line"]) for step in steps_printed(capfdbinary)] == [(0, 2)]


@pytest.mark.parametrize("name", ["missing.jsonl", "", "\udcff.jsonl"])
def test_a_file_that_cannot_be_read_has_no_line(name: str, tmp_path: Path) -> None:
    """`n` 0, `line` null, status 2; a folder is no file, and a name need not be UTF-8."""
    ended = run_to_end([*COMMAND, "replay", str(tmp_path / name)])
    assert (ended.returncode, ended.stderr) == (2, b"")
    (last,) = map(json.loads, ended.stdout.splitlines())
    assert (last["n"], last["line"], last["state"], bool(last["error"])) == (0, None, None, True)


def test_without_standard_input_the_file_cannot_be_read() -> None:
    """`-` is standard input; where there is none, it is a file that cannot be read."""
    closed = ["sh", "-c", f'exec "{sys.executable}" -m umpi replay - <&-']
    ended = run_to_end(closed)
    assert (ended.returncode, ended.stderr) == (2, b"")


def test_each_line_is_answered_before_the_next_is_written() -> None:
    """It prints each line as it is read, from standard input too."""
    command, pipe = [*COMMAND, "replay", "--trace", "-"], subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(json.dumps(HEADER).encode() + b"\n")
        for number, line in enumerate([DEAL, TAKE, TAKE], 1):
            process.stdin.write(json.dumps(line).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["n"] == number
        process.stdin.close()
        assert json.loads(process.stdout.readline())["n"] == 3
        assert patiently(process.wait) == 0


def test_a_reader_that_leaves_is_no_error() -> None:
    """`umpi play-out … | head -1` ends quietly."""
    script = f'"{sys.executable}" -m umpi play-out dodeka --seed 1 --option parts=20 | head -1'
    ended = run_to_end(["sh", "-c", script])
    assert (ended.stderr, json.loads(ended.stdout)["game"]) == (b"", "dodeka")


def test_the_language_of_the_terminal_changes_nothing(tmp_path: Path) -> None:
    """It is UTF-8, errors in English whatever the language."""
    path = tmp_path / "game.jsonl"
    path.write_text(json.dumps(HEADER | {"players": ["Kévin", "Åsa"]}, ensure_ascii=False) + '\n{"do":"take","by":1}\n')
    plain = os.environ | {"LC_ALL": "C", "LANG": "hu_HU", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    ended = run_to_end([*COMMAND, "replay", str(path)], env=plain)
    assert (ended.returncode, ended.stderr) == (1, b"")
    assert '"take" is not valid now' in json.loads(ended.stdout.decode("utf-8"))["error"]


@pytest.mark.slow
def test_a_crowd_of_players_is_refused_at_once(tmp_path: Path) -> None:
    """A header is checked in the time that it takes to read it, for any header."""
    path = tmp_path / "crowd.jsonl"
    path.write_text(json.dumps(HEADER | {"players": [f"P{seat}" for seat in range(100_000)]}))
    ended = run_to_end([*COMMAND, "replay", str(path)])
    assert ended.returncode == 2
