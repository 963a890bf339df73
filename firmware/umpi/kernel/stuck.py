"""Interrupt a call of an engine that does not return, by the processor time that it takes."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, NamedTuple

from umpi.kernel.blame import rooms_of, within

TICKS = 4  # how often the calls are looked at in the time that one may take


@contextmanager
def watched(
    engines: Callable[[], Iterable[type[Any]]], fault: type[BaseException], call_s: float, callers: str
) -> Iterator[None]:
    """Raise `fault` in a call of an engine, made inside, that takes more than `call_s` of the processor.

    `engines` returns those that are loaded now. Only modules whose names begin with `callers` call engines. The time
    that other programs take does not count. On Linux that of other threads does not either: a call that waits is not
    stuck. Calls in all threads are watched. They can be interrupted only between two steps of Python. A thread that is
    not the main one is interrupted at its next step. Inside another thread than the main one, and where a system has no
    such timer, nothing is watched.
    """
    if threading.current_thread() is not threading.main_thread() or sys.platform in ("win32", "emscripten"):
        yield
        return
    watch = _Watch(engines, fault, call_s, callers)
    handler = signal.signal(signal.SIGPROF, watch.tick)
    before_s, again_s = signal.setitimer(signal.ITIMER_PROF, call_s / TICKS, call_s / TICKS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, before_s, again_s)
        # another thread may still have a tick to come, and the default of this signal ends the process
        signal.signal(signal.SIGPROF, _pass_over if handler is signal.SIG_DFL else handler)


def _pass_over(number: int, frame: FrameType | None) -> None:
    """Take a tick that comes after the end of the watch."""


class _Seen(NamedTuple):
    """A call of an engine that runs in a thread, and the processor time of the thread when it was first seen."""

    call: FrameType
    since_ns: int


class _Watch:
    """Look at the running calls at each tick, and interrupt each that has worked too long since it was first seen."""

    def __init__(
        self, engines: Callable[[], Iterable[type[Any]]], fault: type[BaseException], call_s: float, callers: str
    ) -> None:
        self._engines, self._fault, self._call_s, self._callers = engines, fault, call_s, callers
        self._seen: dict[int, _Seen] = {}  # by the thread

    def tick(self, number: int, frame: FrameType | None) -> None:
        """Raise the fault in each call that runs now and has been running for too long."""
        main, running = threading.get_ident(), sys._current_frames()
        natives = {each.ident: each.native_id for each in threading.enumerate()}
        if frame is not None:
            running[main] = frame
        before, self._seen = self._seen, {}
        rooms = {room for engine in self._engines() for room in rooms_of(engine)}
        stuck: dict[int, str] = {}
        for thread, innermost in running.items():
            if (call := self._outermost(innermost, rooms)) is None:
                continue
            used_ns = _used_ns(natives.get(thread))
            seen = before.get(thread)
            since_ns = seen.since_ns if seen and seen.call is call else used_ns
            if used_ns - since_ns >= self._call_s * 1e9:
                stuck[thread] = f"{call.f_code.co_name}() did not return within {self._call_s:g} s of processor time"
            else:
                self._seen[thread] = _Seen(call, since_ns)
        of_main = stuck.pop(main, None)
        for thread, why in stuck.items():
            _interrupt(thread, self._fault, why)
        if of_main:
            raise self._fault(of_main)

    def _outermost(self, frame: FrameType | None, rooms: set[str]) -> FrameType | None:
        """Return the frame of the engine's method that the kernel has called, None if no code of an engine runs."""
        call = None
        while frame is not None:
            module = str(frame.f_globals.get("__name__"))
            if module.startswith(self._callers):
                break  # a test may define the engine, and call what calls it
            if within(module, rooms):
                call = frame
            frame = frame.f_back
        return call


def _used_ns(native: int | None) -> int:
    """Return the processor time that a thread has used, by its number in the kernel, or that of the whole process.

    Linux has a clock for each thread. Its number is made from that of the thread, as the kernel's
    include/linux/posix-timers.h says, and the clock of a thread that has ended is refused.
    `time.pthread_getcpuclockid` may crash for such a thread.
    """
    if sys.platform == "linux" and native is not None:
        with suppress(OSError):
            return time.clock_gettime_ns(~native << 3 | 6)  # 6: the time of the scheduler, of one thread
    return time.process_time_ns()


def _interrupt(thread: int, fault: type[BaseException], why: str) -> None:
    """Raise a fault in another thread. Python takes only a class there, so the fault gets one of its own."""

    def begin(self: BaseException) -> None:
        fault.__init__(self, why)

    named = type(fault.__name__, (fault,), {"__init__": begin, "__module__": fault.__module__})
    import ctypes

    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(named))
