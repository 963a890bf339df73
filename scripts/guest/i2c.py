"""Simulate an I²C bus /dev/i2c-N whose devices are Python objects, through the kernel's CUSE, as root.

/dev/cuse uses the protocol of linux/fuse.h; programs use the ioctls of linux/i2c-dev.h. The arguments of an ioctl point
to more memory of the calling program: the reply names these places, and the kernel repeats the request with their data.
"""

from __future__ import annotations

import errno
import os
import select
import struct
import threading
from collections.abc import Callable, Mapping
from typing import Protocol

IN_HEADER, OUT_HEADER = struct.Struct("<IIQQIIII"), struct.Struct("<IiQ")  # fuse_in_header, fuse_out_header
OPEN, READ, WRITE, RELEASE, FLUSH, INTERRUPT, IOCTL = 14, 15, 16, 18, 25, 36, 39
IOCTL_IN, IOCTL_OUT = struct.Struct("<QIIQII"), struct.Struct("<iIII")  # fuse_ioctl_in, fuse_ioctl_out
PLACE = struct.Struct("<QQ")  # fuse_ioctl_iovec
RETRY = 1 << 2  # FUSE_IOCTL_RETRY
UNRESTRICTED = 1 << 0  # CUSE_UNRESTRICTED_IOCTL
LARGEST = 1 << 16
SLAVE, SLAVE_FORCE, FUNCS, RDWR, SMBUS = 0x703, 0x706, 0x705, 0x707, 0x720
SETTINGS = (0x701, 0x702, 0x704, 0x708)  # retries, timeout, ten bits, checksums
CAN = 0x0EFF_0001 | 0x0C00_0000  # I2C_FUNC_I2C, and the SMBus transactions made of it
MESSAGES, MESSAGE = struct.Struct("<QI4x"), struct.Struct("<HHHxxQ")  # i2c_rdwr_ioctl_data, i2c_msg
TRANSACTION = struct.Struct("<BBxxIQ")  # i2c_smbus_ioctl_data
BYTES = 34  # of the union i2c_smbus_data
BYTE_DATA, I2C_BLOCKS = 2, (6, 8)  # I2C_SMBUS_BYTE_DATA, I2C_SMBUS_I2C_BLOCK_BROKEN and _DATA

Request = tuple[int, int, bytes, int]  # the ioctl, its argument, the data sent so far, the room for the reply
Regions = list[tuple[int, int]]  # addresses in the calling program, with their sizes in bytes


class Device(Protocol):
    """A chip on the bus. Its methods raise OSError if it does not answer."""

    def write(self, data: bytes, /) -> None:
        """Receive the bytes of a transfer."""

    def read(self, count: int, /) -> bytes:
        """Return this many bytes."""


class Retry(Exception):
    """The kernel must repeat the request with data from `places` and room for `answers`."""

    def __init__(self, places: Regions, answers: Regions) -> None:
        self.places, self.answers = places, answers


