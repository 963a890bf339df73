"""The TCS34725 colour sensor on an I²C bus: its readings of red, green, blue and clear in counts."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

from umpi.kernel.messages import message

ADDRESS = 0x29
IDS = (0x44, 0x4D)  # of a TCS34725, a TCS34727 (register 0x12)
GAINS = (1, 4, 16, 60)  # by the value of the register CONTROL

COMMAND, NEXT = 0x80, 0xA0  # access to one register, and to successive registers
ENABLE, ATIME, CONTROL, ID = 0x00, 0x01, 0x0F, 0x12
ON, COUNTING = 0x01, 0x03

CYCLES = 21  # of 2.4 ms: whole periods of lamps on 50 Hz (5.04) and 60 Hz (6.05), so that flicker averages out
PERIOD_S = CYCLES * 2.4e-3
WAKE_S = 2.4e-3  # between ON and COUNTING
BRIGHT = CYCLES * 1024 * 3 // 4  # with so few cycles the count saturates below its maximum


class Reading(NamedTuple):
    """The counts of one period."""

    clear: int
    red: int
    green: int
    blue: int

    @property
    def saturated(self) -> bool:
        """Return whether it was too bright to measure."""
        return max(self) >= BRIGHT


class I2cBus(Protocol):
    """The methods of an smbus2.SMBus that are used here; each may raise OSError."""

    def write_byte_data(self, i2c_addr: int, register: int, value: int) -> None:
        """Write a register."""

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int) -> list[int]:
        """Return the values of successive registers."""
        ...

    def close(self) -> None:
        """Close the bus."""


ANOTHER = "The colour sensor cannot be used: {address} answers as {id}, not TCS34725."


class NoChip(OSError):
    """Raised if the chip at the address is no TCS34725, or does not count."""


class BusAway(NoChip):
    """Raised while the device that the bus is at is away; it has a report of its own."""


def open_bus(number: int) -> I2cBus:
    """Open /dev/i2c-`number` and return the bus. Raises OSError if it does not exist or may not be used."""
    from smbus2 import SMBus

    return SMBus(number)


class Tcs34725:
    """One chip, at a fixed integration time and gain.

    Every call is one transaction of at most 13 bytes (1.2 ms at 100 kHz); `wake` makes several. Each transaction takes
    `lock`. The kernel separates the transactions of a bus, so a lock is needed only if a bus object is shared.
    Every method may raise OSError, including NoChip.
    """

    def __init__(self, bus: I2cBus, gain: int, lock: AbstractContextManager[object]) -> None:
        self.bus, self._gain, self._lock = bus, gain, lock

    def wake(self) -> None:
        """Switch the chip on and write its settings; it can count after WAKE_S."""
        self._registers(1)
        self._write(ENABLE, ON)
        self._write(ATIME, 256 - CYCLES)
        self._write(CONTROL, GAINS.index(self._gain))

    def begin(self) -> None:
        """Start counting: one reading per PERIOD_S."""
        self._write(ENABLE, COUNTING)

    def read(self) -> Reading | None:
        """Return the newest reading; None before the first."""
        _, status, *low_high = self._registers(10)
        if not status & 1:
            return None
        return Reading(*(low | high << 8 for low, high in zip(low_high[::2], low_high[1::2], strict=True)))

    def _registers(self, count: int) -> list[int]:
        """Return `count` registers from the id on. Raises NoChip if the id is wrong.

        The id is checked each time, so that bytes of another chip or of a failed bus are never taken as a reading.
        """
        with self._lock:
            registers = self.bus.read_i2c_block_data(ADDRESS, NEXT | ID, count)
        if len(registers) != count or registers[0] not in IDS:
            raise NoChip(message(ANOTHER, address=f"{ADDRESS:#x}", id=f"{registers[0] if registers else 0:#04x}"))
        return registers

    def _write(self, register: int, value: int) -> None:
        with self._lock:
            self.bus.write_byte_data(ADDRESS, COMMAND | register, value)
