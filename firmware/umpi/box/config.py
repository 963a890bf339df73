"""The configuration of a box, with defaults that work on every box; `config_file` reads it from `umpi.toml`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any, Literal

from umpi.frozen import frozen
from umpi.timing.debounce import HOLD_MS
from umpi.timing.lines import COLOURS as COLOURS
from umpi.timing.lines import NAVIGATION as NAVIGATION
from umpi.timing.lines import WALL as WALL
from umpi.timing.lines import WHERE

LANES = tuple(f"lane_{number}" for number in range(1, 7))
SECONDS = tuple(f"second_{number}" for number in range(1, 7))  # the second beam of each lane
I2C_LINES = {0: {0: "SDA", 1: "SCL"}, 1: {2: "SDA", 3: "SCL"}}  # by bus; the pins of others are those of an overlay
SPI_LINES = {  # by port; an enabled port uses all its lines
    0: {11: "SCLK", 10: "MOSI", 9: "MISO", 8: "CE0", 7: "CE1"},
    1: {21: "SCLK", 20: "MOSI", 19: "MISO", 18: "CE0", 17: "CE1", 16: "CE2"},
}

SEAT_PINS = dict(zip(COLOURS, (16, 17, 20, 21, 22, 23), strict=True))
LAMP_PINS = dict(zip(COLOURS, (24, 25, 26, 27, 13, 19), strict=True))
NAVIGATION_PINS = dict(zip(NAVIGATION, (4, 5, 6, 7), strict=True))
SOUNDER_PIN = 18
PWM_PINS = (12, 13, 18, 19)  # the pins with hardware PWM, which tones need

# The sensor head's pins, with the wiring of firmware/sensor_head/README.md
PICO_PINS = (*range(23), 26, 27, 28)  # the GPIO pins on a Pico's edge
HEAD_PINS = dict(zip((*LANES, *SECONDS), range(2, 14), strict=True))
WALL_PIN = 14
EMITTER_PINS = {15 + lane: f"emitter_{lane}" for lane in range(1, 7)}
RAIL_PINS = {26: "SDA of the colour sensor", 27: "SCL of the colour sensor"}  # if it is at the sensor head


class BadConfig(ValueError):
    """Raised if umpi.toml is not valid; the message contains the place and the reason."""


def games_file() -> Path:
    """Return the default path of the journal."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "umpi" / "games.db"


RailBus = int | Literal["head"]  # an I²C bus of the Pi, or the sensor head


@frozen
class HeadPlan:
    """What is wired to the sensor head: lanes with one or two beams, and the Battledodes wall.

    `pins` contains only the lines that are not at their default pin.
    """

    port: str = ""  # a path or a pattern; "" finds a Pico with MicroPython
    lanes: int = 6
    beams: int = 1
    wall: bool = False
    dark_low: bool = True
    pins: Mapping[str, int] = field(default_factory=dict)
    boards: bool = False  # whether its lanes have beam boards, which show how much light they have to spare

    @property
    def beam_lines(self) -> tuple[str, ...]:
        """Return the lines of the funnel's beams."""
        return LANES[: self.lanes] + (SECONDS[: self.lanes] if self.beams == 2 else ())

    @property
    def lines(self) -> list[str]:
        """Return all lines to watch, in the format of the head: "lane_1=5" if a line is not at its default pin."""
        beams = [f"{line}={self.pins[line]}" if line in self.pins else line for line in self.beam_lines]
        return beams + [WALL] * self.wall


@frozen
class SpiPlan:
    """The display on SPI: /dev/spidev<port>.<device>, with the pins of its data/command and select lines."""

    dc: int
    port: int = 0
    device: int = 0
    select: int | None = None  # only if it uses none of the port's own CE lines


@frozen
class WebPlan:
    """The server of the page for phones: its address and ports, other host names, and the trusted proxy.

    Without `https_port` it serves no HTTPS; without `certificate` and `key` HTTPS uses the box's own authority.
    """

    listen: str = "0.0.0.0"
    port: int = 8000
    names: tuple[str, ...] = ()
    trusted_proxy: str = ""  # an address or a network
    https_port: int | None = None
    certificate: Path | None = None
    key: Path | None = None


@frozen
class MqttPlan:
    """The MQTT broker that `umpi mqtt` reports to, and how it lets the box in."""

    broker: str = "localhost"
    port: int = 1883
    tls: bool = False
    ca: Path | None = None  # None: the authorities of the system
    user: str = ""
    password_file: Path | None = None


@frozen
class LeftOut:
    """A setting that is left out because an update or the loss of a game of a shelf has made it wrong.

    `owners` are the ids of the games and expansions that may need it: while one of them is installed, a start leaves
    the setting out, and does not refuse it.
    """

    setting: str
    owners: tuple[str, ...]
    why: str


