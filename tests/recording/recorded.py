"""What the tests of recorded sessions share: one session of a short game, with a funnel and players with names."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from umpi.box.config import Config
from umpi.simulator.script import play_script
from umpi.timing.debounce import HOLD_MS

SCENARIO = """
game dodeka
press red blue
press red
choose 2
press ok ok
press red blue yellow
hold back
press back
hold back
press ok
"""


@cache
def recorded(hold_ms: int = HOLD_MS, repeat_ms: int = 0) -> list[bytes]:
    """The lines of a session file: Ann plays Dodéka, and takes a throw back; other buttons hear less of it."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "scenario.txt").write_text(SCENARIO)
        config = Config(journal=folder / "games.db", players=("Ann", "Ben"), hold_ms=hold_ms, repeat_ms=repeat_ms)
        play_script(folder / "scenario.txt", config, folder / "session.jsonl")
        return (folder / "session.jsonl").read_bytes().splitlines(keepends=True)
