"""What the journal reports: NOT SAVED while it cannot write, and notices that the players must read."""

from __future__ import annotations

from dataclasses import replace

from umpi.display.lesson import LearningPanel
from umpi.i18n.translate import tr
from umpi.referee.ports import JournalPort
from umpi.referee.session import MatchSession
from umpi.table.state import Table

AGAIN_NS = 10**9  # between two attempts to save


class Saving:
    """Try again to save what could not be written, and show what the journal reports."""

    def __init__(self, session: MatchSession, table: Table, panel: LearningPanel) -> None:
        self._session, self._table, self._panel = session, table, panel
        self._saved = True  # the state that the last round saw
        self._notice = ""  # the notice that was shown last

    async def retry(self) -> bool:
        """Try again to save; return whether the sign may have to change."""
        if not (self._session.trouble or self._table.state.unsaved):
            return False
        if not self._session.trouble:  # another call has just written what was left
            return self._table.become(replace(self._table.state, unsaved=""))
        await self._session.write(JournalPort.save)
        self._table.become(replace(self._table.state, unsaved=self._session.trouble))
        return True

    def tell_notice(self) -> bool:
        """Show a notice of the journal that the players must see; return whether it is new."""
        notice = self._session.notice
        if not notice or notice == self._notice:
            return False
        self._notice = notice
        self._panel.tell(tr("Problem"), notice)
        return True

    def failed_now(self) -> bool:
        """Check whether the journal has stopped writing since the last call."""
        before, self._saved = self._saved, not self._session.trouble
        return before and not self._saved

    def due_ns(self, now_ns: int) -> int | None:
        """When to try again, in nanoseconds; None if everything is saved."""
        return now_ns + AGAIN_NS if self._session.trouble else None
