"""Each fault of a display on SPI, or of the lines beside its bus, and the finding it makes."""

from __future__ import annotations

import errno
import time
from typing import Any

import pytest
from gpiozero.exc import GPIOPinInUse

from tests.kit.patience import wait_for
from umpi.box.config import SpiPlan
from umpi.doctor import plugged
from umpi.doctor.finding import Finding
from umpi.drivers.buses import PanelLines
from umpi.service.run import RealPlugs
from umpi.simulator.pins import VirtualPins

SPI = SpiPlan(dc=24, device=1)


def without_spi(ward: Any, fault: OSError | None) -> Finding:
    patient = ward(display_spi=SPI)
    patient.plugs.of("panel").pull()
    patient.around.spi = fault
    patient.settle()
    wait_for(lambda: patient.box.oled.trouble)
    found: Finding = patient.finding("display")
    assert (found.status, found.what.split(": ")[0]) == ("failed", "ssd1306 on SPI 0.1, D/C at GPIO24 (header pin 18)")
    return found


def test_on_spi_nothing_answers_and_the_doctor_says_so(ward: Any) -> None:
    found = ward(display_spi=SPI).finding("display")
    assert found.status == "not tested"
    assert found.what.endswith("takes what it is sent; on SPI nothing answers")


def test_without_spi_it_says_how_to_switch_it_on(ward: Any) -> None:
    do = without_spi(ward, FileNotFoundError(errno.ENOENT, "No such file")).do
    assert do.startswith("There is no /dev/spidev0.1. Switch SPI on: sudo raspi-config nonint do_spi 0")
    assert "dtparam=spi=on" in do


def test_an_spi_that_is_not_ours_names_the_group(ward: Any) -> None:
    assert "usermod -aG spi $USER" in without_spi(ward, PermissionError(errno.EACCES, "Permission denied")).do


def test_any_other_fault_of_spi_is_reported(ward: Any) -> None:
    assert without_spi(ward, OSError(errno.EBUSY, "Device busy")).do == "/dev/spidev0.1: Device busy"
    assert "another program" in without_spi(ward, None).do


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
