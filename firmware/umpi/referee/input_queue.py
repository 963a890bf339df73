"""Presses, scans and remote requests in the order of their stamps, which may differ from the order of reading."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Iterator

from umpi.referee.remote import RemoteRequest
from umpi.timing.debounce import Press
from umpi.timing.events import Scan

Answer = Press | Scan | RemoteRequest

# An edge may be read this long after a later one; like `late_ms` of the gate, for fingers. It is more than BELIEVED_NS,
# by which the stamp of a phone may be older than its arrival.
LATE_NS = 20_000_000


class InputQueue:
    """Keep inputs that wait to be played, in the order of their stamps, or in which they became known.

    `due` returns when an input may be played, in monotonic nanoseconds, or None if it waits for a cube. It is called
    for the first input on each query, because an input that was played may have ended a race.
    """

    def __init__(self, due: Callable[[Answer], int | None]) -> None:
        self._due = due
        self._waiting: list[Answer] = []

    def __bool__(self) -> bool:
        """Return whether any input waits."""
        return bool(self._waiting)

    def take(self, queue: Iterable[Answer]) -> None:
        """Add inputs; of equal stamps, the one read first stays first."""
        for answer in queue:
            insort(self._waiting, answer, key=order_ns)

    def pop_due(self, now_ns: int) -> Iterator[Answer]:
        """Yield the inputs that are due, each after the one before it was played."""
        while (due_ns := self.due_ns) is not None and due_ns <= now_ns:
            yield self._waiting.pop(0)

    @property
    def due_ns(self) -> int | None:
        """When the first input may be played, in nanoseconds; None if none waits, or if it waits for a cube."""
        return self._due(self._waiting[0]) if self._waiting else None


def order_ns(answer: Answer) -> int:
    """Return the moment by which inputs are ordered: its stamp, or when the press of a holding button is known.

    A loop that was held up thus plays presses in the same order as a prompt one.
    """
    return max(answer.at_ns, answer.known_ns) if isinstance(answer, Press) else answer.at_ns
