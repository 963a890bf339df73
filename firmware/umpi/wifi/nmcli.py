"""NetworkManager as its `nmcli` tells of it: each call a process, each failure a sentence."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass

PROFILE = "umpi"  # what NetworkManager calls the box's own network
ANSWER_S = 10.0  # what nmcli may take to answer
UP_S = 40.0  # and to bring a network up
LONGEST = 60  # characters of an answer that are shown
LET = "Run it with sudo, or let this user: firmware/docs/operations.md says how"
HINTS = {  # by what stands in nmcli's own words
    "not running": "Start it: sudo systemctl enable --now NetworkManager",
    "authorized": LET,
    "privileges": LET,
    "could not be reserved": "It needs dnsmasq: sudo apt install dnsmasq-base",
}


class NoNetwork(Exception):
    """Why there is no network, or none can be offered, and what to do."""


@dataclass(frozen=True, slots=True)
class Device:
    """A network device; `profile` is what NetworkManager has connected it by, "" for nothing."""

    name: str
    kind: str
    state: str
    profile: str

    @property
    def connected(self) -> bool:
        """Whether phones may be in the same network, be it the box's own."""
        return self.kind in ("wifi", "ethernet") and self.state.startswith("connected")


def nmcli(*words: str, within_s: float | None = None) -> str:
    """Ask NetworkManager, and return what it says; raises NoNetwork, which never tells a passphrase."""
    start = next((at for at, word in enumerate(words) if word in ("connection", "device")), 0)
    said = " ".join(["nmcli", *words[start : start + 2]])
    within_s = within_s or ANSWER_S
    environment = {**os.environ, "LC_ALL": "C"}  # it translates even what is for scripts
    try:
        done = subprocess.run(["nmcli", *words], capture_output=True, timeout=within_s, env=environment)
    except FileNotFoundError:
        raise NoNetwork("There is no nmcli here. Get it: sudo apt install network-manager") from None
    except subprocess.TimeoutExpired:
        raise NoNetwork(f"{said}: no answer within {within_s:g} s.") from None
    except OSError as fault:
        raise NoNetwork(f"{said}: {fault.strerror or fault}.") from None
    answer = done.stdout.decode(errors="replace")
    if done.returncode:
        told = (done.stderr.decode(errors="replace").strip() or answer.strip()).partition("\n")[0]
        why = told.removeprefix("Error: ").rstrip(".") or f"it ended with {done.returncode}"
        hint = next((f" {hint}." for part, hint in HINTS.items() if part in why), "")
        raise NoNetwork(f"{said}: {why}.{hint}")
    return answer


def devices() -> list[Device]:
    """List the network devices; raises NoNetwork."""
    found = []
    for line in nmcli("-t", "-f", "DEVICE,TYPE,STATE,CONNECTION", "device", "status").splitlines():
        told = fields(line)
        if len(told) != 4:
            raise NoNetwork(f"nmcli device status: this cannot be read: {line[:LONGEST]!r}.")
        found.append(Device(*told))
    return found


def profiles() -> list[str]:
    """List the networks that NetworkManager knows, as it calls them; raises NoNetwork."""
    return [fields(line)[0] for line in nmcli("-t", "-f", "NAME", "connection", "show").splitlines()]


def ssid(device: Device) -> str:
    """Tell the name of the Wi-Fi a device is in, "" for a cable; raises NoNetwork."""
    if device.kind != "wifi":
        return ""
    return fields(nmcli("-g", "802-11-wireless.ssid", "connection", "show", "id", device.profile).rstrip("\n"))[0]


def fields(line: str) -> list[str]:
    r"""Split a line of nmcli's at its colons; what belongs to a value stands behind a backslash.

    >>> fields("wlan0:a\\:b\\\\:")
    ['wlan0', 'a:b\\', '']
    """
    found, letters = [""], iter(line)
    for letter in letters:
        if letter == ":":
            found.append("")
        else:
            found[-1] += next(letters, "") if letter == "\\" else letter
    return found
