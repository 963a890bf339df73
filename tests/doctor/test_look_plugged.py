"""Each fault of display, sensor head, queue rail and card scanner, and the finding it makes."""

from __future__ import annotations

import os
import threading
import time
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from gpiozero.exc import GPIOPinInUse
from looked import MS, Patient

from tests.kit.patience import wait_for
from umpi.box.calibration import Calibration, write_calibration
from umpi.box.config import Config
from umpi.doctor import plugged
from umpi.drivers.buses import PanelLines
from umpi.drivers.oled import Oled
from umpi.drivers.scanner import Reader, Scanner
from umpi.drivers.speaker import Speaker
from umpi.drivers.tones import Tones
from umpi.service.run import RealPlugs
from umpi.simulator.pins import VirtualPins
from umpi.simulator.tcs34725 import profile
from umpi.simulator.virtual import with_head, with_lanes, with_rail, with_scanner

HEAD = with_head(Config(), 6).head


# Display


def test_the_doctors_picture_lights_the_outermost_dots(ward: Any) -> None:
    patient = ward()
    patient.settle()
    assert patient.plugs.virtual_panel.picture().tobytes() == plugged.picture().tobytes()
    edge = [(x, y) for x in range(128) for y in range(64) if x in (0, 127) or y in (0, 63)]
    assert all(plugged.picture().dot(*dot) for dot in edge if dot[1] > 9), "below the bar, which is light"


def test_a_bus_that_hangs_is_out(ward: Any) -> None:
    """A stuck bus can block a transfer for ever, without any reason."""
    patient = ward()
    patient.box.oled.close()
    free = threading.Event()
    hanging = Oled(free.wait, "ssd1306")
    hanging.show(plugged.picture())
    patient.box.oled = hanging
    (found,) = plugged.display(patient.config, patient.box, patient.around.system())
    free.set()
    assert found.status == "failed"
    assert "does the bus hang?" in found.what


# Sensor head


def test_a_missing_head_is_out_after_a_few_seconds(ward: Any) -> None:
    patient = ward(head=HEAD)
    patient.plugs.of("head").pull()
    found = patient.finding("head")
    assert (found.status, found.what) == ("failed", "no sensor head is plugged in")
    assert "/dev/serial/by-id" in found.do
    assert 5000 <= patient.waited_ms < 5200


def test_a_head_that_is_plugged_in_meanwhile_is_waited_for(ward: Any) -> None:
    patient = ward(head=HEAD)
    patient.plugs.of("head").pull()
    rest, head = patient._rest, patient.plugs.of("head")

    def plug_soon(seconds: float) -> None:
        if patient.now_ns > 2500 * MS:
            head.plug()
        rest(seconds)

    patient._rest = plug_soon  # type: ignore[method-assign]
    assert patient.finding("head").status == "ok"
    assert 1500 < patient.waited_ms < 4000


# Queue rail


def on_rail(ward: Any, tmp_path: Path, measured: bool = True) -> Patient:
    if measured:
        write_calibration(Config(journal=tmp_path / "games.db").calibration, Calibration(0, profile()))
    patient: Patient = ward(rail=with_rail(Config()).rail)
    return patient


def test_a_rail_that_does_not_come_to_rest_is_doubtful(ward: Any, tmp_path: Path) -> None:
    patient = on_rail(ward, tmp_path)
    rest, rail, turn = patient._rest, patient.plugs.of("rail"), count()

    def flicker(seconds: float) -> None:
        (lambda: rail.lay("white"), rail.lift, lambda: rail.lay("red"), rail.lift)[next(turn) % 4]()
        rest(seconds)

    patient._rest = flicker  # type: ignore[method-assign]
    found = patient.finding("rail")
    assert patient.waited_ms >= 5000
    assert found.status == "warning"
    assert "do not come to rest" in found.what


# Card scanner


