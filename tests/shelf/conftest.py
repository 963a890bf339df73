"""The fixtures of the shelf: a computer without games of a shelf, and commands on it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.kit.patience import run_to_end
from tests.kit.wheels import Umpi, forget_modules
from umpi.cli import main, terminal
from umpi.shelf.installed import Packages


@pytest.fixture(autouse=True)
def modules() -> Iterator[None]:
    """No test finds a game that another has loaded in this process, in this folder or in another."""
    forget_modules()
    yield
    forget_modules()


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the journal."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(terminal, "INSTALLED", tmp_path / "no box")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "data" / "umpi"


@pytest.fixture
def packages(state: Path) -> Packages:
    return Packages(state / "packages")


@pytest.fixture
def umpi(state: Path, capsys: pytest.CaptureFixture[str]) -> Umpi:
    def run(*words: str) -> tuple[int, str, str]:
        status = main([*words])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


@pytest.fixture
def program(state: Path) -> Callable[..., str]:
    """Run a command of Umpi as a process of its own, and return its output."""

    def run(*words: str) -> str:
        command = [sys.executable, "-m", "umpi", *words]
        done = run_to_end(command, env={**os.environ, "PYTHONWARNINGS": "error"}, text=True)
        assert (done.returncode, done.stderr) == (0, ""), done
        return str(done.stdout)

    return run