@frozen
class Config:
    """The wiring and settings of a box; the defaults are the wiring of `hardware/README.md`.

    Pins are GPIO numbers, not header numbers. `display_address` is on the I²C bus `display_bus`; with `display_spi`
    both are unused. 0 for `dim_after_s` or `off_after_s` means never.
    """

    journal: Path = field(default_factory=games_file)
    own_journal: bool = False  # whether it is the box's own, and not one named on the command line
    name: str = ""  # of the box, for people; "" for that of the computer
    players: tuple[str, ...] = ()
    language: str = "en"  # until the players choose another at the box
    setup_card: bool = True
    hint: bool = False  # whether players may ask what the box would do
    factory: str = "gpiod"
    seats: Mapping[str, int] = field(default_factory=lambda: dict(SEAT_PINS))
    lamps: Mapping[str, int] = field(default_factory=lambda: dict(LAMP_PINS))
    navigation: Mapping[str, int] = field(default_factory=lambda: dict(NAVIGATION_PINS))
    where: int | None = None  # the pin of a spare button that asks where the match is
    hold_ms: int = HOLD_MS  # a button that is down for so long is held
    repeat_ms: int = 0  # a button that goes down again so soon after its release continues the same press
    display: str = "ssd1306"
    display_bus: int = 1
    display_address: int = 0x3C
    display_spi: SpiPlan | None = None
    display_reset: int | None = None  # the pin of its reset line, if it has one
    upside_down: bool = False
    contrast: int = 127
    dim_after_s: int = 300
    off_after_s: int = 1800
    sounder: int = SOUNDER_PIN
    tones: bool = False  # true: a passive sounder on the kernel's PWM; false: an active buzzer
    silent: bool = False
    voice: bool = False  # whether espeak-ng says what the screen shows
    voice_device: str = ""  # an ALSA output, "" for the default one
    words_per_minute: int = 165  # of the voice
    beams: Mapping[str, int] = field(default_factory=dict)  # lane_1 alone: one chute for all; more: one per player
    dark_low: bool = True  # whether a receiver pulls its line low while the beam is broken
    emitters: int | None = None  # the output that switches the beams' emitters
    head: HeadPlan | None = None  # if present, it has all beams of the funnel
    rail: RailBus | None = None  # where the colour sensor under the queue rail's stop is
    scanner: Mapping[str, Any] | None = None  # its port, and other settings that differ from the defaults
    gate: Mapping[str, Any] = field(default_factory=dict)  # settings of the gate that differ from its defaults
    options: Mapping[str, Any] = field(default_factory=dict)  # initial values for every game that has such an option
    rules: Mapping[str, Any] = field(default_factory=dict)  # by name: the game and the options of a rule set
    left_out: tuple[LeftOut, ...] = ()  # what no installed game accepts any more

    update_address: str = ""  # of the newest bundle for a card; "": no updates from the network
    desk: WebPlan | None = None  # None: no page for phones
    mqtt: MqttPlan = MqttPlan()

    @property
    def calibration(self) -> Path:
        """Return the path of the calibration file, beside the journal."""
        return self.journal.parent / "measured.json"

    @property
    def outbox(self) -> Path:
        """Return the path of the results that wait for the broker, beside the journal."""
        return self.journal.parent / "mqtt.db"

    @property
    def certificates(self) -> Path:
        """Return the path of the folder with the certificates of HTTPS and their keys, beside the journal."""
        return self.journal.parent / "https"

    @property
    def buttons(self) -> dict[str, int]:
        """Return the pin of each button, by the name of its line."""
        spare = {} if self.where is None else {WHERE: self.where}
        return {**self.seats, **self.navigation, **spare}

    @property
    def used_pins(self) -> set[int]:
        """Return the pins of all devices and of their buses."""
        others = {self.sounder} if self.emitters is None else {self.sounder, self.emitters}
        wired = (*self.buttons.values(), *self.lamps.values(), *self.beams.values())
        return {*wired, *self.bus_pins, *self.display_pins} | others

    @property
    def bus_pins(self) -> dict[int, str]:
        """Return the pins of the display's bus and of the colour sensor's bus, with a description of each."""
        pins: dict[int, str] = {}
        if isinstance(self.rail, int):
            lines = I2C_LINES.get(self.rail, {})
            pins = {pin: f"the colour sensor's I²C ({line})" for pin, line in lines.items()}
        if self.display_spi:
            lines, bus = SPI_LINES[self.display_spi.port], "SPI"
        else:
            lines, bus = I2C_LINES.get(self.display_bus, {}), "I²C"
        return pins | {pin: f"the display's {bus} ({line})" for pin, line in lines.items()}

    @property
    def display_pins(self) -> set[int]:
        """Return the pins of the display's lines beside its bus."""
        spi = self.display_spi
        pins = (self.display_reset, *((spi.dc, spi.select) if spi else ()))
        return {pin for pin in pins if pin is not None}

    @property
    def own_network(self) -> Path:
        """Return the path of the file with name and passphrase of the box's own Wi-Fi, beside the journal."""
        return self.journal.parent / "network.json"

    @property
    def beam_lines(self) -> tuple[str, ...]:
        """Return the lines of the funnel's beams, at the Pi's pins or at the sensor head."""
        return self.head.beam_lines if self.head else tuple(self.beams)
