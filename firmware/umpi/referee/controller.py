"""An answer to the match: its lines played, written, and only then shown; refused, they change nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from umpi.display.panel import Panel
from umpi.drivers.speaker import Sound
from umpi.i18n.translate import tr, tr_n
from umpi.kernel.match import Refused
from umpi.referee.announcement import FinishOrderTracker
from umpi.referee.cubes import Cubes
from umpi.referee.session import MatchSession


class Controller:
    """Plays what is answered, by a key, a cube or a phone; `cubes` is the funnel's part, where there is one."""

    def __init__(
        self, session: MatchSession, panel: Panel, finish_order: FinishOrderTracker, sound: Callable[[Sound], object]
    ) -> None:
        self._session, self._panel, self._finish_order, self._sound = session, panel, finish_order, sound
        self.cubes: Cubes | None = None

    async def do(self, lines: Sequence[Mapping[str, Any]], at_ns: int, who: str) -> None:
        """Have the lines of one answer played and written, then show where they lead, or why they were refused."""
        try:
            await self.play(lines, at_ns, who)
        except Refused as refusal:
            self._finish_order.forget()
            self._panel.refuse(refusal.reason)
            self._sound("refused")

    async def play(self, lines: Sequence[Mapping[str, Any]], at_ns: int, who: str) -> None:
        """Do the same, but raise Refused."""
        cubes, match = self.cubes, self._session.match
        assert match
        before, acts = match.now.phase, len(match.acts)
        await self._session.do(lines, at_ns, who)
        match = self._session.match
        assert match
        self._panel.unsaved = self._session.journal.trouble
        self._sound("accepted" if match.asks else "winner")
        under_way = False
        if cubes and who not in ("funnel", "table") and cubes.ended_by(match, acts):
            under_way = await cubes.end()
        if len(match.acts) < acts:
            self._finish_order.clear()  # the order it told has been taken back, or a part of it
        self._finish_order.follow(before, match, who == "funnel")
        if cubes:
            cubes.owned(match, acts)
        self.show(who)
        if under_way:
            why = tr("It fell as you pressed, and counts for nothing. Toss it again.")
            self._panel.tell(tr("A cube"), why, passing=True)
        if cubes and cubes.kept and who != "funnel":
            await cubes.take()

    async def amend(self, lines: Sequence[Mapping[str, Any]], at_ns: int, who: str) -> None:
        """Play lines that change what was done before, cubes and all; raises Refused."""
        await self.drop()
        await self.play(lines, at_ns, who)

    async def leave(self) -> None:
        """Leave the match in play, with what the funnel saw for it."""
        if self.cubes:
            await self.cubes.leave()
        self._finish_order.clear()

    async def drop(self) -> None:
        """Be done with what the funnel saw: what was done before is gone through again."""
        if self.cubes:
            await self.cubes.drop()
        self._finish_order.clear()

    def show(self, who: str = "") -> None:
        """Show where the match stands, and to where the box itself or a phone has moved it on."""
        match, table, later = self._session.match, self._session.table, self._session.later
        assert match
        assert table
        self._panel.later = later
        waiting = tr_n("{number} act waits", "{number} acts wait", len(later)) if later else ""
        seen = self._finish_order.seen or waiting
        if who == "box" or who.startswith("phone"):
            self._panel.renew(match, table, seen, phone=who != "box")
        else:
            self._panel.show(match, table, seen)
