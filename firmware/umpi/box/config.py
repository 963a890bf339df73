"""What `umpi.toml` may say of a box, with defaults that run anywhere; `config_file` reads it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

COLOURS = ("red", "blue", "yellow", "green", "white", "black")
NAVIGATION = ("up", "down", "ok", "back")
LANES = tuple(f"lane_{number}" for number in range(1, 7))
WALL = "wall"  # the line of the piezo on the Battledodes wall
SECONDS = tuple(f"second_{number}" for number in range(1, 7))  # the second beam of each lane
FACTORIES = ("gpiod", "lgpio", "rpigpio")
CHIPS = ("ssd1306", "ssd1309", "sh1106")
I2C_LINES = {2: "SDA", 3: "SCL"}
SPI_LINES = {  # by port; the kernel has all of a port's once it is switched on
    0: {11: "SCLK", 10: "MOSI", 9: "MISO", 8: "CE0", 7: "CE1"},
    1: {21: "SCLK", 20: "MOSI", 19: "MISO", 18: "CE0", 17: "CE1", 16: "CE2"},
}

SEAT_PINS = dict(zip(COLOURS, (16, 17, 20, 21, 22, 23), strict=True))
LAMP_PINS = dict(zip(COLOURS, (24, 25, 26, 27, 13, 19), strict=True))
NAVIGATION_PINS = dict(zip(NAVIGATION, (4, 5, 6, 7), strict=True))
SOUNDER_PIN = 18
PWM_PINS = (12, 13, 18, 19)  # where the Pi's own hardware makes tones

# The sensor head's pins, as firmware/sensor_head/README.md wires them
PICO_PINS = (*range(23), 26, 27, 28)  # those a Pico brings out
HEAD_PINS = dict(zip((*LANES, *SECONDS), range(2, 14), strict=True))
WALL_PIN = 14
EMITTER_PINS = {15 + lane: f"emitter_{lane}" for lane in range(1, 7)}


class BadConfig(ValueError):
    """What is wrong in umpi.toml, and where."""


def games_file() -> Path:
    """Tell where the journal lies unless umpi.toml names another place."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "umpi" / "games.db"


@dataclass(frozen=True, slots=True)
class HeadPlan:
    """What hangs on the sensor head: lanes of one or two beams, the Battledodes wall; `pins` where not at their own."""

    port: str = ""  # a path or a pattern of one; "" is what a Pico with MicroPython calls itself
    lanes: int = 6
    beams: int = 1
    wall: bool = False
    dark_low: bool = True
    pins: Mapping[str, int] = field(default_factory=dict)

    @property
    def beam_lines(self) -> tuple[str, ...]:
        """The lines of the funnel's beams."""
        return LANES[: self.lanes] + (SECONDS[: self.lanes] if self.beams == 2 else ())

    @property
    def lines(self) -> list[str]:
        """All lines to watch, as the head is told: those at another pin than their own as "lane_1=5"."""
        beams = [f"{line}={self.pins[line]}" if line in self.pins else line for line in self.beam_lines]
        return beams + [WALL] * self.wall


@dataclass(frozen=True, slots=True)
class SpiPlan:
    """The display on SPI: /dev/spidev<port>.<device>, the pin of its data/command line, and its own select line's."""

    dc: int
    port: int = 0
    device: int = 0
    select: int | None = None  # where it hangs on none of the port's own CE lines


@dataclass(frozen=True, slots=True)
class WebPlan:
    """Where the page for phones is served, what else it may be called, and which proxy may speak for phones."""

    listen: str = "0.0.0.0"
    port: int = 8000
    names: tuple[str, ...] = ()
    trusted_proxy: str = ""  # an address or a network


@dataclass(frozen=True, slots=True)
class Config:
    """How a box is wired and where it keeps its games; the defaults are the wiring of `hardware/README.md`.

    Pins are GPIO numbers, not header numbers. `display_address` is on the I²C bus `display_bus`; with `display_spi`
    there is neither. 0 for an `..._after_s` is never.
    """

    journal: Path = field(default_factory=games_file)
    players: tuple[str, ...] = ()
    language: str = "en"  # until another is chosen at the box
    factory: str = "gpiod"
    seats: Mapping[str, int] = field(default_factory=lambda: dict(SEAT_PINS))
    lamps: Mapping[str, int] = field(default_factory=lambda: dict(LAMP_PINS))
    navigation: Mapping[str, int] = field(default_factory=lambda: dict(NAVIGATION_PINS))
    display: str = "ssd1306"
    display_bus: int = 1
    display_address: int = 0x3C
    display_spi: SpiPlan | None = None
    display_reset: int | None = None  # the pin of its reset line, where it has one
    upside_down: bool = False
    contrast: int = 127
    dim_after_s: int = 300
    off_after_s: int = 1800
    sounder: int = SOUNDER_PIN
    tones: bool = False  # a passive sounder, played by the kernel's PWM; else an active buzzer, on and off
    silent: bool = False
    beams: Mapping[str, int] = field(default_factory=dict)  # lane_1 alone is one chute for all; more are a lane a seat
    dark_low: bool = True  # whether a receiver pulls its line low while the beam is broken
    emitters: int | None = None  # the output that switches the beams' emitters
    head: HeadPlan | None = None  # has all beams of the funnel where there is one
    rail: int | None = None  # the I²C bus of the colour sensor under the queue rail's stop
    scanner: Mapping[str, Any] | None = None  # its port, and what of a card scanner differs from the usual
    gate: Mapping[str, Any] = field(default_factory=dict)  # settings of the gate that differ from its own
    options: Mapping[str, Any] = field(default_factory=dict)  # what every game that has such an option begins with

    desk: WebPlan | None = None  # no page for phones unless umpi.toml says where

    @property
    def calibration(self) -> Path:
        """Where `umpi doctor` keeps what it has measured of this box: beside the journal."""
        return self.journal.parent / "measured.json"

    @property
    def bus_pins(self) -> dict[int, str]:
        """The pins that belong to the display's bus, or the colour sensor's, and what each is."""
        whose = "the colour sensor's" if self.display_spi else "the display's"
        i2c = self.display_spi is None or self.rail is not None
        pins = {pin: f"{whose} I²C ({line})" for pin, line in I2C_LINES.items()} if i2c else {}
        if self.display_spi:
            pins |= {pin: f"the display's SPI ({line})" for pin, line in SPI_LINES[self.display_spi.port].items()}
        return pins

    @property
    def display_pins(self) -> set[int]:
        """The display's own lines beside its bus."""
        spi = self.display_spi
        pins = (self.display_reset, *((spi.dc, spi.select) if spi else ()))
        return {pin for pin in pins if pin is not None}

    @property
    def own_network(self) -> Path:
        """Where name and passphrase of the box's own Wi-Fi are kept: beside the journal."""
        return self.journal.parent / "network.json"

    @property
    def beam_lines(self) -> tuple[str, ...]:
        """The lines of the funnel's beams, at the pins or at the sensor head."""
        return self.head.beam_lines if self.head else tuple(self.beams)
