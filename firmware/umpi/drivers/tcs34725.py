"""A TCS34725 on an I²C bus to readings: red, green, blue and clear, as the chip counts them."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

from umpi.kernel.messages import message

ADDRESS = 0x29
IDS = (0x44, 0x4D)  # of a TCS34725, a TCS34727 (register 0x12)
GAINS = (1, 4, 16, 60)  # as CONTROL counts them

COMMAND, NEXT = 0x80, 0xA0  # a register by itself, and one after the other
ENABLE, ATIME, CONTROL, ID = 0x00, 0x01, 0x0F, 0x12
ON, COUNTING = 0x01, 0x03

CYCLES = 21  # of 2.4 ms: whole periods of lamps on 50 Hz (5.04) and on 60 Hz (6.05), so that they do not flicker
PERIOD_S = CYCLES * 2.4e-3
WAKE_S = 2.4e-3  # between ON and COUNTING
BRIGHT = CYCLES * 1024 * 3 // 4  # so short a count saturates before it is full


class Reading(NamedTuple):
    """What the chip counted in one period."""

    clear: int
    red: int
    green: int
    blue: int

    @property
    def saturated(self) -> bool:
        """Whether it was too bright to count."""
        return max(self) >= BRIGHT


class I2cBus(Protocol):
    """What is needed of an smbus2.SMBus; any call may raise OSError."""

    def write_byte_data(self, i2c_addr: int, register: int, value: int) -> None:
        """Write a register."""

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int) -> list[int]:
        """Read registers, one after the other."""
        ...

    def close(self) -> None:
        """Let go of the bus."""


ANOTHER = "The colour sensor cannot be used: what answers at {address} says it is {id}, no TCS34725."


class NoChip(OSError):
    """What answers is no TCS34725, or one that does not count."""


def open_bus(number: int) -> I2cBus:
    """Open /dev/i2c-`number`; raises OSError where there is none or it may not be used."""
    from smbus2 import SMBus

    return SMBus(number)


class Tcs34725:
    """One chip, at a fixed integration time and gain.

    Every call is one transaction, of at most 13 bytes (1.2 ms at 100 kHz), or three where the chip is woken, each
    under `lock`. The kernel keeps the transactions of a bus apart by itself: a lock is needed only where a bus object
    is shared. All may raise OSError, NoChip among them.
    """

    def __init__(self, bus: I2cBus, gain: int, lock: AbstractContextManager[object]) -> None:
        self.bus, self._gain, self._lock = bus, gain, lock

    def wake(self) -> None:
        """Switch it on, with its settings; it can count after WAKE_S."""
        self._registers(1)
        self._write(ENABLE, ON)
        self._write(ATIME, 256 - CYCLES)
        self._write(CONTROL, GAINS.index(self._gain))

    def begin(self) -> None:
        """Let it count: a reading each PERIOD_S."""
        self._write(ENABLE, COUNTING)

    def read(self) -> Reading | None:
        """Take the newest reading; None before the first."""
        _, status, *low_high = self._registers(10)
        if not status & 1:
            return None
        return Reading(*(low | high << 8 for low, high in zip(low_high[::2], low_high[1::2], strict=True)))

    def _registers(self, count: int) -> list[int]:
        """Read from the id on, which is checked each time: another chip's bytes, or a dead bus's, are no reading."""
        with self._lock:
            told = self.bus.read_i2c_block_data(ADDRESS, NEXT | ID, count)
        if len(told) != count or told[0] not in IDS:
            raise NoChip(message(ANOTHER, address=f"{ADDRESS:#x}", id=f"{told[0] if told else 0:#04x}"))
        return told

    def _write(self, register: int, value: int) -> None:
        with self._lock:
            self.bus.write_byte_data(ADDRESS, COMMAND | register, value)
