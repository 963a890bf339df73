"""Answers of the players: play their lines, write them, then show the result; a refused answer changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from umpi.display.panel import Keep, Panel
from umpi.i18n.translate import tr, tr_n
from umpi.kernel.calls import TOO_EARLY, Call
from umpi.kernel.game import Act, Ask, replace
from umpi.kernel.match import Broken, Match, Refused
from umpi.kernel.messages import Name, listed, message
from umpi.referee.announcement import FinishOrderTracker
from umpi.referee.box_answers import BoxAnswers
from umpi.referee.cubes import Cubes
from umpi.referee.effects import Effect, Fault, PlaySound
from umpi.referee.empty_seats import EmptySeats
from umpi.referee.session import MatchSession
from umpi.referee.wall import WallSensor
from umpi.table.empty_seat import whole
from umpi.table.secret import answer_again, heard, parties, secret_ask
from umpi.table.sounds import sound_of
from umpi.table.sources import Phone, Source
from umpi.table.state import Table
from umpi.timing.race import Arrival


def report_broken(refusal: Refused, emit: Callable[[Effect], object]) -> None:
    """Report a refusal to the service if the engine failed."""
    if isinstance(refusal, Broken):
        emit(Fault(refusal.reason))


class Controller:
    """Play answers from buttons, cubes and phones. `cubes` handles the funnel, None if the box has none."""

    def __init__(
        self,
        session: MatchSession,
        table: Table,
        panel: Panel,
        finish_order: FinishOrderTracker,
        cubes: Cubes | None,
        wall: WallSensor,
        box_answers: BoxAnswers,
        seats: EmptySeats,
        emit: Callable[[Effect], object],
    ) -> None:
        self._session, self._table = session, table
        self._panel, self._finish_order = panel, finish_order
        self._cubes, self._wall, self._box_answers, self._emit = cubes, wall, box_answers, emit
        self._seats = seats

    def refuse(self, refusal: Refused) -> None:
        """Show why something was refused; report it if the engine failed."""
        report_broken(refusal, self._emit)
        self._panel.refuse(refusal.reason)
        self._emit(PlaySound("refused"))

    async def answer(self, acts: Sequence[Act], at_ns: int, source: Source, earliest_ns: int | None) -> bool:
        """Complete an answer with what the box draws, then play it, or keep it if it is secret and others are missing.

        Returns whether it was played. `earliest_ns` is how early a player's phone may have given it, None for every
        other way. Raises Refused.
        """
        acts, own = self._for_box(acts)
        acts, recorded = await self._box_answers.complete(acts, at_ns, source, earliest_ns)
        recorded = "box" if own else recorded
        match = self._session.match
        secret = secret_ask(match.asks) if match else None
        if secret and secret.verb == acts[0].verb:
            return await self._seal(secret, acts[0], at_ns, source)
        buzz = None
        if match and source not in ("funnel", "rail", "box"):
            buzz = self._finish_order.buzz_of(match, acts[0], at_ns, earliest_ns)
        await self.play([act.line() for act in acts], at_ns, source, recorded, buzz)
        return True

    def _for_box(self, acts: Sequence[Act]) -> tuple[Sequence[Act], bool]:
        """Return acts with what the box has decided for its own seat, and whether they are acts of that seat.

        Raises Refused if the box has decided otherwise.
        """
        match, turn = self._session.match, self._seats.turn
        if not match or not turn or turn.given_up or not any(_asks(match, turn.seat, act) for act in acts[:1]):
            return acts, False
        return (whole(match, turn, acts[0]),), True

    async def play(
        self,
        lines: Sequence[Mapping[str, Any]],
        at_ns: int,
        source: Source,
        recorded: Source | None = None,
        buzz: Arrival | None = None,
    ) -> None:
        """Play and write the lines of one answer, then show the result. Raises Refused.

        They are `recorded` for somebody else if the box drew. `buzz` is the place that they get in the order.
        """
        cubes, match = self._cubes, self._session.match
        assert match
        no_hit = self._wall.proposal(match, lines, at_ns)
        before, acts, close = match.now.phase, len(match.acts), self._finish_order.close
        await self._session.do(lines, at_ns, recorded or source)
        match, calls = self._session.match, self._session.calls
        assert match
        self._table.become(replace(self._table.state, unsaved=self._session.trouble))
        self._emit(PlaySound(sound_of(calls, over=not match.asks)))
        under_way = False
        if cubes and source not in ("funnel", "table") and cubes.ended_by(match, acts):
            under_way = await cubes.end()
        if len(match.acts) < acts:
            self._finish_order.clear()  # the order shown has been undone, at least in part
        early = any(call.kind == TOO_EARLY for call in calls)
        self._finish_order.follow(before, acts, match, source == "funnel", buzz, early)
        if source == "box":
            self._finish_order.signal()
        if cubes:
            cubes.owned(match, acts)
        await self._session.keep_race(self._finish_order.picture)
        keep: Keep = "entry" if source == "box" else "menu" if isinstance(source, Phone) else "nothing"
        self.show(keep, calls, cube=source == "funnel")
        if no_hit:
            self._panel.note(tr(no_hit))
        if (unclear := self._finish_order.close) and unclear != close:
            names = listed([message("{who}", who=Name(name)) for name in unclear])
            self._panel.tell(tr("Unclear"), tr("Too close to call: {names}.", names=names), passing=True)
        if under_way:
            why = tr("It fell as you pressed and doesn’t count. Toss it again.")
            self._panel.tell(tr("A cube"), why, passing=True)

    async def _seal(self, ask: Ask, act: Act, at_ns: int, source: Source) -> bool:
        """Keep a secret answer; play all of them once the last seat has answered. Return whether they were played."""
        if lines := await self._session.seal(ask, act):
            await self.play(lines, at_ns, "table")
            match, again = self._session.match, self._session.again
            if match and again:
                self._panel.tell(tr("Answer again"), tr(answer_again(again), match.players))
            return True
        self._emit(PlaySound("accepted"))
        self.show("nothing" if source == "panel" else "entry")  # what another player enters is kept
        return False

    async def amend(self, lines: Sequence[Mapping[str, Any]], at_ns: int, source: Source) -> None:
        """Play lines that change earlier acts, and discard the cubes of the announcement. Raises Refused."""
        await self.drop()
        await self.play(lines, at_ns, source)

    async def leave(self) -> None:
        """Leave the match in play, and clear its finish order."""
        if self._cubes:
            await self._cubes.leave()
        self._finish_order.clear()

    async def drop(self) -> None:
        """Discard what the funnel saw, because earlier acts are about to change."""
        if self._cubes:
            await self._cubes.drop()
        self._finish_order.clear()

    def pass_calls(self, now_ns: int) -> bool:
        """Show each call for its time, unless something more important is shown; return whether the screen changes.

        An open menu stays visible: a press counts for what is below a call, and players must see what that is.
        """
        panel, falling = self._panel, self._cubes is not None and self._cubes.falling
        return panel.calls.tick(now_ns, hidden=falling or panel.covered or not panel.answering)

    def show(self, keep: Keep = "nothing", calls: Sequence[Call] = (), cube: bool = False) -> None:
        """Show the match, and the calls before it, and `keep` what players enter or read; see `Panel.renew`."""
        self._panel.calls.say(calls)
        self.refresh(keep, cube)

    def refresh(self, keep: Keep = "entry", cube: bool = False) -> None:
        """Show the match as it is now, below the calls that are being read; `keep` what players enter or read."""
        match, table, later = self._session.match, self._session.table, self._session.later
        assert match
        assert table
        state, sealed, race = self._table.state, self._session.sealed, self._session.last_race
        seats = self._seats
        state = replace(state, match=match, later=later, sealed=sealed, again=self._session.again, race=race)
        self._table.become(replace(state, box_turn=seats.turn, alone=seats.alone, joined=self._session.joined))
        waiting = tr_n("{number} move on hold", "{number} moves on hold", len(later)) if later else ""
        if ask := secret_ask(match.asks):
            there = parties(match, ask)
            number = len(heard(there, sealed))
            waiting = waiting or tr("Answers: {number} of {all}", number=number, all=len(there))
        self._finish_order.label(match.players)
        seen = self._finish_order.seen or waiting
        if keep == "nothing":
            self._panel.show(match, table, seen, cube)
        else:
            self._panel.renew(match, table, seen, keep)


def _asks(match: Match, seat: int, act: Act) -> bool:
    """Check whether an act answers a question to a seat."""
    return any(ask.seat == seat for ask in match.asks if ask.verb == act.verb)
