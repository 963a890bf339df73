"""One box on a journal: a lock beside its file, which the kernel takes away when the process ends in whatever way."""

from __future__ import annotations

import fcntl
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

log = logging.getLogger(__name__)
PID = 20  # bytes in which the number of the process stands


class InUse(Exception):
    """A journal that another box has; its process is named where it is known, and a journal that is free."""

    def __init__(self, path: Path, process: str, free: Path) -> None:
        who = f"another box (process {process})" if process else "another box"
        super().__init__(
            f"{path} is in use by {who}. Stop that box, or start this one with a journal of its own: --journal {free}"
        )


@contextmanager
def claimed(path: Path) -> Iterator[None]:
    """Keep a journal for this box; raises InUse where another has it.

    The lock is a file of its own beside the journal: SQLite would lose its own locks with that of the journal's file.
    Readers and `umpi history --import` need none. Where no lock can be had, as on a card that cannot be written, the
    box starts all the same: it says by itself that nothing is saved.
    """
    file = _opened(path)
    try:
        if file is not None and not _locked(file):
            raise InUse(path, os.pread(file, PID, 0).decode(errors="replace").strip(), _free(path))
        if file is not None:
            with suppress(OSError):  # a lock that another user has made can be had, and not be written
                os.pwrite(file, f"{os.getpid()}\n".encode().ljust(PID), 0)
        yield
    finally:
        if file is not None:
            os.close(file)


def _opened(path: Path) -> int | None:
    """Open the lock beside a journal; None where there can be none."""
    lock = path.with_name(path.name + ".lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            return os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except PermissionError:
            return os.open(lock, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as fault:
        log.warning("%s: %s; another box on this journal goes unseen", lock, fault.strerror)
        return None


def _locked(file: int) -> bool:
    """Lock an open file; False where another process has. A file system without locks refuses nobody."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as fault:
        log.warning("No lock: %s; another box on this journal goes unseen", fault.strerror)
    return True


def _free(path: Path) -> Path:
    """Find a name beside a journal that no box uses: games-2.db, which may be there from the last time."""
    for number in count(2):
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
        file = _opened(free) if free.exists() else None
        if file is None:
            return free
        try:
            if _locked(file):
                return free
        finally:
            os.close(file)
    raise AssertionError
