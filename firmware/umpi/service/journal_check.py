"""Check the whole journal on a thread of its own, after the first picture and while the box plays."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

from umpi.journal.recovery import check_rest, note_damage
from umpi.kernel.aside import run_aside
from umpi.referee.events import DeviceStatus

PAUSE_S = 0.01  # after each batch of rows, so that no press waits for the check

log = logging.getLogger(__name__)


class JournalCheck:
    """Check a journal once. Damage is logged and posted as the status of the device "journal"."""

    def __init__(self, path: Path, post: Callable[[DeviceStatus], object]) -> None:
        self._path, self._post = path, post
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to check."""
        self._thread = run_aside(self._check, "journal-check")

    def stop(self) -> None:
        """Give the check up at its next pause. Waits for nothing: the thread only reads."""
        self._stopped.set()

    def _check(self) -> None:
        try:
            found = check_rest(self._path, self._pause)
        except _Stopped:
            return
        except (OSError, sqlite3.Error) as fault:
            log.warning("%s cannot be checked now: %s", self._path, fault)
            return
        if not found:
            return
        log.error("%s is damaged: %s. The next start repairs it", self._path, found)
        try:
            note_damage(self._path, found)
        except OSError as fault:  # the next start does not know, and finds it again after its first picture
            log.warning("The damage cannot be noted: %s", fault)
        self._post(DeviceStatus("journal", found))

    def _pause(self) -> None:
        if self._stopped.wait(PAUSE_S):
            raise _Stopped


class _Stopped(Exception):
    """Raised within the check to end it."""
