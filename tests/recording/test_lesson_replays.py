"""A lesson in a recorded session: it replays picture by picture, and nothing of it is in the journal."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from umpi.box.config import Config
from umpi.journal import open_to_read, read_matches
from umpi.kernel.registry import find, games
from umpi.recording.replay import Replay
from umpi.simulator.script import play_script

SCENARIO = """
choose 6
expect "Which lesson?"
choose 2
press ok ok
choose 1 1 1
expect "Now enter:"
press ok
choose 3 4 11
expect "Lesson 3/16"
hold back
expect "Leave the lesson?"
choose 1
expect "Which game?"
"""


def test_a_session_with_a_lesson_replays_to_its_end(tmp_path: Path) -> None:
    (tmp_path / "scenario.txt").write_text(SCENARIO)
    config = Config(journal=tmp_path / "games.db")
    play_script(tmp_path / "scenario.txt", config, tmp_path / "session.jsonl")
    lines = (tmp_path / "session.jsonl").read_bytes().splitlines(keepends=True)
    steps = list(Replay(lines, games(), find))  # it raises SessionFault where another picture is shown
    assert len(steps) > 20
    with closing(open_to_read(tmp_path / "games.db")) as file:
        assert not [*read_matches(file)]
