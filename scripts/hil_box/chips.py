"""The virtual chips of the tests as devices on a bus: what goes over the wires to what the chip is told."""

from __future__ import annotations

import errno
import os
import time

from umpi.drivers.tcs34725 import ADDRESS
from umpi.simulator.chip import Ssd1306
from umpi.simulator.tcs34725 import Chip

ALONE, DATA = 0x80, 0x40  # in a control byte: one byte follows and then another control byte; it is for the memory


class PanelWires:
    """A panel on I²C (SSD1306 datasheet 8.1.5): control bytes say what the bytes behind them are."""

    def __init__(self, chip: Ssd1306) -> None:
        self.chip = chip

    def write(self, data: bytes) -> None:
        """Take a transfer."""
        self._answer()
        while data:
            control, data = data[0], data[1:]
            told, data = (data[:1], data[1:]) if control & ALONE else (data, b"")
            if control & DATA:
                self.chip.data(told)
            else:
                for byte in told:
                    self.chip.receive(byte)

    def read(self, count: int) -> bytes:
        """Tell the status, bit 6: the display is off."""
        self._answer()
        return bytes([0 if self.chip.lit else 0x40] * count)

    def _answer(self) -> None:
        """Acknowledge the address; raises OSError behind a pulled plug."""
        if self.chip.pulled:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))


class SensorWires:
    """A colour sensor: the register first, then values to write there, or a reading of those from there on."""

    def __init__(self, chip: Chip) -> None:
        self.chip, self._register = chip, 0

    def write(self, data: bytes) -> None:
        """Take a transfer."""
        self._register = data[0]
        self.chip.now_ns = time.monotonic_ns()
        for value in data[1:]:
            self.chip.write_byte_data(ADDRESS, self._register, value)

    def read(self, count: int) -> bytes:
        """Read registers, as they are now."""
        self.chip.now_ns = time.monotonic_ns()
        return bytes(self.chip.read_i2c_block_data(ADDRESS, self._register, count))
