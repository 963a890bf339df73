"""umpi.toml, checked: unknown keys, wrong values and pins used twice are refused with place and cause."""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from umpi.rules.record import name_refusal, read_line

COLOURS = ("red", "blue", "yellow", "green", "white", "black")
NAVIGATION = ("up", "down", "ok", "back")
LANES = tuple(f"lane_{number}" for number in range(1, 7))
SECONDS = tuple(f"second_{number}" for number in range(1, 7))  # the second beam of each lane
FACTORIES = ("gpiod", "lgpio", "rpigpio")
CHIPS = ("ssd1306", "ssd1309", "sh1106")
I2C_PINS = {2: "the display's I²C (SDA)", 3: "the display's I²C (SCL)"}

SEAT_PINS = dict(zip(COLOURS, (16, 17, 20, 21, 22, 23), strict=True))
LAMP_PINS = dict(zip(COLOURS, (24, 25, 26, 27, 13, 19), strict=True))
NAVIGATION_PINS = dict(zip(NAVIGATION, (4, 5, 6, 7), strict=True))


class BadConfig(ValueError):
    """What is wrong in umpi.toml, and where."""


def games_file() -> Path:
    """Tell where the journal lies unless umpi.toml names another place."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "umpi" / "games.db"


@dataclass(frozen=True, slots=True)
class Config:
    """How a box is wired and where it keeps its games; the defaults are the wiring of `hardware/README.md`.

    Pins are GPIO numbers, not header numbers. `display_address` is on the I²C bus `display_bus`.
    """

    journal: Path = field(default_factory=games_file)
    players: tuple[str, ...] = ()
    factory: str = "gpiod"
    seats: Mapping[str, int] = field(default_factory=lambda: dict(SEAT_PINS))
    lamps: Mapping[str, int] = field(default_factory=lambda: dict(LAMP_PINS))
    navigation: Mapping[str, int] = field(default_factory=lambda: dict(NAVIGATION_PINS))
    display: str = "ssd1306"
    display_bus: int = 1
    display_address: int = 0x3C
    contrast: int = 127
    sounder: int = 18
    silent: bool = False
    beams: Mapping[str, int] = field(default_factory=dict)  # lane_1 alone is one chute for all; more are a lane a seat
    dark_low: bool = True  # whether a receiver pulls its line low while the beam is broken
    gate: Mapping[str, Any] = field(default_factory=dict)  # settings of the gate that differ from its own
    options: Mapping[str, Any] = field(default_factory=dict)  # what every game that has such an option begins with


SECTIONS: dict[str, dict[str, object]] = {
    "box": {"journal": "", "players": []},
    "pins": {"factory": FACTORIES},
    "seats": dict(SEAT_PINS),
    "lamps": dict(LAMP_PINS),
    "navigation": dict(NAVIGATION_PINS),
    "display": {"chip": CHIPS, "bus": range(32), "address": range(0x08, 0x78), "contrast": range(256)},
    "sounder": {"pin": 18, "silent": False},
    "beams": dict.fromkeys((*LANES, *SECONDS)) | {"dark": ("low", "high")},
    "gate": {
        "cube_mm": range(1, 101), "turned": 1.42, "speed_mm_s": [900, 1400], "beam_gap_mm": range(1, 101),
        "glitch_us": range(100_001), "chatter_us": range(100_001), "dead_heat_us": range(1_000_001),
        "stuck_ms": range(1, 60_001), "late_ms": range(1001),
    },
}  # fmt: skip
PINS = ("seats", "lamps", "navigation")


def read_config(path: Path | None) -> Config:
    """Read umpi.toml; None is the defaults. Raises BadConfig, naming file, line, key and what would be right."""
    if path is None:
        return Config()
    try:
        text = path.read_text(encoding="utf-8")
        told = tomllib.loads(text)
    except OSError as fault:
        raise BadConfig(f"{path}: {fault.strerror or fault}") from None
    except UnicodeDecodeError as fault:
        raise BadConfig(f"{path}: {fault}") from None
    except (ValueError, RecursionError) as fault:
        raise BadConfig(f"{path}: not TOML: {fault}") from None
    return _Reader(path.name, text, told).config()


def read_option(text: str, folder: Path | None = None) -> tuple[str, Any]:
    """Read KEY=VALUE; VALUE is JSON, else text, or with @FILE that file's JSON, by `folder`. Raises BadConfig."""
    key, equals, value = text.partition("=")
    if not equals:
        raise BadConfig(f"{text}: KEY=VALUE is needed, as in target=500.")
    file = value[1:] if value.startswith("@") else ""
    if file:
        try:
            value = ((folder or Path()) / file).read_text(encoding="utf-8")
        except OSError as fault:
            raise BadConfig(f"{text}: {file}: {fault.strerror or fault}.") from None
        except UnicodeDecodeError as fault:
            raise BadConfig(f"{text}: {file}: {fault}.") from None
    try:
        wrapped = read_line(b'{"it":' + " ".join(value.split("\n")).encode() + b"}") or {}
    except ValueError as fault:
        if file:
            raise BadConfig(f"{text}: {file}: {fault}.") from None
        return key, value
    return (key, wrapped["it"]) if len(wrapped) == 1 else (key, value)


