"""NetworkManager's `nmcli`: runs one process per call and turns each failure into a sentence."""

from __future__ import annotations

import os
import subprocess

from umpi.frozen import frozen

PROFILE = "umpi"  # NetworkManager's name for the box's own network
ANSWER_S = 10.0  # time-out of an nmcli command
UP_S = 40.0  # time-out of a command that starts a network
LONGEST = 60  # characters of an answer that are shown
LET = "Run it with sudo, or let this user: firmware/docs/operations.md says how"
HINTS = {  # by a part of nmcli's error message
    "not running": "Start it: sudo systemctl enable --now NetworkManager",
    "authorized": LET,
    "privileges": LET,
    "could not be reserved": "It needs dnsmasq: sudo apt install dnsmasq-base",
}


class NoNetwork(Exception):
    """Raised if there is no network, or if none can be offered; the message contains the reason and the remedy."""


@frozen
class Device:
    """A network device; `profile` is the name of its active NetworkManager connection, "" if there is none."""

    name: str
    kind: str
    state: str
    profile: str

    @property
    def connected(self) -> bool:
        """Return whether the device is in a network that phones may use, including the box's own."""
        return self.kind in ("wifi", "ethernet") and self.state.startswith("connected")


def nmcli(*words: str, within_s: float | None = None) -> str:
    """Run nmcli and return its output. Raises NoNetwork, whose message never contains a passphrase."""
    start = next((at for at, word in enumerate(words) if word in ("connection", "device")), 0)
    command = " ".join(["nmcli", *words[start : start + 2]])
    within_s = within_s or ANSWER_S
    environment = {**os.environ, "LC_ALL": "C"}  # nmcli translates even its output for scripts
    try:
        done = subprocess.run(["nmcli", *words], capture_output=True, timeout=within_s, env=environment)
    except FileNotFoundError:
        raise NoNetwork("There is no nmcli here. Get it: sudo apt install network-manager") from None
    except subprocess.TimeoutExpired:
        raise NoNetwork(f"{command}: no answer within {within_s:g} s.") from None
    except OSError as fault:
        raise NoNetwork(f"{command}: {fault.strerror or fault}.") from None
    answer = done.stdout.decode(errors="replace")
    if done.returncode:
        reason = (done.stderr.decode(errors="replace").strip() or answer.strip()).partition("\n")[0]
        why = reason.removeprefix("Error: ").rstrip(".") or f"it ended with {done.returncode}"
        hint = next((f" {hint}." for part, hint in HINTS.items() if part in why), "")
        raise NoNetwork(f"{command}: {why}.{hint}")
    return answer


def devices() -> list[Device]:
    """Return the network devices. Raises NoNetwork."""
    found = []
    for line in nmcli("-t", "-f", "DEVICE,TYPE,STATE,CONNECTION", "device", "status").splitlines():
        row = fields(line)
        if len(row) != 4:
            raise NoNetwork(f"nmcli device status: this cannot be read: {line[:LONGEST]!r}.")
        found.append(Device(*row))
    return found


def profiles() -> list[str]:
    """Return the names of NetworkManager's saved networks. Raises NoNetwork."""
    return [fields(line)[0] for line in nmcli("-t", "-f", "NAME", "connection", "show").splitlines()]


def ssid(device: Device) -> str:
    """Return the name of the device's Wi-Fi, "" for a cable. Raises NoNetwork."""
    if device.kind != "wifi":
        return ""
    return fields(nmcli("-g", "802-11-wireless.ssid", "connection", "show", "id", device.profile).rstrip("\n"))[0]


def fields(line: str) -> list[str]:
    r"""Return the fields of a line of nmcli, split at its colons; a backslash escapes the next character.

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
