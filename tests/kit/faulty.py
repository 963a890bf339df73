"""A file layer under SQLite that fails on request, and remembers what a power cut could take away again.

It stands between the `sqlite3` module and the files as a VFS (https://sqlite.org/vfs.html), so that what is tested is
the product's own code. Where SQLite is linked so that its functions cannot be reached, `Disk` raises Unreachable.
"""

from __future__ import annotations

import _sqlite3
import contextlib
import ctypes
import os
from collections.abc import Callable, Iterator
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p
from dataclasses import dataclass
from pathlib import Path

OK, FULL, CANNOT_OPEN = 0, 13, 14  # result codes, https://sqlite.org/rescode.html
IOERR_READ, IOERR_WRITE, IOERR_FSYNC, IOERR_DELETE = 266, 778, 1034, 2570

READ = WRITE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
TRUNCATE = CFUNCTYPE(c_int, c_void_p, c_int64)
SYNC = CFUNCTYPE(c_int, c_void_p, c_int)
CLOSE = CFUNCTYPE(c_int, c_void_p)
OPEN = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)
DELETE = CFUNCTYPE(c_int, c_void_p, c_char_p, c_int)
LOADED = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p)


class Unreachable(Exception):
    """This Python's SQLite cannot be given a file layer of our own."""


class Methods(Structure):
    """sqlite3_io_methods, version 3."""

    _fields_ = (
        ("version", c_int),
        *((name, c_void_p) for name in ("close", "read", "write", "truncate", "sync", "size", "lock", "unlock")),
        *((name, c_void_p) for name in ("reserved", "control", "sector", "device")),
        *((name, c_void_p) for name in ("shm_map", "shm_lock", "shm_barrier", "shm_unmap", "fetch", "unfetch")),
    )


class Vfs(Structure):
    """sqlite3_vfs, version 3."""

    _fields_ = (
        ("version", c_int),
        ("file_size", c_int),
        ("longest_path", c_int),
        ("next", c_void_p),
        ("name", c_char_p),
        ("data", c_void_p),
        ("open", c_void_p),
        ("delete", c_void_p),
        *((f"other_{at}", c_void_p) for at in range(13)),
    )


@dataclass(frozen=True, slots=True)
class Call:
    """One thing SQLite asked of a file: "made", "write", "truncate", "sync" or "delete", and whether it was done.

    `at` is the place of a write, the size of a truncate, 1 for a delete that waits for the folder.
    """

    what: str
    name: str
    at: int = 0
    data: bytes = b""
    done: bool = True


@dataclass(frozen=True, slots=True)
class Fault:
    """The failing operation and the error that SQLite gets; a torn write is half done, and nothing is done after it."""

    name: str
    what: str
    code: int
    torn: bool = False


FAULTS = {
    fault.name: fault
    for fault in (
        Fault("write fails", "write", IOERR_WRITE),
        Fault("disk full", "write", FULL),
        Fault("write torn", "write", IOERR_WRITE, torn=True),
        Fault("truncate fails", "truncate", IOERR_WRITE),
        Fault("sync fails", "sync", IOERR_FSYNC),
        Fault("read fails", "read", IOERR_READ),
        Fault("open fails", "open", CANNOT_OPEN),
        Fault("delete fails", "delete", IOERR_DELETE),
    )
}
LASTING = 1 << 40  # calls: until it is mended


