"""The whole guide, from the first button to the last knock, on a box that is well."""

from __future__ import annotations

from pathlib import Path

import pytest
from workbench import LANES, Workbench

from umpi.box.calibration import read_calibration
from umpi.box.config import Config, HeadPlan
from umpi.doctor.steps import STEPS


@pytest.mark.slow
def test_a_box_with_everything_is_well_from_first_to_last(tmp_path: Path) -> None:
    config = Config(
        journal=tmp_path / "games.db", rail=1, scanner={"port": "/dev/ttyACM0"},
        head=HeadPlan(lanes=6, beams=2, wall=True),
    )  # fmt: skip
    bench = Workbench(config)
    findings = bench.guide()
    assert [finding for finding in findings if finding.status != "ok"] == []
    devices = list(dict.fromkeys(finding.device for finding in findings))
    assert devices[:2] == ["button red", "button blue"]
    assert devices[-4:] == ["chute", "rail", "scanner", "wall"]
    assert len(findings) == 10 + 6 + 8 + 1 + (1 + 12 + 12 + 1) + 1 + 6 + 1 + 1 + 1 + 1
    assert read_calibration(config.calibration).colours


def test_a_box_with_beams_at_its_pins_is_well_from_first_to_last(tmp_path: Path) -> None:
    bench = Workbench(Config(journal=tmp_path / "games.db", beams=LANES, emitters=10))
    findings = bench.guide()
    assert {finding.status for finding in findings} == {"ok"}
    assert not {"rail", "scanner", "wall"} & {finding.device for finding in findings}


def test_a_bare_box_is_asked_of_what_it_has_only(tmp_path: Path) -> None:
    bench = Workbench(Config(journal=tmp_path / "games.db"))
    assert len(bench.guide()) == 10 + 6 + 8 + 1


def test_the_guide_ends_without_any_reaction(tmp_path: Path) -> None:
    config = Config(journal=tmp_path / "games.db", beams=LANES, emitters=10, scanner={"port": "/dev/ttyACM0"})
    bench = Workbench(config)
    bench.habits.clear()
    assert {finding.status for finding in bench.guide()} == {"ok", "failed", "not tested"}


def test_skipping_every_step_leaves_all_unproven_without_a_failure(tmp_path: Path) -> None:
    config = Config(journal=tmp_path / "games.db", beams=LANES, emitters=10, rail=1, scanner={"port": "/dev/ttyACM0"})
    bench = Workbench(config)
    bench.habits[:] = [(".", lambda _: bench.type("s"))]
    assert {finding.status for finding in bench.guide()} == {"not tested"}


def test_only_the_steps_that_were_named_are_done(tmp_path: Path) -> None:
    bench = Workbench(Config(journal=tmp_path / "games.db", beams=LANES))
    assert {finding.device.split()[0] for finding in bench.guide("cubes", "lamps")} == {"cube", "lamp"}
    assert set(STEPS) > {"cubes", "lamps"}
