"""Each command explains itself, so its imports work and a newcomer can ask it what it does."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from scripts.__main__ import COMMANDS

TOP = [each for each in sorted(Path("scripts").iterdir()) if each.is_file() and not each.suffix]
LINES = [f"./{each}" for each in TOP] + [f"./scripts/dev {command.name}" for command in COMMANDS]


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES)
def test_every_command_explains_itself(line: str) -> None:
    before = _pictures()
    asked = subprocess.run(
        [*line.split(), "--help"], capture_output=True, text=True, stdin=subprocess.DEVNULL, env=os.environ
    )
    assert asked.returncode == 0, asked.stderr
    assert len(asked.stdout.split()) >= 8, "a sentence at least"
    assert _pictures() == before, "asking changes nothing"


def _pictures() -> dict[Path, int]:
    return {each: each.stat().st_mtime_ns for each in Path("firmware").glob("[pd]*/*.[gpm]*")}
