"""Each command of the build guide runs on a virtual box that is wired like the build, and finds all well."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from workbench import Workbench

from hardware.guide.steps import Step, commands, read_guide
from umpi.box.config import Config, HeadPlan, RailBus
from umpi.doctor.steps import STEPS

ASKS = [step for step in read_guide().steps if "--guide" in " ".join(commands(step))]
ONE, SIX = HeadPlan(lanes=1, beams=2), HeadPlan(lanes=6, beams=2, wall=True)


@pytest.mark.parametrize("step", ASKS, ids=lambda step: step.label)
def test_the_commands_of_a_step_find_all_well_on_a_box_that_is_well(step: Step, tmp_path: Path) -> None:
    full = step.label.startswith("F")
    scanner = {"port": "/dev/ttyACM0"} if full else None
    rail: RailBus | None = "head" if full else None
    config = Config(journal=tmp_path / "games.db", head=SIX if full else ONE, rail=rail, scanner=scanner)
    words = [command.partition("--guide ")[2] for command in commands(step)]
    names = [name for each in words for name in each.split()]
    assert names
    assert set(names) <= set(STEPS)
    findings = Workbench(config).guide(*names)
    assert findings
    assert {finding.status for finding in findings} == {"ok"}


def test_every_step_of_the_doctor_is_in_the_guide() -> None:
    words = " ".join(command for step in ASKS for command in commands(step))
    for name in STEPS:
        assert re.search(rf"--guide [a-z ]*\b{name}\b", words), name
