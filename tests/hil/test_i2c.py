"""The user-space I²C bus answers requests as the kernel's CUSE sends them: in rounds with more arguments each."""

from __future__ import annotations

import errno
import socket
import struct
from collections.abc import Iterator

import pytest

from scripts.guest.i2c import FUNCS, IOCTL, OPEN, RDWR, SLAVE, SMBUS, I2cBus
from scripts.hil.chips import PanelWires, SensorWires
from tests.kit.glass import patched
from tests.kit.patience import limit_s, wait_for
from umpi.drivers.oled_panel import open_panel
from umpi.drivers.oled_windows import changes, pack
from umpi.simulator.chip import Ssd1306
from umpi.simulator.tcs34725 import Chip

IN_HEADER, OUT_HEADER, IOCTL_OUT = struct.Struct("<IIQQIIII"), struct.Struct("<IiQ"), struct.Struct("<iIII")
PLACE, RETRY = struct.Struct("<QQ"), 1 << 2
PANEL, SENSOR = 0x3C, 0x29
READ = 1


class Kernel:
    """The kernel's end of /dev/cuse, and a program's memory that ioctls point into."""

    def __init__(self, end: socket.socket) -> None:
        self.end, self.memory = end, bytearray(1 << 16)
        self.free = 64

    def ask(self, what: int, body: bytes) -> bytes:
        """Send a request and return the reply; raises OSError if it is an error."""
        self.end.send(IN_HEADER.pack(IN_HEADER.size + len(body), what, 7, 0, 0, 0, 0, 0) + body)
        data = self.end.recv(1 << 17)
        length, error, unique = OUT_HEADER.unpack_from(data)
        assert (length, unique) == (len(data), 7)
        if error:
            raise OSError(-error, "as the bus says")
        return data[OUT_HEADER.size :]

    def put(self, data: bytes) -> int:
        """Put bytes into the memory; returns where."""
        place, self.free = self.free, self.free + len(data)
        self.memory[place : self.free] = data
        return place

    def ioctl(self, code: int, argument: int) -> int:
        """Perform an ioctl in as many rounds as it needs."""
        ins: list[tuple[int, int]] = []
        outs: list[tuple[int, int]] = []
        for _ in range(4):
            here = b"".join(bytes(self.memory[place : place + size]) for place, size in ins)
            room = sum(size for _, size in outs)
            answer = self.ask(IOCTL, struct.pack("<QIIQII", 1, 1, code, argument, len(here), room) + here)
            result, flags, many_in, many_out = IOCTL_OUT.unpack_from(answer)
            rest = answer[IOCTL_OUT.size :]
            if not flags & RETRY:
                for place, size in outs:
                    self.memory[place : place + size], rest = rest[:size], rest[size:]
                return result
            places = [PLACE.unpack_from(rest, PLACE.size * index) for index in range(many_in + many_out)]
            ins, outs = places[:many_in], places[many_in:]
        raise AssertionError("it asks for more data in every round")

    def command(self, *codes: int) -> None:
        """Send commands as luma does, with write_i2c_block_data of smbus2."""
        union = bytes([len(codes), *codes]).ljust(34, b"\0")
        self.ioctl(SMBUS, self.put(struct.pack("<BBxxIQ", 0, 0x00, 8, self.put(union))))

    def data(self, values: list[int]) -> None:
        """Send a picture as luma does, with i2c_rdwr of smbus2."""
        self.messages((PANEL, 0, self.put(bytes([0x40, *values])), len(values) + 1))

    def messages(self, *messages: tuple[int, int, int, int]) -> int:
        """Send raw messages, as (address, flags, place, length)."""
        packed = b"".join(struct.pack("<HHHxxQ", at, flags, size, place) for at, flags, place, size in messages)
        return self.ioctl(RDWR, self.put(struct.pack("<QI4x", self.put(packed), len(messages))))

    def cleanup(self) -> None:
        """A luma serial interface has this method."""


@pytest.fixture
def chips() -> dict[int, Ssd1306 | Chip]:
    return {PANEL: Ssd1306(), SENSOR: Chip("yellow")}


