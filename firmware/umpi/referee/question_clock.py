"""Times of a match: its age, the deadline of its question, and the reaction to the last act of the box."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from umpi.kernel.game import Ask
from umpi.kernel.measured import Measured
from umpi.timing.units import MS


class Timed(NamedTuple):
    """An act that the box does by itself: when, and its verb. If it is `hidden`, no clock shows the time."""

    due_ns: int
    verb: str
    hidden: bool


class QuestionClock:
    """Count from three moments, in monotonic nanoseconds: the match began, it asked, the box's last act was shown.

    Pauses and interruptions move the moments later.
    """

    def __init__(self) -> None:
        self.began_ns = 0
        self._asked_ns = 0
        self._wait_ms: int | None = None  # how long the box waits before it acts, None if that is not drawn
        self._signal_ns: int | None = None  # when the last act of the box was shown, None if it is not shown yet

    def ask(self, now_ns: int, signal: bool = True) -> None:
        """Begin a question: its deadline counts from now. After a `signal` of the box, a reaction does too."""
        self._asked_ns, self._wait_ms = now_ns, None
        if signal:
            self._signal_ns = None

    def pause(self, length_ns: int) -> None:
        """Exclude a pause from every time."""
        self.began_ns += length_ns
        self._asked_ns += length_ns
        if self._signal_ns is not None:
            self._signal_ns += length_ns

    def show(self, now_ns: int) -> None:
        """Note when the last act of the box was shown: a reaction is measured from then on."""
        if self._signal_ns is None:
            self._signal_ns = now_ns

    def age_ms(self, at_ns: int) -> int:
        """Return the age of the match."""
        return (at_ns - self.began_ns) // MS

    def measured(self, at_ns: int, earliest_ns: int) -> Measured:
        """Return the time from when the last act of the box was shown to a press, 0 if it is not shown yet.

        The press came between `earliest_ns` and its stamp `at_ns`. The time is in whole milliseconds, so it is never
        known better than to one.
        """
        if self._signal_ns is None:
            return Measured(0, 1)
        return Measured(max(0, (at_ns - self._signal_ns) // MS), max(1, -(-(at_ns - earliest_ns) // MS)))

    def waits(self, asks: Sequence[Ask]) -> bool:
        """Check whether one of these asks waits for a time that is not drawn yet."""
        return self._wait_ms is None and any(isinstance(ask.after_ms, tuple) for ask in asks)

    def draw_wait(self, asks: Sequence[Ask], seed: int) -> None:
        """Set how long the box waits before it acts, from a number that was drawn by chance."""
        least, most = next(ask.after_ms for ask in asks if isinstance(ask.after_ms, tuple))
        self._wait_ms = least + seed % (most - least + 1)

    def due(self, ask: Ask) -> Timed | None:
        """Return when the box does an act by itself, None if it does not or the time is not drawn yet."""
        wait_ms = self._wait_ms if isinstance(ask.after_ms, tuple) else ask.after_ms
        if wait_ms is not None:
            return Timed(self._asked_ns + wait_ms * MS, ask.verb, isinstance(ask.after_ms, tuple))
        return Timed(self.began_ns + ask.at_ms * MS, ask.verb, False) if ask.at_ms is not None else None
