"""The doctor's queries to the operating system: I²C and SPI buses, disk, clock, installed games."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Collection
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path

from umpi.frozen import frozen
from umpi.kernel.registry import GameEntry, catalog


def answering(bus: int, addresses: Collection[int]) -> list[int]:
    """Return which of these addresses answer on /dev/i2c-`bus`. Raises OSError if the bus cannot be opened."""
    from smbus2 import SMBus

    answered = []
    with closing(SMBus(bus)) as opened:
        for address in addresses:
            with suppress(OSError):  # no device at this address
                opened.read_byte(address)
                answered.append(address)
    return answered


def open_spi(port: int, device: int) -> None:
    """Open /dev/spidev<port>.<device> and close it. Raises OSError if that is impossible."""
    os.close(os.open(f"/dev/spidev{port}.{device}", os.O_RDWR | os.O_CLOEXEC))


def _may_write(path: Path) -> bool:
    return os.access(path, os.W_OK)


def _free_bytes(folder: Path) -> int:
    return shutil.disk_usage(folder).free


@frozen
class System:
    """Collect the queries as functions, so that tests can replace them."""

    answering: Callable[[int, Collection[int]], list[int]] = answering
    open_spi: Callable[[int, int], None] = open_spi
    may_write: Callable[[Path], bool] = _may_write
    free_bytes: Callable[[Path], int] = _free_bytes
    now: Callable[[], datetime] = datetime.now
    games: Callable[[], list[GameEntry]] = catalog
