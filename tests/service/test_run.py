"""`umpi run` where there is no Raspberry Pi, and which bus it opens for the display."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from gpiozero import BadPinFactory

from tests.kit.glass import picture
from tests.kit.patience import patiently
from umpi.box.config import Config, SpiPlan
from umpi.cli import main
from umpi.drivers.pin_factory import NoHeaderChip
from umpi.journal import SCHEMA, Journal
from umpi.kernel.extras import packages, pip_install
from umpi.service.run import NoHeader, NoPins, RealPlugs, _emitter_check, pin_factory
from umpi.simulator.chip import Sh1106
from umpi.simulator.reading import drawn, reads
from umpi.timing.occlusion import Settings

EXTRAS = {"lgpio": "lgpio", "rpigpio": "rpi-lgpio"}
MODULES = {"lgpio": "gpiozero.pins.lgpio", "rpigpio": "gpiozero.pins.rpigpio"}


@pytest.fixture(params=MODULES)
def refused(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> tuple[str, int, str, Path]:
    """What `umpi run` says and returns where the factory's library is missing, even on a machine that has it."""
    monkeypatch.setitem(sys.modules, MODULES[request.param], None)  # type: ignore[arg-type]
    (tmp_path / "umpi.toml").write_text(f'[pins]\nfactory = "{request.param}"\n')
    command = ["run", "--config", str(tmp_path / "umpi.toml"), "--journal", str(tmp_path / "box" / "games.db")]
    return request.param, main(command), capsys.readouterr().err, tmp_path


def test_without_gpio_it_says_so_and_points_to_the_virtual_box(refused: tuple[str, int, str, Path]) -> None:
    """Without GPIO it says so and points to `umpi sim`; exit status 2, no traceback."""
    factory, status, printed, _ = refused
    assert status == 2
    assert printed.startswith(f"umpi: there are no pins of factory {factory} here")
    assert f"On a Raspberry Pi: {pip_install(*packages(EXTRAS[factory]))}. Without one" in printed
    assert printed.endswith("play on the virtual box: umpi sim\n")
    assert "Traceback" not in printed
    assert printed.count("\n") == 1


def test_rpi_gpio_itself_is_offered_and_used_only_where_linux_numbers_its_pins_from_0(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("umpi.service.run.OLD_LINUX", tmp_path)
    monkeypatch.setitem(sys.modules, MODULES["rpigpio"], None)  # type: ignore[arg-type]
    with pytest.raises(NoPins, match=r"RPi\.GPIO>="):
        pin_factory("rpigpio")
    factory = ModuleType(MODULES["rpigpio"])
    factory.RPiGPIOFactory = SimpleNamespace  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, MODULES["rpigpio"], factory)
    monkeypatch.setitem(sys.modules, "RPi._GPIO", ModuleType("RPi._GPIO"))
    assert pin_factory("rpigpio") == SimpleNamespace()
    monkeypatch.setattr("umpi.service.run.OLD_LINUX", tmp_path / "gone")
    with pytest.raises(NoPins, match=r"RPi\.GPIO reports no presses on Linux 6\.6 or newer\. .* rpi-lgpio"):
        pin_factory("rpigpio")


@pytest.mark.parametrize(("fault", "kind"), [(NoHeaderChip("none"), NoHeader), (BadPinFactory("none"), NoPins)])
def test_a_computer_without_a_header_is_told_from_pins_that_cannot_be_had(
    monkeypatch: pytest.MonkeyPatch, fault: Exception, kind: type[Exception]
) -> None:
    def fail(**_: Any) -> None:
        raise fault

    monkeypatch.setattr("umpi.service.run.GpiodFactory", fail)
    with pytest.raises(NoPins) as raised:
        pin_factory("gpiod")
    assert type(raised.value) is kind
    assert str(raised.value) == "none. Without pins, play on the virtual box: umpi sim"


def test_a_box_that_cannot_be_leaves_no_journal_behind(refused: tuple[str, int, str, Path]) -> None:
    *_, folder = refused
    assert not (folder / "box").exists()