class _Reader:
    """Checks one file's values against what may stand there."""

    def __init__(self, name: str, text: str, told: Mapping[str, Any]) -> None:
        self.name, self.text, self.told = name, text, told

    def config(self) -> Config:
        for section, keys in self.told.items():
            self._known(section, SECTIONS, section)
            if not isinstance(keys, dict):
                raise self._bad(section, None, f"a section is needed: [{section}]")
            for key, value in keys.items():
                self._known(key, SECTIONS[section], section, key)
                self._check(section, key, value)
        self._check_pins()
        box, display, sounder = self._of("box"), self._of("display"), self._of("sounder")
        standard = Config()
        return Config(
            journal=Path(box["journal"]).expanduser() if "journal" in box else standard.journal,
            players=tuple(box.get("players", ())),
            factory=self._of("pins").get("factory", standard.factory),
            seats=SEAT_PINS | self._of("seats"),
            lamps=LAMP_PINS | self._of("lamps"),
            navigation=NAVIGATION_PINS | self._of("navigation"),
            display=display.get("chip", standard.display),
            display_bus=display.get("bus", standard.display_bus),
            display_address=display.get("address", standard.display_address),
            contrast=display.get("contrast", standard.contrast),
            sounder=sounder.get("pin", standard.sounder),
            silent=sounder.get("silent", standard.silent),
            beams=self._beams(),
            dark_low=self._of("beams").get("dark", "low") == "low",
            gate=self._gate(),
        )

    def _beams(self) -> dict[str, int]:
        beams = {key: pin for key, pin in self._of("beams").items() if key != "dark"}
        lanes = [name for name in LANES if name in beams]
        seconds = [name for name in SECONDS if name in beams]
        if lanes != list(LANES[: len(lanes)]) or seconds not in ([], list(SECONDS[: len(lanes)])):
            what = "[beams] are lane_1, lane_2 … without a gap, and second_1 … for all of them or none"
            raise BadConfig(f"{self._place('beams', None)}: {what}.")
        return beams

    def _gate(self) -> dict[str, Any]:
        gate = self._of("gate")
        if "speed_mm_s" in gate:
            gate["speed_mm_s"] = tuple(gate["speed_mm_s"])
        return gate

    def _of(self, section: str) -> dict[str, Any]:
        return dict(self.told.get(section, {}))

    def _known(self, key: str, known: Mapping[str, object], section: str, inner: str | None = None) -> None:
        if key in known:
            return
        close = difflib.get_close_matches(key, known, 1, 0.5)
        hint = f" Did you mean {close[0]}?" if close else f" There are: {', '.join(known)}."
        what = f"[{section}] has no {key}." if inner else f"there is no section [{section}]."
        raise BadConfig(f"{self._place(section, inner)}: {what}{hint}")

    def _check(self, section: str, key: str, value: Any) -> None:
        wanted = SECTIONS[section][key]
        if isinstance(wanted, range):
            self._whole(section, key, value, wanted)
        elif isinstance(wanted, tuple):
            self._need(section, key, value in wanted, f"one of {', '.join(map(str, wanted))} is needed")
        elif isinstance(wanted, bool):
            self._need(section, key, isinstance(value, bool), "true or false is needed")
        elif isinstance(wanted, float):
            fits = type(value) in (int, float) and 1 <= value <= 2
            self._need(section, key, fits, "a number from 1 to 2 is needed")
        elif key == "speed_mm_s":
            speeds = isinstance(value, list) and len(value) == 2 and all(type(speed) is int for speed in value)
            fits = speeds and 0 < value[0] <= value[1]
            self._need(section, key, fits, "the least and the greatest speed are needed, as in [900, 1400]")
        elif wanted is None or isinstance(wanted, int):
            self._whole(section, key, value, range(28))
        elif isinstance(wanted, str):
            self._need(section, key, _is_path(value), "a path in quotes is needed")
        else:
            names = isinstance(value, list) and all(isinstance(name, str) for name in value)
            self._need(section, key, names, 'a list of names is needed, as in ["Ann", "Ben"]')
            for name in value:
                self._need(section, key, not name_refusal(name), name_refusal(name))

    def _need(self, section: str, key: str, fits: bool, why: str) -> None:
        if not fits:
            raise self._bad(section, key, why.rstrip("."))

    def _whole(self, section: str, key: str, value: Any, wanted: range) -> None:
        fits = type(value) is int and value in wanted
        self._need(section, key, fits, f"a whole number from {wanted[0]} to {wanted[-1]} is needed")

    def _check_pins(self) -> None:
        used = dict(I2C_PINS)
        pins = [(section, key) for section in PINS for key in SECTIONS[section]] + [("sounder", "pin")]
        pins += [("beams", key) for key in self._of("beams") if key != "dark"]
        pins.sort(key=lambda place: place[1] in self.told.get(place[0], {}))  # what the file says is what is named
        for section, key in pins:
            pin = self._of(section).get(key, SECTIONS[section][key])
            if pin in used:
                taken = {self._of(s).get(k, SECTIONS[s][k]) for s, k in pins} | set(I2C_PINS)
                free = next(other for other in range(4, 28) if other not in taken)
                raise self._bad(section, key, f"pin {pin} is already {used[pin]}. Pin {free} is free")
            used[pin] = f"{section}.{key}"

    def _bad(self, section: str, key: str | None, why: str) -> BadConfig:
        value = self.told[section] if key is None else self._of(section).get(key, SECTIONS[section].get(key))
        what = f"[{section}] {key} = {value!r}" if key else f"{section} = {value!r}"
        return BadConfig(f"{self._place(section, key)}: {what}: {why}.")

    def _place(self, section: str, key: str | None) -> str:
        """Name the file and, as TOML readers keep no lines, the line where the key seems to stand."""
        name, inner = _quoted(section), _quoted(key or "")
        inside = False
        section_line = 0
        for number, line in enumerate(self.text.splitlines(), 1):
            if re.match(r"\s*\[", line):
                inside = re.match(rf"\s*\[\[?\s*{name}\s*[.\]]", line) is not None
                section_line = section_line or number * inside
                if inside and key and re.match(rf"\s*\[\[?\s*{name}\s*\.\s*{inner}\s*[.\]]", line):
                    return f"{self.name}, line {number}"
                continue
            whole = re.match(rf"\s*{name}\s*[.=]", line) and (not key or re.search(rf"{inner}\s*[.=]", line))
            if whole or (inside and key and re.match(rf"\s*{inner}\s*[.=]", line)):
                return f"{self.name}, line {number}"
        return f"{self.name}, line {section_line}" if section_line else self.name


def _quoted(name: str) -> str:
    return f"[\"']?{re.escape(name)}[\"']?"


def _is_path(value: object) -> bool:
    if not isinstance(value, str) or not value or "\0" in value:
        return False
    try:
        Path(value).expanduser()
    except RuntimeError:  # ~somebody who is not there
        return False
    return True
