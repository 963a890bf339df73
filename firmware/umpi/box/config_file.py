"""Reader of umpi.toml: refuses unknown keys, wrong values and pins used twice, with place and reason."""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from umpi.box.config import (
    EMITTER_PINS,
    HEAD_PINS,
    LAMP_PINS,
    LANES,
    NAVIGATION_PINS,
    PICO_PINS,
    PWM_PINS,
    SEAT_PINS,
    SECONDS,
    SOUNDER_PIN,
    SPI_LINES,
    WALL_PIN,
    BadConfig,
    Config,
    HeadPlan,
    SpiPlan,
    WebPlan,
    games_file,
)
from umpi.box.config_keys import SECTIONS
from umpi.kernel.record import read_line
from umpi.timing.gate import Settings

OPTIONS = "options"  # the section whose keys are options of games
LONGEST = 60  # characters of a value that are shown
PLAIN = {  # the fields of Config that have the unchanged value of one key
    "language": ("box", "language"),
    "factory": ("pins", "factory"), "display": ("display", "chip"), "display_bus": ("display", "bus"),
    "display_address": ("display", "address"), "display_reset": ("display", "reset"),
    "upside_down": ("display", "upside_down"), "contrast": ("display", "contrast"),
    "dim_after_s": ("display", "dim_after_s"), "off_after_s": ("display", "off_after_s"), "sounder": ("sounder", "pin"),
    "tones": ("sounder", "tones"), "silent": ("sounder", "silent"), "emitters": ("beams", "emitters"),
}  # fmt: skip
PINS: dict[str, dict[str, int]] = {  # the sections with pins of the Pi, and the default pins
    "seats": SEAT_PINS, "lamps": LAMP_PINS, "navigation": NAVIGATION_PINS, "sounder": {"pin": SOUNDER_PIN}, "beams": {},
    "display": {},
}  # fmt: skip
DISPLAY_PINS = ("dc", "select", "reset")  # the keys of [display] that are pins
ONLY_I2C, ONLY_SPI = ("bus", "address"), ("device", "dc", "select")


def read_config(path: Path | None) -> Config:
    """Return the configuration in umpi.toml, or the defaults if `path` is None.

    Raises BadConfig with file, line, key and the expected value.
    """
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
    return _Reader(path, text, told).config()


