"""Logging for the commands: the destination and format of messages, and the handling of floods.

Every module logs with `logging.getLogger(__name__)`. The levels are:

- debug: details for a developer;
- info: normal operation;
- warning: something is missing, and the box continues to work;
- error: a function is lost, or code failed.
"""

from __future__ import annotations

import logging
import os
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TextIO

LEVELS = ("debug", "info", "warning", "error")
WINDOW_NS = 60 * 1_000_000_000
SAME = 5  # equal messages written per window: enough for a device that reconnects several times
DISTINCT = 20  # different messages of one line of code written per window
RECENT = 300  # messages that a report contains
PRIORITIES = {logging.DEBUG: 7, logging.INFO: 6, logging.WARNING: 4, logging.ERROR: 3, logging.CRITICAL: 2}


@contextmanager
def logging_to(stream: TextIO, level: str, environment: Mapping[str, str] = os.environ) -> Iterator[None]:
    """Write the messages of all modules at `level` and above to `stream` within the context.

    Messages to the systemd journal start with its priorities, other messages with the name of their level.
    """
    handler = FloodHandler(stream, time.monotonic_ns)
    handler.setFormatter(JournalFormatter() if is_journal(stream, environment) else LineFormatter())
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(level.upper())
    logging.captureWarnings(True)
    try:
        yield
    finally:
        logging.captureWarnings(False)
        root.setLevel(before)
        root.removeHandler(handler)
        handler.close()


def is_journal(stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Check whether `stream` is connected to the systemd journal, as systemd.exec(5) describes $JOURNAL_STREAM."""
    try:
        status = os.fstat(stream.fileno())
    except (OSError, ValueError):  # a stream without a file, as in tests
        return False
    return environment.get("JOURNAL_STREAM", "") == f"{status.st_dev}:{status.st_ino}"


class LineFormatter(logging.Formatter):
    """Format a message for people: `umpi: warning: display: no answer`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the message with its level in front, and its traceback below it."""
        level = "" if record.levelno == logging.INFO else f"{record.levelname.lower()}: "
        return f"umpi: {level}{super().format(record)}"


class JournalFormatter(logging.Formatter):
    """Format a message for the systemd journal, which reads a priority in front of each line, as in sd-daemon(3)."""

    def __init__(self) -> None:
        super().__init__("%(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Return the message and its traceback with the priority in front of every line."""
        priority = PRIORITIES.get(record.levelno, 6)
        return "\n".join(f"<{priority}>{line}" for line in super().format(record).splitlines())


class RecentMessages(logging.Handler):
    """Keep the newest messages for a report."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
        self._messages: deque[str] = deque(maxlen=RECENT)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the messages, oldest first."""
        return iter(list(self._messages))

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a message."""
        self._messages.append(self.format(record))


class FaultMessages(logging.Handler):
    """Call `on_fault` with the message of each error that has a traceback."""

    def __init__(self, on_fault: Callable[[str], object]) -> None:
        super().__init__(logging.ERROR)
        self._on_fault = on_fault

    def emit(self, record: logging.LogRecord) -> None:
        """Pass a message on."""
        if record.exc_info:
            self._on_fault(record.getMessage())


@contextmanager
def handling(*handlers: logging.Handler) -> Iterator[None]:
    """Give the messages of all modules to these handlers within the context."""
    for handler in handlers:
        logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        for handler in handlers:
            logging.getLogger().removeHandler(handler)


class FloodHandler(logging.StreamHandler[TextIO]):
    """Write an equal message at most `SAME` times per minute, and count the messages left out.

    The count is written with the next message after the minute, or when the handler is closed. Of a line of code that
    logs many different messages, only `DISTINCT` per minute are written. `clock` returns monotonic nanoseconds.
    """

    def __init__(self, stream: TextIO, clock: Callable[[], int]) -> None:
        super().__init__(stream)
        self._clock = clock
        self._began_ns = clock()
        self._written: dict[tuple[str, int], Counter[str]] = {}
        self._left_out: dict[tuple[str, int], tuple[int, logging.LogRecord]] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Write a message, or count it if its limit for this minute is reached."""
        now_ns = self._clock()
        if now_ns - self._began_ns >= WINDOW_NS:
            self._write_counts()
            self._began_ns = now_ns
            self._written.clear()
        place = record.pathname, record.lineno
        written = self._written.setdefault(place, Counter())
        text = f"{record.getMessage()} {record.exc_info[1]!r}" if record.exc_info else record.getMessage()
        if written[text] >= SAME or (text not in written and len(written) >= DISTINCT):
            self._left_out[place] = self._left_out.get(place, (0, record))[0] + 1, record
            return
        written[text] += 1
        super().emit(record)

    def close(self) -> None:
        """Write the pending counts and close the handler."""
        self.acquire()
        try:
            self._write_counts()
        finally:
            self.release()
        super().close()

    def _write_counts(self) -> None:
        left_out, self._left_out = self._left_out, {}
        for count, record in left_out.values():
            text = f"{record.getMessage()} ({count} more like this)"
            copy = logging.makeLogRecord(
                {**record.__dict__, "msg": text, "args": (), "exc_info": None, "exc_text": None}
            )
            super().emit(copy)
