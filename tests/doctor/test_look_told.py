"""All that the doctor finds at each kind of box, well or with a fault, as somebody has read it."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from looked import Patient, broken

from tests.kit.fake_gpiod import FakeChip, FakeGpiod
from tests.kit.journals import dodeka_header
from tests.kit.patience import wait_for
from tests.kit.seen import check_part
from umpi.box.calibration import Calibration, write_calibration
from umpi.box.config import Config, HeadPlan, SpiPlan
from umpi.doctor.finding import Finding
from umpi.drivers.colours import ColourProfile
from umpi.drivers.head_link import HeadState, StateName
from umpi.drivers.pin_factory import GpiodFactory
from umpi.games.quiz import Quiz
from umpi.journal import Journal
from umpi.kernel import override
from umpi.kernel.registry import GameEntry
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


def measured_as(resolution_us: int, colours: ColourProfile | None = None) -> Callable[[Patient], object]:
    def measure(patient: Patient) -> None:
        write_calibration(patient.config.calibration, Calibration(resolution_us, colours))
        patient.box.calibration = Calibration(resolution_us, colours)

    return measure


class HeldChip(FakeChip):
    """A chip of which others hold lines; the kernel has no name."""

    def __init__(self, holders: dict[int, str]) -> None:
        super().__init__()
        self.held = holders

    @override
    def get_line_info(self, offset: int) -> Any:
        info = super().get_line_info(offset)
        return type(info)(used=True, consumer=self.held[offset]) if offset in self.held else info


def held(**holders: str) -> Callable[[Path], dict[str, Any]]:
    """The pins of gpiod, of which others hold some: `held(GPIO7="fan")`."""
    lines = {int(pin.removeprefix("GPIO")): holder for pin, holder in holders.items()}
    return lambda folder: {"pins": GpiodFactory("/dev/gpiochip0", FakeGpiod(HeldChip(lines)))}


def without(name: str, why: str) -> Callable[[Patient], object]:
    """A device cannot be opened."""

    def lose(patient: Patient) -> None:
        if name == "oled":
            patient.box.oled.close()  # type: ignore[union-attr]
        setattr(patient.box, name, None)
        patient.box.device_errors[{"oled": "display"}.get(name, name)] = why

    return lose


class FakeHead:
    """A sensor head in this `state` that reports this `about`; its port has the given names."""

    def __init__(self, state: HeadState, path: str, about: dict[str, Any]) -> None:
        self.state, self.path, self.about = state, path, {"firmware": "2.0", **about}
        self.dark: frozenset[str] = frozenset()

    def close(self) -> None: ...


def headed(name: StateName, why: str = "", path: str = "/dev/serial/by-id/nobody-*", **about: Any) -> Any:
    return lambda patient: setattr(patient.box, "head", FakeHead(HeadState(name, why), path, about))


def lying(colour: str, crooked: bool = False) -> Callable[[Patient], object]:
    return lambda patient: patient.plugs.of("rail").lay(colour, crooked=crooked)


def played(matches: int) -> Callable[[Patient], object]:
    def play(patient: Patient) -> None:
        with closing(Journal(patient.config.journal)) as journal:
            for _ in range(matches):
                journal.begin(dodeka_header())

    return play


def foreign(patient: Patient) -> None:
    """Another program's database is in place of the journal."""
    with closing(sqlite3.connect(patient.config.journal)) as file:
        file.execute("CREATE TABLE songs (name)")


def damaged(patient: Patient) -> None:
    played(3)(patient)
    whole = patient.config.journal.read_bytes()
    patient.config.journal.write_bytes(whole[:4096] + b"\xa5" * (len(whole) - 4096))


def closed(place: Callable[[Path], Path]) -> Callable[[Patient], object]:
    """This file or folder may not be written, seen from the journal."""
    return lambda patient: setattr(patient.around, "closed", [place(patient.config.journal)])


def denied(patient: Patient) -> None:
    """The folder of the journal may not be looked into."""

    def free_bytes(folder: Path) -> int:
        raise PermissionError(13, "Permission denied", str(folder))

    system = replace(patient.around.system(), free_bytes=free_bytes)
    patient.around.system = lambda: system  # type: ignore[method-assign]


def all_of(*happens: Callable[[Patient], object]) -> Callable[[Patient], object]:
    return lambda patient: [each(patient) for each in happens]


