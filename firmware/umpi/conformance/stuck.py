"""Interrupt a call of an engine that does not return, by the processor time that it takes."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from umpi.kernel.blame import rooms_of, within

CALL_S = 10.0  # of processor time: the most that one call of an engine may take
TICKS = 4  # how often a call is looked at in this time
KIT = "umpi.conformance."


class Stuck(BaseException):
    """Raised in an engine's call that takes too long. An `except Exception` on the way does not end it."""


@contextmanager
def watched(game: type[Any]) -> Iterator[None]:
    """Raise Stuck in a call of the engine, made inside, that takes more than CALL_S of the processor.

    The time that other programs take does not count. Only the main thread can be interrupted, and only between two
    steps of Python. Elsewhere, nothing is watched.
    """
    if threading.current_thread() is not threading.main_thread() or sys.platform == "win32":
        yield
        return
    watch = _Watch(rooms_of(game))
    handler = signal.signal(signal.SIGPROF, watch.tick)
    before_s, again_s = signal.setitimer(signal.ITIMER_PROF, CALL_S / TICKS, CALL_S / TICKS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, before_s, again_s)
        signal.signal(signal.SIGPROF, handler)


class _Watch:
    """Look at the running call at each tick; the same call seen TICKS times after the first is stuck."""

    def __init__(self, rooms: set[str]) -> None:
        self._rooms = rooms
        self._call: FrameType | None = None
        self._seen = 0

    def tick(self, number: int, frame: FrameType | None) -> None:
        """Raise Stuck if the call that runs now has been running for too long."""
        call = self._outermost(frame)
        self._seen = self._seen + 1 if call is self._call else 0
        self._call = call
        if call is not None and self._seen >= TICKS:
            self._call, self._seen = None, 0
            raise Stuck(f"{call.f_code.co_name}() did not return within {CALL_S:g} s of processor time")

    def _outermost(self, frame: FrameType | None) -> FrameType | None:
        """Return the frame of the engine's method that the kernel has called, None if no code of the engine runs."""
        call = None
        while frame is not None:
            module = str(frame.f_globals.get("__name__"))
            if module.startswith(KIT) and module != __name__:
                break  # a test may define the engine, and call the kit
            if within(module, self._rooms):
                call = frame
            frame = frame.f_back
        return call
