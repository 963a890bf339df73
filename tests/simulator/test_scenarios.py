"""Whole games on the virtual box, from power-on to a winner, in injected time, each replayed once as a session."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from umpi.cli import main
from umpi.kernel.registry import find, games
from umpi.recording.replay import Replay, described

FILES = sorted((Path(__file__).parents[1] / "scenarios").glob("*.txt"))


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the recorded sessions."""
    return tmp_path_factory.mktemp("sessions")


def played(file: Path, sessions: Path, capsys: Any) -> Path:
    """Play a scenario, unless a test has played it already; return its session."""
    session = sessions / f"{file.stem}.jsonl"
    if not session.exists():
        assert main(["sim", "--script", str(file), "--session", str(session)]) == 0, capsys.readouterr().err
    return session


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_scenario_plays_as_written_and_its_session_replays(file: Path, sessions: Path, capsys: Any) -> None:
    """The replay raises SessionFault at the first effect that differs: a dot, a line, a lamp, a sound."""
    with played(file, sessions, capsys).open("rb") as lines:
        told = [line for step in Replay(lines, games(), find) for line in described(step.effects)]
    assert sum(line.startswith("picture ") for line in told) > 10


@pytest.mark.slow
def test_all_sessions_replay_to_the_same_digests_in_webassembly(run: Any, sessions: Path, capsys: Any) -> None:
    """Each digest covers every dot of the OLED, every line, lamp and sound."""
    names = {played(file, sessions, capsys).name for file in FILES}
    found = run("sessions", str(sessions))
    assert {name: events for name, events in found.items() if not isinstance(events, int)} == {}
    assert found.keys() == names
    assert sum(found.values()) > 5_000


@pytest.mark.slow
def test_a_session_replays_to_the_same_output_with_other_hashes(sessions: Path, capsys: Any) -> None:
    session = played(FILES[0].with_name("quiz.txt"), sessions, capsys)
    command = [sys.executable, "-m", "umpi", "replay-session", str(session)]
    pictures = {
        subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout
        for seed in ("1", "2")
    }
    assert len(pictures) == 1
    assert b"picture" in pictures.pop()