USB_RULE = "/dev/ttyACM0 add this user to group dialout (sudo usermod -aG dialout $USER)"
Plan = dict[str, Any] | Callable[[Path], dict[str, Any]]
PATIENTS: dict[str, tuple[Plan, Callable[[Patient], object]]] = {
    "a bare box": ({}, around()),
    "six beams": (SIX, dark()),
    "six beams with emitters": ({**SIX, "emitters": 15}, dark("lane_2", "lane_5")),
    "six beams that are dark when high": ({**SIX, "dark_low": False}, dark("lane_2")),
    "a fine dead heat": ({**SIX, "gate": {"dead_heat_us": 99}}, dark()),
    "measured": ({**SIX, **RAIL}, measured_as(3400, profile())),
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
    "room for a megabyte": ({}, around(free_mb=1)),
    "room enough": ({}, around(free_mb=20)),
    "gpiod": (held(), around()),
    "pins of the service": (held(GPIO17="umpi", GPIO24="umpi", GPIO18="umpi"), around()),
    "a pin of SPI": (held(GPIO7="spi0 CS1"), around()),
    "a pin of one-wire": (held(GPIO7="onewire@4"), around()),
    "a pin of the kernel": (held(GPIO7=""), around()),
    "a pin of another program": (held(GPIO7="other"), around()),
    "pins of a beam and of the emitters broken": ({**SIX, "emitters": 15, "faults": broken(8) | broken(15)}, around()),
    "no lamp": ({"faults": {pin: fault for each in Config().lamps.values() for pin, fault in broken(each).items()}},
                around()),
    "RPi.GPIO alone": ({"factory": "rpigpio"}, around()),
    "one lane": ({"beams": with_lanes(Config(), 1).beams}, dark()),
    "measured finely": (SIX, all_of(dark(), measured_as(340))),
    "a dead heat as fine as the pins": ({**SIX, "gate": {"dead_heat_us": 100}}, dark()),
    "a fine dead heat at the head": ({**HEAD, "gate": {"dead_heat_us": 99}}, around()),
    "a resolution that widens a fine dead heat": (
        {**SIX, "gate": {"dead_heat_us": 50}}, all_of(dark(), measured_as(150))
    ),
    "all buttons down": ({}, down(*Config().seats, *Config().navigation)),
    "a head with a dark beam": (HEAD, lambda patient: patient.plugs.of("head").beam("lane_2", True)),
    "a head of single beams": ({"head": HeadPlan()}, around()),
    "a head at a port of others": (HEAD, headed("looking", USB_RULE, "/")),
    "a head that has gone": (HEAD, headed("gone", "pulled out")),
    "a head that says nothing": (HEAD, headed("looking")),
    "a head whose first line was cut": (HEAD, headed("ready", garbled=1)),
    "a head with a bad cable": (HEAD, headed("ready", garbled=2)),
    "a head with an old program": (HEAD, headed("ready", firmware="1.0")),
    "a head that cannot be opened": (HEAD, without("head", "OSError: no eventfd")),
    "a yellow cube at the stop": (RAIL, all_of(measured_as(0, profile()), lying("yellow"))),
    "a crooked cube at the stop": (RAIL, all_of(measured_as(0, profile()), lying("yellow", crooked=True))),
    "a rail where nothing answers": (RAIL, pulled("rail")),
    "a rail that cannot be opened": (RAIL, without("rail", "ImportError: smbus2")),
    "a rail at a head that is away": ({**HEAD, "rail": "head"}, pulled("head")),
    "a rail at a head that cannot be opened": (
        {**HEAD, "rail": "head"}, all_of(pulled("head"), without("head", "OSError: no eventfd"))
    ),
    "a scanner of others": (
        {"scanner": {"port": "/"}}, lambda patient: setattr(patient.box.scanner, "trouble", "No permission for it.")
    ),
    "a scanner that cannot be opened": (SCANNER, without("scanner", "OSError: no")),
    "a display that cannot be opened": ({}, without("oled", "OSError: no luma")),
    "three games": ({}, played(3)),
    "a journal in a folder that is not there yet": (lambda folder: {"journal": folder / "box/umpi/games.db"}, around()),
    "a journal of another program": ({}, foreign),
    "a journal with damaged pages": ({}, damaged),
    "a folder in place of the journal": ({}, lambda patient: patient.config.journal.mkdir()),
    "a journal that may not be written": ({}, all_of(played(1), closed(lambda journal: journal))),
    "a journal whose folder may not be written": ({}, all_of(played(1), closed(lambda journal: journal.parent))),
    "a folder that may not be looked into": ({}, denied),
    "a folder that is not there in one that may not be written": (
        lambda folder: {"journal": folder / "box/umpi/games.db"}, closed(lambda journal: journal.parents[2])
    ),
    "a broken game": (
        {}, around(games=[GameEntry("quiz", Quiz), GameEntry("chess", None, "ImportError: no chess")])
    ),
    "an old year": ({}, around(year=2024)),
    "the first year": ({}, around(year=2025)),
}  # fmt: skip


def told(finding: Finding, folder: Path) -> str:
    do = f" // {finding.do}" if finding.do else ""
    return f"{finding.device}: {finding.status}, {finding.what}{do}".replace(str(folder), "~")


@pytest.mark.parametrize("name", PATIENTS)
def test_the_doctor_finds_what_somebody_has_read(name: str, ward: Any, tmp_path: Path) -> None:
    """After a change on purpose: UMPI_APPROVE=1 writes looked.txt; only what differs from a bare box stands there."""
    plan, happens = PATIENTS[name]
    usual = {told(finding, tmp_path) for finding in ward().findings()} if name != "a bare box" else set()
    patient = ward(**(plan(tmp_path) if callable(plan) else plan))
    happens(patient)
    if patient.plugs.virtual_panel.pulled:
        patient.settle()
        wait_for(lambda: patient.box.oled.trouble)  # the panel has a thread of its own
    found = [told(finding, tmp_path) for finding in patient.findings()]
    now = "\n".join(line for line in found if line not in usual) or "as a bare box"
    check_part(Path(__file__).with_name("looked.txt"), name, now, PATIENTS, "* ")
