"""Find something in a process of its own, so that it delays nothing at the table."""

from __future__ import annotations

import logging
import subprocess
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from umpi.kernel.aside import run_aside
from umpi.kernel.record import Unreadable, read_line

log = logging.getLogger(__name__)


class OfRecord(Protocol):
    """A wish for something about a match."""

    @property
    def record(self) -> Sequence[str]:
        """The lines of the match."""


Wanted = TypeVar("Wanted")
Event = TypeVar("Event")


class FoundAside(Generic[Wanted, Event]):
    """Start a process per wish, and post what it finds. A new wish ends the process of an older one.

    The process reads what `given` makes of the wish, prints a JSON object, and ends by itself if it takes too long.
    `read` makes the event of it, of {} if it has failed. `what` is found, as the log calls it. `words()` follow in the
    command.
    """

    def __init__(
        self,
        what: str,
        post: Callable[[Event], object],
        command: Sequence[str],
        read: Callable[[Wanted, dict[str, Any]], Event],
        words: Callable[[], Sequence[str]],
        given: Callable[[Wanted], str],
    ) -> None:
        self._what, self._post, self._command = what, post, command
        self._read, self._words, self._given = read, words, given
        self._process: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None  # it waits for the process

    def find(self, wanted: Wanted) -> None:
        """Start the process."""
        older, self._process = self._process, None  # first, so that the older one finds that it was given up
        if older:
            older.kill()
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen([*self._command, *self._words()], stdin=pipe, stdout=pipe, stderr=pipe)
        except OSError as fault:
            log.warning("no %s can be found: %s", self._what, fault)
            self._post(self._read(wanted, {}))
            return
        self._thread = run_aside(partial(self._wait, self._process, wanted), self._what)

    def finish(self) -> bool:
        """Wait until what was wanted last is found; return False if nothing was."""
        thread, self._thread = self._thread, None
        if thread:
            thread.join()
        return thread is not None

    def _wait(self, process: subprocess.Popen[bytes], wanted: Wanted) -> None:
        out, err = process.communicate(self._given(wanted).encode())
        if process is not self._process:
            log.info("a %s was given up for a newer one", self._what)
            return
        if process.returncode:
            log.warning("no %s was found: %s", self._what, err.decode(errors="replace").strip().rpartition("\n")[2])
        self._post(self._read(wanted, read_found(out) if process.returncode == 0 else {}))


def record_of(wanted: OfRecord) -> str:
    """Return the record of a wish about a match, which its process reads."""
    return "\n".join(wanted.record)


def read_found(out: bytes) -> dict[str, Any]:
    """Return the JSON object that was printed, {} if there is none."""
    try:
        return read_line(out) or {}
    except Unreadable:
        return {}
