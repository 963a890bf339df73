"""The viewer: make the view state of each round, with the lamps that are lit."""

from __future__ import annotations

import logging

from umpi.display.panel import Panel
from umpi.display.screen_saver import DisplayState
from umpi.kernel.match import Match
from umpi.referee.announcement import FinishOrderTracker
from umpi.referee.cubes import Cubes
from umpi.referee.health import DeviceHealth
from umpi.referee.session import MatchSession
from umpi.referee.transcript import outcome_of
from umpi.referee.view_state import ViewState
from umpi.table.seating import Seating
from umpi.table.state import Table

log = logging.getLogger(__name__)


class Viewer:
    """Collect what the box shows in one frozen value."""

    def __init__(
        self,
        session: MatchSession,
        table: Table,
        panel: Panel,
        finish_order: FinishOrderTracker,
        cubes: Cubes | None,
        health: DeviceHealth,
    ) -> None:
        self._session, self._table = session, table
        self._panel, self._finish_order = panel, finish_order
        self._cubes, self._health = cubes, health

    def view(self, look: DisplayState) -> ViewState:
        """Return what the box shows now."""
        session, panel = self._session, self._panel
        lit, blinking = self._lamps(look)
        return ViewState(
            screen=panel.screen(),
            state=self._table.state,
            look=look,
            lit=tuple(sorted(lit)),
            blinking=tuple(sorted(blinking)),
            match=session.match,
            table=session.table,
            on=session.on,
            number=session.number,
            question=session.question,
            saved=session.saved,
            last=session.lines[-1] if session.lines else None,
            calls=session.calls,
            race=self._finish_order.picture,
            broken=self._health.broken,
        )

    def _lamps(self, look: DisplayState) -> tuple[set[int], set[int]]:
        """Return the lamps that are lit and those that blink; none if the engine fails."""
        match, table, panel = self._session.match, self._session.table, self._panel
        if not self._table.state.playing or not match or not table:
            return set(), set()
        first = None if self._cubes and self._cubes.unsure else self._finish_order.first
        try:
            asked, _ = panel.question
            turn = match.seat if asked.seat is None else asked.seat
            return _lit(match, table, turn), _blinking(match, table, turn, first) if look.light == "bright" else set()
        except Exception as fault:  # the engine decides whose turn it is
            log.error("the lamps cannot be set", exc_info=match.sayable(fault))
            return set(), set()


def _lit(match: Match, table: Seating, turn: int | None) -> set[int]:
    """Return the lamps that the game lights; else of the seat on `turn`, of all, or of the winners at the end."""
    if not match.asks:
        outcome = outcome_of(match)
        places = outcome["places"] if outcome else ()
        return {table.buttons[seat] for seat, place in enumerate(places) if place == 1}
    if (lamps := match.view.lamps) is not None:
        return {table.buttons[seat] for seat in lamps}
    return set(table.buttons) if turn is None else {table.buttons[turn]}


def _blinking(match: Match, table: Seating, turn: int | None, first: int | None) -> set[int]:
    """Return the lamp of the seat that is `first`, until another seat must act, or those of the winners at the end."""
    if not match.asks:
        return _lit(match, table, turn)
    other_acts = turn not in (None, first)
    return {table.buttons[first]} if first is not None and not other_acts else set()
