"""The terminal beside the box: what the guide says goes out, what is typed and what the devices tell comes in."""

from __future__ import annotations

import os
import select
import sys
import time
from collections import deque
from dataclasses import dataclass
from typing import IO, Protocol

from umpi.box.box import DeviceEvent


@dataclass(frozen=True, slots=True)
class Typed:
    """A line typed at the terminal, without its end; "" is Enter alone."""

    text: str


Heard = DeviceEvent | Typed


class Bench(Protocol):
    """How the guide talks and listens."""

    def clock(self) -> int:
        """Tell monotonic nanoseconds, on the clock of the devices' stamps."""
        ...

    def say(self, text: str, live: bool = False) -> None:
        """Say a line; what is said next is written over a `live` one."""

    def post(self, event: DeviceEvent) -> None:
        """Take what a device tells, on any thread."""

    def wait(self, seconds: float) -> Heard | None:
        """Wait for what comes next; None once so many seconds have passed without anything."""
        ...


class Terminal:
    """The bench at a terminal. Where its input ends it reads as if "q" had been typed: nobody is there any more."""

    def __init__(self, source: IO[str] | None = None, sink: IO[bytes] | None = None) -> None:
        self._source = (source or sys.stdin).fileno()
        self._sink = sink or sys.stdout.buffer
        self._heard: deque[Heard] = deque()
        self._begun = b""  # a line that has no end yet
        self._live = False
        self._kick = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)

    def clock(self) -> int:
        """Tell monotonic nanoseconds."""
        return time.monotonic_ns()

    def say(self, text: str, live: bool = False) -> None:
        """Print a line, at once and in UTF-8; on what is no terminal a live line is a line as any."""
        start, self._live = "\r\x1b[K" if self._live else "", live and self._sink.isatty()
        self._sink.write((start + text + "\n" * (not self._live)).encode())
        self._sink.flush()

    def post(self, event: DeviceEvent) -> None:
        """Put what a device tells on the queue."""
        self._heard.append(event)
        os.eventfd_write(self._kick, 1)

    def wait(self, seconds: float) -> Heard | None:
        """Wait for what comes next; None once so many seconds have passed without anything."""
        until_ns = self.clock() + round(seconds * 1e9)
        while not self._heard:
            left_s = max(0, until_ns - self.clock()) / 1e9
            readable, _, _ = select.select([self._source, self._kick], [], [], left_s)
            if self._kick in readable:
                os.eventfd_read(self._kick)
            if self._source in readable:
                self._read()
            if not readable and not self._heard:
                return None
        return self._heard.popleft()

    def _read(self) -> None:
        try:
            data = os.read(self._source, 4096)
        except OSError:  # the terminal has been closed
            data = b""
        self._live = False  # whoever typed has ended the line
        *lines, self._begun = (self._begun + data).split(b"\n") if data else [b"q", b""]
        self._heard.extend(Typed(line.decode(errors="replace").strip()) for line in lines)