def read_option(text: str, folder: Path | None = None) -> tuple[str, Any]:
    """Return key and value of KEY=VALUE. Raises BadConfig.

    VALUE is JSON, or text if it is not valid JSON. @FILE reads the JSON of that file, relative to `folder`.
    """
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
    """Check the values of one file, first each one, then their combinations."""

    def __init__(self, path: Path, text: str, told: Mapping[str, Any]) -> None:
        self.name, self.folder, self.text, self.told = path.name, path.parent, text, told

    def config(self) -> Config:
        for section, keys in self.told.items():
            self._known(section, (*SECTIONS, OPTIONS), section)
            if not isinstance(keys, dict):
                raise self._bad(section, None, f"a section is needed: [{section}]")
            if section == OPTIONS:
                continue
            for key, value in keys.items():
                self._known(key, SECTIONS[section], section, key)
                if why := SECTIONS[section][key](value):
                    raise self._bad(section, key, why)
        told: dict[str, Any] = {
            name: self.told[section][key] for name, (section, key) in PLAIN.items() if key in self._of(section)
        }
        box, beams = self._of("box"), self._of("beams")
        config = Config(
            **told,
            journal=Path(box["journal"]).expanduser() if "journal" in box else games_file(),
            players=tuple(box.get("players", ())),
            seats=SEAT_PINS | self._of("seats"),
            lamps=LAMP_PINS | self._of("lamps"),
            navigation=NAVIGATION_PINS | self._of("navigation"),
            beams={line: pin for line, pin in beams.items() if line in HEAD_PINS},
            dark_low=beams.get("dark", "low") == "low",
            display_spi=self._spi(),
            head=self._head() if "head" in self.told else None,
            rail=self._of("rail").get("bus", 1) if "rail" in self.told else None,
            scanner=self._of("scanner") if "scanner" in self.told else None,
            desk=self._desk() if "desk" in self.told else None,
            gate={key: tuple(value) if key == "speed_mm_s" else value for key, value in self._of("gate").items()},
            options={name: self._option(name, value) for name, value in self._of(OPTIONS).items()},
        )
        self._check_sounder(config)
        self._check_beams(config)
        self._check_pins(config)
        if config.head:
            self._check_head(config.head)
        self._sensible("gate", Settings(**config.gate).refusal())
        if config.scanner is not None:
            from umpi.drivers.scanner import Reader  # imported here because pyserial is slow to import

            self._sensible("scanner", Reader(**{"port": "", **config.scanner}).refusal())
        return config

    def _option(self, name: str, value: object) -> object:
        """Return an option of games as a JSON value; "@FILE" reads that file. The games check the names later."""
        try:
            if isinstance(value, str) and value.startswith("@"):
                return read_option(f"{name}={value}", self.folder)[1]
            return (read_line(f'{{"it":{json.dumps(value, allow_nan=False)}}}'.encode()) or {})["it"]
        except BadConfig as fault:
            raise self._bad(OPTIONS, name, str(fault).rstrip(".")) from None
        except (TypeError, ValueError):
            raise self._bad(OPTIONS, name, "no option of a game can be that") from None

    def _desk(self) -> WebPlan:
        told = self._of("desk")
        return WebPlan(**told | {"names": tuple(told.get("names", ()))})

    def _head(self) -> HeadPlan:
        told = self._of("head")
        pins = {line: told.pop(line) for line in HEAD_PINS if line in told}
        return HeadPlan(dark_low=told.pop("dark", "low") == "low", pins=pins, **told)

    def _spi(self) -> SpiPlan | None:
        told = self._of("display")
        if "spi" not in told:
            if key := next((key for key in told if key in ONLY_SPI), None):
                raise self._bad("display", key, "only a display on SPI has it. Write spi = 0 too, or leave it out")
            return None
        if key := next((key for key in told if key in ONLY_I2C), None):
            why = "a display on SPI has neither bus nor address; device or select says which it is. Leave it out"
            raise self._bad("display", key, why)
        port, device = told["spi"], told.get("device", 0)
        if f"CE{device}" not in SPI_LINES[port].values():
            raise self._bad("display", "device", f"SPI {port} has no CE{device}. With spi = {port} it is 0 or 1")
        if "dc" not in told:
            why = "the pin at the display's data/command line (D/C, or A0) is needed as well, as in dc = 12"
            raise self._bad("display", "spi", why)
        return SpiPlan(told["dc"], port, device, told.get("select"))

    def _of(self, section: str) -> dict[str, Any]:
        return dict(self.told.get(section, {}))

    def _check_sounder(self, config: Config) -> None:
        if config.tones and config.sounder not in PWM_PINS:
            why = "with tones = true a pin with hardware PWM is needed: 12, 13, 18 or 19"
            raise self._bad("sounder", "pin", why)

    def _check_beams(self, config: Config) -> None:
        if config.head and (told := self._of("beams")):
            why = "a funnel's beams hang on the pins or on the sensor head, never on both"
            raise self._bad("beams", next(iter(told)), why)
        lanes = [name for name in LANES if name in config.beams]
        seconds = [name for name in SECONDS if name in config.beams]
        if lanes != list(LANES[: len(lanes)]) or seconds not in ([], list(SECONDS[: len(lanes)])):
            what = "[beams] are lane_1, lane_2 … without a gap, and second_1 … for all of them or none"
            raise BadConfig(f"{self._place('beams', None)}: {what}.")
        if config.emitters is not None and not lanes:
            raise self._bad("beams", "emitters", "there are no beams to switch. Name the pin of lane_1 too")

    def _check_pins(self, config: Config) -> None:
        pins = {
            (section, key): pin
            for section, standard in PINS.items()
            for key, pin in (standard | self._of(section)).items()
            if type(pin) is int and (section != "display" or key in DISPLAY_PINS)
        }
        tones = self._of("sounder").get("tones")
        self._check_spi(config, pins)
        self._once("pin", pins, config.bus_pins, lambda key: PWM_PINS if tones and key == "pin" else range(4, 28))

    def _check_spi(self, config: Config, pins: Mapping[tuple[str, str], int]) -> None:
        """Raise BadConfig if default pins are on the pins of SPI; the message names free pins for them."""
        bus = config.bus_pins
        on_it = {place: pin for place, pin in pins.items() if pin in bus and place[1] not in self._of(place[0])}
        if on_it:
            free = [pin for pin in range(4, 28) if pin not in {*bus, *pins.values()}]
            moves = [f"{key} = {pin} under [{section}]" for (section, key), pin in zip(on_it, free, strict=False)]
            lines = ", ".join(f"pin {pin} is {bus[pin]} and {'.'.join(place)}" for place, pin in on_it.items())
            todo = f"Write {', '.join(moves)}" if len(moves) == len(on_it) else "Not enough pins are free"
            raise self._bad("display", "spi", f"{lines}. {todo}")

    def _check_head(self, head: HeadPlan) -> None:
        for line in head.pins:
            if line not in head.beam_lines:
                why = f"with lanes = {head.lanes} and beams = {head.beams} there is no {line}"
                raise self._bad("head", line, why)
        pins = {("head", line): head.pins.get(line, HEAD_PINS[line]) for line in head.beam_lines}
        used = {**EMITTER_PINS, WALL_PIN: "wall"} if head.wall else EMITTER_PINS
        self._once("GP", pins, {pin: f"the Pico's {name}" for pin, name in used.items()}, lambda _: PICO_PINS)

    def _once(
        self, word: str, pins: Mapping[tuple[str, str], int], used: dict[int, str], free: Callable[[str], Iterable[int]]
    ) -> None:
        """Raise BadConfig if a pin is used twice; `free(key)` returns the pins that may be used instead."""
        taken = {*pins.values(), *used}
        # Keys of the file come after the defaults, so that the error names a key of the file.
        for section, key in sorted(pins, key=lambda place: place[1] in self._of(place[0])):
            pin = pins[section, key]
            if pin in used:
                other = next((str(other) for other in free(key) if other not in taken), "")
                hint = f"{word[0].upper()}{word[1:]} {other} is free" if other else f"No {word} is free"
                raise self._bad(section, key, f"{word} {pin} is already {used[pin]}. {hint}")
            used[pin] = f"{section}.{key}"

    def _sensible(self, section: str, refusal: str) -> None:
        """Raise BadConfig for a device's refusal of its settings, which starts with the key in quotes."""
        if refusal:
            key, _, why = refusal.removeprefix('"').partition('" ')
            raise BadConfig(f"{self._place(section, key)}: [{section}] {key} {why}.")

    def _known(self, key: str, known: Collection[str], section: str, inner: str | None = None) -> None:
        if key in known:
            return
        close = difflib.get_close_matches(key, known, 1, 0.5)
        hint = f" Did you mean {close[0]}?" if close else f" There are: {', '.join(known)}."
        name = "".join(letter if letter.isprintable() else "?" for letter in key) or '""'
        what = f"[{section}] has no {name}." if inner is not None else f"there is no section [{name}]."
        raise BadConfig(f"{self._place(section, inner)}: {what}{hint}")

    def _bad(self, section: str, key: str | None, why: str) -> BadConfig:
        value = _shown(self.told[section] if key is None else self.told[section][key])
        what = f"[{section}] {key} = {value}" if key else f"{section} = {value}"
        return BadConfig(f"{self._place(section, key)}: {what}: {why}.")

    def _place(self, section: str, key: str | None) -> str:
        """Return the file name and the probable line of the key; the TOML parser does not report lines."""
        name, inner = _quoted(section), _quoted(key or "")
        inside = False
        section_line = 0
        for number, line in enumerate(self.text.split("\n"), 1):
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


def _shown(value: object) -> str:
    try:
        shown = repr(value)
    except (ValueError, RecursionError):  # thousands of digits, or of nested tables
        return "…"
    return shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}…"
