"""Buses of the panel: a luma serial interface on I²C or SPI, with its reset, data/command and select lines."""

from __future__ import annotations

import contextlib
import fcntl
import os
import struct
import time
from collections.abc import Callable
from typing import Any

from gpiozero import DigitalOutputDevice, GPIOZeroError

# How long reset is low, and the pause after it: the chips need 10 µs, the capacitor on some 2.42" panels needs more
RESET_S = 0.01
SPI_HZ = 2_000_000  # works for an SH1106 on short wires; a full frame takes 4 ms
SPI_MODE, SPI_SPEED, NO_SELECT = 0x4001_6B01, 0x4004_6B04, 0x40  # linux/spi/spidev.h, linux/spi/spi.h


def i2c_bus(port: int, address: int, reset: int | None = None, pins: Any = None) -> PanelBus:
    """Open the panel's I²C bus and return it. `reset` is the pin of the panel's reset line, None if it has none.

    `pins` is the gpiozero factory. Raises OSError or luma's Error if there is no such bus, GPIOZeroError if the pin
    cannot be opened.
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
    """Open the panel's SPI bus, /dev/spidev<port>.<device>, and return it.

    `dc`, `reset` and `select` are pins on the gpiozero factory `pins`. Pass `select` only if the panel does not use the
    bus's own select line. Raises the same errors as `i2c_bus`.
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
    """A luma serial interface together with its lines, which are released with it."""

    def __init__(self, open_it: Callable[[PanelLines], Any], pins: Any = None) -> None:
        self._lines = PanelLines(pins)
        try:
            self._serial = open_it(self._lines)
        except BaseException:
            self._lines.cleanup()
            raise
        self.command, self.data = self._serial.command, self._serial.data

    def cleanup(self) -> None:
        """Close the bus and release the lines."""
        try:
            self._serial.cleanup()
        finally:
            self._lines.cleanup()


class PanelLines:
    """Provide the functions of RPi.GPIO that luma calls, with gpiozero's outputs."""

    OUT, LOW, HIGH = "out", 0, 1

    def __init__(self, pins: Any = None) -> None:
        self._pins = pins
        self._lines: dict[int, DigitalOutputDevice] = {}

    def setup(self, pin: int, direction: str, initial: int = LOW) -> None:
        """Open a pin as an output. Raises GPIOZeroError if it cannot be opened."""
        try:
            self._lines[pin] = DigitalOutputDevice(pin, initial_value=bool(initial), pin_factory=self._pins)
        except GPIOZeroError as fault:
            # A kept traceback keeps the half-made device, and with it gpiozero's reservation of the pin: the next
            # attempt would then blame that device instead of the true cause.
            raise fault.with_traceback(None) from None

    def output(self, pin: int, level: int) -> None:
        """Set a line low or high."""
        self._lines[pin].value = level

    def cleanup(self, pin: int | None = None) -> None:
        """Release a pin, or all pins if `pin` is None."""
        for taken in [pin] if pin is not None else list(self._lines):
            self._lines.pop(taken).close()


class SpiDevice:
    """Provide the functions of the package spidev that luma calls, because spidev must be compiled on a Pi.

    Raises OSError if there is no such device.
    """

    def __init__(self) -> None:
        self._file, self._speed_hz, self._no_cs = -1, 0, False

    def open(self, port: int, device: int) -> None:
        """Open /dev/spidev<port>.<device>."""
        self._file = os.open(f"/dev/spidev{port}.{device}", os.O_RDWR | os.O_CLOEXEC)

    @property
    def max_speed_hz(self) -> int:
        """Return the speed in Hz."""
        return self._speed_hz

    @max_speed_hz.setter
    def max_speed_hz(self, speed_hz: int) -> None:
        fcntl.ioctl(self._file, SPI_SPEED, struct.pack("=I", speed_hz))
        self._speed_hz = speed_hz

    @property
    def no_cs(self) -> bool:
        """Return whether the bus leaves its own select line unchanged."""
        return self._no_cs

    @no_cs.setter
    def no_cs(self, alone: bool) -> None:
        with contextlib.suppress(OSError):  # some drivers cannot; their select line then changes, but is not connected
            fcntl.ioctl(self._file, SPI_MODE, struct.pack("=B", NO_SELECT if alone else 0))
        self._no_cs = alone

    def writebytes(self, data: Any) -> None:
        """Send at most 4,096 bytes (bufsiz); luma splits longer data. Raises OSError if not all are sent."""
        sent = os.write(self._file, bytes(data))
        if sent != len(data):
            raise OSError(f"SPI took {sent} of {len(data)} bytes")

    def close(self) -> None:
        """Close the device."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
