"""Each fault of display, sensor head, queue rail and card scanner, and the finding it makes."""

from __future__ import annotations

import errno
import os
import threading
import time
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from looked import MS, Patient

from tests.kit.patience import wait_for
from umpi.box.calibration import Calibration, write_calibration
from umpi.box.config import Config, HeadPlan
from umpi.doctor import plugged
from umpi.doctor.finding import Finding
from umpi.drivers.head_link import HeadState
from umpi.drivers.oled import Oled
from umpi.drivers.scanner import Reader, Scanner
from umpi.simulator.tcs34725 import profile
from umpi.simulator.virtual import with_head, with_rail, with_scanner

HEAD = with_head(Config(), 6).head
NO_BUS = FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "/dev/i2c-1")
NOT_OURS = PermissionError(errno.EACCES, os.strerror(errno.EACCES), "/dev/i2c-1")


class FakeHead:
    """A sensor head in this `state` that reports this `about`; its port has the given names."""

    def __init__(self, state: HeadState, path: str = "/dev/serial/by-id/nobody-*", **about: Any) -> None:
        self.state, self.path, self.about = state, path, {"firmware": "2.0", **about}
        self.dark: frozenset[str] = frozenset()

    def close(self) -> None:
        pass


# Display


def test_the_doctors_picture_lights_the_outermost_dots(ward: Any) -> None:
    patient = ward()
    patient.settle()
    assert patient.plugs.virtual_panel.picture().tobytes() == plugged.picture().tobytes()
    edge = [(x, y) for x in range(128) for y in range(64) if x in (0, 127) or y in (0, 63)]
    assert all(plugged.picture().dot(*dot) for dot in edge if dot[1] > 9), "below the bar, which is light"


def test_a_display_that_cannot_be_opened_is_out_with_the_reason(ward: Any) -> None:
    patient = ward()
    patient.box.oled.close()
    patient.box.oled, patient.box.device_errors["display"] = None, "OSError: no luma"
    assert patient.finding("display") == Finding("display", "failed", "ssd1306 at 0x3c on I²C bus 1: OSError: no luma")


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


def test_a_ready_head_is_reported_with_its_name_and_clock(ward: Any) -> None:
    patient = ward(head=HEAD)
    found = patient.finding("head")
    assert found.status == "ok"
    assert found.what.startswith("board e66160f423782934, firmware ")
    assert "protocol 1; its clock " in found.what
    assert "ppm fast, give or take " in found.what
    assert found.what.endswith("garbled lines: 0; beams: 6")


def test_a_wall_is_unproven(ward: Any) -> None:
    assert ward(head=HEAD).finding("wall").status == "not tested"
    assert not ward(head=HeadPlan()).has("wall")


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


def with_head_at(ward: Any, head: FakeHead | None) -> Patient:
    patient: Patient = ward(head=HEAD)
    patient.box.head = head  # type: ignore[assignment]
    return patient


def test_a_head_that_may_not_be_opened_says_what_the_device_says(ward: Any, tmp_path: Path) -> None:
    why = "/dev/ttyACM0 add this user to group dialout (sudo usermod -aG dialout $USER)"
    head = FakeHead(HeadState("looking", why), str(tmp_path))
    assert with_head_at(ward, head).finding("head") == Finding("head", "failed", why)


def test_a_head_that_has_gone_is_out(ward: Any) -> None:
    assert with_head_at(ward, FakeHead(HeadState("gone", "pulled out"))).finding("head").what == "pulled out"


def test_a_silent_head_counts_as_missing(ward: Any) -> None:
    assert with_head_at(ward, FakeHead(HeadState("looking"))).finding("head").what == "it has not answered"


@pytest.mark.parametrize(("garbled", "status"), [(0, "ok"), (1, "ok"), (2, "warning")])
def test_a_head_with_a_bad_cable_is_doubtful(ward: Any, garbled: int, status: str) -> None:
    """The first line may be incomplete, so an error in it does not count."""
    patient = with_head_at(ward, FakeHead(HeadState("ready"), garbled=garbled))
    assert patient.finding("head").status == status


def test_a_head_whose_program_stamps_one_beam_after_the_other_is_doubtful(ward: Any) -> None:
    found = with_head_at(ward, FakeHead(HeadState("ready"), firmware="1.0")).finding("head")
    assert (found.status, found.do) == ("warning", "Copy firmware/sensor_head to it again.")


def test_a_head_that_cannot_be_opened_is_out_with_the_reason(ward: Any) -> None:
    patient = with_head_at(ward, None)
    patient.box.device_errors["head"] = "OSError: no eventfd"
    assert patient.finding("head") == Finding("head", "failed", "OSError: no eventfd")


