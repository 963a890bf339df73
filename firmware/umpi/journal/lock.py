"""The lock that reserves a journal for one box.

The lock is a file beside the journal. The kernel releases it when the process ends, also after a crash.
"""

from __future__ import annotations

import fcntl
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from umpi.journal.beside import beside

log = logging.getLogger(__name__)
PID = 20  # bytes reserved for the process number


class InUse(Exception):
    """Report that another box uses a journal, with its process number if known and a free journal."""

    def __init__(self, path: Path, process: str, free: Path) -> None:
        who = f"another box (process {process})" if process else "another box"
        super().__init__(
            f"{path} is in use by {who}. Stop that box, or start this one with a journal of its own: --journal {free}"
        )


@contextmanager
def claimed(path: Path) -> Iterator[None]:
    """Reserve a journal for this box. Raises InUse if another box uses it.

    The lock is a separate file beside the journal. SQLite would lose its own locks if this process locked and closed
    the journal file. Readers and `umpi history --import` need no lock. If no lock is possible, for example on a
    read-only card, the box still starts. It then reports that nothing is saved.
    """
    file = _opened(path)
    try:
        if file is not None and not _locked(file):
            raise InUse(path, os.pread(file, PID, 0).decode(errors="replace").strip(), _free(path))
        if file is not None:
            with suppress(OSError):  # a lock file of another user can be locked but not written
                os.pwrite(file, f"{os.getpid()}\n".encode().ljust(PID), 0)
        yield
    finally:
        if file is not None:
            os.close(file)


def holder(path: Path) -> int | None:
    """Return the process of the box that uses a journal, None if no box does. Raises PermissionError."""
    try:
        file = os.open(beside(path, ".lock"), os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        text = os.pread(file, PID, 0).decode(errors="replace").strip()
        return int(text) if not _locked(file) and text.isdecimal() else None
    finally:
        os.close(file)


def _opened(path: Path) -> int | None:
    """Open the lock file of a journal. Return None if that is impossible."""
    lock = beside(path, ".lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            return os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except PermissionError as denied:
            try:
                return os.open(lock, os.O_RDONLY | os.O_CLOEXEC)
            except FileNotFoundError:
                raise denied from None  # in a folder that is read-only
    except OSError as fault:
        log.warning("%s: %s; another box on this journal goes unseen", lock, fault.strerror)
        return None


def _locked(file: int) -> bool:
    """Lock an open file. Return False if another process has locked it.

    Returns True if the file system has no locks.
    """
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as fault:
        log.warning("No lock: %s; another box on this journal goes unseen", fault.strerror)
    return True


def _free(path: Path) -> Path:
    """Return the name of a journal beside `path` that no box uses, for example games-2.db.

    The file may exist from an earlier run.
    """
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
