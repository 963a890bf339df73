"""Cubes are asked for one by one, and what they measure ends as lines for umpi.toml."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from workbench import LANES, Workbench, statuses

from umpi.box.config import Config, HeadPlan
from umpi.timing.events import Lost


def made(tmp_path: Path, **config: Any) -> Workbench:
    return Workbench(Config(journal=tmp_path / "games.db", **config))


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return made(tmp_path, beams=LANES)


def test_ten_cubes_are_measured_and_proposed_as_lines(bench: Workbench) -> None:
    """The virtual cubes fall at 1150 mm/s."""
    assert bench.guide("chute")[0].status == "ok"
    assert bench.messages[-3:-1] == ["[gate]", "speed_mm_s = [1030, 1270]"]
    assert bench.messages[-1] == "turned = 1.05  # 1.42 where a cube can turn in its lane"
    assert bench.messages.count("1150 mm/s, 1.00 cubes long.") == 10


def test_three_cubes_are_enough_where_enter_says_so(bench: Workbench) -> None:
    bench.at(r"\(4 of", lambda _: bench.type(""))
    assert bench.guide("chute")[0].what.startswith("3 cubes")


def test_fewer_are_skipped(bench: Workbench) -> None:
    bench.at(r"\(3 of", lambda _: bench.type(""))
    assert bench.guide("chute")[0].status == "not tested"


def test_a_fall_without_a_measurement_does_not_count(bench: Workbench) -> None:
    drops = iter([False])

    def drop(_: object) -> None:
        if next(drops, True):
            bench.drop("red")
        else:
            bench.beam("lane_1", True)
            bench.beam("lane_1", False, ms=414)

    bench.at("Drop a cube", drop)
    assert bench.guide("chute")[0].what.startswith("10 cubes")
    assert "Only one of the beams saw it. It does not count." in bench.messages


def test_a_fall_of_which_edges_are_lost_does_not_count(bench: Workbench) -> None:
    losses = iter([Lost(2)])

    def drop(_: object) -> None:
        bench.drop("red")
        if lost := next(losses, None):
            bench.after(525, lambda: bench.post(lost))

    bench.at("Drop a cube", drop)
    bench.guide("chute")
    assert "Edges were lost. It does not count." in bench.messages


def test_settings_that_do_not_cover_it_are_doubtful(tmp_path: Path) -> None:
    found = made(tmp_path, beams=LANES, gate={"speed_mm_s": (900, 1100)}).guide("chute")[0]
    assert (found.status, "speed_mm_s = [1030, 1270]" in found.do) == ("warning", True)


def test_lanes_are_asked_for_in_turn_at_the_head_too(tmp_path: Path) -> None:
    bench = made(tmp_path, head=HeadPlan(lanes=6, beams=2))
    assert [finding.status for finding in bench.guide("chute")] == ["ok"]
    assert "Drop a cube into lane_6 (12 of 12)." in bench.messages


def test_a_lane_that_no_cube_fell_down_is_unproven(tmp_path: Path) -> None:
    bench = made(tmp_path, head=HeadPlan(lanes=2, beams=2))
    bench.at("Drop a cube", lambda _: bench.drop("red"))
    assert bench.guide("chute")[1].what == "no cube fell down lane_2"


def test_a_single_beam_measures_no_speed(tmp_path: Path) -> None:
    found = made(tmp_path, beams={"lane_1": 8}).guide("chute")[0]
    assert (found.status, "two beams" in found.do) == ("ok", True)


def test_a_box_short_of_a_beam_s_pin_has_no_chute_to_measure(tmp_path: Path) -> None:
    bench = made(tmp_path, beams={"lane_1": 8, "second_1": 16})
    assert statuses(bench.guide("chute")) == {"chute": "failed"}
