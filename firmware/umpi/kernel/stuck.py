"""Interrupt a call of an engine that does not return, by the processor time that it takes."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from umpi.kernel.blame import rooms_of, within

TICKS = 4  # how often a call is looked at in the time that it may take


@contextmanager
def watched(engines: Iterable[type[Any]], fault: type[BaseException], call_s: float, callers: str) -> Iterator[None]:
    """Raise `fault` in a call of an engine, made inside, that takes more than `call_s` of the processor.

    Only modules whose names begin with `callers` call engines. The time that other programs take does not count. Only
    the main thread can be interrupted, and only between two steps of Python. Elsewhere, and where a system has no such
    timer, nothing is watched.
    """
    if threading.current_thread() is not threading.main_thread() or sys.platform in ("win32", "emscripten"):
        yield
        return
    watch = _Watch({room for engine in engines for room in rooms_of(engine)}, fault, call_s, callers)
    handler = signal.signal(signal.SIGPROF, watch.tick)
    before_s, again_s = signal.setitimer(signal.ITIMER_PROF, call_s / TICKS, call_s / TICKS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, before_s, again_s)
        signal.signal(signal.SIGPROF, handler)


class _Watch:
    """Look at the running call at each tick; the same call seen TICKS times after the first is stuck."""

    def __init__(self, rooms: set[str], fault: type[BaseException], call_s: float, callers: str) -> None:
        self._rooms, self._fault, self._call_s, self._callers = rooms, fault, call_s, callers
        self._call: FrameType | None = None
        self._seen = 0

    def tick(self, number: int, frame: FrameType | None) -> None:
        """Raise the fault if the call that runs now has been running for too long."""
        call = self._outermost(frame)
        self._seen = self._seen + 1 if call is self._call else 0
        self._call = call
        if call is not None and self._seen >= TICKS:
            self._call, self._seen = None, 0
            raise self._fault(f"{call.f_code.co_name}() did not return within {self._call_s:g} s of processor time")

    def _outermost(self, frame: FrameType | None) -> FrameType | None:
        """Return the frame of the engine's method that the kernel has called, None if no code of an engine runs."""
        call = None
        while frame is not None:
            module = str(frame.f_globals.get("__name__"))
            if module.startswith(self._callers):
                break  # a test may define the engine, and call what calls it
            if within(module, self._rooms):
                call = frame
            frame = frame.f_back
        return call