def test_without_pins_the_service_does_not_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any) -> None:
    """A container with the library and without the chip: every single pin fails."""
    from gpiozero.exc import PinInvalidPin
    from gpiozero.pins.mock import MockFactory

    class NoChip(MockFactory):
        def pin(self, name: object) -> object:
            raise PinInvalidPin("/dev/gpiochip0 cannot be opened")

    monkeypatch.setattr("umpi.service.run.pin_factory", lambda name, *_: NoChip())
    assert main(["run", "--journal", str(tmp_path / "games.db")]) == 2
    printed = capsys.readouterr().err
    assert printed == (
        "umpi: no button can be had: PinInvalidPin: /dev/gpiochip0 cannot be opened. "
        "Without a box, play on the virtual one: umpi sim\n"
    )


@pytest.mark.parametrize(
    ("display", "bus", "arguments"),
    [
        ({"display_bus": 3, "display_address": 0x3D}, "i2c_bus", (3, 0x3D, None)),
        ({"display_reset": 12}, "i2c_bus", (1, 0x3C, 12)),
        ({"display_spi": SpiPlan(24)}, "spi_bus", (0, 0, 24, None, None)),
        ({"display_spi": SpiPlan(24, 0, 1, 15), "display_reset": 12}, "spi_bus", (0, 1, 24, 12, 15)),
    ],
)
def test_the_display_is_opened_on_the_bus_umpi_toml_names(
    monkeypatch: pytest.MonkeyPatch, display: dict[str, Any], bus: str, arguments: tuple[Any, ...]
) -> None:
    """The lines beside the bus are the box's own pins; chip, contrast and the way it is mounted reach the glass."""
    opened: list[tuple[str, tuple[Any, ...]]] = []
    glass, pins = Sh1106(), object()

    def opens(name: str) -> Any:
        return lambda *arguments: opened.append((name, arguments)) or glass

    monkeypatch.setattr("umpi.service.run.i2c_bus", opens("i2c_bus"))
    monkeypatch.setattr("umpi.service.run.spi_bus", opens("spi_bus"))
    config = Config(display="sh1106", contrast=99, upside_down=True, **display)
    oled = RealPlugs(config, lambda: 0).oled(pins, print)
    oled.show(picture((0, 0)))
    patiently(oled.wait_shown)
    assert opened == [(bus, (*arguments, pins))]
    assert glass.contrast == 99
    assert glass.picture().getbbox() == (127, 63, 128, 64)
    oled.close()


def test_a_journal_of_a_newer_version_is_also_reported_on_the_panel(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is refused with its version, also on the panel, which keeps its last picture."""
    path, glass = tmp_path / "games.db", Sh1106()
    Journal(path).close()
    with closing(sqlite3.connect(path)) as file:
        file.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    (tmp_path / "umpi.toml").write_text('[display]\nchip = "sh1106"\n')
    monkeypatch.setattr("umpi.service.run.pin_factory", lambda name, *_: object())
    monkeypatch.setattr("umpi.service.run.i2c_bus", lambda *arguments: glass)
    command = ["run", "--config", str(tmp_path / "umpi.toml"), "--journal", str(path)]
    assert main(command) == 78
    assert "newer Umpi" in capsys.readouterr().err
    assert reads(glass.picture(), "Problem"), "it is read across the table"
    assert reads(glass.picture(), "newer"), drawn(glass.picture())


@pytest.mark.parametrize(("speed", "tested"), [(1700, True), (1800, False)])
def test_a_pin_that_tests_no_faster_than_a_cube_passes_makes_no_test(
    speed: int, tested: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """Each of its tests would make the order of cubes doubtful."""
    funnel = SimpleNamespace(settings=Settings(cube_mm=12, speed_mm_s=(750, speed)), lines=("lane_1",))
    box: Any = SimpleNamespace(funnel=funnel, emitters=object(), lines=())
    assert (_emitter_check(box, lambda: 0) is not None) == tested
    assert ("the emitters are not tested" in caplog.text) != tested
