"""The URL of the page, for a QR code or a message. It needs no web server, which is slow to import."""

from __future__ import annotations

import contextlib
import ipaddress
import socket

from umpi.wifi.reach import own_address


def address(listen: str, port: int) -> str:
    """Return the URL of a server that listens at `listen`, or "" if there is no network.

    If it listens at all addresses, the URL contains the box's address in the LAN.

    >>> address("127.0.0.1", 8000), address("::1", 8000)
    ('http://127.0.0.1:8000/', 'http://[::1]:8000/')
    """
    host = listen
    try:
        number = ipaddress.ip_address(listen)
        if number.is_unspecified and not (host := _of_lan(socket.AF_INET, "192.0.2.1")):
            host = _of_lan(socket.AF_INET6, "2001:db8::1") if number.version == 6 else ""
    except ValueError:  # a name
        pass
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/" if host else ""


def address_for_phones(listen: str, port: int) -> str:
    """Return the URL for other devices, or "" if only this computer can reach it.

    A QR code must not contain an address that does not work.

    >>> address_for_phones("127.0.0.1", 8000), address_for_phones("192.168.4.1", 8000)
    ('', 'http://192.168.4.1:8000/')
    """
    try:
        local = ipaddress.ip_address(listen).is_loopback
    except ValueError:  # a name
        local = listen == "localhost"
    return "" if local else address(listen, port)


def _of_lan(family: socket.AddressFamily, far: str) -> str:
    """Return the box's own address on the route to a far one, or "" if there is no route. Nothing is sent."""
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as way:
        way.connect((far, 9))
        return str(way.getsockname()[0])
    return own_address() if family == socket.AF_INET else ""  # the box's own Wi-Fi has no route to the internet
