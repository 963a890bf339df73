"""`umpi run` where there is no Raspberry Pi."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from umpi.cli import main

MODULES = {"lgpio": "gpiozero.pins.lgpio", "rpigpio": "gpiozero.pins.rpigpio"}


@pytest.fixture(params=MODULES)
def refused(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> tuple[str, int, str, Path]:
    """What `umpi run` says and returns where the factory's library is missing, even on a machine that has it."""
    monkeypatch.setitem(sys.modules, MODULES[request.param], None)  # type: ignore[arg-type]
    (tmp_path / "umpi.toml").write_text(f'[pins]\nfactory = "{request.param}"\n')
    command = ["run", "--config", str(tmp_path / "umpi.toml"), "--journal", str(tmp_path / "box" / "games.db")]
    return request.param, main(command), capsys.readouterr().err, tmp_path


def test_without_gpio_it_says_so_and_points_to_the_virtual_box(refused: tuple[str, int, str, Path]) -> None:
    """Issue 2: without GPIO it says so and points to `umpi sim`; exit status 2, no traceback."""
    factory, status, said, _ = refused
    assert status == 2
    assert said.startswith(f"umpi: there are no pins of factory {factory} here")
    assert "pip install 'umpi[" in said
    assert said.endswith("play on the virtual box: umpi sim\n")
    assert "Traceback" not in said
    assert said.count("\n") == 1


def test_a_box_that_cannot_be_leaves_no_journal_behind(refused: tuple[str, int, str, Path]) -> None:
    *_, folder = refused
    assert not (folder / "box").exists()


def test_a_bad_configuration_is_told_before_anything_begins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "umpi.toml").write_text("[seats]\nred = 28\n")
    assert main(["run", "--config", str(tmp_path / "umpi.toml")]) == 2
    assert capsys.readouterr().err.startswith("umpi: umpi.toml, line 2: [seats] red = 28: ")


def test_pins_that_nobody_answers_for_are_no_box(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any) -> None:
    """A container with the library and without the chip: every single pin fails."""
    from gpiozero.exc import PinInvalidPin
    from gpiozero.pins.mock import MockFactory

    class NoChip(MockFactory):
        def pin(self, name: object) -> object:
            raise PinInvalidPin("/dev/gpiochip0 cannot be opened")

    monkeypatch.setattr("umpi.run.pin_factory", lambda name: NoChip())
    assert main(["run", "--journal", str(tmp_path / "games.db")]) == 2
    said = capsys.readouterr().err
    assert said == (
        "umpi: no button can be had: PinInvalidPin: /dev/gpiochip0 cannot be opened. "
        "Without a box, play on the virtual one: umpi sim\n"
    )
