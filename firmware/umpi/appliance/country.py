"""The country of a card's Wi-Fi: two letters, which say what channels are allowed. The kernel hears them at each start.

The kernel takes them over netlink, as from the command `iw reg set`, which a card does not have.
"""

from __future__ import annotations

import errno
import os
import socket
import struct
from pathlib import Path

from umpi.appliance.card import CardFault
from umpi.kernel.messages import message

KEPT = "wifi-country"  # beside the configuration, so that copies of the box have it
COUNTRIES = Path("/usr/share/zoneinfo/iso3166.tab")
HEAD, GENERIC, ATTRIBUTE = struct.Struct("=IHHII"), struct.Struct("=BBH"), struct.Struct("=HH")
REQUEST, ACKNOWLEDGE, ERROR = 1, 4, 2  # linux/netlink.h
NETLINK_GENERIC, CONTROL, GET_FAMILY, FAMILY_ID, FAMILY_NAME = 16, 0x10, 3, 1, 2  # linux/genetlink.h
SET_COUNTRY, LETTERS = 27, 33  # NL80211_CMD_REQ_SET_REG and NL80211_ATTR_REG_ALPHA2 of linux/nl80211.h
ANSWER_S = 5.0
MOST = 1 << 16


def countries(file: Path = COUNTRIES) -> frozenset[str]:
    """Return the two letters of all countries. Raises OSError."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return frozenset(line[:2] for line in lines if line and not line.startswith("#"))


def kept_country(folder: Path) -> str:
    """Return the country that somebody has chosen at the box, or nothing."""
    try:
        return (folder / KEPT).read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""


def keep_country(folder: Path, letters: str) -> None:
    """Keep the country for the next starts. Raises OSError."""
    (folder / KEPT).write_text(f"{letters}\n", encoding="ascii")


def use_country(letters: str) -> None:
    """Tell the kernel in which country its Wi-Fi is. Raises CardFault."""
    try:
        with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_GENERIC) as line:
            line.settimeout(ANSWER_S)
            line.sendall(request(CONTROL, GET_FAMILY, FAMILY_NAME, b"nl80211\0"))
            family = family_in(line.recv(MOST))
            line.sendall(request(family, SET_COUNTRY, LETTERS, letters.encode("ascii") + b"\0"))
            acknowledged(line.recv(MOST))
    except OSError as fault:
        if fault.errno == errno.ENOENT:
            raise CardFault(message("There is no Wi-Fi in this box.")) from None
        raise CardFault(
            message("The Wi-Fi does not take its country: {why}.", why=fault.strerror or str(fault))
        ) from None


def request(family: int, command: int, attribute: int, value: bytes) -> bytes:
    """Return a request with one attribute, as generic netlink has it."""
    padded = value + bytes(-len(value) % 4)
    body = GENERIC.pack(command, 1, 0) + ATTRIBUTE.pack(ATTRIBUTE.size + len(value), attribute) + padded
    return HEAD.pack(HEAD.size + len(body), family, REQUEST | ACKNOWLEDGE, 0, 0) + body


def family_in(answer: bytes) -> int:
    """Return the number of the family that an answer names. Raises OSError."""
    acknowledged(answer)
    at = HEAD.size + GENERIC.size
    while at + ATTRIBUTE.size + 2 <= len(answer):
        size, kind = ATTRIBUTE.unpack_from(answer, at)
        if kind == FAMILY_ID:
            (family,) = struct.unpack_from("=H", answer, at + ATTRIBUTE.size)
            return int(family)
        at += max(ATTRIBUTE.size, size + -size % 4)
    raise OSError(errno.EPROTO, os.strerror(errno.EPROTO))


def acknowledged(answer: bytes) -> None:
    """Check that an answer is no error. Raises OSError."""
    if len(answer) < HEAD.size + 4:
        raise OSError(errno.EPROTO, os.strerror(errno.EPROTO))
    if HEAD.unpack_from(answer)[1] == ERROR:
        (code,) = struct.unpack_from("=i", answer, HEAD.size)
        if code:
            raise OSError(-code, os.strerror(-code))
