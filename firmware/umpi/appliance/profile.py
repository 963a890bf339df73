"""A Wi-Fi as a profile of NetworkManager."""

from __future__ import annotations

import os
from pathlib import Path

from umpi.appliance.given import Wifi


def write_wifi(wifi: Wifi, folder: Path, name: str = "card", priority: int = 0) -> None:
    """Write a profile with this name. That of a network is a list of bytes there, as it may contain anything."""
    ssid = "".join(f"{byte};" for byte in wifi.name.encode())
    lines = ["[connection]", f"id={name}", "type=wifi"]
    lines += [f"autoconnect-priority={priority}"] if priority else []
    lines += ["[wifi]", f"ssid={ssid}"]
    lines += ["hidden=true"] if wifi.hidden else []
    if wifi.passphrase:
        secret = wifi.passphrase.replace("\\", "\\\\").replace(" ", "\\s")
        lines += ["[wifi-security]", "key-mgmt=wpa-psk", f"psk={secret}"]
    lines += ["[ipv4]", "method=auto", "[ipv6]", "method=auto"]
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.nmconnection"
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as opened:
        opened.write("\n".join(lines) + "\n")
