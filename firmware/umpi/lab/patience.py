"""Interrupt a strategy that takes far too long, so that it cannot stop an experiment."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from signal import ITIMER_REAL, SIGALRM, setitimer, signal
from types import FrameType

DECISION_S = 60.0  # the longest that a decision may take
PLAYOUT_S = 1.0  # so much longer per game of its budget


class Stalled(BaseException):
    """Raised in code that takes too long. An `except Exception` on the way, such as that of rules, does not end it."""


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Raise Stalled in the code inside if it takes longer."""
    main = threading.current_thread() is threading.main_thread()
    try:
        with _alarm(seconds) if main else _watch(seconds):
            yield
    except Stalled as fault:
        raise Stalled(f"no answer within {seconds:g} seconds") from fault


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Interrupt the main thread, even while it waits for something."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise Stalled

    handler = signal(SIGALRM, stop)
    before_s, again_s = setitimer(ITIMER_REAL, seconds)
    try:
        yield
    finally:
        setitimer(ITIMER_REAL, before_s, again_s)
        signal(SIGALRM, handler)


@contextmanager
def _watch(seconds: float) -> Iterator[None]:
    """Interrupt this thread, for example that of a cluster's worker, at its next step."""
    thread = ctypes.c_ulong(threading.get_ident())
    timer = threading.Timer(seconds, ctypes.pythonapi.PyThreadState_SetAsyncExc, (thread, ctypes.py_object(Stalled)))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
