"""Where a panel is wired to its bus: a luma serial interface on I²C or SPI, with the lines beside it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import struct
import time
from collections.abc import Callable
from typing import Any

from gpiozero import DigitalOutputDevice

# Held low, and as long after it: the chips need 10 µs, the capacitor at the line of some 2.42" panels more
RESET_S = 0.01
SPI_HZ = 2_000_000  # what an SH1106 takes on short wires; a full frame is 4 ms
SPI_MODE, SPI_SPEED, NO_SELECT = 0x4001_6B01, 0x4004_6B04, 0x40  # linux/spi/spidev.h, linux/spi/spi.h


def i2c_bus(port: int, address: int, reset: int | None = None, pins: Any = None) -> PanelBus:
    """Open an I²C bus; `reset` is the pin of the panel's reset line where it has one, on the gpiozero factory `pins`.

    Raises OSError or luma's Error where there is no such bus, GPIOZeroError where the pin cannot be had.
    """
    from luma.core.interface.serial import i2c

    def open_it(lines: PanelLines) -> Any:
        if reset is not None:
            lines.setup(reset, lines.OUT, lines.LOW)
            time.sleep(RESET_S)
            lines.output(reset, lines.HIGH)
            time.sleep(RESET_S)
        return i2c(port=port, address=address)

    return PanelBus(open_it, pins)


def spi_bus(
    port: int, device: int, dc: int, reset: int | None = None, select: int | None = None, pins: Any = None
) -> PanelBus:
    """Open an SPI bus, /dev/spidev<port>.<device>; `dc`, `reset` and `select` are pins on the gpiozero factory `pins`.

    `select` only where the panel is selected by another line than the bus's own. Raises what `i2c_bus` raises.
    """
    from luma.core.interface.serial import gpio_cs_spi, spi

    def open_it(lines: PanelLines) -> Any:
        return (spi if select is None else gpio_cs_spi)(
            spi=SpiDevice(),
            gpio=lines,
            port=port,
            device=device,
            bus_speed_hz=SPI_HZ,
            gpio_DC=dc,
            gpio_RST=reset,
            reset_hold_time=RESET_S,
            reset_release_time=RESET_S,
            **({} if select is None else {"gpio_CS": select}),
        )

    return PanelBus(open_it, pins)


class PanelBus:
    """A luma serial interface, and the lines that are given back with it."""

    def __init__(self, open_it: Callable[[PanelLines], Any], pins: Any = None) -> None:
        self._lines = PanelLines(pins)
        try:
            self._serial = open_it(self._lines)
        except BaseException:
            self._lines.cleanup()
            raise
        self.command, self.data = self._serial.command, self._serial.data

    def cleanup(self) -> None:
        """Close the bus and give the lines back."""
        try:
            self._serial.cleanup()
        finally:
            self._lines.cleanup()


class PanelLines:
    """The few functions of RPi.GPIO that luma calls, on gpiozero's outputs."""

    OUT, LOW, HIGH = "out", 0, 1

    def __init__(self, pins: Any = None) -> None:
        self._pins = pins
        self._lines: dict[int, DigitalOutputDevice] = {}

    def setup(self, pin: int, direction: str, initial: int = LOW) -> None:
        """Take a pin; raises GPIOZeroError where it cannot be had."""
        self._lines[pin] = DigitalOutputDevice(pin, initial_value=bool(initial), pin_factory=self._pins)

    def output(self, pin: int, level: int) -> None:
        """Set a line low or high."""
        self._lines[pin].value = level

    def cleanup(self, pin: int | None = None) -> None:
        """Give a pin back, or all of them."""
        for taken in [pin] if pin is not None else list(self._lines):
            self._lines.pop(taken).close()


class SpiDevice:
    """The few functions of the package spidev that luma calls: that one would have to be compiled on a Pi.

    Raises OSError where there is no such device.
    """

    def __init__(self) -> None:
        self._file, self._speed_hz, self._no_cs = -1, 0, False

    def open(self, port: int, device: int) -> None:
        """Open /dev/spidev<port>.<device>."""
        self._file = os.open(f"/dev/spidev{port}.{device}", os.O_RDWR | os.O_CLOEXEC)

    @property
    def max_speed_hz(self) -> int:
        """How fast it sends."""
        return self._speed_hz

    @max_speed_hz.setter
    def max_speed_hz(self, speed_hz: int) -> None:
        fcntl.ioctl(self._file, SPI_SPEED, struct.pack("=I", speed_hz))
        self._speed_hz = speed_hz

    @property
    def no_cs(self) -> bool:
        """Whether the bus leaves its own select line alone."""
        return self._no_cs

    @no_cs.setter
    def no_cs(self, alone: bool) -> None:
        with contextlib.suppress(OSError):  # some drivers cannot; the line then moves and nobody listens to it
            fcntl.ioctl(self._file, SPI_MODE, struct.pack("=B", NO_SELECT if alone else 0))
        self._no_cs = alone

    def writebytes(self, data: Any) -> None:
        """Send bytes, at most 4,096 (the kernel's bufsiz), which is where luma cuts them."""
        sent = os.write(self._file, bytes(data))
        if sent != len(data):
            raise OSError(f"SPI took {sent} of {len(data)} bytes")

    def close(self) -> None:
        """Close the device."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
