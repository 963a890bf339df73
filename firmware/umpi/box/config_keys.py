"""The keys of umpi.toml by section, each with a check that returns what value is expected."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from umpi.box.config import CHIPS, COLOURS, FACTORIES, LANES, NAVIGATION, PICO_PINS, SECONDS, SPI_LINES
from umpi.i18n.translate import languages
from umpi.kernel.record import name_refusal

Check = Callable[[Any], str]  # returns what is expected, "" if the value is valid


def _need(fits: Callable[[Any], bool], needed: str) -> Check:
    return lambda value: "" if fits(value) else needed


def _whole(wanted: range) -> Check:
    needed = f"a whole number from {wanted[0]} to {wanted[-1]} is needed"
    return _need(lambda value: type(value) is int and value in wanted, needed)


def _one_of(*words: str) -> Check:
    return _need(lambda value: value in words, f"one of {', '.join(words)} is needed")


def _is_path(value: object) -> bool:
    if not isinstance(value, str) or not value or "\0" in value:
        return False
    try:
        Path(value).expanduser()
    except RuntimeError:  # "~name" of an unknown user
        return False
    return True


def _is_address(value: object) -> bool:
    try:
        ipaddress.ip_address(value)  # type: ignore[arg-type]
    except ValueError:
        return value == "localhost"
    return isinstance(value, str)


def _is_network(value: object) -> bool:
    try:
        ipaddress.ip_network(value)  # type: ignore[arg-type]
    except ValueError:
        return False
    return isinstance(value, str)


def _are_hosts(value: object) -> bool:
    part = r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
    host = re.compile(rf"{part}(\.{part})*", re.IGNORECASE)
    return isinstance(value, list) and all(isinstance(name, str) and host.fullmatch(name) for name in value)


def _are_speeds(value: object) -> bool:
    if not isinstance(value, list) or [type(speed) for speed in value] != [int, int]:
        return False
    slow, fast = map(int, value)
    return 0 < slow <= fast <= 10_000


def _names(value: object) -> str:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        return 'a list of names is needed, as in ["Ann", "Ben"]'
    return next(filter(None, map(name_refusal, value)), "").rstrip(".")


def _language(value: object) -> str:
    return "" if value in languages() else f"one of {', '.join(languages())} is needed"


_PIN = _whole(range(28))
_PICO_PIN = _need(
    lambda value: type(value) is int and value in PICO_PINS, "one of the Pico's pins 0 to 22 or 26 to 28 is needed"
)
_YES_NO = _need(lambda value: isinstance(value, bool), "true or false is needed")
_TEXT = _need(lambda value: isinstance(value, str) and value.isprintable(), "text in quotes is needed")
_PATH = _need(_is_path, "a path in quotes is needed")
_BUS = _whole(range(32))
_TURNED = _need(lambda value: type(value) in (int, float) and 1 <= value <= 2, "a number from 1 to 2 is needed")
_MM = _whole(range(1, 101))
_US = _whole(range(100_001))
_PORT = _whole(range(1, 65_536))
_LEVEL = _one_of("low", "high")
_AFTER = _need(
    lambda value: type(value) is int and 0 <= value <= 86_400,
    "whole seconds from 0, which is never, to 86400 are needed",
)

SECTIONS: dict[str, dict[str, Check]] = {
    "box": {"journal": _PATH, "players": _names, "language": _language},
    "pins": {"factory": _one_of(*FACTORIES)},
    "seats": dict.fromkeys(COLOURS, _PIN),
    "lamps": dict.fromkeys(COLOURS, _PIN),
    "navigation": dict.fromkeys(NAVIGATION, _PIN),
    "display": {
        "chip": _one_of(*CHIPS), "bus": _BUS, "address": _whole(range(0x08, 0x78)),
        "spi": _whole(range(len(SPI_LINES))), "device": _whole(range(3)), "dc": _PIN, "select": _PIN, "reset": _PIN,
        "upside_down": _YES_NO, "contrast": _whole(range(256)), "dim_after_s": _AFTER, "off_after_s": _AFTER,
    },
    "sounder": {"pin": _PIN, "silent": _YES_NO, "tones": _YES_NO},
    "beams": dict.fromkeys((*LANES, *SECONDS, "emitters"), _PIN) | {"dark": _LEVEL},
    "gate": {
        "cube_mm": _MM, "turned": _TURNED, "beam_gap_mm": _MM,
        "speed_mm_s": _need(_are_speeds, "the least and the greatest speed are needed, as in [900, 1400]"),
        "glitch_us": _US, "chatter_us": _US, "dead_heat_us": _whole(range(1_000_001)),
        "stuck_ms": _whole(range(1, 60_001)), "late_ms": _whole(range(1001)),
    },
    "head": {
        "port": _TEXT, "lanes": _whole(range(1, 7)), "beams": _whole(range(1, 3)), "wall": _YES_NO, "dark": _LEVEL,
        **dict.fromkeys((*LANES, *SECONDS), _PICO_PIN),
    },
    "rail": {"bus": _BUS},
    "desk": {
        "listen": _need(_is_address, "an address of this box is needed, as in \"0.0.0.0\""), "port": _PORT,
        "names": _need(_are_hosts, "a list of names without a port is needed, as in [\"umpi.example.org\"]"),
        "trusted_proxy": _need(_is_network, "an address or a network is needed, as in \"127.0.0.1\""),
    },
    "scanner": {
        "port": _TEXT, "baud": _whole(range(50, 4_000_001)), "pattern": _TEXT, "again_ms": _whole(range(3_600_001)),
    },
}  # fmt: skip
