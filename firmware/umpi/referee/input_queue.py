"""Presses, scans and taps to the order they were made in, which is not always the order they are read in."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Iterator

from umpi.drivers.scanner import Scan
from umpi.referee.remote import RemoteRequest
from umpi.timing.debounce import Press

Answer = Press | Scan | RemoteRequest

LATE_NS = 20_000_000  # an edge may be read so long after one that came later: `late_ms` of the gate, for fingers


class InputQueue:
    """Answers that wait to be played, in the order of their stamps.

    `due` tells when the turn of one has come, in monotonic nanoseconds, None where a cube is to tell. It is asked of
    the first that waits, whenever somebody looks, as one that is played may have ended a race.
    """

    def __init__(self, due: Callable[[Answer], int | None]) -> None:
        self._due = due
        self._waiting: list[Answer] = []

    def __bool__(self) -> bool:
        """Whether any waits."""
        return bool(self._waiting)

    def take(self, queue: Iterable[Answer]) -> None:
        """Take what was read; of equal stamps the one read first stays first."""
        for answer in queue:
            insort(self._waiting, answer, key=lambda answer: answer.at_ns)

    def pop_due(self, now_ns: int) -> Iterator[Answer]:
        """Give those whose turn has come, each once the one before it is played."""
        while (due_ns := self.due_ns) is not None and due_ns <= now_ns:
            yield self._waiting.pop(0)

    @property
    def due_ns(self) -> int | None:
        """When the turn of the first has come; None where none waits, or only for a cube."""
        return self._due(self._waiting[0]) if self._waiting else None
