"""Beams are aligned, blocked, robbed of their emitters and timed; cubes are held into them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from workbench import LANES, Workbench, statuses

from umpi.box.calibration import Calibration, read_calibration
from umpi.box.config import Config, HeadPlan
from umpi.doctor.finding import Finding

SIX = {f"lane_{lane}": 7 + lane for lane in range(1, 5)}


def made(tmp_path: Path, **config: Any) -> Workbench:
    return Workbench(Config(journal=tmp_path / "games.db", **config))


@pytest.fixture
def pins(tmp_path: Path) -> Workbench:
    return made(tmp_path, beams=LANES, emitters=10)


@pytest.fixture
def head(tmp_path: Path) -> Workbench:
    return made(tmp_path, head=HeadPlan(lanes=2, beams=2))


def found(bench: Workbench, device: str, *only: str) -> Finding:
    return next(finding for finding in bench.guide(*(only or ("beams",))) if finding.device == device)


def test_working_beams_are_well(pins: Workbench) -> None:
    findings = pins.guide("beams")
    assert {finding.status for finding in findings} == {"ok"}
    assert [finding.device for finding in findings].count("beam lane_1") == 2  # blocked, and without its emitter


def test_a_beam_without_its_pin_is_out_and_never_called_light(tmp_path: Path) -> None:
    bench = made(tmp_path, beams={"lane_1": 8, "second_1": 16}, emitters=10)
    findings = bench.guide("beams")
    assert statuses(findings)["beam second_1"] == "failed"
    assert bench.live == ["lane_1 light"]
    assert "not tested" in statuses(findings)["resolution"]


def test_working_beams_at_the_head_are_well(head: Workbench) -> None:
    assert set(statuses(head.guide("beams")).values()) == {"ok"}


def test_the_live_line_shows_each_change_while_aligning(pins: Workbench) -> None:
    pins.set_beam("second_1", True)
    pins.beam("second_1", False, ms=900)
    assert found(pins, "beams").status == "ok"
    assert pins.live == ["lane_1 light  second_1 DARK", "lane_1 light  second_1 light"]


def test_alignment_waits_for_three_seconds_of_light(pins: Workbench) -> None:
    pins.set_beam("lane_1", True)
    for ms in (1000, 2000, 3500, 6000):
        pins.beam("lane_1", False, ms)
        pins.beam("lane_1", True, ms + 500)
    pins.beam("lane_1", False, 7000)
    began_ns = pins.now_ns
    pins.at("Block", lambda _: pins.type("q"))
    pins.guide("beams")
    assert pins.now_ns - began_ns > 10_000_000_000


def test_enter_continues_with_dark_beams_and_names_them(pins: Workbench) -> None:
    pins.set_beam("second_1", True)
    pins.stuck = {"second_1"}
    pins.at("Align", lambda _: pins.type(""))
    findings = pins.guide("beams")
    assert findings[0] == Finding(
        "beams", "failed", "dark: second_1", "Align them; look at the receiver's supply and pull-up."
    )
    assert statuses(findings) == {
        "beams": "failed", "beam lane_1": "ok", "beam second_1": "failed", "emitters": "not tested",
        "resolution": "not tested",
    }  # fmt: skip


def test_for_inverted_beams_the_configuration_key_is_named(pins: Workbench) -> None:
    for line in LANES:
        pins.set_beam(line, True)
    pins.at("Align", lambda _: pins.type(""))
    assert 'dark = "high" under [beams]' in pins.guide("beams")[0].do


def test_the_beam_that_goes_dark_instead_is_named(pins: Workbench) -> None:
    pins.at("Block lane_1", lambda _: pins.beam("second_1", True))
    assert found(pins, "beam lane_1").what == "second_1 went dark instead: are lane_1 and second_1 exchanged?"


def test_a_neighbour_that_goes_dark_with_it_is_named(pins: Workbench) -> None:
    pins.at("Block lane_1", lambda _: [pins.beam("lane_1", True), pins.beam("second_1", True, ms=450)])
    crossed = found(pins, "beam lane_1")
    assert (crossed.status, crossed.what) == ("warning", "second_1 went dark with it")


def test_a_beam_that_nothing_blocks_is_out(pins: Workbench) -> None:
    pins.at("Block lane_1", lambda _: None)
    assert found(pins, "beam lane_1").what == "nothing went dark"


def test_a_beam_that_stays_dark_is_out(pins: Workbench) -> None:
    pins.at("Take it out", lambda _: None)
    assert found(pins, "beam lane_1").what == "it did not become light again"


def test_a_torn_wire_shows_when_the_emitters_are_off(pins: Workbench) -> None:
    pins.torn = {"second_1"}
    out = [finding for finding in pins.guide("beams") if finding.status == "failed"]
    assert [finding.device for finding in out] == ["beam second_1", "resolution"]
    assert out[0].what.startswith("light although its emitter is off")
    assert pins.box.emitters.value == 1


def test_without_a_switch_the_emitters_are_unproven(tmp_path: Path) -> None:
    bench = made(tmp_path, beams=LANES)
    unproven = statuses(bench.guide("beams"))
    assert (unproven["emitters"], unproven["resolution"]) == ("not tested", "not tested")
    assert "emitters = PIN under [beams]" in found(bench, "emitters").do


def test_a_beam_of_the_head_that_does_not_see_its_emitter_is_out(head: Workbench) -> None:
    pico = head.plugs.of("head")._pico
    seen = pico._seen
    pico._seen = lambda: seen() - {"second_2"} if pico._off else seen()
    out = [finding for finding in head.guide("beams") if finding.status == "failed"]
    assert [finding.device for finding in out] == ["beam second_2", "resolution"]


def test_the_resolution_is_the_widest_difference_and_on_disk(pins: Workbench) -> None:
    pins.fronts_us = {"lane_1": 3, "second_1": 41}
    assert found(pins, "resolution").what == "beams that go dark at once are stamped within 38 µs"
    assert read_calibration(pins.config.calibration) == Calibration(resolution_us=38) == pins.box.calibration


def test_a_resolution_beyond_the_window_says_that_it_counts(pins: Workbench) -> None:
    pins.fronts_us = {"lane_1": 2500}
    assert "a dead heat from now on, not 2000 µs" in found(pins, "resolution").what


def test_the_head_s_lanes_are_switched_one_by_one_for_the_resolution(head: Workbench) -> None:
    """The two beams of a lane have one emitter switch; edges come although its emitters are off."""
    pico = head.plugs.of("head")._pico
    change = pico._change
    pico._change = lambda what, line, us: change(what, line, us + 70 * (line == "second_2"))
    assert found(head, "resolution").what.endswith("within 70 µs")
    head.plugs.of("head")._link.talk.who["firmware"] = "1.0"
    beams = 2 * head.config.head.lanes
    assert found(head, "resolution").what.endswith(f"within {70 * (beams - 1)} µs"), "each beam waits for those before"


def test_single_beams_at_the_head_cannot_measure_the_resolution(tmp_path: Path) -> None:
    bench = made(tmp_path, head=HeadPlan(lanes=3))
    assert found(bench, "resolution").status == "not tested"


def test_a_disk_that_refuses_is_out_by_its_file(pins: Workbench, tmp_path: Path) -> None:
    (tmp_path / "measured.new").mkdir()
    refused = found(pins, "resolution")
    assert refused.status == "failed"
    assert str(tmp_path / "measured.json") in refused.what
    assert pins.box.calibration == Calibration()


def test_an_unplugged_head_ends_its_step_and_the_guide_continues(tmp_path: Path) -> None:
    bench = made(tmp_path, head=HeadPlan(lanes=1, wall=True))
    bench.at("Block lane_1", lambda _: bench.after(400, bench.plugs.of("head").pull))
    bench.at("Listen", lambda _: bench.plugs.of("head").plug())
    findings = bench.guide("beams", "wall")
    assert (findings[1].device, findings[1].status) == ("beam lane_1", "failed")
    assert "was unplugged" in findings[1].what
    assert statuses(findings)["wall"] == "failed"


def test_a_head_that_is_plugged_in_again_is_waited_for(tmp_path: Path) -> None:
    bench = made(tmp_path, head=HeadPlan(lanes=1, wall=True))
    bench.plugs.of("head").pull()
    bench.after(4000, bench.plugs.of("head").plug)
    assert bench.guide("wall")[0].status == "ok"


def test_a_head_that_is_not_there_is_waited_for_once(tmp_path: Path) -> None:
    bench = made(tmp_path, head=HeadPlan(lanes=6, beams=2))
    bench.plugs.of("head").pull()
    began_ns = bench.now_ns
    findings = bench.guide("beams", "cubes", "chute")
    assert {finding.status for finding in findings} == {"failed"}
    assert len(findings) == 22
    assert bench.now_ns - began_ns < 15_000_000_000


def test_an_exception_of_a_device_is_a_finding(pins: Workbench, caplog: pytest.LogCaptureFixture) -> None:
    def burn() -> None:
        raise RuntimeError("smoke")

    pins.box.emitters.off = burn
    assert found(pins, "emitters").what == "RuntimeError: smoke"
    assert "in burn" in caplog.text, "where it failed"


def test_a_cube_that_darkens_steadily_is_well(pins: Workbench) -> None:
    assert {finding.status for finding in pins.guide("cubes")} == {"ok"}


def test_each_colour_is_held_into_its_own_lane(tmp_path: Path) -> None:
    bench = made(tmp_path, beams=SIX)
    bench.guide("cubes")
    assert "Hold a green cube into lane_4, and keep it there." in bench.messages
    assert "Hold a white cube into lane_1, and keep it there." in bench.messages


def test_a_cube_that_nobody_sees_lets_infrared_through(pins: Workbench) -> None:
    pins.at("Hold a white cube", lambda _: None)
    clear = found(pins, "cube white", "cubes")
    assert (clear.status, "lets infrared through" in clear.what, "foil" in clear.do) == ("failed", True, True)


def test_a_cube_that_flickers_will_not_be_seen(pins: Workbench) -> None:
    def flicker(_: object) -> None:
        for turn in range(8):
            pins.beam("lane_1", turn % 2 == 0, 400 + 100 * turn)
        pins.beam("lane_1", True, 1250)

    pins.at("Hold a white cube", flicker)
    assert "flickers" in found(pins, "cube white", "cubes").what


def test_a_cube_taken_out_too_early_is_doubtful(pins: Workbench) -> None:
    pins.at("Hold a white cube", lambda _: [pins.beam("lane_1", True), pins.beam("lane_1", False, 1000)])
    assert found(pins, "cube white", "cubes").status == "warning"
