"""The first picture of a start: what it sends, to which panel, when it sends nothing, and how little it imports."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import smbus2

from tests.kit.glass import CHIPS
from umpi.__main__ import main
from umpi.box.config_file import read_config
from umpi.display.picture import Picture
from umpi.drivers.buses import i2c_bus
from umpi.drivers.oled_link import Link, Wanted
from umpi.drivers.oled_panel import open_panel
from umpi.drivers.oled_windows import Chip, pack
from umpi.journal import claimed
from umpi.service import first_light
from umpi.service.first_light import I2C_SLAVE, Panel, panel_of, show_first_light
from umpi.simulator.reading import image_of

HEAVY = {"PIL", "gpiozero", "luma", "smbus2", "argparse", "asyncio", "logging", "umpi.box", "umpi.cli", "umpi.kernel"}


class Wires:
    """The kernel's end of each /dev/i2c-N: what is sent there, the address and the direction first."""

    def __init__(self) -> None:
        self.opened: list[str] = []
        self.address = 0
        self.ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.theirs = theirs
        self.ours.setblocking(False)
        self.fault: OSError | None = None

    def open(self, path: str) -> int:
        self.opened.append(path)
        return os.dup(self.theirs.fileno())

    def ioctl(self, file: int, code: int, address: int) -> int:
        assert code == I2C_SLAVE
        if self.fault:
            raise self.fault
        self.address = address
        return 0

    @property
    def sent(self) -> list[bytes]:
        transfers = []
        while True:
            try:
                transfers.append(bytes([self.address << 1]) + self.ours.recv(1 << 16))
            except BlockingIOError:
                return transfers


@pytest.fixture
def wires(monkeypatch: pytest.MonkeyPatch) -> Iterator[Wires]:
    wires, really = Wires(), os.open

    def opens(path: Any, *how: Any, **more: Any) -> int:
        return wires.open(path) if str(path).startswith("/dev/i2c-") else really(path, *how, **more)

    monkeypatch.setattr(first_light.os, "open", opens)
    monkeypatch.setattr(first_light.fcntl, "ioctl", wires.ioctl)
    yield wires
    wires.ours.close()
    wires.theirs.close()


@pytest.fixture
def light(tmp_path: Path) -> Callable[[str], Path]:
    """Start a service with these lines of umpi.toml, as far as its first light; returns the path of its journal."""

    def show(lines: str = "") -> Path:
        journal = tmp_path / "games.db"
        text = f'[box]\njournal = "{journal}"\n{lines}\n'
        (tmp_path / "umpi.toml").write_text(text, encoding="utf-8-sig", newline="\r\n")  # as Windows saves it
        show_first_light(["run", "--config", str(tmp_path / "umpi.toml")])
        return journal

    return show


