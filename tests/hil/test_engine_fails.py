"""A foreign engine that fails in every way, on the virtual box; scripts/hil plays the same on a real kernel."""

from __future__ import annotations

from pathlib import Path

import pytest
from hil_box.faults import install_tumble

from umpi.cli import main
from umpi.kernel import registry as catalog

HERE = Path(__file__).parent


@pytest.fixture(autouse=True)
def _installed(tmp_path, monkeypatch):
    install_tumble(tmp_path / "plug-in")
    monkeypatch.syspath_prepend(str(tmp_path / "plug-in"))
    catalog.look_again()
    yield
    monkeypatch.undo()
    catalog.look_again()


def test_it_costs_its_own_acts_and_never_the_box(tmp_path, capsys):
    file, journal = HERE / "tumble.txt", tmp_path / "games.db"
    assert main(["sim", "--script", str(file), "--journal", str(journal)]) == 0, capsys.readouterr().err
