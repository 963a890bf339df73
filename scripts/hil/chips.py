"""Connect the simulated chips to the bus: bytes on the wires become commands and register accesses."""

from __future__ import annotations

import errno
import os
import time

from umpi.drivers.tcs34725 import ADDRESS
from umpi.simulator.chip import Ssd1306
from umpi.simulator.tcs34725 import Chip

ALONE, DATA = 0x80, 0x40  # in a control byte: one byte follows and then another control byte; it is for the memory


class PanelWires:
    """A panel on I²C (SSD1306 datasheet 8.1.5): a control byte says what the bytes after it are."""

    def __init__(self, chip: Ssd1306) -> None:
        self.chip = chip

    def write(self, data: bytes) -> None:
        """Receive a transfer."""
        self._answer()
        while data:
            control, data = data[0], data[1:]
            payload, data = (data[:1], data[1:]) if control & ALONE else (data, b"")
            if control & DATA:
                self.chip.data(payload)
            else:
                for byte in payload:
                    self.chip.receive(byte)

    def read(self, count: int) -> bytes:
        """Return the status register; bit 6 means that the display is off."""
        self._answer()
        return bytes([0 if self.chip.lit else 0x40] * count)

    def _answer(self) -> None:
        """Acknowledge the address. Raises OSError while the panel is unplugged."""
        if self.chip.pulled:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))


class SensorWires:
    """A colour sensor on I²C: the first byte selects a register, then values are written or read from there on."""

    def __init__(self, chip: Chip) -> None:
        self.chip, self._register = chip, 0

    def write(self, data: bytes) -> None:
        """Receive a transfer."""
        self._register = data[0]
        self.chip.now_ns = time.monotonic_ns()
        for value in data[1:]:
            self.chip.write_byte_data(ADDRESS, self._register, value)

    def read(self, count: int) -> bytes:
        """Return the registers with their present values."""
        self.chip.now_ns = time.monotonic_ns()
        return bytes(self.chip.read_i2c_block_data(ADDRESS, self._register, count))
