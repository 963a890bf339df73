"""The umpi.toml written for the guest describes the box of the scenario."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from scripts.hil.wiring import command, umpi_toml
from umpi.box.config import SEAT_PINS, Config, HeadPlan
from umpi.box.config_file import read_config
from umpi.simulator.virtual import with_head, with_lanes, with_rail, with_scanner

BOXES: dict[str, Callable[[Config], Config]] = {
    "as it is": lambda config: config,
    "six lanes": lambda config: with_lanes(config, 6),
    "one lane, bright": lambda config: replace(with_lanes(config, 1), dark_low=False),
    "head": lambda config: replace(config, head=HeadPlan("/run/head", 1, 2, True, False, {"lane_1": 5})),
    "all plugs": lambda config: with_scanner(with_rail(with_head(config, 6))),
    "lgpio, no sound": lambda config: replace(config, factory="lgpio", silent=True),
    "other pins": lambda config: replace(config, seats=SEAT_PINS | {"red": 8}),
    "gate": lambda config: replace(config, gate={"dead_heat_us": 100, "speed_mm_s": (900, 1400)}),
}


@pytest.mark.parametrize("name", BOXES)
def test_the_service_reads_what_was_written(name, tmp_path):
    config = BOXES[name](Config(journal=tmp_path / "games.db", contrast=127))
    file = tmp_path / "umpi.toml"
    file.write_text(umpi_toml(config), encoding="utf-8")
    assert read_config(file) == config


def test_options_of_games_are_on_the_command_line():
    config = Config(options={"target": 500, "board": {"start": 2}})
    line = command(Path("/bin/umpi"), Path("umpi.toml"), config)
    assert line[-4:] == ["--option", "target=500", "--option", 'board={"start": 2}']
