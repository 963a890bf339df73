"""Find inputs that came too late: they were meant for an earlier question, or for a race that is decided.

A press counts only for the question that its player could have seen.
"""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Literal, TypeVar

from umpi.display.lesson import LearningPanel
from umpi.display.panel import key_of
from umpi.i18n.translate import tr
from umpi.kernel.game import replace
from umpi.referee.input_queue import LATE_NS
from umpi.referee.phones import happened
from umpi.referee.session import MatchSession
from umpi.table.state import Table
from umpi.timing.debounce import Press
from umpi.timing.lines import COLOURS

FOREVER = 2**63 - 1  # nanoseconds
# For so long, a seat button that has become a choice of the table does not count. Nor can a button that was just
# pressed call an answer right. People hammer a buzzer 5 to 10 times a second. They see the new question after a quarter
# of a second, and stop as long after that. To read the question and then choose takes longer, so nobody waits.
HAMMERED_NS = 500_000_000
READ_NS = 2_000_000_000  # how long the screen shows that a press was ignored
Cause = Literal["phone", "cube", "time"]
T = TypeVar("T")


class LateInputs:
    """Know since when the question is on the screen, if no button of the box led to it, and what did.

    Know also since when each button means what it means now, where the seats answer by their own buttons or just did.
    """

    def __init__(self, session: MatchSession, table: Table, panel: LearningPanel) -> None:
        self._session, self._table, self._panel = session, table, panel
        self._shown_ns = 0
        self._cause: Cause = "time"
        self._raced_ns = 0  # the stamp of the last press in a race
        self._owning = False  # whether the seat buttons were those of the seats after the last event
        self._own_until_ns = 0  # until then, a seat button was pressed as that of its seat
        self._meant: tuple[str, object] = "", None  # the question on the screen, and what OK answers
        self._meant_ns = 0  # since when, if a race has changed that
        self._pressed_ns: dict[str, int] = {}  # when each button was pressed last
        self._read_ns: int | None = None  # when players have read that a press was ignored, None before they see it

    async def run_unprompted(self, cause: Cause, doing: Awaitable[T]) -> T:
        """Run something that no button of the box requested, and return its result.

        Presses before its result is shown were meant for the earlier question.
        """
        asked = self._asked
        done = await doing
        if self._asked != asked:
            self.change(cause)
        return done

    @property
    def _asked(self) -> tuple[str, str, tuple[int, ...]]:
        return self._session.question, self._table.state.doubt, self._table.state.heat

    def change(self, cause: Cause) -> None:
        """Note that the question has changed without a button; the next picture shows the new one."""
        self._shown_ns, self._cause = FOREVER, cause

    def interrupt(self) -> None:
        """Note that a notice asks what no button requested: OK answers it from the next picture on."""
        self._meant_ns = FOREVER

    def show(self, now_ns: int) -> None:
        """Note that a picture is shown."""
        if self._shown_ns == FOREVER:
            self._shown_ns = now_ns
        if self._meant_ns == FOREVER:
            self._meant_ns = now_ns

    def late(self, at_ns: int) -> bool:
        """Check whether an input was meant for the question before. In a race, none is late."""
        return at_ns < self._shown_ns and not self._panel.owning

    def follow(self, at_ns: int, entering: bool = False, by_seat: bool = False) -> None:
        """Look what the buttons mean after an event of this time, `by_seat` after the press of a seat.

        While a seat is `entering` its answer, its next presses belong to that answer and count at once.
        """
        menu, _ = self._panel.question
        owned, self._owning = self._owning, self._panel.owning
        meant, self._meant = self._meant, (menu.title, menu.ok)
        if owned and not self._owning and not entering:
            self._own_until_ns = at_ns + HAMMERED_NS
        if (owned or self._owning) and meant != self._meant:
            # nobody sees what follows from a seat's press before the wait for older presses is over
            waited_ns = LATE_NS if owned and by_seat else 0
            self._meant_ns = FOREVER if self._shown_ns == FOREVER else at_ns + waited_ns

    def ignores(self, press: Press) -> bool:
        """Check whether a press was meant for what its button was before, and show it on the screen if so.

        The button of a seat was its own. Any other button, pressed before a race led to this question, was meant for
        the question before: the box hears of OK as it is released. Who hammers on a button calls no answer right by it.
        """
        hammered = press.at_ns < self._pressed_ns.get(press.button, -HAMMERED_NS) + HAMMERED_NS
        self._pressed_ns[press.button] = press.at_ns
        if hammered and not self._panel.covered and self._panel.awards(key_of(press.button)):
            ignored = True
        elif press.button in COLOURS:
            ignored = press.at_ns < self._own_until_ns and not self._panel.owning
        else:
            ignored = press.at_ns < self._meant_ns
        self._read_ns = None
        self._table.become(replace(self._table.state, ignored=ignored))
        return ignored

    def tick(self, now_ns: int) -> bool:
        """End the sign that a press was ignored once players have read it; return whether the screen changes."""
        if not self._table.state.ignored:
            return False
        if self._read_ns is None:
            self._read_ns = now_ns + READ_NS
        return self._read_ns <= now_ns and self._table.become(replace(self._table.state, ignored=False))

    @property
    def due_ns(self) -> int | None:
        """When players have read that a press was ignored, in nanoseconds; None if the screen does not show it."""
        return self._read_ns if self._table.state.ignored else None

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
