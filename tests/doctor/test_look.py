"""Each fault of the pins and of what is wired to them, and the finding it makes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from looked import Patient, broken

from tests.kit.fake_gpiod import FakeChip, FakeGpiod
from umpi.box.calibration import Calibration, write_calibration
from umpi.box.config import COLOURS, Config, HeadPlan
from umpi.doctor import wired
from umpi.doctor.finding import Finding
from umpi.drivers.pin_factory import GpiodFactory
from umpi.drivers.speaker import Speaker
from umpi.drivers.tones import Tones
from umpi.simulator.pins import VirtualPins
from umpi.simulator.virtual import with_head, with_lanes

SEATS, LAMPS = Config().seats, Config().lamps
SIX = with_lanes(Config(), 6).beams


def on_gpiod(ward: Any, holders: dict[int, str], **config: Any) -> Patient:
    patient: Patient = ward(pins=GpiodFactory("/dev/gpiochip0", FakeGpiod(FakeChip(holders=holders))), **config)
    return patient


def test_a_healthy_box_has_only_good_and_unproven_findings(ward: Any) -> None:
    patient = ward(beams=SIX, emitters=15)
    found = patient.findings()
    assert {finding.status for finding in found} == {"ok", "not tested"}, found
    assert patient.waited_ms < 1000


def test_the_chip_of_the_pins_is_named(ward: Any) -> None:
    assert on_gpiod(ward, {}).finding("pins") == Finding("pins", "ok", "gpiod on gpiochip0 (pinctrl-bcm2835)")


def test_pins_used_by_the_service_are_reported_together(ward: Any) -> None:
    found = on_gpiod(ward, {SEATS["blue"]: "umpi", LAMPS["red"]: "umpi", Config().sounder: "umpi"}).finding("pins")
    assert found.status == "failed"
    assert found.what == "GPIO17 (button blue), GPIO18 (sounder), GPIO24 (lamp red): used by umpi"
    assert found.do == "Is umpi running? sudo systemctl stop umpi"


@pytest.mark.parametrize(
    ("holder", "hint"),
    [("spi0 CS1", "do_spi 1"), ("onewire@4", "do_onewire 1"), ("", "overlay"), ("other", "systemctl stop umpi")],
)
def test_a_used_pin_is_reported_with_how_to_free_it(ward: Any, holder: str, hint: str) -> None:
    """A holder without a name is reported as the kernel."""
    line = FakeChip.get_line_info

    class Chip(FakeChip):
        def get_line_info(self, offset: int) -> Any:
            info = line(self, offset)
            return type(info)(used=True, consumer=holder) if offset == 7 else info

    patient = ward(pins=GpiodFactory("/dev/gpiochip0", FakeGpiod(Chip())))
    found = patient.finding("pins")
    assert found.what.startswith("GPIO7 (button back): used by ")
    assert hint in found.do


def test_lgpio_and_the_kernel_say_busy_and_name_nobody(ward: Any) -> None:
    found = ward(faults={5: OSError(16, os.strerror(16))}).finding("pins")
    assert found.what == "GPIO5 (button down): used by another program"


@pytest.mark.parametrize(
    ("pin", "device"),
    [(SEATS["green"], "button green"), (LAMPS["blue"], "lamp blue"), (Config().sounder, "sounder"), (8, "beam lane_1")],
)
def test_an_unusable_pin_is_reported_with_its_place_and_disables_one_device(ward: Any, pin: int, device: str) -> None:
    found = ward(faults=broken(pin), beams=SIX).finding(device)
    assert found.status == "failed"
    assert f"GPIO{pin} (header pin " in found.what
    assert "is broken off" in found.what


def test_emitters_without_their_pin_are_out(ward: Any) -> None:
    assert ward(faults=broken(15), beams=SIX, emitters=15).finding("emitters").status == "failed"


def test_presses_on_rpi_gpio_are_doubtful_with_a_figure_but_not_the_stamps_of_a_head(ward: Any) -> None:
    found = ward(factory="rpigpio").finding("presses")
    assert found.status == "warning"
    assert "0.7 ms while the box computes" in found.what
    assert 'factory = "gpiod"' in found.do
    with_a_head = ward(factory="rpigpio", head=HeadPlan(beams=2)).findings()
    assert [finding.device for finding in with_a_head if finding.status == "warning"] == ["presses"]
    assert "the sensor head's own" in next(finding.what for finding in with_a_head if finding.device == "stamps")


@pytest.mark.parametrize("beams", [{}, with_lanes(Config(), 1).beams])
def test_without_two_lanes_there_is_no_dead_heat(ward: Any, beams: Any) -> None:
    assert ward(beams=beams).finding("stamps") == Finding("stamps", "ok", "the kernel's own")


@pytest.mark.parametrize(("resolution", "window"), [(340, 2000), (3400, 3400)])
def test_the_larger_of_dead_heat_and_resolution_is_reported(
    ward: Any, tmp_path: Path, resolution: int, window: int
) -> None:
    write_calibration(Config(journal=tmp_path / "games.db").calibration, Calibration(resolution))
    found = ward(beams=SIX).finding("stamps")
    assert found.status == "ok"
    assert found.what == f"the kernel's own, fine to {resolution} µs; nearer than {window} µs is a dead heat"


def test_a_dead_heat_finer_than_the_pis_interrupt_is_doubtful_but_not_at_the_head(ward: Any) -> None:
    """Edges of one pass are read in the order of the pins' numbers."""
    fine = {"gate": {"dead_heat_us": 99}}
    assert ward(beams=SIX, **fine).finding("stamps").status == "warning"
    assert ward(beams=SIX, gate={"dead_heat_us": 100}).finding("stamps").status == "not tested"
    assert ward(head=HeadPlan(), **fine).finding("stamps").status == "not tested"


