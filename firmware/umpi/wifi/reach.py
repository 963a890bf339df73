"""How phones reach the box: by which Wi-Fi, and at which address; and whether it is in any network yet."""

from __future__ import annotations

import contextlib
import socket
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

from umpi.wifi.nmcli import PROFILE, Device, NoNetwork, devices, ssid
from umpi.wifi.own import own_network

SIOCGIFADDR = 0x8915  # netdevice(7)


@dataclass(frozen=True, slots=True)
class Reach:
    """The Wi-Fi the box is in, its passphrase where it is the box's own; or what keeps that from being told."""

    wifi: str = ""
    passphrase: str = ""
    trouble: str = ""


def connected() -> Device | None:
    """Find the device that is in a network, the box's own first; raises NoNetwork where that cannot be told."""
    there = [device for device in devices() if device.connected]
    return min(there, key=lambda device: device.profile != PROFILE, default=None)


def wait(
    wait_s: float, clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], object] = time.sleep
) -> Device | None:
    """Wait until the box is in a network, at most so long; None where it is in none then.

    Raises NoNetwork where NetworkManager cannot be asked even at the end: it may start later than the box.
    """
    until_s = clock() + wait_s
    while True:
        late = clock() >= until_s
        try:
            if device := connected():
                return device
        except NoNetwork:
            if late:
                raise
        if late:
            return None
        sleep(1)


def reach(file: Path) -> Reach:
    """Find out how phones reach the box; `file` is where its own network is kept."""
    try:
        device = connected()
        if device is None:
            return Reach()
        if device.profile == PROFILE:
            own = own_network(file)
            return Reach(own.name, own.passphrase)
        return Reach(ssid(device))
    except NoNetwork as fault:
        return Reach(trouble=str(fault))


def find_reach(file: Path, post: Callable[[Reach], object]) -> None:
    """Find the same out on a thread of its own, as nmcli takes its time, and post it."""
    Thread(target=lambda: post(reach(file)), name="umpi-network", daemon=True).start()


def address_of(interface: str) -> str:
    """Tell the IPv4 address of an interface, "" where it has none or the system does not say."""
    with contextlib.suppress(OSError, ImportError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        from fcntl import ioctl  # which Windows has not

        told = ioctl(asked, SIOCGIFADDR, struct.pack("256s", interface[:15].encode()))
        return socket.inet_ntoa(told[20:24])
    return ""


def own_address() -> str:
    """Tell the box's address in a network that leads nowhere else, as its own does; "" where it is in none."""
    names = [name for _, name in socket.if_nameindex() if name != "lo"]
    return next(filter(None, map(address_of, names)), "")
