"""What the doctor asks of the system around Umpi: its I²C and SPI buses, its disk, its clock, its games."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Collection
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from umpi.kernel.registry import GameEntry, catalog


def answering(bus: int, addresses: Collection[int]) -> list[int]:
    """Tell which of these addresses answer on /dev/i2c-`bus`; raises OSError where it is not there or not ours."""
    from smbus2 import SMBus

    answered = []
    with closing(SMBus(bus)) as opened:
        for address in addresses:
            with suppress(OSError):  # nobody there
                opened.read_byte(address)
                answered.append(address)
    return answered


def open_spi(port: int, device: int) -> None:
    """Open /dev/spidev<port>.<device> and close it; raises OSError where it is not there or not ours."""
    os.close(os.open(f"/dev/spidev{port}.{device}", os.O_RDWR | os.O_CLOEXEC))


def _may_write(path: Path) -> bool:
    return os.access(path, os.W_OK)


def _free_bytes(folder: Path) -> int:
    return shutil.disk_usage(folder).free


@dataclass(frozen=True, slots=True)
class System:
    """Each question as a function, so that a test can answer it."""

    answering: Callable[[int, Collection[int]], list[int]] = answering
    open_spi: Callable[[int, int], None] = open_spi
    may_write: Callable[[Path], bool] = _may_write
    free_bytes: Callable[[Path], int] = _free_bytes
    now: Callable[[], datetime] = datetime.now
    games: Callable[[], list[GameEntry]] = catalog
