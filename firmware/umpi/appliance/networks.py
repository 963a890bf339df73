"""The Wi-Fi of a house, chosen at the menu of a card: what is found, what can be joined, and why it cannot.

NetworkManager joins by its command `nmcli`. The password goes into a file for root only, never onto a command line.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from umpi.appliance.card import CardFault
from umpi.appliance.country import countries, keep_country, use_country
from umpi.appliance.given import Wifi
from umpi.appliance.profile import write_wifi
from umpi.kernel.messages import Message, message
from umpi.table.card import LONGEST, SHORTEST, ChosenNetwork, FoundNetwork
from umpi.wifi.nmcli import PROFILE, UP_S, NoNetwork, devices, fields, nmcli

PROFILES = Path("/etc/NetworkManager/system-connections")  # a folder of the state
HOUSE = "house"  # NetworkManager's name for the network that was chosen at the box
FIRST = 1  # of several known networks, NetworkManager takes the one with the highest priority
SEARCH_S = 30.0
MOST = 30  # networks that the menu lists

log = logging.getLogger(__name__)


def find() -> tuple[FoundNetwork, ...]:
    """Return the Wi-Fi networks around, the strongest first. Raises CardFault.

    A radio that offers the box's own Wi-Fi cannot search, so that Wi-Fi is away meanwhile.
    """
    try:
        _check_radio()
        with _own_away():
            listed = nmcli(
                "-t", "-f", "SSID,SIGNAL,SECURITY", "device", "wifi", "list", "--rescan", "yes", within_s=SEARCH_S
            )
    except NoNetwork as fault:
        log.warning("%s", fault)
        raise CardFault(message("The box cannot look for Wi-Fi networks: {why}", why=str(fault))) from None
    if found := networks_in(listed):
        return found
    raise CardFault(message("The box finds no Wi-Fi. Put it nearer to the router, and try again."))


def networks_in(listed: str) -> tuple[FoundNetwork, ...]:
    """Return the networks in a list of nmcli, each once, the strongest first; those that hide their name are left out.

    A network of companies, which asks for a user too, is left out: the box cannot join it.
    """
    strength: dict[FoundNetwork, int] = {}
    for line in listed.splitlines():
        row = fields(line)
        if len(row) != 3 or not row[0] or not row[1].isdecimal() or "802.1X" in row[2]:
            continue
        network = FoundNetwork(row[0], row[2] in ("", "--"))
        strength[network] = max(strength.get(network, 0), int(row[1]))
    return tuple(sorted(strength, key=lambda each: (-strength[each], each.name)))[:MOST]


def read_chosen(line: bytes) -> ChosenNetwork:
    """Read what the service sends: name, password and country. Raises CardFault."""
    try:
        match json.loads(line):
            case [str(name), str(password), str(country)] if 1 <= len(name.encode()) <= 32:
                pass
            case _:
                raise CardFault(_UNREADABLE)
    except (ValueError, RecursionError):
        raise CardFault(_UNREADABLE) from None
    if password and not (SHORTEST <= len(password) <= LONGEST and password.isascii() and password.isprintable()):
        raise CardFault(message("A password of a Wi-Fi has 8 to 63 characters. Nothing has changed."))
    if not country:
        raise CardFault(message("Choose the country first: it says which channels are allowed."))
    if country not in countries():
        raise CardFault(
            message("There is no country {letters}. Choose the two letters of your country.", letters=country[:2])
        )
    return ChosenNetwork(name, password, country)


def join(chosen: ChosenNetwork, settings: Path) -> None:
    """Join a network, and keep it for the next starts; `settings` is the folder for its country.

    Raises CardFault, and then the box has the network of before.
    """
    file = PROFILES / f"{HOUSE}.nmconnection"
    before = file.read_bytes() if file.exists() else None
    try:
        _check_radio()
        own = _own_is_on()
        use_country(chosen.country)
        write_wifi(Wifi(chosen.name, chosen.password), PROFILES, HOUSE, FIRST)
        try:
            nmcli("connection", "load", str(file))
            nmcli("--wait", str(int(UP_S)), "connection", "up", "id", HOUSE, within_s=UP_S + 5)
        except NoNetwork:
            _go_back(file, before, own)
            raise
    except NoNetwork as fault:
        log.warning("%s", fault)
        raise CardFault(why_not_joined(str(fault), chosen.name)) from None
    keep_country(settings, chosen.country)


def why_not_joined(why: str, name: str) -> Message:
    """Return a sentence for an answer of nmcli."""
    if "secrets" in why.lower():  # "Secrets were required, but not provided"
        return message("The password of {name} is wrong. Try again.", name=name)
    if "could not be found" in why:
        return message("{name} is out of reach now. Put the box nearer to the router, and try again.", name=name)
    if "could not be reserved" in why or "no answer within" in why or "imeout" in why:
        return message("{name} does not answer. Try again, or restart the router.", name=name)
    return message("The box is not in {name}: {why}", name=name, why=why)


def _check_radio() -> None:
    wifi = [device for device in devices() if device.kind == "wifi"]
    if not wifi:
        raise CardFault(message("There is no Wi-Fi in this box."))
    if all(device.state in ("unavailable", "unmanaged") for device in wifi):
        raise CardFault(message("The Wi-Fi of the box is off. Switch the box off and on, and try again."))


def _own_is_on() -> bool:
    return any(device.profile == PROFILE for device in devices())


@contextmanager
def _own_away() -> Iterator[None]:
    """Switch the box's own Wi-Fi off for a while, if it is on."""
    if not _own_is_on():
        yield
        return
    nmcli("connection", "down", "id", PROFILE)
    try:
        yield
    finally:
        nmcli("connection", "up", "id", PROFILE, within_s=UP_S)


def _go_back(file: Path, before: bytes | None, own: bool) -> None:
    """Take the network of before again. What fails here is only logged: why the box did not join counts more."""
    with suppress(NoNetwork):
        nmcli("connection", "delete", "id", HOUSE)
    try:
        file.unlink(missing_ok=True)
        if before is not None:
            file.touch(0o600)
            file.write_bytes(before)
            nmcli("connection", "load", str(file))
    except (NoNetwork, OSError) as fault:
        log.warning("the network of before cannot be kept: %s", fault)
    try:
        if own:  # it is on if the known network is out of reach, so that one cannot be joined again
            nmcli("connection", "up", "id", PROFILE, within_s=UP_S)
        elif before is not None:
            nmcli("connection", "up", "id", HOUSE, within_s=UP_S)
    except NoNetwork as fault:
        log.warning("the network of before does not come back: %s", fault)


_UNREADABLE = message("The box cannot read which Wi-Fi to join. Nothing has changed.")