def test_a_measured_resolution_widens_a_smaller_dead_heat(ward: Any, tmp_path: Path) -> None:
    write_calibration(Config(journal=tmp_path / "games.db").calibration, Calibration(150))
    assert ward(beams=SIX, gate={"dead_heat_us": 50}).finding("stamps").status == "ok"


def test_a_button_that_is_down_from_the_start_is_out(ward: Any) -> None:
    patient = ward()
    patient.down("green")
    found = patient.findings()
    (stuck,) = [finding for finding in found if finding.device == "button green"]
    assert stuck.status == "failed"
    assert "wired to the wrong side" in stuck.do
    assert next(finding for finding in found if finding.device == "buttons").what.startswith("9 up")


def test_buttons_that_are_all_down_are_one_line(ward: Any) -> None:
    patient = ward()
    patient.down(*COLOURS, "up", "down", "ok", "back")
    found = [finding.device for finding in patient.findings() if finding.device.startswith("button")]
    assert found == ["buttons red, blue, yellow, green, white, black, up, down, ok, back"]


def test_lamps_are_counted_without_the_broken_ones(ward: Any) -> None:
    assert ward(faults=broken(LAMPS["red"])).finding("lamps") == Finding("lamps", "not tested", "5 can be switched")


def test_without_one_lamp_there_is_no_line_of_those_that_work(ward: Any) -> None:
    faults = {pin: fault for seat in LAMPS for pin, fault in broken(LAMPS[seat]).items()}
    assert not ward(faults=faults).has("lamps")


def test_tones_without_the_kernels_pwm_are_out_with_what_to_do(ward: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("umpi.box.box.Tones", lambda pin: Tones(pin, tmp_path))
    found = ward(tones=True).finding("sounder")
    assert found.status == "failed"
    assert "dtoverlay=pwm,pin=18,func=2" in found.what


def test_tones_with_pwm_are_unproven(ward: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("umpi.box.box.Tones", lambda pin: Speaker(pin, VirtualPins(lambda: 7)))
    found = ward(tones=True).finding("sounder")
    assert (found.status, found.what[:17]) == ("not tested", "a passive sounder")


@pytest.mark.parametrize(("dark_low", "other"), [(True, "high"), (False, "low")])
def test_a_beam_that_is_dark_from_the_start_is_out(ward: Any, dark_low: bool, other: str) -> None:
    patient = ward(beams=SIX, dark_low=dark_low)
    for line, pin in SIX.items():
        dark = line in ("lane_2", "lane_5")
        (patient.pins.pin(pin).drive_low if dark == dark_low else patient.pins.pin(pin).drive_high)()
    found = patient.finding("beams lane_2, lane_5")
    assert found.status == "failed"
    assert f'dark = "{other}" is right under [beams]' in found.do


def test_a_dark_beam_at_the_head_is_reported_like_one_at_the_pins(ward: Any) -> None:
    patient = ward(head=with_head(Config(), 6).head)
    patient.plugs.of("head").beam("lane_3", True)
    found = patient.findings()
    (dark,) = [finding for finding in found if finding.device == "beam lane_3"]
    assert "under [head]" in dark.do
    assert next(finding for finding in found if finding.device == "beams").what.startswith("5 light")


def test_beams_of_a_missing_head_are_not_reported(ward: Any) -> None:
    patient = ward(head=with_head(Config(), 6).head)
    patient.plugs.of("head").pull()
    assert not patient.has("beams")


def test_without_a_funnel_there_is_no_word_of_beams(ward: Any) -> None:
    patient = ward()
    assert not patient.has("beams")
    assert not patient.has("emitters")


def test_a_pin_of_the_service_is_known_by_what_the_pins_themselves_say(ward: Any) -> None:
    """What `wired` looks for is what devices.pins raises."""
    box = on_gpiod(ward, {SEATS["red"]: "x"}).box
    assert wired._holder(box.device_errors["red"]) == "x"
