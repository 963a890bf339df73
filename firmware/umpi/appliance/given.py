"""What the owner has written onto the boot partition: the files of Raspberry Pi Imager.

Imager 2 writes `user-data` and `network-config` for cloud-init (https://docs.cloud-init.io), Imager 1.8 `custom.toml`.
A card has no cloud-init: it takes from them name, language, time zone, Wi-Fi, and the keys for SSH. The first two are
YAML; this reads what Imager writes of it.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from umpi.frozen import frozen
from umpi.i18n.translate import languages

_KEY = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#"'\-\[{][^#]*?)\s*:(?:\s+(.*))?""")
HOST = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?", re.I | re.A)  # without re.A, re.I takes ſ for s
_USER = re.compile(r"[a-z_][a-z0-9_-]{0,31}")
_ZONE = re.compile(r"[A-Za-z0-9_+-]+(?:/[A-Za-z0-9_+-]+){0,2}")
_SSH_KEY = re.compile(r"(?:ssh|ecdsa|sk)-[\w@.-]+ [A-Za-z0-9+/]+=*(?: [^\r\n]*)?")
_COUNTRY = re.compile(r"[A-Z]{2}")
_DATA = ("hostname", "timezone", "locale", "users", "ssh_pwauth")  # what a card takes from user-data
_POINT = ("password", "auth", "hidden", "ssid", "bssid", "band", "channel", "mode", "networkmanager")  # of netplan
_AUTH = (
    "key-management", "password", "method", "identity", "anonymous-identity", "ca-certificate", "client-certificate",
    "client-key", "client-key-password", "phase2-auth",
)  # fmt: skip
_WLAN = ("ssid", "password", "password_encrypted", "hidden", "country")  # of custom.toml
_NOTHING = ("", "{}", "~", "null")  # how YAML writes a mapping without keys
_ESCAPES = {"n": "\n", "t": "\t", "0": "\0"}


class BadGiven(ValueError):
    """Raised if a file of the boot partition cannot be read; the message names its line and the reason."""


@frozen
class Wifi:
    """A Wi-Fi: its name, its passphrase or its 64 hexadecimal digits ("" if it is open), and whether it is hidden."""

    name: str
    passphrase: str
    hidden: bool = False


@frozen
class Owner:
    """Who may log in over SSH: a user, by keys only."""

    name: str
    keys: tuple[str, ...]


@frozen
class Given:
    """What the owner has chosen; "" and None without a choice. `refused` has what a card does not do, and why."""

    host: str = ""
    zone: str = ""
    language: str = ""
    wifi: Wifi | None = None
    owner: Owner | None = None
    refused: tuple[str, ...] = ()
    country: str = ""


def read_given(user_data: str, network: str) -> Given:
    """Read the texts of both files; each may be empty. Raises BadGiven."""
    data, net = _mapping(user_data, "user-data"), _mapping(network, "network-config")
    near = {key: difflib.get_close_matches(key, _DATA, 1, 0.8) for key in data if key not in _DATA}
    refused = [f"user-data: a card does not know {key}. Did you mean {name[0]}?" for key, name in near.items() if name]
    host, zone = _text(data.get("hostname")), _text(data.get("timezone"))
    _check_place(host, zone, "user-data: hostname", "user-data: timezone")
    locale = _text(data.get("locale"))
    return Given(host, zone, _language(locale), _wifi(net), _owner(data, refused), tuple(refused), _country(net))


def read_custom(text: str) -> Given:
    """Read the text of custom.toml, which may be empty. Raises BadGiven."""
    try:
        given = tomllib.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as fault:
        raise BadGiven(f"custom.toml: not TOML: {fault}.") from None
    wlan, ssh, place = _section(given, "wlan"), _section(given, "ssh"), _section(given, "locale")
    host, zone = _text(_section(given, "system").get("hostname")), _text(place.get("timezone"))
    name, secret = _text(wlan.get("ssid")), _text(wlan.get("password"))
    _check_known(wlan, _WLAN, "custom.toml: wlan")
    if "password" in wlan and not isinstance(wlan["password"], str):
        raise BadGiven("custom.toml: wlan: expected the password in quotation marks.")
    _check_place(host, zone, "custom.toml: hostname", "custom.toml: timezone")
    wifi = _checked_wifi(Wifi(name, secret, wlan.get("hidden") is True), "custom.toml") if name else None
    refused: list[str] = []
    user = {"name": _text(_section(given, "user").get("name")), "ssh_authorized_keys": ssh.get("authorized_keys")}
    wanted = ssh.get("enabled") is True and user["name"]
    data = {"users": [user] if wanted else [], "ssh_pwauth": ssh.get("password_authentication") is True}
    owner = _owner(data, refused, "custom.toml")
    country = _checked_country(_text(wlan.get("country")), "custom.toml: country")
    return Given(host, zone, _language(_text(place.get("language"))), wifi, owner, tuple(refused), country)


