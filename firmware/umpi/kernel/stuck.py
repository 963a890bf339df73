"""Interrupt a call of an engine that does not return, by the processor time that it takes."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NamedTuple

from umpi.kernel.blame import rooms_of, within

TICKS = 4  # how often a call is looked at in the time that it may take


@contextmanager
def watched(engines: Iterable[type[Any]], fault: type[BaseException], call_s: float, callers: str) -> Iterator[None]:
    """Raise `fault` in a call of an engine, made inside, that takes more than `call_s` of the processor.

    Only modules whose names begin with `callers` call engines. The time that other programs take does not count. Calls
    in all threads are watched. They can be interrupted only between two steps of Python. A thread that is not the main
    one is interrupted at its next step. Inside another thread than the main one, and where a system has no such timer,
    nothing is watched.
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


class _Seen(NamedTuple):
    """A call of an engine that runs in a thread, and how often it was seen after the first time."""

    call: FrameType
    times: int


class _Watch:
    """Look at the running calls at each tick; the same call seen TICKS times after the first is stuck."""

    def __init__(self, rooms: set[str], fault: type[BaseException], call_s: float, callers: str) -> None:
        self._rooms, self._fault, self._call_s, self._callers = rooms, fault, call_s, callers
        self._seen: dict[int, _Seen] = {}  # by the thread

    def tick(self, number: int, frame: FrameType | None) -> None:
        """Raise the fault in each call that runs now and has been running for too long."""
        main, running = threading.get_ident(), sys._current_frames()
        if frame is not None:
            running[main] = frame
        before, self._seen = self._seen, {}
        stuck: dict[int, str] = {}
        for thread, innermost in running.items():
            if (call := self._outermost(innermost)) is None:
                continue
            seen = before.get(thread)
            times = seen.times + 1 if seen and seen.call is call else 0
            if times >= TICKS:
                stuck[thread] = f"{call.f_code.co_name}() did not return within {self._call_s:g} s of processor time"
            else:
                self._seen[thread] = _Seen(call, times)
        of_main = stuck.pop(main, None)
        for thread, why in stuck.items():
            _interrupt(thread, self._fault, why)
        if of_main:
            raise self._fault(of_main)

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


def _interrupt(thread: int, fault: type[BaseException], why: str) -> None:
    """Raise a fault in another thread. Python takes only a class there, so the fault gets one of its own."""

    def begin(self: BaseException) -> None:
        fault.__init__(self, why)

    named = type(fault.__name__, (fault,), {"__init__": begin, "__module__": fault.__module__})
    import ctypes

    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(named))