@pytest.fixture
def bus(chips) -> Iterator[tuple[Kernel, I2cBus]]:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.settimeout(limit_s())
    ours.send(IN_HEADER.pack(IN_HEADER.size + 16, 4096, 1, 0, 0, 0, 0, 0) + bytes(16))
    bus = I2cBus(1, {PANEL: PanelWires(chips[PANEL]), SENSOR: SensorWires(chips[SENSOR])}, file=theirs.detach())
    kernel = Kernel(ours)
    assert ours.recv(1 << 17).endswith(b"DEVNAME=i2c-1\0")
    kernel.ask(OPEN, bytes(8))
    kernel.ask(IOCTL, struct.pack("<QIIQII", 1, 1, SLAVE, PANEL, 0, 0))
    yield kernel, bus
    bus.close()
    ours.close()


def test_a_picture_sent_over_the_bus_is_shown_on_the_panel(bus, chips):
    image = patched(5, 3, 100, 60)
    kernel, served = bus
    panel = open_panel("ssd1306", kernel)
    for transfer in changes("ssd1306", None, pack(image)):
        panel.write(transfer)
    assert not chips[PANEL].lit
    panel.light("bright")
    assert chips[PANEL].picture().tobytes() == image.tobytes()
    assert served.complaints == []


def test_a_register_is_read_after_it_was_selected(bus):
    kernel, _ = bus
    kernel.ask(IOCTL, struct.pack("<QIIQII", 1, 1, SLAVE, SENSOR, 0, 0))
    union = kernel.put(bytes([10]).ljust(34, b"\0"))
    kernel.ioctl(SMBUS, kernel.put(struct.pack("<BBxxIQ", READ, 0xA0 | 0x12, 8, union)))
    assert kernel.memory[union : union + 2] == bytes([10, 0x44])
    read = kernel.put(bytes(2))
    assert kernel.messages((SENSOR, 0, kernel.put(b"\xb2"), 1), (SENSOR, READ, read, 2)) == 2
    assert kernel.memory[read : read + 2] == b"\x44\x10"


def test_the_bus_reports_that_it_supports_i2c(bus):
    kernel, _ = bus
    place = kernel.put(bytes(8))
    kernel.ioctl(FUNCS, place)
    assert struct.unpack_from("<Q", kernel.memory, place)[0] & 1


@pytest.mark.parametrize("fault", [errno.EIO, errno.ENXIO, errno.ETIMEDOUT])
def test_a_faulty_bus_returns_its_errno_and_recovers(bus, fault):
    kernel, served = bus
    served.fault = fault
    with pytest.raises(OSError, match="as the bus says") as error:
        kernel.command(0xAF)
    assert error.value.errno == fault
    served.fault = 0
    kernel.command(0xAF)


def test_an_unused_address_and_an_unplugged_panel_do_not_answer(bus, chips):
    kernel, _ = bus
    chips[PANEL].pull()
    for address in (PANEL, 0x50):
        with pytest.raises(OSError, match="as the bus says") as error:
            kernel.messages((address, 0, kernel.put(b"\0\xae"), 2))
        assert error.value.errno == errno.EREMOTEIO


def test_an_unknown_command_is_added_to_the_complaints(bus):
    kernel, served = bus
    with pytest.raises(OSError, match="as the bus says"):
        kernel.command(0xEE)
    assert served.complaints == ["ValueError: the SSD1306 knows no command 0xee"]


def test_an_unplugged_panel_returns_no_status():
    panel = Ssd1306()
    wires = PanelWires(panel)
    assert wires.read(1) == b"\x40"
    panel.pull()
    with pytest.raises(OSError, match="Remote I/O error"):
        wires.read(1)


def test_closing_a_bus_twice_does_nothing_more(bus):
    _, served = bus
    served.close()
    served.close()
    assert served.closed


def test_an_exception_that_ends_the_bus_is_added_to_the_complaints(bus):
    kernel, served = bus
    kernel.end.close()
    wait_for(lambda: not served._thread.is_alive())
    assert not served._thread.is_alive()
    assert "the bus ended" in served.complaints[0]
