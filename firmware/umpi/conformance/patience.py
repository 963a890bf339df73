"""How long a call of an engine may take while it is checked, and how much memory."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from umpi.kernel import stuck

CALL_S = 10.0  # of processor time: the most that one call of an engine may take
MEMORY = 1 << 30  # bytes that an engine may take in addition to what the process has
STATM = Path("/proc/self/statm")  # sizes of this process, in pages; Linux has it
DATA = 5  # the place of the size of all that it can write


class Stuck(BaseException):
    """Raised in an engine's call that takes too long. An `except Exception` on the way does not end it."""


@contextmanager
def watched(game: type[Any]) -> Iterator[None]:
    """Raise Stuck in a call of the engine, made inside, that takes more than CALL_S of the processor.

    A call that takes more than MEMORY raises MemoryError, where the system has such a limit.
    """
    with limited(MEMORY), stuck.watched(lambda: [game], Stuck, CALL_S, "umpi.conformance."):
        yield


@contextmanager
def limited(more: int) -> Iterator[None]:
    """Let this process take so many bytes in addition to what it has; then Python raises MemoryError. Linux only."""
    if sys.platform in ("win32", "emscripten") or not STATM.exists():
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = memory() + more
    resource.setrlimit(resource.RLIMIT_DATA, (most if soft == resource.RLIM_INFINITY else min(soft, most), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def memory() -> int:
    """Return how many bytes this process has, as `limited` counts them; 0 where the system does not say it."""
    if sys.platform in ("win32", "emscripten") or not STATM.exists():
        return 0
    import resource

    return int(STATM.read_text().split()[DATA]) * resource.getpagesize()
