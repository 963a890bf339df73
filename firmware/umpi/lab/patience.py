"""Interrupt a strategy that takes far too long, so that it cannot stop an experiment."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from signal import ITIMER_REAL, SIGALRM, setitimer, signal
from types import FrameType

DECISION_S = 60.0  # the longest that a decision may take
PLAYOUT_S = 1.0  # so much longer per game of its budget


class Stalled(Exception):
    """Raised in a strategy that takes too long."""


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Raise Stalled in the code inside if it takes longer.

    Only the main thread of a process can be interrupted; in another one the code may take as long as it likes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise Stalled(f"no answer within {seconds:g} seconds")

    handler = signal(SIGALRM, stop)
    before_s, again_s = setitimer(ITIMER_REAL, seconds)
    try:
        yield
    finally:
        setitimer(ITIMER_REAL, before_s, again_s)
        signal(SIGALRM, handler)
