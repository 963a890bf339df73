"""Which slot of a card runs, and which version is in it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from umpi.appliance.bundle import Version
from umpi.appliance.slots import BoardKernel, Slot, command_line
from umpi.box.running_card import running_card


@pytest.mark.parametrize("slot", Slot)
def test_a_card_names_its_slot_and_version(slot: Slot, tmp_path: Path) -> None:
    (tmp_path / "cmdline").write_text(command_line("quiet", slot))
    version = Version("umpi", "0.2.0", "31ce06dc4a", 1, BoardKernel.DEBIAN, 4)
    (tmp_path / "card.json").write_text(json.dumps(version.as_json()))
    found = running_card(tmp_path / "cmdline", tmp_path / "card.json")
    assert str(found) == f"slot {slot}, version {version.name}"


@pytest.mark.parametrize("about", ["", "[]", "{}", "null"])
def test_a_damaged_description_costs_only_the_version(about: str, tmp_path: Path) -> None:
    (tmp_path / "cmdline").write_text(command_line("quiet", Slot.B))
    (tmp_path / "card.json").write_text(about)
    assert str(running_card(tmp_path / "cmdline", tmp_path / "card.json")) == "slot b, version unknown"


@pytest.mark.parametrize("line", ["quiet root=/dev/sda1", "umpi.slot=c", ""])
def test_another_computer_has_none(line: str, tmp_path: Path) -> None:
    (tmp_path / "cmdline").write_text(line)
    assert running_card(tmp_path / "cmdline") is None
    assert running_card(tmp_path / "none") is None
