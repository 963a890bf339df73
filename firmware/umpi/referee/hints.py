"""Hints: have the service compute what the box would answer, and show it while the question is open.

A hint never plays. The game continues while it is computed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from umpi.display.panel import Panel
from umpi.i18n.translate import tr
from umpi.kernel.match import Refused
from umpi.kernel.messages import message
from umpi.kernel.record import record_lines
from umpi.referee.controller import Controller
from umpi.referee.effects import Effect, FindHint
from umpi.referee.events import HintFound
from umpi.referee.session import MatchSession
from umpi.table.hint import Hint, tell_hint
from umpi.table.sources import Source
from umpi.table.state import Table

WHY = {
    "nothing": message("There is no hint for this question."),
    "hidden": message("There is no hint: the box cannot see your cards."),
    "failed": message("There is no hint: it took too long or failed."),
}


class Hints:
    """Ask for hints, and show them to those who asked. `emit` takes effects."""

    def __init__(
        self,
        session: MatchSession,
        table: Table,
        panel: Panel,
        controller: Controller,
        emit: Callable[[Effect], object],
    ) -> None:
        self._session, self._table, self._panel = session, table, panel
        self._controller, self._emit = controller, emit

    def ask(self, source: Source) -> None:
        """Ask for a hint to the current question, or show it again. Raises Refused."""
        match, question, hint = self._session.match, self._session.question, self._table.state.hint
        if hint is None:
            raise Refused(message("Hints are off. umpi.toml switches them on."))
        if self._table.state.box_turn:
            raise Refused(message("There is no hint: Umpi plays this seat."))
        if not match or match.seat is None:
            raise Refused(message("There is no hint: more than one player may move now."))
        if match.hands_hidden:
            raise Refused(message("There are no hints: everybody would see what is in a hand."))
        if hint.question != question:
            hint = Hint(question)
            self._emit(FindHint(question, record_lines(match)))
        self._show(hint.asked_by(source), by_phone=source != "panel")

    def hear(self, found: HintFound) -> bool:
        """Show a hint that was found; return False if its question has been answered or its match left meanwhile."""
        match, hint = self._session.match if self._session.on else None, self._table.state.hint
        if not match or not hint or hint.question != found.question or found.question != self._session.question:
            return False
        self._show(replace(hint, text=tell_hint(match, found.act) if found.act else tr(WHY[found.why])), by_phone=True)
        return True

    def _show(self, hint: Hint, by_phone: bool) -> None:
        """Show a hint, or that it is being computed; keep what players have entered at the box meanwhile."""
        self._table.become(replace(self._table.state, hint=hint))
        self._controller.show("entry" if by_phone else "nothing")
        if hint.text:
            self._panel.tell(tr("Hint"), hint.text, passing=True)
        else:
            self._panel.note(tr("Hint follows …"))