def _language(locale: str) -> str:
    """Return the language of a locale, if Umpi has it.

    >>> _language("fr_FR.UTF-8"), _language("tlh"), _language("")
    ('fr', '', '')
    """
    code = re.split(r"[_.@-]", locale.lower())[0]
    return code if code in languages() else ""


def _check_place(host: str, zone: str, host_at: str, zone_at: str) -> None:
    if host and not HOST.fullmatch(host):
        raise BadGiven(f"{host_at}: expected letters, digits and hyphens, got {host!r}.")
    if zone and not _ZONE.fullmatch(zone):
        raise BadGiven(f"{zone_at}: expected for example Europe/Paris, got {zone!r}.")


def _wifi(net: Mapping[str, Any]) -> Wifi | None:
    """Return the first Wi-Fi of network-config (netplan, version 2); Imager writes one.

    It is open only if there is no password, or an empty one. Raises BadGiven if something there is not understood.
    """
    whole = _lines_below(net["network"], "network") if "network" in net else net
    _check_spelling(whole, "wifis", "network-config")
    for name_of_device, device in _lines_below(whole.get("wifis", ""), "wifis").items():
        if isinstance(device, str) and not device.startswith("{"):
            continue  # a word about all of them, as in renderer: networkd
        known = _lines_below(device, name_of_device)
        _check_spelling(known, "access-points", f"network-config: {name_of_device}")
        points = known.get("access-points", "")
        for name, point in _lines_below(points, "access-points").items():
            asked = _lines_below(point, name)
            auth = _lines_below(asked.get("auth", ""), f"{name}: auth")
            _check_known(asked, _POINT, f"network-config: {name}")
            _check_known(auth, _AUTH, f"network-config: {name}: auth")
            if not all(isinstance(part.get("password", ""), str) for part in (asked, auth)):
                raise BadGiven(f"network-config: {name}: expected the password on the line of its key.")
            secret = _text(asked.get("password")) or _text(auth.get("password"))
            if auth and not secret and auth.get("key-management") != "none":
                raise BadGiven(f"network-config: {name}: auth: expected a password.")
            return _checked_wifi(Wifi(name, secret, _text(asked.get("hidden")) == "true"), "network-config")
    return None


def _lines_below(value: object, at: str) -> Mapping[str, Any]:
    """Return what is on the lines below a key of network-config, which may be nothing. Raises BadGiven.

    The message does not quote the value, which may have a password.
    """
    if value in _NOTHING:
        return {}
    if not isinstance(value, Mapping):
        raise BadGiven(f"network-config: {at}: expected KEY: VALUE on lines of their own below it.")
    return value


def _check_spelling(part: Mapping[str, Any], key: str, at: str) -> None:
    """Refuse a key that looks like another one, where netplan has many more. Raises BadGiven."""
    if close := next((each for each in part if each != key and difflib.get_close_matches(each, [key], 1, 0.8)), None):
        raise BadGiven(f"{at} has no {close}. Did you mean {key}?")


def _check_known(part: Mapping[str, Any], known: Sequence[str], at: str) -> None:
    if unknown := next((key for key in part if key not in known), None):
        close = difflib.get_close_matches(unknown, known, 1)
        hint = f"Did you mean {close[0]}?" if close else f"There are: {', '.join(known)}."
        raise BadGiven(f"{at} has no {unknown}. {hint}")


def _country(net: Mapping[str, Any]) -> str:
    """Return the country of network-config, "" if there is none."""
    whole = _section(net, "network") or net
    named = _section(whole, "wifis").values()
    found = (_text(device.get("regulatory-domain")) for device in named if isinstance(device, Mapping))
    return _checked_country(next(filter(None, found), ""), "network-config: regulatory-domain")


def _checked_country(letters: str, at: str) -> str:
    if letters and not _COUNTRY.fullmatch(letters):
        raise BadGiven(f"{at}: expected two capital letters, as in FR, got {letters[:20]!r}.")
    return letters


def _checked_wifi(wifi: Wifi, file: str) -> Wifi:
    name, secret = wifi.name, wifi.passphrase
    if not 1 <= len(name.encode()) <= 32:
        raise BadGiven(f"{file}: a Wi-Fi has a name of 1 to 32 bytes, this one {len(name.encode())}.")
    if not secret.isprintable():
        raise BadGiven(f"{file}: the passphrase of {name} has a character that cannot be typed.")
    if secret and not 8 <= len(secret.encode()) <= 64:
        raise BadGiven(f"{file}: the passphrase of {name} has 8 to 63 characters, this one {len(secret)}.")
    return wifi


