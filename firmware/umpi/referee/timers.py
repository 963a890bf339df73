"""Timers: the time limit per turn, the time left in a timed game, and pauses."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from umpi.referee.question_clock import Timed
from umpi.referee.session import MatchSession
from umpi.table.labels import clock_time
from umpi.table.state import Table

S = 1_000_000_000


class TurnClock:
    """Count down the current turn; times are monotonic nanoseconds. Without a limit it only measures pauses.

    >>> clock = TurnClock()
    >>> clock.allow(30, 0)
    >>> clock.turn("Red", 0)
    >>> clock.left_s(12 * S), clock.due_ns(12 * S + 1) == 13 * S
    (18, True)
    """

    def __init__(self) -> None:
        self.limit_s: int | None = None
        self._turn: Hashable = None  # whose turn it is, None for nobody
        self._began_ns = 0
        self._paused_ns: int | None = None
        self._rung = False

    @property
    def paused(self) -> bool:
        """Whether the game is paused."""
        return self._paused_ns is not None

    def allow(self, limit_s: int | None, now_ns: int) -> None:
        """Set the time limit per turn in seconds, None for no limit, and restart the current turn."""
        self.limit_s, self._began_ns, self._rung = limit_s, now_ns, False

    def turn(self, whose: Hashable, now_ns: int) -> None:
        """Set whose turn it is, None for nobody; the time of a new turn restarts."""
        if whose != self._turn:
            self._turn, self._began_ns, self._rung = whose, now_ns, False

    def pause(self, now_ns: int) -> None:
        """Pause the clock."""
        self._paused_ns = now_ns

    def resume(self, now_ns: int) -> int:
        """Resume the clock; return the length of the pause in nanoseconds."""
        stood_ns = 0 if self._paused_ns is None else max(0, now_ns - self._paused_ns)
        self._began_ns += stood_ns
        self._paused_ns = None
        return stood_ns

    def left_s(self, now_ns: int) -> int | None:
        """Return the seconds left, rounded up; None if no turn is timed."""
        if self.limit_s is None or self._turn is None:
            return None
        return max(0, -((self._at(now_ns) - self._began_ns) // S) + self.limit_s)

    def rings(self, now_ns: int) -> bool:
        """Return whether the time is up; True only once per turn."""
        rings = not self._rung and self.left_s(now_ns) == 0
        self._rung = self._rung or rings
        return rings

    def due_ns(self, now_ns: int) -> int | None:
        """When the clock shows the next second, in nanoseconds; None if it is paused or no time is left."""
        if self.paused or not self.left_s(now_ns):
            return None
        return self._began_ns + ((now_ns - self._began_ns) // S + 1) * S

    def _at(self, now_ns: int) -> int:
        return now_ns if self._paused_ns is None else self._paused_ns


class Timers:
    """Set the clock on the panel: the time left in the turn, otherwise the time left in a timed game."""

    def __init__(self, session: MatchSession, table: Table) -> None:
        self._session, self._table = session, table
        self.turn = TurnClock()

    def timed(self) -> Timed | None:
        """The act that the box does without an input; None in a pause or on another screen."""
        return self._session.timed if self._table.state.playing and not self.turn.paused else None

    def resume(self, now_ns: int) -> None:
        """Resume all clocks after a pause."""
        self._session.clock.pause(self.turn.resume(now_ns))

    def follow(self, at_ns: int) -> None:
        """Look whose turn it is after an input of this time: a new turn begins then, however late it is read."""
        match = self._session.match if self._table.state.asking else None
        self.turn.turn((self._session.uid, match.seat) if match and match.seat is not None else None, at_ns)

    def tick(self, now_ns: int) -> bool:
        """Update the clock on the panel; return whether it shows another second."""
        self.follow(now_ns)
        left_s, timed = self.turn.left_s(now_ns), self.timed()
        if left_s is None and timed and not timed.hidden:
            left_s = max(0, -((now_ns - timed.due_ns) // S))
        if left_s is None and self.turn.paused:
            return False
        clock, state = "" if left_s is None else clock_time(left_s), self._table.state
        return clock != state.clock and self._table.become(replace(state, clock=clock))

    def due_ns(self, now_ns: int) -> int | None:
        """When the clock shows the next second, or when the box acts without an input, in nanoseconds."""
        timed = self.timed()
        seconds_ns = None
        if timed:
            overdue = timed.due_ns <= now_ns  # answers that may be earlier are still waited for
            seconds_ns = now_ns + (S // 1000 if overdue else (timed.due_ns - now_ns - 1) % S + 1)
        return min((due for due in (self.turn.due_ns(now_ns), seconds_ns) if due is not None), default=None)
