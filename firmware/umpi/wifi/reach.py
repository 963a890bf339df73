"""How phones reach the box: its Wi-Fi and address, and whether it is in a network."""

from __future__ import annotations

import contextlib
import socket
import struct
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread

from umpi.referee.events import Reach
from umpi.wifi.nmcli import PROFILE, Device, NoNetwork, devices, ssid
from umpi.wifi.own import own_network

SIOCGIFADDR = 0x8915  # netdevice(7)


def connected() -> Device | None:
    """Return a device that is in a network, preferably the box's own; None if there is none.

    Raises NoNetwork if NetworkManager cannot be asked.
    """
    there = [device for device in devices() if device.connected]
    return min(there, key=lambda device: device.profile != PROFILE, default=None)


def wait(
    wait_s: float, clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], object] = time.sleep
) -> Device | None:
    """Wait at most `wait_s` seconds until the box is in a network, and return its device; None after the time-out.

    Raises NoNetwork only if NetworkManager still cannot be asked at the end, because it may start later than the box.
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
    """Return how phones reach the box; `file` contains its own network's name and passphrase."""
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
    """Call `reach` on a separate thread, because nmcli is slow, and post the result."""
    Thread(target=lambda: post(reach(file)), name="umpi-network", daemon=True).start()


def address_of(interface: str) -> str:
    """Return the IPv4 address of an interface, "" if it has none or the system cannot report it."""
    with contextlib.suppress(OSError, ImportError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        from fcntl import ioctl  # missing on Windows

        answer = ioctl(asked, SIOCGIFADDR, struct.pack("256s", interface[:15].encode()))
        return socket.inet_ntoa(answer[20:24])
    return ""


def own_address() -> str:
    """Return the IPv4 address of the box's first interface that has one, except lo; "" if there is none.

    It is for a network without a route to other networks, for example the box's own.
    """
    names = [name for _, name in socket.if_nameindex() if name != "lo"]
    return next(filter(None, map(address_of, names)), "")
