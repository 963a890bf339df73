"""The search for puzzles: one process at a time, and how far it is, in a file beside the journal."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from umpi.kernel.nothing import nothing

SEARCH = "puzzles.search"  # beside the journal


@contextmanager
def alone(path: Path, waits: Callable[[], object] = nothing) -> Iterator[Callable[[int, int], None]]:
    """Wait until no other process searches; yield what notes the number of the match that is searched, and of all.

    `waits` is called if another one searches. Raises OSError.
    """
    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waits()
            fcntl.flock(file, fcntl.LOCK_EX)

        def note(number: int, whole: int) -> None:
            file.truncate(0)
            file.write(f"{number} {whole}")
            file.flush()

        file.truncate(0)
        yield note


def how_far(path: Path) -> tuple[int, int] | None:
    """Return which match is searched, of how many; None if nobody searches, or if the search has only started."""
    try:
        with path.open() as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                number, whole = file.read().split()
                return int(number), int(whole)
    except (OSError, ValueError):
        pass
    return None
