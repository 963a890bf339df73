"""Reader of umpi.toml: refuses unknown keys, wrong values and pins used twice, with place and reason."""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import date, time
from pathlib import Path
from typing import Any

from umpi.box.config import (
    EMITTER_PINS,
    HEAD_PINS,
    LANES,
    PICO_PINS,
    PWM_PINS,
    RAIL_PINS,
    SECONDS,
    SPI_LINES,
    WALL_PIN,
    BadConfig,
    Config,
    HeadPlan,
    LeftOut,
    MqttPlan,
    RailBus,
    SpiPlan,
    WebPlan,
)
from umpi.box.config_keys import PIN, SECTIONS
from umpi.box.rule_sets import BadRules, built_on, game_of, rule_sets
from umpi.kernel.record import read_line
from umpi.kernel.registry import find
from umpi.timing.gate import Settings

UTF_8 = "utf-8-sig"  # with or without the mark that editors of Windows put first
NOT_UTF_8 = "not UTF-8. Save the file as UTF-8."
OPTIONS = "options"  # the section whose keys are options of games
RULES = "rules"  # the section whose sections are named rule sets
Owners = Callable[[str], tuple[str, ...]]
LONGEST = 60  # characters of a value that are shown
ONLY_I2C, ONLY_SPI = ("bus", "address"), ("device", "dc", "select")
SPI_FIELDS = ("port", *ONLY_SPI)


def of_no_shelf(game: str) -> tuple[str, ...]:
    """Return which packages of a shelf bring or expand a game: none."""
    return ()


def read_config(path: Path | None, games: bool = True, owners: Owners = of_no_shelf) -> Config:
    """Return the configuration in umpi.toml, or the defaults if `path` is None.

    Without `games`, its rule sets are left out: a process that may not read all games need not know them. A wrong rule
    set is left out too if its game has `owners`, the ids of the games and expansions of a shelf that bring or expand
    it: an update may have changed its options, and some processes load no games of a shelf. Raises BadConfig with file,
    line, key and the expected value.
    """
    if path is None:
        return Config()
    return _Reader(path, *read_toml(path)).config(games, owners)


def read_toml(path: Path) -> tuple[str, dict[str, Any]]:
    """Return the text of umpi.toml and the values in it. Raises BadConfig."""
    try:
        text = path.read_text(encoding=UTF_8)
        return text, tomllib.loads(text)
    except OSError as fault:
        raise BadConfig(f"{path}: {fault.strerror or fault}") from None
    except UnicodeDecodeError as fault:
        line = fault.object[: fault.start].count(b"\n") + 1
        raise BadConfig(f"{path}, line {line}: {NOT_UTF_8}") from None
    except (ValueError, RecursionError) as fault:
        raise BadConfig(f"{path}: not TOML: {fault}") from None


def find_journal(path: Path | None) -> Path:
    """Return the journal that umpi.toml names, and the usual one if it names none or cannot be read.

    No game is looked for, so that those beside the journal can still be found. `read_config` says what is wrong.
    """
    key = SECTIONS["box"]["journal"]
    try:
        given = read_toml(path)[1]["box"]["journal"] if path else None
    except (BadConfig, LookupError, TypeError):
        given = None
    journal: Path = Config().journal if given is None or key.check(given) else key.read(given)
    return journal


def place_of(path: Path, section: str, key: str) -> str:
    """Return the name of a file and the probable line of a key in it. Raises BadConfig."""
    return _Reader(path, *read_toml(path)).place(section, key)


def read_option(text: str, folder: Path | None = None) -> tuple[str, Any]:
    """Return key and value of KEY=VALUE. Raises BadConfig.

    VALUE is JSON, or text if it is not valid JSON. @FILE reads the JSON of that file, relative to `folder`.
    """
    key, equals, value = text.partition("=")
    if not equals:
        raise BadConfig(f"{text}: expected KEY=VALUE, as in target=500.")
    file = value[1:] if value.startswith("@") else ""
    if file:
        try:
            value = ((folder or Path()) / file).read_text(encoding=UTF_8)
        except OSError as fault:
            raise BadConfig(f"{text}: {file}: {fault.strerror or fault}.") from None
        except UnicodeDecodeError:
            raise BadConfig(f"{text}: {file}: {NOT_UTF_8}") from None
    try:
        wrapped = read_line(b'{"it":' + " ".join(value.split("\n")).encode() + b"}") or {}
    except ValueError:
        if file:
            raise BadConfig(f"{text}: {file}: expected JSON.") from None
        return key, value
    return (key, wrapped["it"]) if len(wrapped) == 1 else (key, value)


