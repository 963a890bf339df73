"""The box's own Wi-Fi: its stored name and passphrase, and the nmcli commands that offer it."""

from __future__ import annotations

import json
import os
import secrets
from contextlib import suppress
from pathlib import Path

from umpi.frozen import frozen
from umpi.wifi.nmcli import PROFILE, UP_S, NoNetwork, devices, nmcli, profiles

LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"  # 32 letters that are easy to distinguish: 12 of them are 60 bits


@frozen
class Own:
    """The name and passphrase of the box's own Wi-Fi."""

    name: str
    passphrase: str


def own_network(file: Path) -> Own:
    """Return name and passphrase of the box's own network; the first call creates them. Raises NoNetwork."""
    try:
        if not file.exists():
            _make(file)
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError as fault:
        raise NoNetwork(f"{file}: {fault.strerror or fault}.") from None
    try:
        values = json.loads(text)
        name, passphrase = values["name"], values["passphrase"]
        if 1 <= len(name.encode()) <= 32 and 8 <= len(passphrase) <= 63 and passphrase.isascii():  # WPA2 limits
            return Own(name, passphrase)
    except (ValueError, TypeError, KeyError, AttributeError):
        pass
    raise NoNetwork(
        f"{file}: expected a name and a passphrase of 8 to 63 letters. If you delete the file, new ones are made."
    )


def offer(own: Own) -> None:
    """Offer the box's own network, which replaces its current Wi-Fi. Raises NoNetwork."""
    wifi = [device for device in devices() if device.kind == "wifi"]
    if not wifi:
        raise NoNetwork("There is no Wi-Fi device here.")
    if all(device.state in ("unavailable", "unmanaged") for device in wifi):
        why = "It is off, or its country is not set: sudo rfkill unblock wifi; sudo raspi-config, Localisation"
        raise NoNetwork(f"The Wi-Fi device {wifi[0].name} is {wifi[0].state}. {why}.")
    for words in commands(own, PROFILE in profiles()):
        nmcli(*words, within_s=UP_S)


def commands(own: Own, known: bool = False) -> list[list[str]]:
    """Return the nmcli arguments that offer a network; `known` is whether its profile already exists.

    Protected management frames are off, because with them no device can join the Wi-Fi of a Pi
    (raspberrypi/linux 3619).
    """
    settings = {
        "connection.autoconnect": "no",
        "802-11-wireless.ssid": own.name,
        "802-11-wireless.mode": "ap",
        "802-11-wireless.band": "bg",
        "802-11-wireless-security.key-mgmt": "wpa-psk",
        "802-11-wireless-security.proto": "rsn",
        "802-11-wireless-security.pairwise": "ccmp",
        "802-11-wireless-security.group": "ccmp",
        "802-11-wireless-security.pmf": "disable",
        "802-11-wireless-security.psk": own.passphrase,
        "ipv4.method": "shared",
        "ipv6.method": "disabled",
    }
    what = ["modify", PROFILE] if known else ["add", "type", "wifi", "ifname", "*", "con-name", PROFILE]
    words = [word for pair in settings.items() for word in pair]
    return [["connection", *what, *words], ["--wait", "30", "connection", "up", PROFILE]]


def _make(file: Path) -> None:
    """Create the file with a name and a passphrase, readable only by its owner.

    If root creates it, the owner of the folder becomes its owner.
    """
    name, passphrase = f"umpi-{secrets.token_hex(2)}", "".join(secrets.choice(LETTERS) for _ in range(12))
    file.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError), open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as kept:
        kept.write(json.dumps({"name": name, "passphrase": passphrase}) + "\n")
        if os.name == "posix" and os.geteuid() == 0:
            folder = file.parent.stat()
            os.fchown(kept.fileno(), folder.st_uid, folder.st_gid)