# Queue rail


def on_rail(ward: Any, tmp_path: Path, measured: bool = True) -> Patient:
    if measured:
        write_calibration(Config(journal=tmp_path / "games.db").calibration, Calibration(0, profile()))
    patient: Patient = ward(rail=with_rail(Config()).rail)
    return patient


def test_an_empty_rail_is_well(ward: Any, tmp_path: Path) -> None:
    assert on_rail(ward, tmp_path).finding("rail") == Finding("rail", "ok", "nothing lies at its stop")


def test_a_cube_at_the_stop_is_named(ward: Any, tmp_path: Path) -> None:
    patient = on_rail(ward, tmp_path)
    patient.plugs.of("rail").lay("yellow")
    assert patient.finding("rail") == Finding("rail", "ok", "a yellow cube lies at its stop")


def test_a_cube_of_no_calibrated_colour_is_doubtful(ward: Any, tmp_path: Path) -> None:
    patient = on_rail(ward, tmp_path)
    patient.plugs.of("rail").lay("yellow", crooked=True)
    found = patient.finding("rail")
    assert found.status == "warning"
    assert found.what.startswith("Whose cube is this?")


def test_a_rail_whose_colours_nobody_measured_is_unproven(ward: Any, tmp_path: Path) -> None:
    found = on_rail(ward, tmp_path, measured=False).finding("rail")
    assert found.status == "not tested"
    assert found.do == "umpi doctor --guide measures them."


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


@pytest.mark.parametrize(
    ("i2c", "hint"),
    [(NO_BUS, "raspi-config"), (NOT_OURS, "group i2c"), ([], "Nothing answers at 0x29 on I²C bus 1"), ([0x29], "")],
)
def test_a_rail_that_does_not_answer_is_out_and_says_where_to_look(
    ward: Any, tmp_path: Path, i2c: Any, hint: str
) -> None:
    patient = on_rail(ward, tmp_path)
    patient.plugs.of("rail").pull()
    patient.around.i2c = i2c
    found = patient.finding("rail")
    assert found.status == "failed"
    assert found.what.startswith("The colour sensor does not answer")
    assert hint in found.do
    assert bool(hint) == bool(found.do)


def test_a_rail_that_cannot_be_opened_is_out_with_the_reason(ward: Any, tmp_path: Path) -> None:
    patient = on_rail(ward, tmp_path)
    patient.box.rail, patient.box.device_errors["rail"] = None, "ImportError: smbus2"
    assert patient.finding("rail") == Finding("rail", "failed", "ImportError: smbus2")


@pytest.mark.parametrize("opened", [True, False])
def test_a_colour_sensor_at_a_missing_head_is_not_reported_beside_it(ward: Any, opened: bool) -> None:
    patient = ward(head=HEAD, rail="head")
    patient.plugs.of("head").pull()
    if not opened:
        patient.box.head, patient.box.device_errors["head"] = None, "OSError: no eventfd"
    assert patient.finding("head").status == "failed"
    assert not patient.has("rail")


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


def test_a_scanner_that_is_not_there_is_out(ward: Any, tmp_path: Path) -> None:
    patient = with_port(ward, tmp_path / "nobody")
    wait_for(lambda: patient.box.scanner and patient.box.scanner.trouble)
    found = patient.finding("scanner")
    assert found.status == "failed"
    assert found.what == f"No card scanner at {tmp_path / 'nobody'}: plug it in."
    assert "/dev/serial/by-id" in found.do


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


def test_a_scanner_that_is_there_and_may_not_be_used_is_not_looked_for(ward: Any, tmp_path: Path) -> None:
    patient = ward(scanner={"port": str(tmp_path)})
    patient.box.scanner.trouble = "No permission for the card scanner: add the user to group dialout."
    found = patient.finding("scanner")
    assert (found.status, found.do) == ("failed", "")


def test_a_scanner_that_cannot_be_opened_is_out_with_the_reason(ward: Any) -> None:
    patient = ward(scanner=with_scanner(Config()).scanner)
    patient.box.scanner, patient.box.device_errors["scanner"] = None, "OSError: no"
    assert patient.finding("scanner") == Finding("scanner", "failed", "OSError: no")


def test_devices_that_are_not_configured_are_not_reported(ward: Any) -> None:
    devices = {finding.device for finding in ward().findings()}
    assert not devices & {"head", "wall", "rail", "scanner", "beams", "emitters", "measures"}
