"""Cubes put to the stop become the colours of this box, on disk before it is reported."""

from __future__ import annotations

from pathlib import Path

import pytest
from workbench import Workbench

from umpi.box.calibration import Calibration, read_calibration, write_calibration
from umpi.box.config import Config
from umpi.drivers.colours import NOTHING
from umpi.simulator.tcs34725 import profile


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return Workbench(Config(journal=tmp_path / "games.db", rail=1))


def test_each_cube_is_measured_three_times_and_kept(bench: Workbench) -> None:
    found = bench.guide("colours")
    assert [finding.status for finding in found] == ["ok"]
    assert bench.messages.count("Put a red cube to the stop, another face down, then Enter or ok.") == 2
    kept = read_calibration(bench.config.calibration).colours
    assert kept
    assert {colour.name for colour in kept.colours} == {
        NOTHING, "red", "blue", "yellow", "green", "white", "black",
    }  # fmt: skip


def test_the_resolution_outlives_new_colours(tmp_path: Path) -> None:
    config = Config(journal=tmp_path / "games.db", rail=1)
    write_calibration(config.calibration, Calibration(resolution_us=77))
    Workbench(config).guide("colours")
    kept = read_calibration(config.calibration)
    assert (kept.resolution_us, kept.colours is not None) == (77, True)


def test_ok_on_the_box_is_as_good_as_enter(bench: Workbench) -> None:
    bench.at("Leave the stop empty", lambda _: bench.press("ok"))
    assert bench.guide("colours")[0].status == "ok"


def test_a_known_colour_profile_may_be_kept(tmp_path: Path) -> None:
    config = Config(journal=tmp_path / "games.db", rail=1)
    write_calibration(config.calibration, Calibration(colours=profile()))
    bench = Workbench(config)
    bench.at("Measure them again", lambda _: bench.type("n"))
    assert bench.guide("colours")[0].status == "ok"
    assert not any(message.startswith("Put") for message in bench.messages)


def test_cubes_that_look_alike_are_named(bench: Workbench) -> None:
    bench.at("Put a black cube", lambda _: bench.lay("red"))
    found = bench.guide("colours")[0]
    assert (found.status, "red and black" in found.what) == ("failed", True)
    assert not bench.config.calibration.exists()


def test_a_disk_that_refuses_keeps_no_colours_and_names_the_file(bench: Workbench, tmp_path: Path) -> None:
    (tmp_path / "measured.new").mkdir()
    found = bench.guide("colours")[0]
    assert (found.status, str(tmp_path / "measured.json") in found.what) == ("failed", True)
    assert bench.box.calibration == Calibration()


def test_readings_that_do_not_settle_are_asked_for_again(bench: Workbench) -> None:
    rail = bench.plugs.of("rail")
    steady = rail.chip.light
    flicker = lambda at_s: (9.0, 2.0, 2.0) if int(at_s * 10) % 2 else (2.0, 9.0, 2.0)  # noqa: E731
    rail.chip.light = flicker
    asked = []

    def empty(_: object) -> None:
        asked.append(1)
        rail.chip.light = flicker if len(asked) == 1 else steady
        bench.type("")

    bench.at("Leave the stop empty", empty)
    assert bench.guide("colours")[0].status == "ok"
    assert any("not alike" in message for message in bench.messages)


def test_a_sensor_that_is_pulled_meanwhile_says_so(bench: Workbench) -> None:
    bench.at("Put a blue cube", lambda _: bench.plugs.of("rail").pull())
    found = bench.guide("colours")[0]
    assert (found.status, "does not answer" in found.what) == ("failed", True)