class Disk:
    """The files of this process's databases; `with disk.in_use():` puts it under every one opened meanwhile.

    Nothing really waits for the disk: a sync is only written down. `calls` counts what was asked since `mend`.
    """

    def __init__(self) -> None:
        self.log: list[Call] = []
        self.calls: dict[str, int] = {}
        self.wrong: list[BaseException] = []  # faults of this layer's own
        self.hit = 0  # how often the fault has struck
        self._fault: Fault | None = None
        self._first = self._times = 0
        self.dead = False  # the power has gone: nothing is done any more
        self._names: dict[int, str] = {}  # of the files that are open
        self._methods: dict[int, int] = {}  # their own
        self._wrapped: dict[int, Methods] = {}
        self._sqlite = _library()
        self._real = Vfs.from_address(self._sqlite.sqlite3_vfs_find(None))
        self._vfs = Vfs.from_buffer_copy(self._real)
        self._vfs.name, self._vfs.next = b"faulty", None
        self._opens = self._callback(OPEN, self._open, CANNOT_OPEN)
        self._deletes = self._callback(DELETE, self._delete, IOERR_DELETE)
        _keep(self)

    @contextlib.contextmanager
    def in_use(self) -> Iterator[Disk]:
        """Stand under every database opened meanwhile; raises what went wrong within the layer."""
        self._vfs.open, self._vfs.delete = self._opens, self._deletes
        self._sqlite.sqlite3_vfs_register(ctypes.byref(self._vfs), 1)
        try:
            yield self
        finally:
            self._sqlite.sqlite3_vfs_register(ctypes.byref(self._real), 1)
            self._sqlite.sqlite3_vfs_unregister(ctypes.byref(self._vfs))
            self._vfs.open, self._vfs.delete = self._real.open, self._real.delete
            for file, own in self._methods.items():  # left open by a test that failed: closed when Python ends
                c_void_p.from_address(file).value = own
            self._methods.clear()
            if self.wrong:
                raise self.wrong[0]

    @contextlib.contextmanager
    def checkpoints(self, pages: int) -> Iterator[None]:
        """Make every database opened meanwhile move its pages out of the -wal after this many, not after 1,000."""
        loaded = LOADED(lambda database, *_: self._sqlite.sqlite3_wal_autocheckpoint(database, pages))
        self._sqlite.sqlite3_auto_extension(loaded)
        try:
            yield
        finally:
            self._sqlite.sqlite3_cancel_auto_extension(loaded)

    def fail(self, fault: Fault, first: int, times: int = LASTING) -> None:
        """Cause this fault from the `first` call of its kind on, counted from 0 since `mend`, this many times."""
        self._fault, self._first, self._times = fault, first, times

    def mend(self) -> None:
        """Make everything work again, and restart the count."""
        self._fault, self.dead, self.hit = None, False, 0
        self.calls.clear()

    @contextlib.contextmanager
    def looked_at(self) -> Iterator[None]:
        """Make everything work in this block, without counting or recording, so that a test can look at the state."""
        kept = self.log, self.calls, self._fault, self.dead
        self.log, self.calls, self._fault, self.dead = [], {}, None, False
        try:
            yield
        finally:
            self.log, self.calls, self._fault, self.dead = kept

    def _strikes(self, what: str) -> int:
        """Return the fault of a call, OK for none."""
        number = self.calls[what] = self.calls.get(what, 0) + 1
        if self.dead:
            return IOERR_WRITE
        fault = self._fault
        if not fault or fault.what != what or not 0 <= number - 1 - self._first < self._times:
            return OK
        self.hit += 1
        return fault.code

    def _note(self, what: str, file: int | None, at: int = 0, data: bytes = b"", done: bool = True) -> None:
        name = self._names.get(file or 0, "")
        if name:
            self.log.append(Call(what, name, at, data, done))

    def _open(self, _: int, name: int | None, file: int, flags: int, out: int | None) -> int:
        if code := self._strikes("open"):
            c_void_p.from_address(file).value = None  # nothing there to close
            return code
        path = os.fsdecode(ctypes.string_at(name)) if name else ""
        new = bool(path) and not os.path.exists(path)
        code = int(OPEN(self._real.open)(ctypes.addressof(self._real), name, file, flags, out))
        if code == OK:
            self._names[file] = Path(path).name
            methods = c_void_p.from_address(file)
            self._methods[file] = methods.value or 0
            methods.value = ctypes.addressof(self._around(self._methods[file]))
            if new:
                self._note("made", file)
        return code

    def _around(self, address: int) -> Methods:
        if address not in self._wrapped:
            real = Methods.from_address(address)
            around = Methods.from_buffer_copy(real)
            read, write = READ(real.read), WRITE(real.write)
            truncate, close = TRUNCATE(real.truncate), CLOSE(real.close)

            def on_read(file: int, buffer: int, size: int, at: int) -> int:
                return self._strikes("read") or int(read(file, buffer, size, at))

            def on_write(file: int, buffer: int, size: int, at: int) -> int:
                code = self._strikes("write")
                if code and self._fault and self._fault.torn and not self.dead:
                    self.dead = True
                    write(file, buffer, size // 2, at)
                elif not code:
                    self._note("write", file, at, ctypes.string_at(buffer, size))
                return code or int(write(file, buffer, size, at))

            def on_truncate(file: int, size: int) -> int:
                code = self._strikes("truncate")
                if not code:
                    self._note("truncate", file, size)
                return code or int(truncate(file, size))

            def on_sync(file: int, _: int) -> int:
                code = self._strikes("sync")
                self._note("sync", file, done=not code)
                return code

            def on_close(file: int) -> int:
                self._names.pop(file, None)
                self._methods.pop(file, None)
                return int(close(file))

            around.read, around.write = self._callback(READ, on_read), self._callback(WRITE, on_write)
            around.truncate, around.sync = self._callback(TRUNCATE, on_truncate), self._callback(SYNC, on_sync)
            around.close = self._callback(CLOSE, on_close)
            self._wrapped[address] = around
        return self._wrapped[address]

    def _delete(self, _: int, name: bytes, wait: int) -> int:
        code = self._strikes("delete")
        if not code:
            code = DELETE(self._real.delete)(ctypes.addressof(self._real), name, 0)
        if not code:
            self.log.append(Call("delete", Path(os.fsdecode(name)).name, wait))
        return code

    def _callback(self, kind: type, function: Callable[..., int], otherwise: int = IOERR_WRITE) -> int | None:
        """Make a function SQLite can call; what it raises is kept for `in_use`."""

        def guarded(*values: int) -> int:
            try:
                return function(*values)
            except BaseException as fault:
                self.wrong.append(fault)
                return otherwise

        made = kind(guarded)
        _keep(made)
        return ctypes.cast(made, c_void_p).value


def _keep(what: object) -> None:
    """Keep all objects that SQLite may use after Python has released everything else."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(what))


def _library() -> ctypes.CDLL:
    """Reach the very SQLite that `sqlite3` uses: through that module, whatever it is linked with."""
    library = ctypes.CDLL(getattr(_sqlite3, "__file__", None))
    try:
        library.sqlite3_vfs_find.restype = c_void_p
        library.sqlite3_vfs_register.argtypes = (POINTER(Vfs), c_int)
        library.sqlite3_vfs_unregister.argtypes = (POINTER(Vfs),)
        library.sqlite3_wal_autocheckpoint.argtypes = (c_void_p, c_int)
        library.sqlite3_auto_extension.argtypes = library.sqlite3_cancel_auto_extension.argtypes = (LOADED,)
    except AttributeError as fault:
        raise Unreachable(f"SQLite's functions cannot be reached in this Python ({fault})") from None
    return library
