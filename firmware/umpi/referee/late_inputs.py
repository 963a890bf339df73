"""Find inputs that came too late: they were meant for an earlier question, or for a race that is decided."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Literal, TypeVar

from umpi.display.lesson import LearningPanel
from umpi.i18n.translate import tr
from umpi.referee.phones import happened
from umpi.referee.session import MatchSession

FOREVER = 2**63 - 1  # nanoseconds
Cause = Literal["phone", "cube", "time"]
T = TypeVar("T")


class LateInputs:
    """Know since when the question is on the screen, if no button of the box led to it, and what did."""

    def __init__(self, session: MatchSession, panel: LearningPanel) -> None:
        self._session, self._panel = session, panel
        self._shown_ns = 0
        self._cause: Cause = "time"
        self._raced_ns = 0  # the stamp of the last press in a race

    async def run_unprompted(self, cause: Cause, doing: Awaitable[T]) -> T:
        """Run something that no button of the box requested, and return its result.

        Presses before its result is shown were meant for the earlier question.
        """
        asked = self._session.question, self._panel.unsure
        done = await doing
        if (self._session.question, self._panel.unsure) != asked:
            self.change(cause)
        return done

    def change(self, cause: Cause) -> None:
        """Note that the question has changed without a button; the next picture shows the new one."""
        self._shown_ns, self._cause = FOREVER, cause

    def show(self, now_ns: int) -> None:
        """Note that a picture is shown."""
        if self._shown_ns == FOREVER:
            self._shown_ns = now_ns

    def late(self, at_ns: int) -> bool:
        """Check whether an input was meant for the question before. In a race, none is late."""
        return at_ns < self._shown_ns and not self._panel.owning

    def tell(self) -> None:
        """Show why a press or a scan does not count. After a timed act the screen already shows the end."""
        what = happened(self._session.match, self._session.lines[-1:])
        if self._cause == "phone":
            self._panel.tell(tr("Too late"), tr("A phone was first. {what}", what=what), passing=True)
        elif self._cause == "cube":
            self._panel.tell(tr("Too late"), tr("A cube was first. {what}", what=what), passing=True)

    def note_raced(self, at_ns: int) -> None:
        """Note a press of a race, and show that it came late if a later one was played before it."""
        if at_ns < self._raced_ns:
            self._panel.tell(tr("Unclear"), tr("A button press came late: check the order."), passing=True)
        self._raced_ns = max(at_ns, self._raced_ns)
