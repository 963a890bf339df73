"""Empty seats: have the service compute what the box decides for the seats that it plays, and do what needs no hands.

A decision is found in a process of its own, as a hint is; the game does not wait for it. It belongs to the acts before
it: after an undo, the same question gets the same decision, because hands may have acted on it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from umpi.display.calls import LETTER_NS, LOOK_NS
from umpi.display.panel import Panel
from umpi.i18n.translate import tr
from umpi.kernel.drawn import OWN
from umpi.kernel.game import Act
from umpi.kernel.kept import Uid
from umpi.kernel.match import Match
from umpi.kernel.record import Header, dump
from umpi.referee.effects import Effect, FindHint
from umpi.referee.events import HintFound
from umpi.referee.session import MatchSession
from umpi.referee.transcript import act_of
from umpi.table.empty_seat import BoxTurn, left_to_hands, legal, now_of_turn, part_of
from umpi.table.state import Table

DECIDED = "decided"  # name of a note in the journal: the number of lines, and what the box has decided after them
KEPT = 40  # decisions that an undo can return to

log = logging.getLogger(__name__)


class EmptySeats:
    """Keep what the box has decided for its seats. `emit` takes effects."""

    def __init__(self, session: MatchSession, table: Table, emit: Callable[[Effect], object]) -> None:
        self._session, self._table, self._emit = session, table, emit
        self._uid = Uid("")  # the match of the decisions
        self._decisions: list[tuple[tuple[Act, ...], Act]] = []  # each after these acts, the newest last
        self._wanted = ""  # the question for which a decision is being found
        self._unwritten = False  # whether the newest decision is not noted yet
        self._given_up = ""  # the question for which there is none
        self._due: tuple[str, int] | None = None  # the question that the box answers by itself, and when

    @property
    def turn(self) -> BoxTurn | None:
        """The turn of the box, None if people play the seat, report what happened, or correct the past."""
        session = self._session
        match, table = session.match, session.table
        if not match or not table or not session.on or session.later or not table.level_of(match.seat):
            return None
        assert match.seat is not None
        try:
            if match.now.phase in match.game.reported:
                return None
        except Exception as fault:  # the engine's own code
            what = "the box plays no seat: %s does not say its phase"
            log.error(what, match.game.id, exc_info=match.sayable(fault))
            return None
        question = session.question
        act = next((act for acts, act in self._decisions[::-1] if acts == tuple(match.acts)), None)
        return BoxTurn(question, match.seat, act, self._given_up == question)

    @property
    def alone(self) -> frozenset[int]:
        """The acts that the box has done by itself, by index: an undo goes past them to what somebody entered."""
        session = self._session
        match, table = session.match, session.table
        if not match or not table or not any(table.levels_line):
            return frozenset()
        return frozenset(
            index
            for index, done in enumerate(session.done)
            if done.who == "box" and table.level_of(done.seat) and _decided_whole(match, index)
        )

    async def tick(self, now_ns: int, panel: Panel) -> bool:
        """Ask for a decision that is missing, note one that was found, and set when the box acts; return False.

        The box waits until players have read what it does, and as long as they read something else.
        """
        turn = self.turn
        if turn is None:
            self._wanted = ""  # what is found now is for nobody; the question may come again, after a match was left
        if turn and turn.act is None and not turn.given_up and self._wanted != turn.question:
            self._wanted = turn.question
            self._emit(FindHint(turn.question, self._record))
        if self._unwritten and turn and turn.act:
            self._unwritten = False
            await self._session.note(DECIDED, [len(self._session.lines), turn.act.line()])
        self._due = self._next_due(turn, now_ns, panel)
        return False

    def _next_due(self, turn: BoxTurn | None, now_ns: int, panel: Panel) -> tuple[str, int] | None:
        match, state = self._session.match, self._table.state
        if not match or not turn or not turn.act or turn.given_up or self._session.reopened:
            return None
        part = part_of(match, turn.act)
        busy = state.paused or state.doubt or panel.noticing or panel.calls.current or not panel.answering
        if part is None or left_to_hands(part) or busy:
            return None
        if self._due and self._due[0] == turn.question:
            return self._due
        return turn.question, now_ns + LOOK_NS + LETTER_NS * len(tr(now_of_turn(match, turn).text))

    @property
    def due_ns(self) -> int | None:
        """When the box acts by itself, in nanoseconds; None if it does not."""
        return self._due[1] if self._due else None

    def act_due(self, now_ns: int) -> Act | None:
        """Return the act that the box does now, None if it does none."""
        turn = self.turn
        due = self._due and self._due[1] <= now_ns and turn and turn.question == self._due[0]
        return turn.act if due and turn else None

    def give_up(self) -> None:
        """Let people answer the question for the box, because it cannot."""
        self._given_up = self._session.question

    def hear(self, found: HintFound) -> bool:
        """Take a decision that was found; return whether it answers the question in play."""
        match, turn = self._session.match, self.turn
        if found.question != self._wanted or not match or not turn or turn.question != found.question:
            return False
        if found.act and legal(match, turn.seat, found.act):
            self._keep(match, found.act)
            self._unwritten = True
        else:
            log.warning("the box decides nothing for seat %d: %s", turn.seat, found.why or found.act)
            self._given_up = found.question
        return True

    async def resume(self) -> None:
        """Find the decision again that was open when the box went off, and those that an undo can return to."""
        noted, match, table = await self._session.noted(DECIDED), self._session.match, self._session.table
        for index, done in enumerate(self._session.done if match and table else ()):
            if match and table and done.who == "box" and table.level_of(done.seat):
                self._keep(match, _decision(match, index), index)
        if match and isinstance(noted, list | tuple) and len(noted) == 2 and noted[0] == len(self._session.lines):
            self._keep(match, act_of(noted[1]))

    def _keep(self, match: Match, act: Act, count: int | None = None) -> None:
        """Keep a decision after the first `count` acts of the match, by default after all."""
        if self._uid != self._session.uid:
            self._uid, self._decisions = self._session.uid, []
        self._decisions = [*self._decisions, (tuple(match.acts[:count]), act)][-KEPT:]

    @property
    def _record(self) -> tuple[str, ...]:
        """The record of the match, whose header says which seats the box plays."""
        match, table = self._session.match, self._session.table
        assert match
        assert table
        tags = {name: value for name, value in table.header().tags.items() if name in ("buttons", "box")}
        header = Header(match.game, match.players, match.options, tags)
        return tuple(map(dump, (header.line(), *(act.line() for act in match.acts))))


def _decision(match: Match, index: int) -> Act:
    """Return what a seat has decided with an act, without the dice and cards that hands entered."""
    act = match.acts[index]
    fields = {field.name: field.source for field in match.asked(index).walk(dict(act.given))}
    return Act(act.verb, {name: value for name, value in act.given.items() if fields.get(name) == "will"})


def _decided_whole(match: Match, index: int) -> bool:
    """Check whether nobody entered a part of an act: dice, or a card."""
    given = match.acts[index].given
    fields = match.asked(index).walk(dict(given))
    return all(field.source in ("will", *OWN) for field in fields if field.name in given)
