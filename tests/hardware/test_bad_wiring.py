"""A wiring file that must not be built: each kind of fault is refused with its reason, before anything is written."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hardware.cart.render import refuse_faults
from hardware.spec import BadSpec
from hardware.wiring.model import SOURCE, wiring_of
from hardware.wiring.netlist import standard
from scripts.pictures import hardware as command

Data = dict[str, Any]


def supplies_joined(data: Data) -> None:
    """The fuse's output at ground."""
    data["extra"][3]["parts"][0] = ["ptc", "5v", "gnd"]


def joint_unreachable(data: Data) -> None:
    """A plug without the contact of its ground: the buttons have none."""
    data["cable"]["seats"]["contacts"] = ["*"]


def cable_exceeded(data: Data) -> None:
    data["cable"]["buzzer"]["m"] = 0.1


def cable_exceeded_at_the_gate(data: Data) -> None:
    data["cable"]["lane_1"]["ready_m"] = 0.25


def hole_exceeded(data: Data) -> None:
    """A plug of ten contacts through the opening at the rear."""
    data["cable"]["lamps"]["outside_m"] = 0.001


FAULTS: dict[str, tuple[Callable[[Data], None], str]] = {
    "it joins supplies": (supplies_joined, "5V and GND are joined by metal"),
    "it leaves a joint unreachable": (joint_unreachable, "leg 2 is not connected"),
    "it exceeds a cable in the box": (cable_exceeded, "Buzzer: the cable is 100 mm long, its way needs 300 mm"),
    "it exceeds a cable at the gate": (cable_exceeded_at_the_gate, "Lane 1: the cable is 250 mm long, its way needs"),
    "it exceeds a hole": (hole_exceeded, "Lamps: its plug of 9 contacts does not pass the opening"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_wiring_that_must_not_be_built_is_refused_with_its_reason(fault: str) -> None:
    plant, reason = FAULTS[fault]
    data = tomllib.loads(SOURCE.read_text(encoding="utf-8"))
    plant(data)
    with pytest.raises(BadSpec) as refused:
        refuse_faults(wiring_of(data))
    assert reason in str(refused.value)


def test_the_wiring_of_today_is_not_refused() -> None:
    refuse_faults(wiring_of(tomllib.loads(SOURCE.read_text(encoding="utf-8"))))
    assert standard("full").plugs


def test_the_command_says_why_and_writes_no_cart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tomllib.loads(SOURCE.read_text(encoding="utf-8"))
    cable_exceeded(data)
    monkeypatch.setattr("hardware.cart.render.read_wiring", lambda: wiring_of(data))
    monkeypatch.setattr(command, "HARDWARE", tmp_path)
    monkeypatch.setattr("sys.argv", ["hardware", "cart"])
    with pytest.raises(SystemExit):
        command.main()
    assert "Buzzer: the cable is 100 mm long" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
