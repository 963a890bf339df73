"""The terminal beside the box: it prints the guide's lines, and reads typed lines and device events."""

from __future__ import annotations

import os
import select
import sys
import time
from collections import deque
from typing import IO, Protocol

from umpi.frozen import frozen
from umpi.referee.events import DeviceEvent


@frozen
class Typed:
    """A line typed at the terminal, without its end. "" is Enter alone."""

    text: str


Input = DeviceEvent | Typed


class Bench(Protocol):
    """The interface for the guide's output and input."""

    def clock(self) -> int:
        """Return monotonic nanoseconds, on the clock of the devices' time stamps."""
        ...

    def say(self, text: str, live: bool = False) -> None:
        """Print a line. The next line overwrites a `live` one."""

    def post(self, event: DeviceEvent) -> None:
        """Receive a device event, on any thread."""

    def wait(self, seconds: float) -> Input | None:
        """Wait for the next input. Return None if there is none within `seconds`."""
        ...


class Terminal:
    """Run the guide at a terminal. The end of its input counts as a typed "q"."""

    def __init__(self, source: IO[str] | None = None, sink: IO[bytes] | None = None) -> None:
        self._source = (source or sys.stdin).fileno()
        self._sink = sink or sys.stdout.buffer
        self._inputs: deque[Input] = deque()
        self._begun = b""  # a line without its end
        self._live = False
        self._kick = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)

    def clock(self) -> int:
        """Return monotonic nanoseconds."""
        return time.monotonic_ns()

    def say(self, text: str, live: bool = False) -> None:
        """Print a line at once in UTF-8. A file or pipe gets live lines as normal lines."""
        start, self._live = "\r\x1b[K" if self._live else "", live and self._sink.isatty()
        self._sink.write((start + text + "\n" * (not self._live)).encode())
        self._sink.flush()

    def post(self, event: DeviceEvent) -> None:
        """Put a device event on the queue."""
        self._inputs.append(event)
        os.eventfd_write(self._kick, 1)

    def wait(self, seconds: float) -> Input | None:
        """Wait for the next input. Return None if there is none within `seconds`."""
        until_ns = self.clock() + round(seconds * 1e9)
        while not self._inputs:
            left_s = max(0, until_ns - self.clock()) / 1e9
            readable, _, _ = select.select([self._source, self._kick], [], [], left_s)
            if self._kick in readable:
                os.eventfd_read(self._kick)
            if self._source in readable:
                self._read()
            if not readable and not self._inputs:
                return None
        return self._inputs.popleft()

    def _read(self) -> None:
        try:
            data = os.read(self._source, 4096)
        except OSError:  # the terminal has been closed
            data = b""
        self._live = False  # the typed Enter has ended the line
        *lines, self._begun = (self._begun + data).split(b"\n") if data else [b"q", b""]
        self._inputs.extend(Typed(line.decode(errors="replace").strip()) for line in lines)
