"""Play an engine that fails in every method on the virtual box; ./scripts/dev hil plays it on a real kernel."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.hil.faults import install_tumble
from umpi.cli import main
from umpi.kernel import registry

HERE = Path(__file__).parent


@pytest.fixture(autouse=True)
def _installed(tmp_path, monkeypatch):
    install_tumble(tmp_path / "plug-in")
    monkeypatch.syspath_prepend(str(tmp_path / "plug-in"))
    registry.look_again()
    yield
    monkeypatch.undo()
    registry.look_again()


def test_a_failing_engine_does_not_stop_the_box(tmp_path, capsys):
    file, journal = HERE / "tumble.txt", tmp_path / "games.db"
    assert main(["sim", "--script", str(file), "--journal", str(journal)]) == 0, capsys.readouterr().err
