"""The keys of umpi.toml by section: what each is, the check of its value and the field that gets the value.

`config_file` reads the file by this table, and `./scripts/dev config-page` writes the page from it. Types and defaults
are in `config`.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from umpi.box.config import HEAD_PINS, LANES, PICO_PINS, SECONDS, SPI_LINES, Config
from umpi.frozen import frozen
from umpi.i18n.translate import languages
from umpi.kernel.record import name_refusal

Check = Callable[[Any], str]  # returns what is expected, "" if the value is valid


@frozen
class Key:
    """A key: what it is and the check of its value.

    `read` turns the value into that of the field, whose name may differ from the key's. `default` is set for pins, and
    for keys whose default no field contains.
    """

    about: str
    check: Check
    field: str = ""
    read: Callable[[Any], Any] = lambda value: value
    default: Any = None


def _need(fits: Callable[[Any], bool], needed: str) -> Check:
    return lambda value: "" if fits(value) else needed


def _whole(wanted: range) -> Check:
    needed = f"expected a whole number from {wanted[0]} to {wanted[-1]}"
    return _need(lambda value: type(value) is int and value in wanted, needed)


def _one_of(*words: str) -> Check:
    return _need(lambda value: value in words, f"expected one of {', '.join(words)}")


def _parses(parse: Callable[[str], object]) -> Callable[[object], bool]:
    """Return a function that checks whether a value is a text that `parse` accepts."""

    def fits(value: object) -> bool:
        try:
            return isinstance(value, str) and bool(parse(value))
        except (ValueError, RuntimeError):  # RuntimeError: "~name" of an unknown user
            return False

    return fits


def is_host(value: object) -> bool:
    """Check whether a value is the name or the address of a computer, without a port.

    >>> is_host("club.local"), is_host("fe80::1"), is_host("club.local:1883"), is_host("mqtt://club.local")
    (True, True, False, False)
    """
    return _parses(lambda text: ipaddress.ip_address(text) if ":" in text else _host_name(text))(value)


def _host_name(text: str) -> bytes:
    """Return a name as the resolver gets it, or nothing. Raises ValueError if one of its parts is empty or too long."""
    return text.encode("idna") if re.fullmatch(r"[\w.-]+", text) else b""


def _are_hosts(value: object) -> bool:
    part = r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
    host = re.compile(rf"{part}(\.{part})*", re.IGNORECASE)
    return isinstance(value, list) and all(isinstance(name, str) and host.fullmatch(name) for name in value)


def _is_https(value: object) -> bool:
    if not isinstance(value, str) or not value.isascii() or not value.isprintable() or " " in value:
        return False
    try:
        parts = urlsplit(value)
        return parts.scheme == "https" and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _are_speeds(value: object) -> bool:
    if not isinstance(value, list) or [type(speed) for speed in value] != [int, int]:
        return False
    slow, fast = map(int, value)
    return 0 < slow <= fast <= 10_000


def _names(value: object) -> str:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        return 'expected a list of names, as in ["Ann", "Ben"]'
    return next(filter(None, map(name_refusal, value)), "").rstrip(".")


def _language(value: object) -> str:
    return "" if value in languages() else f"expected one of {', '.join(languages())}"


PIN = _whole(range(28))
PICO_PIN = _need(
    lambda value: type(value) is int and value in PICO_PINS, "expected one of the Pico's pins 0 to 22 or 26 to 28"
)
_YES_NO = _need(lambda value: isinstance(value, bool), "expected true or false")
_TEXT = _need(lambda value: isinstance(value, str) and value.isprintable(), "expected text in quotes")
_PATH = _need(_parses(lambda path: "\0" not in path and path and Path(path).expanduser()), "expected a path in quotes")
_BUS = _whole(range(32))
_RAIL_BUS = _need(
    lambda value: value == "head" or (type(value) is int and value in range(32)),
    'expected a whole number from 0 to 31, or "head"',
)
_TURNED = _need(lambda value: type(value) in (int, float) and 1 <= value <= 2, "expected a number from 1 to 2")
_SPEEDS = _need(_are_speeds, "expected the least and the greatest speed, as in [900, 1400]")
_MM = _whole(range(1, 101))
_US = _whole(range(100_001))
_AFTER = _need(
    lambda value: type(value) is int and 0 <= value <= 86_400,
    "expected whole seconds from 0, which is never, to 86400",
)
_REPEAT = _need(
    lambda value: type(value) is int and (value == 0 or 20 <= value <= 2000),
    "expected whole milliseconds from 20 to 2000, or 0, which is off",
)
_ADDRESS = _need(
    _parses(lambda text: text == "localhost" or ipaddress.ip_address(text)),
    'expected an address of this box, as in "0.0.0.0"',
)
_BUNDLE = _need(
    lambda value: value == "" or _is_https(value),
    'expected an address with https, as in "https://umpi.example.org/umpi.bundle"',
)
_HOST = _need(is_host, 'expected a name or an address without a port, as in "club.local"')
_HOSTS = _need(_are_hosts, 'expected a list of names without a port, as in ["umpi.example.org"]')
_NETWORK = _need(_parses(ipaddress.ip_network), 'expected an address or a network, as in "127.0.0.1"')


def _path(text: str) -> Path:
    return Path(text).expanduser()


def _pins(about: str, pins: Mapping[str, int]) -> dict[str, Key]:
    return {name: Key(about.format(name), PIN, default=pin) for name, pin in pins.items()}


_DARK = Key(
    "level of a receiver's line while its beam is broken",
    _one_of("low", "high"),
    "dark_low",
    lambda level: level == "low",
    "low",
)
_BEAMS = {line: f"first beam of lane {line[-1]}" for line in LANES} | {
    line: f"second beam of lane {line[-1]}" for line in SECONDS
}

SECTIONS: dict[str, dict[str, Key]] = {
    "box": {
        "journal": Key(
            "the file with all matches; other data is kept beside it", _PATH, read=_path,
            default="~/.local/share/umpi/games.db",
        ),
        "name": Key("name of the box, which a club or a home shows; empty: that of the computer", _TEXT),
        "players": Key("names offered before anybody has played", _names, read=tuple),
        "language": Key("language of the screen until another is chosen at the box", _language),
        "setup_card": Key("show how to set a game up before it begins", _YES_NO),
        "hint": Key("players may ask what the box would do, in the menu and on phones", _YES_NO),
    },
    "pins": {
        "factory": Key("the library that drives the pins", _one_of("gpiod", "lgpio", "rpigpio")),
    },
    "seats": _pins("seat button {}", Config().seats),
    "lamps": _pins("lamp of seat {}", Config().lamps),
    "navigation": _pins("button {}", Config().navigation),
    "buttons": {
        "where": Key(
            "pin of a spare button for *Where are we?*: one press shows, and says, whose turn it is and all scores", PIN
        ),
        "hold_ms": Key(
            "a button that is down for so long is held; **Back** shuts the box down 2400 ms later",
            _whole(range(200, 3001)),
        ),
        "repeat_ms": Key(
            "for trembling hands: a button that goes down again so soon after its release continues the same press. A "
            "button that may also be held then answers so much later",
            _REPEAT,
        ),
    },
    "sounder": {
        "pin": Key("pin of the buzzer", PIN, "sounder", default=Config().sounder),
        "silent": Key("no sound at all", _YES_NO),
        "tones": Key("a passive sounder that plays melodies; otherwise an active buzzer that beeps", _YES_NO),
    },
    "voice": {
        "on": Key("say aloud what the screen shows; a seat button says its answer if held", _YES_NO, "voice"),
        "device": Key('an ALSA output, as in "plughw:1"; empty: the default output', _TEXT, "voice_device"),
        "words_per_minute": Key("speed of the voice", _whole(range(80, 451))),
    },
    "beams": {
        **{line: Key(_BEAMS[line], PIN) for line in LANES},
        **{line: Key(f"{_BEAMS[line]}, 12 mm further down", PIN) for line in SECONDS},
        "emitters": Key("pin that switches the emitters, so that the box and the doctor can test the beams", PIN),
        "dark": _DARK,
    },
    "gate": {
        "cube_mm": Key("edge of a cube", _MM),
        "turned": Key("how much longer a turned cube may look", _TURNED),
        "beam_gap_mm": Key("distance between the two beams of a lane", _MM),
        "speed_mm_s": Key("slowest and fastest cube", _SPEEDS, read=tuple),
        "glitch_us": Key("a shorter darkness may be no cube", _US),
        "chatter_us": Key("how long an edge may chatter", _US),
        "dead_heat_us": Key("two fronts closer than this are too close to call", _whole(range(1_000_001))),
        "stuck_ms": Key("a longer darkness is a stuck cube", _whole(range(1, 60_001))),
        "late_ms": Key("how long the box waits for an older edge", _whole(range(1001))),
    },
    "head": {
        "port": Key("path of its port, or a pattern of one; empty: any Pico with MicroPython", _TEXT),
        "lanes": Key("number of lanes", _whole(range(1, 7))),
        "beams": Key("beams per lane", _whole(range(1, 3))),
        "wall": Key("whether the piezo of the Battledodes wall is connected", _YES_NO),
        "boards": Key("whether its lanes have beam boards in place of modules", _YES_NO),
        "dark": _DARK,
        **{line: Key(f"Pico pin of the {_BEAMS[line]}", PICO_PIN, default=pin) for line, pin in HEAD_PINS.items()},
    },
    "rail": {
        "bus": Key('number of the I²C bus, or "head": the colour sensor is at the sensor head', _RAIL_BUS, default=1),
    },
    "display": {
        "chip": Key("the controller chip of the OLED", _one_of("ssd1306", "ssd1309", "sh1106"), "display"),
        "bus": Key("number of the I²C bus", _BUS, "display_bus"),
        "address": Key("address on the I²C bus", _whole(range(0x08, 0x78)), "display_address"),
        "spi": Key("number of the SPI port", _whole(range(len(SPI_LINES))), "port"),
        "device": Key("number of the SPI device", _whole(range(3)), default=0),
        "dc": Key("pin of the data/command line", PIN),
        "select": Key("pin of its select line, if none of the port's own", PIN),
        "reset": Key("pin of its reset line, if it has one", PIN, "display_reset"),
        "upside_down": Key("turn the picture by 180°", _YES_NO),
        "contrast": Key("brightness", _whole(range(256))),
        "dim_after_s": Key("dim after so many seconds without a press", _AFTER),
        "off_after_s": Key("switch off after so many seconds", _AFTER),
    },
    "desk": {
        "listen": Key("address to serve at; `127.0.0.1` is the box alone", _ADDRESS),
        "port": Key("port to serve at", _whole(range(1, 65_536))),
        "names": Key(
            "more names for the box, beside `umpi.local`, `umpi.lan`, `umpi.fritz.box` and the like", _HOSTS,
            read=tuple,
        ),
        "trusted_proxy": Key(
            "an HTTPS proxy, or a network of them, whose `X-Forwarded-` headers the box believes", _NETWORK,
        ),
        "https_port": Key("port to serve HTTPS at, too; without it there is no HTTPS", _whole(range(1, 65_536))),
        "certificate": Key(
            "a certificate of yours (PEM), with those that sign it; without it, the one that `umpi https` makes", _PATH,
            read=_path,
        ),
        "key": Key("the private key of this certificate (PEM), without a passphrase", _PATH, read=_path),
    },
    "mqtt": {
        "broker": Key("name or address of the broker", _HOST),
        "port": Key("port of the broker; with TLS usually 8883", _whole(range(1, 65_536))),
        "tls": Key("encrypt the connection, and check the broker's certificate", _YES_NO),
        "ca": Key(
            "with TLS: file with the certificate of the broker's authority; without it, those of the system", _PATH,
            read=lambda path: Path(path).expanduser(),
        ),
        "user": Key("name of a user of the broker; empty: nobody", _TEXT),
        "password_file": Key(
            "file whose only line is the password of this user", _PATH, read=lambda path: Path(path).expanduser(),
        ),
    },
    "update": {
        "address": Key(
            "on a card: the address of the newest bundle, with https; empty: no updates from the network", _BUNDLE,
            "update_address",
        ),
    },
    "scanner": {
        "port": Key("path of its port, or a pattern of one", _TEXT),
        "baud": Key("speed of the port", _whole(range(50, 4_000_001))),
        "pattern": Key("regular expression for a whole line; the group `code` is the code", _TEXT),
        "again_ms": Key("the same code within this time is the same scan", _whole(range(3_600_001))),
    },
}  # fmt: skip
