"""Cubes: the answers that fallen cubes give, the doubts about their order, and owners by their colour at rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from umpi.display.panel import Panel
from umpi.display.screens import Place, Seen
from umpi.i18n.translate import capitalised, player_label, tr
from umpi.kernel.fields import Pick
from umpi.kernel.game import HOME, Act
from umpi.kernel.match import Match
from umpi.kernel.messages import Name, message, spaced
from umpi.referee.announcement import Announcement, Doubt, FinishOrderTracker, cube_ask, number_of, order_of, owner_ask
from umpi.referee.health import in_words
from umpi.referee.queue_sensor import QueueSensor
from umpi.referee.session import MatchSession
from umpi.table.commands import Do
from umpi.table.seating import Seating
from umpi.table.state import Table
from umpi.timing.events import QueueDetection
from umpi.timing.funnel import Funnel
from umpi.timing.gate import Cube
from umpi.timing.lines import COLOURS
from umpi.timing.race import Arrival
from umpi.timing.traces import write_trace

DOUBT = "doubt"  # name of a note of the match in the journal


class CubeAnswer(NamedTuple):
    """What a cube answers, with the stamp of the cube in nanoseconds."""

    answer: Do
    at_ns: int


class Cubes:
    """Turn cubes into answers, which the command handler executes, and show on the panel which of them do not count."""

    def __init__(
        self, funnel: Funnel, session: MatchSession, table: Table, panel: Panel, finish_order: FinishOrderTracker
    ) -> None:
        self._funnel, self._session, self._table, self._panel = funnel, session, table, panel
        self._finish_order = finish_order
        self._announcement = Announcement(funnel)
        self._rejected: tuple[str, str] | None = None  # the title and text about a cube that did not count
        self._certain = 0  # cubes of the announcement that have become certain
        self._noted: Doubt | None = None  # as noted with the match in the journal
        self._owners: list[object] = []  # of the cubes that fell through one chute: None, a seat, or HOME
        self._fell: list[int] = []  # the stamps of the same cubes
        self._queue_sensor = QueueSensor()
        self._looked = 0  # how many of the cubes at the stop have been processed

    @property
    def open(self) -> bool:
        """Whether the match has taken a cube of the current announcement."""
        return self._announcement.open

    @property
    def kept(self) -> bool:
        """Whether a cube waits until the match can take it."""
        return bool(self._announcement.kept)

    @property
    def falling(self) -> bool:
        """Whether a cube is falling whose place is not certain yet."""
        return self._funnel.front_ns is not None

    @property
    def unsure(self) -> bool:
        """Whether the players still have to settle the order."""
        return self._session.table is not None and self._announcement.doubt is not None

    def ended_by(self, match: Match, before: int) -> bool:
        """Return whether the first act after `before` acts ends the announcement.

        Naming an owner does not end it while more cubes may fall.
        """
        if not self.open:
            return False
        fields = match.asked(before).fields if len(match.acts) > before else ()
        return not (fields and fields[0].source == "buzz" and cube_ask(match))

    def fell(self, now_ns: int, lost: int) -> bool:
        """Keep the cubes that have become certain, and count the lost edges; return whether there is such a cube."""
        if lost:
            self._funnel.lost(lost, now_ns)
        cubes = self._funnel.tick(now_ns)
        self._certain += len(cubes)
        self._announcement.kept += cubes
        return bool(cubes)

    async def tell_if_freed(self) -> bool:
        """Show that a stuck cube is free again, or that the funnel sees no more cubes; return whether that is new."""
        table = self._session.table
        if not table or not (self._noted is not None or self._funnel.full) or self._announcement.doubt == self._noted:
            return False
        await self._tell_doubt(table)
        return True

    async def next(self) -> CubeAnswer | None:
        """Return what the next cube answers; None if none waits or the question takes none, and show why.

        The question may be hidden by another screen. Call it again once the answer is played.
        """
        announcement, panel, table = self._announcement, self._panel, self._session.table
        playing = self._table.state.playing and not self._table.state.paused
        notice, self._rejected = self._rejected, None
        while announcement.kept:
            match = self._session.match if playing else None
            ask = cube_ask(match) if match else None
            if ask is None or match is None or table is None:
                panel.tell(tr("A cube"), tr("It doesn’t count now. Take it back."), passing=True)
                await self.end()
                return None
            field = ask.fields[0]
            if isinstance(field, Pick) and not field.pool and not announcement.open:
                why = tr(field.refuse(None), match.players)
                panel.tell(tr("Cube on hold"), capitalised(why), passing=True)
                return None
            cube = announcement.kept.pop(0)
            try:
                owner = announcement.owner(cube, table)
            except LookupError as fault:
                notice = tr("A cube"), spaced([*fault.args, message("Take it back.")])
                if not announcement.open and not announcement.kept and self._funnel.front_ns is None:
                    await self.end()  # no cube is left for the next toss
                    break
                continue
            if reason := field.refuse(owner):
                notice = tr("Take it back"), capitalised(tr(reason, match.players))
                if self._owners:
                    self._owners.append(HOME)
                    self._fell.append(cube.t)
                continue
            self._count(cube, owner, match)
            self._finish_order.fall(match, self._seen(match, table), announcement.owned(table), self._chute())
            self._rejected = notice
            return CubeAnswer(Do((Act(ask.verb, {field.name: owner}),)), cube.t)
        if table:
            await self._tell_doubt(table)
        if notice:
            panel.tell(*notice, passing=True)
        return None

    def settling(self, how: str) -> list[dict[str, Any]]:
        """Return the lines that note how the players settle a doubtful announcement, and carry it out."""
        table, match, doubt = self._session.table, self._session.match, self._announcement.doubt
        assert table
        lines: list[dict[str, Any]] = [{"note": f"{how}: {doubt.text(table) if doubt else ''}"}]
        self._announcement.settled = how == "accept"
        if how != "accept" and match and doubt and doubt.before is not None and len(match.acts) > doubt.before:
            lines.append({"undo": len(match.acts) - doubt.before})
        return lines

    async def settled(self, how: str) -> None:
        """Go on after the players have settled a doubtful announcement."""
        table = self._session.table
        assert table
        if how == "accept":
            if self._funnel.full:
                await self._empty_funnel()  # else it would not see the next cube
            await self._tell_doubt(table)
        else:
            await self.end()
        if how == "order by hand":
            self._panel.tell(tr("By hand"), tr("Press OK, then your buttons in the order the cubes came out."))

    async def end(self) -> bool:
        """Keep the raw trace with the match and start a new announcement; return whether a cube was uncertain."""
        under_way = len(self._funnel.verdict.cubes) > self._certain
        await self._restart()
        if self._session.table:
            await self._tell_doubt(self._session.table)
        return under_way

    async def resume(self) -> None:
        """Continue with the resumed match, and show the doubt that was open when the match was interrupted."""
        doubt, table = Doubt.read(await self._session.noted(DOUBT)), self._session.table
        match = self._session.match if self._session.on else None
        if doubt and doubt.before is not None and table and match and len(match.acts) > doubt.before:
            self._announcement, self._noted = Announcement(self._funnel, doubt), doubt
            self._ask_to_settle(doubt.text(table), doubt.heat(table))

    async def leave(self) -> None:
        """Leave the match in play: keep the trace of its cubes, and its doubt in the journal."""
        await self._restart()
        self._noted = None
        self._ask_to_settle("", ())
        self._forget()

    async def drop(self) -> None:
        """Discard the cubes, because earlier acts are about to change."""
        await self.end()
        self._forget()

    async def _restart(self) -> None:
        await self._empty_funnel()
        self._announcement = Announcement(self._funnel)

    async def _empty_funnel(self) -> None:
        """Keep the raw trace of what fell with the match, and forget it."""
        if self._funnel.trace:
            await self._session.keep_trace(list(write_trace(self._funnel.settings, self._funnel.trace)))
        self._funnel.reset()
        self._certain = 0

    async def _tell_doubt(self, table: Seating) -> None:
        """Show the doubt on the panel for the players to settle, and note it with the match."""
        doubt = self._announcement.doubt
        self._finish_order.doubt(doubt.reasons if doubt else ())
        if doubt != self._noted:
            self._noted = doubt
            await self._session.note(DOUBT, doubt.line() if doubt else None)
            await self._session.keep_race(self._finish_order.picture)
        self._ask_to_settle(doubt.text(table) if doubt else "", doubt.heat(table) if doubt else ())

    def _ask_to_settle(self, doubt: str, heat: Sequence[int]) -> None:
        """Ask the players to settle a doubt before anything else; "" ends that question."""
        if doubt != self._table.state.doubt:
            self._table.become(replace(self._table.state, doubt=doubt, heat=tuple(heat)))
            self._panel.ask_about_doubt()

    def rests(self, seen: QueueDetection) -> None:
        """Note what the colour sensor sees at the stop of the queue rail."""
        self._queue_sensor.see(seen)

    def owner_at_rest(self) -> Do | str:
        """Return the answer that names the owner of a cube by its colour at rest, if the match asks.

        Otherwise return what the players must see about the cube at rest, "" for nothing.
        """
        match, table = self._session.match, self._session.table
        if not (match and table and self._owners) or self._announcement.doubt:
            return ""
        ask, come = owner_ask(match), self._queue_sensor.come()
        if come is None:
            if ask and self._queue_sensor.resting and None in self._owners and self._looked == 0:
                self._looked = 1
                return tr("Unknown cube. Owner: press your button.")
            return ""
        for index in range(self._looked, min(len(come), len(self._owners))):
            seat = self._seat(come[index].colour)
            owner = self._owners[index]
            if owner is None and (ask is None or self._owners.index(None) != index):
                return ""  # an earlier cube must be named first
            self._looked = index + 1
            if owner is None and ask:
                if seat is None or ask.fields[0].refuse(seat):
                    return self._strange(come[index])
                return Do((Act(ask.verb, {ask.fields[0].name: seat}),))
            if isinstance(owner, int) and seat not in (None, owner):
                who, colour = Name(match.players[owner]), _called(come[index])
                return tr("{colour}? You entered {who}. Is that right?", colour=colour, who=who)
        return ""

    def owned(self, match: Match, before: int) -> None:
        """Note the owners that the acts from `before` on named, or that a cube was discarded."""
        if len(match.acts) < before:
            self._queue_sensor.doubt()
        for index in range(before, len(match.acts)):
            act, fields = match.acts[index], match.asked(index).fields
            named = act.given.get(fields[0].name) if fields and fields[0].source == "buzz" else None
            if (named is not None or act.verb == HOME) and None in self._owners:
                self._owners[self._owners.index(None)] = HOME if named is None else named
                if self._finish_order.of_cubes and self._session.table:
                    self._finish_order.fall(match, self._seen(match, self._session.table), (), self._chute())
        if not self._finish_order.of_cubes:
            self._forget()

    def _count(self, cube: Cube, owner: int | None, match: Match) -> None:
        if not self._announcement.open:
            self._announcement.before = len(match.acts)
        if owner is None:
            if not self._owners:
                self._queue_sensor.begin(cube.t)
                self._looked = 0
            self._owners.append(None)
            self._fell.append(cube.t)

    def _seen(self, match: Match, table: Seating) -> Seen:
        """Return the cubes in their order; if all fell through one chute and nobody owns one yet, their number."""
        if not self._owners:
            return self._announcement.seen(table)
        if any(isinstance(owner, int) for owner in self._owners):
            return self._order(match)
        count = sum(owner != HOME for owner in self._owners)
        return number_of(count)

    def _order(self, match: Match) -> tuple[Place, ...]:
        """List the cubes of one chute with the owners named so far, without the discarded cubes."""
        return order_of([(one.at_ns, one.seat) for one in self._chute()], match.players)

    def _chute(self) -> list[Arrival]:
        """List the cubes of one chute, without the discarded cubes."""
        each = [(t, owner) for t, owner in zip(self._fell, self._owners, strict=True) if owner != HOME]
        return [Arrival("cube", owner if isinstance(owner, int) else None, t, t, t) for t, owner in each]

    def _forget(self) -> None:
        self._owners, self._fell = [], []
        self._queue_sensor.doubt()

    def _seat(self, colour: str | None) -> int | None:
        table = self._session.table
        place = COLOURS.index(colour) if colour in COLOURS else None
        return table.buttons.index(place) if table and place in table.buttons else None

    def _strange(self, seen: QueueDetection) -> str:
        if seen.colour is None:
            return in_words(seen.reason)
        return tr("{colour}? Impossible. Owner: press your button.", colour=_called(seen))


def _called(seen: QueueDetection) -> str:
    return player_label((seen.colour or "").capitalize())