def as_the_driver_sends(
    monkeypatch: pytest.MonkeyPatch, frame: bytes, chip: Chip, address: int, contrast: int
) -> list[bytes]:
    """Return the transfers of the driver that shows all later pictures."""
    sent: list[bytes] = []

    class Bus:
        def __init__(self, port: int) -> None:
            pass

        def write_i2c_block_data(self, address: int, register: int, data: Sequence[int]) -> None:
            sent.append(bytes((address << 1, register, *data)))

        def i2c_rdwr(self, message: Any) -> None:
            sent.append(bytes((message.addr << 1, *message)))

    monkeypatch.setattr(smbus2, "SMBus", Bus)
    Link(lambda: open_panel(chip, i2c_bus(1, address), contrast), chip, lambda: 0).step(Wanted(frame))
    return sent


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("chip", CHIPS)
def test_it_sends_what_the_driver_would_send(
    chip: Chip, turned: bool, wires: Wires, light: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    light(f'[display]\nchip = "{chip}"\nbus = 3\naddress = 0x3D\ncontrast = 99\nupside_down = {str(turned).lower()}')
    picture = drawn()
    assert image_of(picture).getbbox() == (0, 9, 119, 48)
    assert wires.opened == ["/dev/i2c-3"]
    assert wires.sent == as_the_driver_sends(monkeypatch, pack(picture, turned), chip, 0x3D, 99)


@pytest.mark.parametrize("turned", [False, True])
def test_the_start_of_a_card_shows_how_far_it_is(turned: bool, wires: Wires, monkeypatch: pytest.MonkeyPatch) -> None:
    first_light.show_progress({"display": {"upside_down": turned}}, 3, 4)
    picture = drawn()
    picture.fill(0, 57, 128, 7)  # a bar of 96 dots, and the frame of what is left
    for y in range(58, 63):
        for x in range(96, 128):
            picture.fill(x, y, 1, 1, 0)
    assert wires.sent == as_the_driver_sends(monkeypatch, pack(picture, turned), "ssd1306", 0x3C, 127)


def drawn() -> Picture:
    """Return the first picture, drawn dot by dot."""
    picture = Picture(128, 64)
    for y, line in enumerate(first_light.PICTURE.split()):
        for x, sign in enumerate(line):
            if sign == "#":
                picture.fill(8 * x, 8 * y + 1, 7, 7)
    return picture


@pytest.mark.parametrize(
    "lines",
    [
        "",
        '[display]\nchip = "sh1106"',
        "[display]\nbus = 0\naddress = 0x3D\ncontrast = 255\nupside_down = true\ndim_after_s = 0\noff_after_s = 9",
        "[display]\nspi = 0\ndc = 12\n[navigation]\nback = 14",
        "[display]\nreset = 12",
    ],
)
def test_it_finds_the_panel_of_the_settings(lines: str, wires: Wires, light: Callable[[str], Path]) -> None:
    """A panel with lines beside its bus needs pins, which are not there yet."""
    config = read_config(light(lines).with_name("umpi.toml"))
    if config.display_spi or config.display_reset is not None:
        assert not wires.opened
    else:
        assert wires.opened == [f"/dev/i2c-{config.display_bus}"]
        assert wires.address == config.display_address
        found = Panel(config.display, config.display_bus, config.display_address, config.contrast, config.upside_down)  # type: ignore[arg-type]
        assert panel_of(tomllib.loads(lines)) == found


@pytest.mark.parametrize(
    "lines",
    [
        '[display]\nchip = "ssd1305"',
        "[display]\naddress = 3",
        "[display]\ncontrast = 256",
        "[display]\nbus = true",
        "[display]\nno_such_key = 1",
        "[[display]]",
        "[display",
    ],
)
def test_wrong_settings_show_nothing(lines: str, wires: Wires, light: Callable[[str], Path]) -> None:
    light(lines)
    assert not wires.opened


def test_a_box_that_runs_keeps_its_picture(wires: Wires, light: Callable[[str], Path], tmp_path: Path) -> None:
    with claimed(tmp_path / "games.db"):
        light("")
        assert not wires.opened
    light("")
    assert wires.opened, "the lock file is there, but no box"
    with claimed(tmp_path / "games.db"):
        pass  # the first light keeps no lock


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["run"],
        ["sim", "--config", "{}"],
        ["run", "--journal", "{}"],
        ["run", "--config", "{}", "--journal", "x.db"],
    ],
)
def test_other_command_lines_show_nothing(words: list[str], wires: Wires, light: Callable[[str], Path]) -> None:
    """Only of the service's own command line is it sure whose panel and journal it means."""
    toml = light("").with_name("umpi.toml")
    wires.opened.clear()
    show_first_light([word.format(toml) for word in words])
    assert not wires.opened


def test_a_panel_that_is_not_there_is_left_to_the_driver(
    wires: Wires, light: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    wires.fault = OSError(121, "Remote I/O error")
    light("")
    assert not wires.sent
    monkeypatch.undo()
    light("[display]\nbus = 31")


def test_the_start_goes_on_behind_it(
    wires: Wires, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The checks of a start report what is wrong, whether the first light was shown or not."""
    toml = tmp_path / "umpi.toml"
    toml.write_text(f'[box]\njournal = "{tmp_path / "games.db"}"\n[seats]\nred = 28\n')
    monkeypatch.setattr("sys.argv", ["umpi", "run", "--config", str(toml)])
    assert main() == 2
    assert capsys.readouterr().err.startswith("umpi: umpi.toml, line 4: [seats] red = 28: ")
    assert wires.sent
    toml.unlink()
    assert main() == 2
    assert not wires.sent


def test_it_imports_next_to_nothing() -> None:
    """Its whole purpose is to be there before the imports, so none of these may come back into it."""
    code = "import sys, umpi.__main__; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert "umpi.service.first_light" in loaded
    assert not HEAVY & {*loaded}
