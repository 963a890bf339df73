"""Sounds of a buzzer that can only be on or off: one pattern per sound, which begins and ends by the clock."""

from __future__ import annotations

from collections.abc import Iterable

from umpi.kernel.calls import Sound
from umpi.timing.units import MS

PATTERNS_MS: dict[Sound, tuple[int, ...]] = {  # on, off, on …
    "accepted": (25,),
    "refused": (90, 60, 200),
    "cube": (30, 40, 30),
    "winner": (30, 30, 30, 30, 30, 30, 400),
    "time": (400, 150, 400),
    "good": (20, 25, 20, 25, 20),
    "bad": (20, 20, 20, 20, 20, 20, 300),
    "call": (50,),
}


class Tune:
    """A sequence of pitches with durations, which returns the pitch that is due. Pitch 0 is silence and ends each tune.

    >>> tune = Tune()
    >>> tune.begin([(880, 50)], 0)
    >>> tune.due(0), tune.due_ns, tune.due(50 * MS), tune.due_ns
    (880, 50000000, 0, None)
    """

    def __init__(self) -> None:
        self._changes: list[tuple[int, int]] = []  # time in ns and new pitch in Hz

    def begin(self, steps: Iterable[tuple[int, int]], now_ns: int) -> None:
        """Start a tune of steps, each a pitch and its duration in milliseconds; it replaces the current one."""
        self._changes, at_ns = [], now_ns
        for pitch, long_ms in steps:
            self._changes.append((at_ns, pitch))
            at_ns += long_ms * MS
        self._changes.append((at_ns, 0))

    def due(self, now_ns: int) -> int | None:
        """Return the pitch that is due, the newest if several are late; None if no change is due."""
        pitch = None
        while self._changes and self._changes[0][0] <= now_ns:
            pitch = self._changes.pop(0)[1]
        return pitch

    @property
    def due_ns(self) -> int | None:
        """Return when the pitch changes next; None at the end."""
        return self._changes[0][0] if self._changes else None