class _Reader:
    """Check the values of one file, first each one, then their combinations."""

    def __init__(self, path: Path, text: str, given: Mapping[str, Any]) -> None:
        self.name, self.folder, self.text, self.given = path.name, path.parent, text, given

    def config(self, games: bool, owners: Owners) -> Config:
        self._check_keys()
        rules, left_out = self._rules(owners) if games else ({}, ())
        beams, display = self._fields("beams"), self._fields("display")
        spi = {name: display.pop(name) for name in SPI_FIELDS if name in display}
        lines = {line: beams.pop(line) for line in HEAD_PINS if line in beams}
        config = Config(
            **self._fields("box"),
            **self._fields("pins"),
            **self._fields("buttons"),
            **self._fields("sounder"),
            **self._fields("voice"),
            **display,
            **beams,
            seats={**Config().seats, **self._of("seats")},
            lamps={**Config().lamps, **self._of("lamps")},
            navigation={**Config().navigation, **self._of("navigation")},
            beams=lines,
            display_spi=self._spi(spi),
            head=self._head() if "head" in self.given else None,
            rail=self._of("rail").get("bus", SECTIONS["rail"]["bus"].default) if "rail" in self.given else None,
            scanner=self._of("scanner") if "scanner" in self.given else None,
            desk=WebPlan(**self._fields("desk")) if "desk" in self.given else None,
            mqtt=MqttPlan(**self._fields("mqtt")),
            **self._fields("update"),
            gate=self._fields("gate"),
            options={name: self._option(name, value) for name, value in self._of(OPTIONS).items()},
            rules=rules,
            left_out=left_out,
        )
        self._check_sounder(config)
        self._check_beams(config)
        self._check_pins(config)
        if config.desk:
            self._check_https(config.desk)
        if config.mqtt.ca and not config.mqtt.tls:
            raise self._bad("mqtt", "ca", "only TLS uses it. Write tls = true too, or leave it out")
        if config.head:
            self._check_head(config.head, config.rail)
        elif config.rail == "head":
            raise self._bad("rail", "bus", "the sensor head has it, so expected a section [head] as well")
        self._sensible("gate", Settings(**config.gate).refusal())
        if config.scanner is not None:
            from umpi.drivers.scanner import Reader  # imported here because pyserial is slow to import

            self._sensible("scanner", Reader(**{"port": "", **config.scanner}).refusal())
        return config

    def _check_keys(self) -> None:
        """Raise BadConfig for the first unknown section or key, or the first wrong value."""
        for section, keys in self.given.items():
            self._known(section, (*SECTIONS, OPTIONS, RULES), section)
            if not isinstance(keys, dict):
                raise self._bad(section, None, f"expected a section: [{section}]")
            if section in (OPTIONS, RULES):
                continue
            known = SECTIONS[section]
            for key, value in keys.items():
                self._known(key, known, section, key)
                if why := known[key].check(value):
                    raise self._bad(section, key, why)

    def _fields(self, section: str) -> dict[str, Any]:
        """Return the values of a section by the names of their fields."""
        keys = SECTIONS[section]
        return {keys[name].field or name: keys[name].read(value) for name, value in self._of(section).items()}

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

    def _rules(self, owners: Owners) -> tuple[dict[str, dict[str, Any]], tuple[LeftOut, ...]]:
        """Return the rule sets, and those that are left out with all that build on them."""
        given, left_out = self._of(RULES), list[LeftOut]()
        while True:
            try:
                return rule_sets(given, find), tuple(left_out)
            except BadRules as fault:
                setting = f"[{RULES}.{_printable(fault.name)}]"
                why = f"{self.place(RULES, fault.name)}: {setting}: {fault}."
                game = game_of(fault.name, given)
                if not game or not (its := owners(game)):
                    raise BadConfig(why) from None
                left_out.append(LeftOut(setting, its, why))
                given = {name: own for name, own in given.items() if fault.name not in built_on(name, given)}

    def _head(self) -> HeadPlan:
        fields = self._fields("head")
        pins = {line: fields.pop(line) for line in HEAD_PINS if line in fields}
        return HeadPlan(**fields, pins=pins)

    def _spi(self, fields: Mapping[str, Any]) -> SpiPlan | None:
        given = self._of("display")
        if "spi" not in given:
            if key := next((key for key in given if key in ONLY_SPI), None):
                raise self._bad("display", key, "only a display on SPI has it. Write spi = 0 too, or leave it out")
            return None
        if key := next((key for key in given if key in ONLY_I2C), None):
            why = "a display on SPI has neither bus nor address; device or select says which it is. Leave it out"
            raise self._bad("display", key, why)
        port, device = given["spi"], given.get("device", 0)
        if f"CE{device}" not in SPI_LINES[port].values():
            raise self._bad("display", "device", f"SPI {port} has no CE{device}. With spi = {port} it is 0 or 1")
        if "dc" not in given:
            why = "expected the pin at the display's data/command line (D/C, or A0) as well, as in dc = 12"
            raise self._bad("display", "spi", why)
        return SpiPlan(**fields)

    def _of(self, section: str) -> dict[str, Any]:
        return dict(self.given.get(section, {}))

    def _check_sounder(self, config: Config) -> None:
        if config.tones and config.sounder not in PWM_PINS:
            why = "with tones = true, expected a pin with hardware PWM: 12, 13, 18 or 19"
            raise self._bad("sounder", "pin", why)

    def _check_beams(self, config: Config) -> None:
        if config.head and (beams := self._of("beams")):
            why = "a funnel's beams hang on the pins or on the sensor head, never on both"
            raise self._bad("beams", next(iter(beams)), why)
        if config.factory == "rpigpio" and config.beams:
            why = (
                "with this factory the order of cubes is not certain, so it has no [beams]. "
                'Write factory = "gpiod", or connect the funnel to a sensor head'
            )
            raise self._bad("pins", "factory", why)
        lanes = [name for name in LANES if name in config.beams]
        seconds = [name for name in SECONDS if name in config.beams]
        if lanes != list(LANES[: len(lanes)]) or seconds not in ([], list(SECONDS[: len(lanes)])):
            what = "[beams] are lane_1, lane_2 … without a gap, and second_1 … for all of them or none"
            raise BadConfig(f"{self.place('beams', None)}: {what}.")
        if config.emitters is not None and not lanes:
            raise self._bad("beams", "emitters", "there are no beams to switch. Name the pin of lane_1 too")

    def _check_https(self, desk: WebPlan) -> None:
        for key, other in (("certificate", "key"), ("key", "certificate")):
            if getattr(desk, key) and not getattr(desk, other):
                raise self._bad("desk", key, f"expected the {other} as well")
        if desk.certificate and desk.https_port is None:
            raise self._bad("desk", "certificate", "expected a port for HTTPS as well, as in https_port = 8443")
        if desk.https_port == desk.port:
            why = f"HTTP has this port. Choose another, as in https_port = {desk.port + 443}"
            raise self._bad("desk", "https_port", why)

    def _check_pins(self, config: Config) -> None:
        pins = {
            (section, name): pin
            for section, keys in SECTIONS.items()
            for name, key in keys.items()
            if key.check is PIN and (pin := self._of(section).get(name, key.default)) is not None
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

    def _check_head(self, head: HeadPlan, rail: RailBus | None) -> None:
        for line in head.pins:
            if line not in head.beam_lines:
                why = f"with lanes = {head.lanes} and beams = {head.beams} there is no {line}"
                raise self._bad("head", line, why)
        pins = {("head", line): head.pins.get(line, HEAD_PINS[line]) for line in head.beam_lines}
        used = {**EMITTER_PINS, **({WALL_PIN: "wall"} if head.wall else {}), **(RAIL_PINS if rail == "head" else {})}
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
            raise BadConfig(f"{self.place(section, key)}: [{section}] {key} {why}.")

    def _known(self, key: str, known: Collection[str], section: str, inner: str | None = None) -> None:
        if key in known:
            return
        close = difflib.get_close_matches(key, known, 1)
        hint = f" Did you mean {close[0]}?" if close else f" There are: {', '.join(known)}."
        name = _printable(key) or '""'
        what = f"[{section}] has no {name}." if inner is not None else f"there is no section [{name}]."
        raise BadConfig(f"{self.place(section, inner)}: {what}{hint}")

    def _bad(self, section: str, key: str | None, why: str) -> BadConfig:
        value = _shown(self.given[section] if key is None else self.given[section][key])
        what = f"[{section}] {key} = {value}" if key else f"{section} = {value}"
        return BadConfig(f"{self.place(section, key)}: {what}: {why}.")

    def place(self, section: str, key: str | None) -> str:
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


def _printable(name: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in name)


def _shown(value: object) -> str:
    try:
        shown = str(value) if isinstance(value, (date, time)) else repr(value)
    except (ValueError, RecursionError):  # thousands of digits, or of nested tables
        return "…"
    return shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}…"
