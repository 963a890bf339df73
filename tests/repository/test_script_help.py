"""Each command explains itself, so its imports work and a newcomer can ask it what it does."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.__main__ import COMMANDS
from scripts.__main__ import main as dev

TOP = [each for each in sorted(Path("scripts").iterdir()) if each.is_file() and not each.suffix]
OURS = [command.name for command in COMMANDS if command.file.endswith(".py") and not command.debians]
STARTED = [f"./scripts/dev {command.name}" for command in COMMANDS if command.name not in OURS[1:]]


@pytest.mark.slow
@pytest.mark.parametrize("line", [*(f"./{each}" for each in TOP), *STARTED])
def test_every_command_explains_itself(line: str) -> None:
    before = _pictures()
    asked = subprocess.run(
        [*line.split(), "--help"], capture_output=True, text=True, stdin=subprocess.DEVNULL, env=os.environ
    )
    assert asked.returncode == 0, asked.stderr
    assert len(asked.stdout.split()) >= 8, "a sentence at least"
    assert _pictures() == before, "asking changes nothing"


@pytest.mark.slow
@pytest.mark.parametrize("name", OURS)
def test_every_module_behind_a_command_explains_itself(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In this process: a start of each would import all of Umpi again."""
    before, became = _pictures(), list[list[str]]()
    with monkeypatch.context() as instead:
        instead.setattr(subprocess, "run", lambda words: subprocess.CompletedProcess(words, 0))  # the set-up
        instead.setattr(os, "execve", lambda python, words, environment: became.append(words))
        dev([name, "--help"])
    ((_, _, _, module, *words),) = became
    monkeypatch.setattr(sys, "argv", [module, *words])
    monkeypatch.delitem(sys.modules, module, raising=False)  # no program has imported itself before it starts
    with pytest.raises(SystemExit) as left:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    assert not left.value.code
    assert len(capsys.readouterr().out.split()) >= 8, "a sentence at least"
    assert _pictures() == before, "asking changes nothing"


def _pictures() -> dict[Path, int]:
    return {each: each.stat().st_mtime_ns for each in Path("firmware").glob("[pd]*/*.[gpm]*")}
