"""The fixtures of the shelf: a computer without games of a shelf, and commands on it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.kit.patience import run_to_end
from tests.kit.wheels import LATE, MODULE, Umpi
from umpi.cli import main, terminal
from umpi.shelf.installed import Packages


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the journal; the games of this test are gone afterwards."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(terminal, "INSTALLED", tmp_path / "no box")
    monkeypatch.chdir(tmp_path)
    yield tmp_path / "data" / "umpi"
    for name in [name for name in sys.modules if name.partition(".")[0] in (MODULE, LATE)]:
        del sys.modules[name]


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
