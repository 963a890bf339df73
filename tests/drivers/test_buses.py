"""The bytes of luma's buses and the lines beside them, on fakes of the kernel's files."""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import smbus2
from gpiozero import DigitalOutputDevice
from gpiozero.exc import PinInvalidPin
from gpiozero.pins.mock import MockFactory
from luma.core.error import DeviceNotFoundError

from umpi.drivers import buses
from umpi.drivers.buses import NO_SELECT, SPI_HZ, SPI_MODE, SPI_SPEED, i2c_bus, spi_bus

DC, RESET, SELECT = 24, 25, 8


class FakeI2c:
    """What smbus2 opens: it keeps the bytes as they go over the wire, the address first."""

    opened: list[FakeI2c]

    def __init__(self, port: int) -> None:
        self.sent: list[bytes] = []
        self.closed = False
        FakeI2c.opened.append(self)

    def write_i2c_block_data(self, address: int, register: int, data: Sequence[int]) -> None:
        self.sent.append(bytes((address << 1, register, *data)))

    def i2c_rdwr(self, *messages: Any) -> None:
        self.sent += [bytes((message.addr << 1, *message)) for message in messages]

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def i2c(monkeypatch: pytest.MonkeyPatch) -> list[FakeI2c]:
    FakeI2c.opened = []
    monkeypatch.setattr(smbus2, "SMBus", FakeI2c)
    monkeypatch.setattr(buses, "RESET_S", 0)
    return FakeI2c.opened


@pytest.fixture
def spi(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """The file behind /dev/spidev0.1, and the settings that the kernel received."""
    calls: list[tuple[int, bytes]] = []
    file, really_open = tmp_path / "spidev0.1", os.open
    file.touch()
    here = {"/dev/spidev0.1": file}
    monkeypatch.setattr(buses.os, "open", lambda path, *how, **more: really_open(here.get(path, path), *how, **more))
    monkeypatch.setattr(buses.fcntl, "ioctl", lambda _, code, value: calls.append((code, value)))
    monkeypatch.setattr(buses, "RESET_S", 0)
    return file, calls


def history(pins: MockFactory, pin: int) -> list[bool]:
    return [bool(state.state) for state in pins.pin(pin).states]


def test_an_i2c_transfer_begins_with_its_address_and_what_follows(i2c: list[FakeI2c]) -> None:
    """SSD1306 datasheet, 8.1.5.2; `windows.length` counts these two bytes."""
    bus = i2c_bus(1, 0x3C)
    bus.command(0x21, 0, 5)
    bus.data([1, 2, 3])
    assert i2c[0].sent == [bytes((0x78, 0x00, 0x21, 0, 5)), bytes((0x78, 0x40, 1, 2, 3))]
    bus.cleanup()
    assert i2c[0].closed


def test_a_reset_line_is_pulsed_before_the_first_byte_and_given_back(i2c: list[FakeI2c]) -> None:
    """A reset line, which some 2.42" panels have."""
    pins = MockFactory()
    bus = i2c_bus(1, 0x3C, reset=RESET, pins=pins)
    assert history(pins, RESET)[-2:] == [False, True]
    bus.cleanup()
    again = i2c_bus(1, 0x3C, reset=RESET, pins=pins)
    again.cleanup()


def test_a_bus_that_is_not_there_keeps_no_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(port: int) -> None:
        raise FileNotFoundError(2, "No such file or directory", f"/dev/i2c-{port}")

    monkeypatch.setattr(smbus2, "SMBus", none)
    monkeypatch.setattr(buses, "RESET_S", 0)
    pins = MockFactory()
    with pytest.raises(DeviceNotFoundError, match="/dev/i2c-7") as kept:
        i2c_bus(7, 0x3C, reset=RESET, pins=pins)
    assert kept.tb, "which holds the bus that failed, as a report would"
    DigitalOutputDevice(RESET, pin_factory=pins).close()


def test_spi_says_by_a_line_which_bytes_are_commands(spi: Any) -> None:
    file, calls = spi
    pins = MockFactory()
    bus = spi_bus(0, 1, DC, reset=RESET, pins=pins)
    assert calls == [(SPI_SPEED, struct.pack("=I", SPI_HZ))]
    assert history(pins, RESET)[-2:] == [False, True]
    bus.data([1, 2])
    assert history(pins, DC)[-1] is True
    bus.command(0xAE)
    assert history(pins, DC)[-1] is False
    assert file.read_bytes() == bytes((1, 2, 0xAE))
    bus.cleanup()
    spi_bus(0, 1, DC, reset=RESET, pins=pins).cleanup()


def test_a_select_line_of_its_own_is_low_around_each_transfer(spi: Any) -> None:
    _, calls = spi
    pins = MockFactory()
    bus = spi_bus(0, 1, DC, select=SELECT, pins=pins)
    assert (SPI_MODE, struct.pack("=B", NO_SELECT)) in calls
    bus.command(0xAE)
    assert history(pins, SELECT)[-3:] == [True, False, True]
    bus.cleanup()
    spi_bus(0, 1, DC, select=SELECT, pins=pins).cleanup()


def test_an_spi_device_that_is_not_there_keeps_no_line() -> None:
    pins = MockFactory()
    with pytest.raises(DeviceNotFoundError, match="SPI") as kept:
        spi_bus(9, 9, DC, pins=pins)
    assert kept.tb
    DigitalOutputDevice(DC, pin_factory=pins).close()


def test_a_line_that_cannot_be_had_is_named(i2c: list[FakeI2c]) -> None:
    class NoPins(MockFactory):
        def pin(self, name: Any) -> Any:
            raise PinInvalidPin(f"{name} is no pin")

    with pytest.raises(PinInvalidPin, match="25"):
        i2c_bus(1, 0x3C, reset=RESET, pins=NoPins())
    assert i2c == []


def test_an_spi_device_that_takes_less_than_it_was_given_is_a_fault(spi: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    bus = spi_bus(0, 1, DC, pins=MockFactory())
    monkeypatch.setattr(buses.os, "write", lambda _, data: len(data) - 1)
    with pytest.raises(OSError, match="1 of 2"):
        bus.data([1, 2])
    bus.cleanup()
