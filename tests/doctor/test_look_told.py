"""All that the doctor finds at each kind of box, well or with a fault, as somebody has read it."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from looked import Patient, broken

from tests.kit.patience import wait_for
from tests.kit.seen import check_part
from umpi.box.calibration import Calibration, write_calibration
from umpi.box.config import Config, HeadPlan, SpiPlan
from umpi.doctor.finding import Finding
from umpi.simulator.tcs34725 import profile
from umpi.simulator.virtual import with_lanes

SIX = {"beams": with_lanes(Config(), 6).beams}
HEAD = {"head": HeadPlan(lanes=2, beams=2, wall=True)}
RAIL, SCANNER, SPI = {"rail": 1}, {"scanner": {"port": "/dev/ttyNONE"}}, {"display_spi": SpiPlan(dc=12, device=1)}


def pulled(name: str, **around: Any) -> Callable[[Patient], object]:
    """A device is unplugged, and the system around it is so."""

    def pull(patient: Patient) -> None:
        patient.plugs.of(name).pull()
        vars(patient.around).update(around)

    return pull


def around(**values: Any) -> Callable[[Patient], object]:
    """The system is so."""
    return lambda patient: vars(patient.around).update(values)


def fault(number: int) -> OSError:
    return OSError(number, os.strerror(number))


def down(*buttons: str) -> Callable[[Patient], object]:
    return lambda patient: patient.down(*buttons)


def dark(*lines: str) -> Callable[[Patient], object]:
    """These beams at the pins are dark, and the others light."""

    def darken(patient: Patient) -> None:
        for line, pin in patient.config.beams.items():
            (patient.pins.pin(pin).drive_low if line in lines else patient.pins.pin(pin).drive_high)()

    return darken


def measured(patient: Patient) -> None:
    write_calibration(patient.config.calibration, Calibration(3400, profile()))
    patient.box.calibration = Calibration(3400, profile())


PATIENTS: dict[str, tuple[dict[str, Any], Callable[[Patient], object]]] = {
    "a bare box": ({}, around()),
    "six beams": (SIX, dark()),
    "six beams with emitters": ({**SIX, "emitters": 15}, dark("lane_2", "lane_5")),
    "six beams that are dark when high": ({**SIX, "dark_low": False}, dark("lane_2")),
    "a fine dead heat": ({**SIX, "gate": {"dead_heat_us": 99}}, dark()),
    "measured": ({**SIX, **RAIL}, measured),
    "a head": (HEAD, around()),
    "a head that is away": (HEAD, pulled("head")),
    "a rail": (RAIL, around()),
    "a rail that is away": (RAIL, pulled("rail", i2c=fault(errno.EACCES))),
    "a rail without a bus": (RAIL, pulled("rail", i2c=fault(errno.ENOENT))),
    "a rail that answers again": (RAIL, pulled("rail", i2c=(0x29,))),
    "a rail at the head": ({**HEAD, "rail": "head"}, pulled("rail")),
    "a scanner": (SCANNER, around()),
    "a scanner that is away": (SCANNER, pulled("scanner")),
    "a display that is away": ({}, pulled("panel")),
    "an SH1106": ({"display": "sh1106"}, around()),
    "a display of others": ({}, pulled("panel", i2c=fault(errno.EACCES))),
    "a display elsewhere": ({}, pulled("panel", i2c=(0x3D,))),
    "a display that answers again": ({"display": "sh1106"}, pulled("panel", i2c=(0x3C, 0x3D))),
    "a display without a bus": ({}, pulled("panel", i2c=fault(errno.ENOENT))),
    "a display whose bus fails": ({}, pulled("panel", i2c=fault(errno.EIO))),
    "a display on SPI": (SPI, around()),
    "a display on SPI that is away": (SPI, pulled("panel", spi=fault(errno.ENOENT))),
    "a display on the other SPI": ({"display_spi": SpiPlan(12, 1, 2)}, pulled("panel", spi=fault(errno.ENOENT))),
    "a display on SPI of others": (SPI, pulled("panel", spi=fault(errno.EACCES))),
    "a display on SPI that fails": (SPI, pulled("panel", spi=fault(errno.EIO))),
    "a display on SPI that opens": (SPI, pulled("panel")),
    "RPi.GPIO": ({"factory": "rpigpio", **HEAD}, around()),
    "lgpio": ({"factory": "lgpio", **SIX}, dark()),
    "silent": ({"silent": True}, around()),
    "buttons down": ({}, down("red", "ok")),
    "broken pins": ({"faults": broken(16) | broken(24) | broken(18)}, around()),
    "pins in use": ({"faults": {5: fault(errno.EBUSY), 6: fault(errno.EACCES)}}, around()),
    "little room": ({}, around(free_mb=19)),
    "no room": ({}, around(free_mb=0)),
    "an old year": ({}, around(year=2024)),
    "the first year": ({}, around(year=2025)),
}


def told(finding: Finding, folder: Path) -> str:
    do = f" // {finding.do}" if finding.do else ""
    return f"{finding.device}: {finding.status}, {finding.what}{do}".replace(str(folder), "~")


@pytest.mark.parametrize("name", PATIENTS)
def test_the_doctor_finds_what_somebody_has_read(name: str, ward: Any, tmp_path: Path) -> None:
    """After a change on purpose: UMPI_APPROVE=1 writes looked.txt; only what differs from a bare box stands there."""
    config, happens = PATIENTS[name]
    usual = {told(finding, tmp_path) for finding in ward().findings()} if name != "a bare box" else set()
    patient = ward(**config)
    happens(patient)
    if patient.plugs.virtual_panel.pulled:
        patient.settle()
        wait_for(lambda: patient.box.oled.trouble)  # the panel has a thread of its own
    found = [told(finding, tmp_path) for finding in patient.findings()]
    now = "\n".join(line for line in found if line not in usual) or "as a bare box"
    check_part(Path(__file__).with_name("looked.txt"), name, now, PATIENTS, "* ")