def with_port(ward: Any, port: Path) -> Patient:
    """A box whose scanner listens at a real port, with the real driver."""
    config = {"port": str(port)}
    patient: Patient = ward(scanner=config)
    patient.box.scanner = Scanner(Reader(**config), lambda scan: None, time.monotonic_ns)
    return patient


def test_an_open_port_leaves_the_scan_to_a_hand(ward: Any, tmp_path: Path) -> None:
    master, slave = os.openpty()
    (tmp_path / "reader").symlink_to(os.ttyname(slave))
    patient = with_port(ward, tmp_path / "reader")
    scanner: Any = patient.box.scanner
    wait_for(lambda: scanner._port)
    found = patient.finding("scanner")
    assert (found.status, found.what) == ("not tested", f"{tmp_path / 'reader'} is open; a scan proves it")
    os.write(master, b"\xff\xfe\r\n" * 3)
    wait_for(lambda: scanner.lines.garbled == 3)
    found = patient.finding("scanner")
    assert found.status == "warning"
    assert "baud = 9600" in found.do
    for end in (master, slave):
        os.close(end)


def test_a_scanner_that_is_plugged_in_meanwhile_is_waited_for(ward: Any) -> None:
    patient = ward(scanner=with_scanner(Config()).scanner)
    rest, scanner = patient._rest, patient.plugs.of("scanner")
    scanner.pull()

    def plug_soon(seconds: float) -> None:
        if patient.now_ns > 2500 * MS:
            scanner.plug()
        rest(seconds)

    patient._rest = plug_soon  # type: ignore[method-assign]
    assert patient.finding("scanner").status == "not tested"
    assert 1500 < patient.waited_ms < 4000


# Each fault of a display on SPI, or of the lines beside its bus, and the finding it makes.


class Held(VirtualPins):
    """Virtual pins, one of which the kernel has."""

    def pin(self, name: Any) -> Any:
        if name == 12:
            raise GPIOPinInUse("pin 12 is held outside this program, by spi0 CS1")
        return super().pin(name)


def test_a_reset_line_that_another_holds_has_the_same_reason_each_time() -> None:
    whys = []
    for _ in range(2):
        with pytest.raises(GPIOPinInUse) as refused:
            PanelLines(Held(lambda: 7)).setup(12, PanelLines.OUT)
        whys.append(refused)  # with its traceback, as a log record keeps it
    assert {str(why.value) for why in whys} == {"pin 12 is held outside this program, by spi0 CS1"}


def test_a_reset_line_in_use_is_reported_with_advice(ward: Any) -> None:
    patient = ward(display_reset=12)
    patient.box.oled.close()
    patient.box.oled = RealPlugs(patient.config, time.monotonic_ns).oled(Held(lambda: 7), print)
    patient.box.oled.show(plugged.picture())
    wait_for(lambda: patient.box.oled.trouble)
    (found,) = plugged.display(patient.config, patient.box, patient.around.system())
    assert "held outside this program, by spi0 CS1" in found.what
    assert "name another pin as reset under [display]" in found.do


# Each fault of the pins and of what is wired to them, and the finding it makes.


SEATS, LAMPS = Config().seats, Config().lamps
SIX = with_lanes(Config(), 6).beams


def test_a_healthy_box_has_only_good_and_unproven_findings(ward: Any) -> None:
    patient = ward(beams=SIX, emitters=15)
    found = patient.findings()
    assert {finding.status for finding in found} == {"ok", "not tested"}, found
    assert patient.waited_ms < 1000


def test_tones_without_the_kernels_pwm_are_out_with_what_to_do(ward: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("umpi.box.box.Tones", lambda pin: Tones(pin, tmp_path))
    found = ward(tones=True).finding("sounder")
    assert found.status == "failed"
    assert "dtoverlay=pwm,pin=18,func=2" in found.what


def test_tones_with_pwm_are_unproven(ward: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("umpi.box.box.Tones", lambda pin: Speaker(pin, VirtualPins(lambda: 7)))
    found = ward(tones=True).finding("sounder")
    assert (found.status, found.what[:17]) == ("not tested", "a passive sounder")