def _owner(data: Mapping[str, Any], refused: list[str], file: str = "user-data") -> Owner | None:
    users = data.get("users")
    for user in users if isinstance(users, Sequence) and not isinstance(users, str) else ():
        if not isinstance(user, Mapping):
            continue
        name, keys = _text(user.get("name")), user.get("ssh_authorized_keys")
        found = tuple(filter(None, map(_text, keys if isinstance(keys, list) else [keys])))
        if not _USER.fullmatch(name) or name in ("root", "umpi", "umpi-mqtt"):
            raise BadGiven(f"{file}: users: expected a name of small letters, digits and hyphens, got {name!r}.")
        for key in found:
            if not _SSH_KEY.fullmatch(key):
                raise BadGiven(f"{file}: ssh_authorized_keys: this is no public key: {key[:60]!r}.")
        if user.get("passwd") or data.get("ssh_pwauth"):
            refused.append("A password opens nothing on this card. Give a public key for SSH.")
        return Owner(name, found) if found else None
    return None


def _section(whole: object, name: str) -> Mapping[str, Any]:
    found = whole.get(name) if isinstance(whole, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _mapping(text: str, file: str) -> Mapping[str, Any]:
    lines = [
        (number, len(line) - len(line.lstrip(" ")), line.strip())
        for number, line in enumerate(text.replace("\r", "").removeprefix("\ufeff").split("\n"), 1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if not lines:
        return {}
    found, rest = _block(lines, lines[0][1], file)
    if rest:
        raise BadGiven(f"{file}, line {rest[0][0]}: this line has another indentation than those above it.")
    return found if isinstance(found, Mapping) else {}


Lines = list[tuple[int, int, str]]  # number, indentation and text of each line


def _block(lines: Lines, indent: int, file: str) -> tuple[Any, Lines]:
    """Read the lines of one indentation as a mapping or a list; return it and the lines after it."""
    if lines[0][2] == "-" or lines[0][2].startswith("- "):
        return _list(lines, indent, file)
    found: dict[str, Any] = {}
    while lines and lines[0][1] == indent and not lines[0][2].startswith("- "):
        number, _, text = lines[0]
        entry = _KEY.fullmatch(text)
        if not entry:
            raise BadGiven(f"{file}, line {number}: expected KEY: VALUE, got {text[:60]!r}.")
        value, lines = _value((entry[2] or "").strip(), lines[1:], indent, file, number)
        found[_scalar(entry[1], file, number)] = value
    return found, lines


def _list(lines: Lines, indent: int, file: str) -> tuple[list[Any], Lines]:
    found: list[Any] = []
    while lines and lines[0][1] == indent and (lines[0][2] == "-" or lines[0][2].startswith("- ")):
        number, _, text = lines[0]
        item = text[1:].strip()
        inner = indent + len(text) - len(item) if item else indent + 2
        if _KEY.fullmatch(item):
            value, lines = _block([(number, inner, item), *lines[1:]], inner, file)
        else:
            value, lines = _value(item, lines[1:], indent, file, number)
        found.append(value)
    return found, lines


def _value(text: str, lines: Lines, indent: int, file: str, number: int) -> tuple[Any, Lines]:
    """Read what is after a colon or a hyphen: on the line itself, or on the deeper lines below it."""
    if text[:1] in ("|", ">"):
        below = 0
        while below < len(lines) and lines[below][1] > indent:
            below += 1
        return "\n".join(line for _, _, line in lines[:below]), lines[below:]
    if text and not text.startswith("#"):
        return _scalar(text, file, number), lines
    if lines and (lines[0][1] > indent or (lines[0][1] == indent and lines[0][2].startswith("- "))):
        return _block(lines, lines[0][1], file)
    return "", lines


def _scalar(text: str, file: str, number: int) -> str:
    r"""Read one value. What Imager writes in brackets are commands, and a card runs none.

    >>> _scalar(r'"a \"b\""', "", 1), _scalar("'it''s'", "", 1), _scalar("Europe/Paris # here", "", 1)
    ('a "b"', "it's", 'Europe/Paris')
    """
    if text.startswith('"'):
        quoted = re.match(r'"((?:[^"\\]|\\.)*)"', text)
        if not quoted:
            raise BadGiven(f"{file}, line {number}: a quotation mark is missing.")
        return re.sub(r"\\(.)", lambda each: _ESCAPES.get(each[1], each[1]), quoted[1])
    if text.startswith("'"):
        quoted = re.match(r"'((?:[^']|'')*)'", text)
        if not quoted:
            raise BadGiven(f"{file}, line {number}: a quotation mark is missing.")
        return quoted[1].replace("''", "'")
    return text.partition(" #")[0].strip()