class I2cBus:
    """The bus /dev/i2c-`number` with `devices` by their addresses; it exists until `close`.

    If `fault` is an errno, every transfer fails with it. `busy` is true during a transfer; `transfers` counts them. If
    a device raises an exception other than OSError, the transfer fails and the exception is added to `complaints`; so
    is an exception that ends the bus.
    """

    def __init__(
        self,
        number: int,
        devices: Mapping[int, Device],
        complaints: list[str] | None = None,
        file: int | None = None,
    ) -> None:
        self.path = f"/dev/i2c-{number}"
        self.fault, self.transfers, self.busy, self.closed = 0, 0, False, False
        self.complaints = [] if complaints is None else complaints
        self._devices = devices
        self._addresses: dict[int, int] = {}  # by the number of the opened file
        self._stop = os.eventfd(0)
        self._file = os.open("/dev/cuse", os.O_RDWR | os.O_CLOEXEC) if file is None else file
        self._serves: dict[int, Callable[[bytes], bytes]] = {
            OPEN: self._open, READ: self._read, WRITE: self._write, IOCTL: self._ioctl,
            RELEASE: lambda _: b"", FLUSH: lambda _: b"",
        }  # fmt: skip
        self._begin(os.path.basename(self.path))
        self._thread = threading.Thread(target=self._run, name="i2c", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Remove the bus, as if its adapter were missing. A second call does nothing."""
        if self.closed:
            return
        self.closed = True
        os.eventfd_write(self._stop, 1)
        self._thread.join()
        os.close(self._file)
        os.close(self._stop)

    def _begin(self, name: str) -> None:
        """Answer CUSE_INIT, the first request, with cuse_init_out and the name."""
        (_, _, unique, *_), _ = self._next()
        reply = struct.pack("<IIIIIIII40x", 7, 31, 0, UNRESTRICTED, LARGEST, LARGEST, 0, 0)
        self._answer(unique, 0, reply + f"DEVNAME={name}\0".encode())

    def _next(self) -> tuple[tuple[int, ...], bytes]:
        data = os.read(self._file, LARGEST * 2)
        head = IN_HEADER.unpack_from(data)
        return head, data[IN_HEADER.size : head[0]]

    def _answer(self, unique: int, error: int, data: bytes = b"") -> None:
        try:
            os.write(self._file, OUT_HEADER.pack(OUT_HEADER.size + len(data), -error, unique) + data)
        except OSError as fault:
            if fault.errno != errno.ENOENT:  # the calling program has been killed
                raise

    def _run(self) -> None:
        try:
            self._answer_all()
        except Exception as fault:  # nobody waits for this thread
            self.complaints.append(f"the bus ended: {type(fault).__name__}: {fault}")

    def _answer_all(self) -> None:
        wait = select.poll()
        for file in (self._file, self._stop):
            wait.register(file, select.POLLIN)
        while self._stop not in dict(wait.poll()):
            try:
                (_, what, unique, *_), body = self._next()
            except OSError as fault:
                if fault.errno in (errno.ENOENT, errno.EINTR):  # the calling program has been killed
                    continue
                raise
            if what == INTERRUPT:
                continue
            self.busy = True
            serve = self._serves.get(what)
            try:
                self._answer(unique, 0, serve(body)) if serve else self._answer(unique, errno.ENOSYS)
            except Retry as retry:
                places = b"".join(PLACE.pack(*place) for place in retry.places + retry.answers)
                counts = len(retry.places), len(retry.answers)
                self._answer(unique, 0, IOCTL_OUT.pack(0, RETRY, *counts) + places)
            except OSError as fault:
                self._answer(unique, fault.errno or errno.EIO)
            except Exception as fault:
                self.complaints.append(f"{type(fault).__name__}: {fault}")
                self._answer(unique, errno.EREMOTEIO)
            self.busy = False

    def _open(self, body: bytes) -> bytes:
        number = len(self._addresses) + 1
        self._addresses[number] = -1
        return struct.pack("<QII", number, 1, 0)  # fuse_open_out, FOPEN_DIRECT_IO

    def _read(self, body: bytes) -> bytes:
        number, _, count = struct.unpack_from("<QQI", body)
        return self._at(self._addresses[number]).read(count)

    def _write(self, body: bytes) -> bytes:
        number, _, count = struct.unpack_from("<QQI", body)
        self._at(self._addresses[number]).write(body[40 : 40 + count])
        return struct.pack("<II", count, 0)

    def _ioctl(self, body: bytes) -> bytes:
        number, _, what, argument, here, room = IOCTL_IN.unpack_from(body)
        request = (what, argument, body[IOCTL_IN.size : IOCTL_IN.size + here], room)
        if what in (SLAVE, SLAVE_FORCE):
            self._addresses[number] = argument
        elif what == FUNCS:
            if not room:
                raise Retry([], [(argument, 8)])
            return IOCTL_OUT.pack(0, 0, 0, 0) + struct.pack("<Q", CAN)
        elif what == SMBUS:
            return IOCTL_OUT.pack(0, 0, 0, 0) + self._smbus(self._addresses[number], request)
        elif what == RDWR:
            return self._rdwr(request)
        elif what not in SETTINGS:
            raise OSError(errno.ENOTTY, "no such ioctl")
        return IOCTL_OUT.pack(0, 0, 0, 0)

    def _smbus(self, address: int, request: Request) -> bytes:
        """Perform an SMBus transaction, which reads or writes registers."""
        _, argument, here, _ = request
        if len(here) < TRANSACTION.size:
            raise Retry([(argument, TRANSACTION.size)], [])
        reads, command, kind, place = TRANSACTION.unpack_from(here)
        if len(here) < TRANSACTION.size + BYTES:
            places = [(argument, TRANSACTION.size), (place, BYTES)]
            raise Retry(places, [(place, BYTES)] if reads else [])
        if kind != BYTE_DATA and kind not in I2C_BLOCKS:
            raise OSError(errno.EOPNOTSUPP, "another transaction")
        block = kind in I2C_BLOCKS  # the first byte is their number
        data = here[TRANSACTION.size :]
        count = data[0] if block else 1
        device = self._at(address)
        if not reads:
            device.write(bytes([command]) + data[block : block + count])
            return b""
        device.write(bytes([command]))
        read = device.read(count)
        return ((bytes([len(read)]) if block else b"") + read).ljust(BYTES, b"\0")

    def _rdwr(self, request: Request) -> bytes:
        """Perform raw messages, one after another."""
        _, argument, here, room = request
        if len(here) < MESSAGES.size:
            raise Retry([(argument, MESSAGES.size)], [])
        place, count = MESSAGES.unpack_from(here)
        before = MESSAGES.size + count * MESSAGE.size
        places = [(argument, MESSAGES.size), (place, count * MESSAGE.size)]
        if len(here) < before:
            raise Retry(places, [])
        messages = [MESSAGE.unpack_from(here, MESSAGES.size + index * MESSAGE.size) for index in range(count)]
        out = [(place, length) for _, reads, length, place in messages if not reads & 1 and length]
        back = [(place, length) for _, reads, length, place in messages if reads & 1 and length]
        if len(here) < before + sum(length for _, length in out) or room < sum(length for _, length in back):
            raise Retry(places + out, back)
        reply = b""
        for address, reads, length, _ in messages:
            if reads & 1:
                reply += self._at(address).read(length)
            else:
                self._at(address).write(here[before : before + length])
                before += length
        return IOCTL_OUT.pack(count, 0, 0, 0) + reply

    def _at(self, address: int) -> Device:
        """Return the device at an address; count the transfer. Raises OSError if there is none, or on a bus fault."""
        self.transfers += 1
        if self.fault:
            raise OSError(self.fault, os.strerror(self.fault))
        if address not in self._devices:
            raise OSError(errno.EREMOTEIO, "no device answers")
        return self._devices[address]
