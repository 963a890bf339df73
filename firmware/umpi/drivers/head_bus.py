"""The colour sensor at the sensor head: its I²C bus, by requests over the head's USB cable."""

from __future__ import annotations

import errno
from collections.abc import Mapping
from typing import Protocol

from umpi.drivers.head_protocol import COLOURS, Coloured, colours
from umpi.drivers.tcs34725 import ADDRESS, BusAway, NoChip
from umpi.kernel.messages import message

TOO_OLD = (
    "The colour sensor needs firmware {needed} of the sensor head, which has {its}: copy firmware/sensor_head to it."
)
AWAY = "The colour sensor is at the sensor head, which does not answer."


class ColourHead(Protocol):
    """What is used of a sensor head here."""

    @property
    def about(self) -> Mapping[str, str | float]:
        """Return what the head says about itself, {} while it is away."""
        ...

    def colour(self, request: str, timeout_s: float) -> Coloured | None:
        """Pass a transfer to the colour sensor; None without an answer of the head in time, and if it is too old."""
        ...


class HeadBus:
    """The bus with the colour sensor at the head, with the methods of an smbus2.SMBus.

    Each may raise OSError, and waits at most `timeout_s` for the head.
    """

    def __init__(self, head: ColourHead, timeout_s: float = 1.0) -> None:
        self._head, self._timeout_s = head, timeout_s

    def write_byte_data(self, i2c_addr: int, register: int, value: int) -> None:
        """Write a register. Raises NoChip if the head cannot or is away, and OSError if the sensor does not answer."""
        self._transfer(i2c_addr, f"put {register:x} {value:x}")

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int) -> list[int]:
        """Return the values of successive registers. Raises as `write_byte_data` does."""
        return list(self._transfer(i2c_addr, f"get {register:x} {length:x}"))

    def close(self) -> None:
        """Do nothing: the head stays open for its beams."""

    def _transfer(self, address: int, request: str) -> bytes:
        if address != ADDRESS:
            raise ValueError(f"the head passes on only transfers to {ADDRESS:#x}, not to {address:#x}")
        answer = self._head.colour(request, self._timeout_s)
        if answer is None:
            its = self._head.about.get("firmware")
            if its and not colours(its):
                raise NoChip(message(TOO_OLD, needed=".".join(map(str, COLOURS)), its=its))
            raise BusAway(message(AWAY))
        if answer.data is None:
            raise OSError(errno.ENXIO, "nothing answers at the plug of the gate board")
        return answer.data
