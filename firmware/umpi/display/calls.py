"""Calls on the display: one large screen per call, each for as long as it takes to read, then the question again."""

from __future__ import annotations

from collections.abc import Sequence

from umpi.i18n.translate import tr
from umpi.kernel.calls import Call

LOOK_NS = 1_500_000_000  # to see that there is a call
LETTER_NS = 60_000_000  # to read one letter of it, as for subtitles


class PassingCalls:
    """Show calls one after the other. It reads no clock: call `tick` at `due_ns`.

    The time of a call begins with the first tick at which it can be seen.
    """

    def __init__(self) -> None:
        self._waiting: tuple[Call, ...] = ()
        self._until_ns: int | None = None  # when the current call has been read, None before it is seen
        self._hidden = False

    @property
    def current(self) -> Call | None:
        """The call on the screen, None if there is none."""
        return self._waiting[0] if self._waiting and not self._hidden else None

    def say(self, calls: Sequence[Call] = ()) -> None:
        """Show these calls from now on, in place of all earlier ones; with none, end the current one."""
        self._waiting, self._until_ns = tuple(calls), None

    def tick(self, now_ns: int, hidden: bool) -> bool:
        """Move on to the next call once the current one has been read; return whether the screen changes.

        While they are `hidden` by something more important, the calls wait.
        """
        before, self._hidden = self.current, hidden
        if self._until_ns is not None and self._until_ns <= now_ns and not hidden:
            self.say(self._waiting[1:])
        call = self.current
        if call is None:
            self._until_ns = None
        elif self._until_ns is None:
            self._until_ns = now_ns + LOOK_NS + LETTER_NS * len(tr(call.text))
        return call is not before

    @property
    def due_ns(self) -> int | None:
        """When the current call has been read, in nanoseconds; None if no call is on the screen."""
        return self._until_ns
