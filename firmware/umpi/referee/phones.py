"""Remote requests: check whether a phone may give a command, execute it, and reply."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from umpi.i18n.translate import Translated, player_label, tr, tr_n
from umpi.kernel.drawn import chosen_alone
from umpi.kernel.fields import Each, Field
from umpi.kernel.game import NOT_GIVEN, Act, Ask
from umpi.kernel.match import Match, Refused
from umpi.kernel.messages import Name, message
from umpi.referee.announcement import RACES, FinishOrderTracker, source_of
from umpi.referee.command_handler import CommandHandler
from umpi.referee.controller import report_broken
from umpi.referee.effects import Effect, Fault, RequestFailed, SendReply, TakeRequest
from umpi.referee.phone_pairing import PhonePairing
from umpi.referee.remote import RemoteRequest, Reply
from umpi.referee.seat_notes import read_note
from umpi.referee.session import MatchSession
from umpi.referee.transcript import amendment, undo_line
from umpi.table.commands import (
    AddPhone,
    Admit,
    AskToJoin,
    Command,
    Correct,
    Do,
    GoOn,
    Leave,
    NamePlayer,
    Rematch,
    Settle,
    StartMatch,
    TakeBack,
    TurnAway,
    UnpairPhone,
    Withdraw,
)
from umpi.table.seating import LEAVE
from umpi.table.seats import COLOURS
from umpi.table.secret import parties, secret_ask
from umpi.table.state import Table
from umpi.table.telling import sentence_of

IMPOSSIBLE = message("The time of this press is impossible. Press again.")
JUDGED = "right"  # the field that records whether an answer was right

log = logging.getLogger(__name__)


class Phones:
    """Handle remote requests. Their replies are sent with the next picture, not before."""

    def __init__(
        self,
        session: MatchSession,
        table: Table,
        finish_order: FinishOrderTracker,
        commands: CommandHandler,
        pairing: PhonePairing,
        emit: Callable[[Effect], object],
    ) -> None:
        self._session, self._table, self._finish_order = session, table, finish_order
        self._commands, self._pairing, self._emit = commands, pairing, emit
        self._withdrawn: set[int] = set()
        self._replies: list[SendReply] = []

    def withdraw(self, id: int) -> None:
        """Withdraw a request that has not been taken yet."""
        self._withdrawn.add(id)

    async def take(self, request: RemoteRequest) -> None:
        """Execute a remote request, or note why not; a request that was withdrawn has no effect."""
        if request.id in self._withdrawn:
            self._withdrawn.discard(request.id)
            return
        self._emit(TakeRequest(request.id))
        try:
            reply = await self._answer(request)
        except Refused as refusal:
            report_broken(refusal, self._emit)
            match = self._session.match
            reply = Reply("refused", tr(refusal.reason, match.players if match else ()))
        except Exception as fault:  # a request may fail, but it must not stop the game
            if match := self._session.match:
                fault = match.sayable(fault)
            log.error("A phone's %s failed", type(request.command).__name__, exc_info=fault)
            self._emit(Fault(fault_line(fault)))
            reply = Reply("failed", tr("Box error: {fault}", fault=Translated(fault_line(fault))))
        self._replies.append(SendReply(request.id, reply))

    def shown(self) -> None:
        """Send the replies, because their results are now on the screen."""
        replies, self._replies = self._replies, []
        for reply in replies:
            self._emit(reply)

    async def _answer(self, request: RemoteRequest) -> Reply:
        command, match = request.command, self._session.match
        if command.phones == "none" or (command.phones == "referee" and request.button is not None):
            return Reply("forbidden", tr("Only the referee’s phone or the box can do that."))
        if command.of_question:
            if not match or not self._table.state.playing:
                return Reply("passed", tr("No active match."))
            if request.question != self._session.question and not self._races(request):
                template = "That question is closed. {what}"
                return Reply("passed", tr(template, what=happened(match, self._session.lines[-1:])))
            if self._table.state.paused:
                return Reply("refused", tr("Match paused. Press any button on the box to resume."))
        match command:
            case Do((act,)):
                return await self._act(request, act)
            case TakeBack(count):
                return await self._undo(request, count)
            case Correct():
                return await self._amend(request, command)
            case Settle():
                return await self._settle(request, command)
            case AddPhone():
                paired = await self._pairing.add(command, request.id)
                return Reply("done") if paired else Reply("forbidden", tr("That is not the code on the box."))
            case AskToJoin(claim, instead):
                why = await self._pairing.ask_to_join(claim, instead)
                return Reply("refused" if why else "done", why)
            case Withdraw(hash):
                self._pairing.withdraw(hash)
                return Reply("done")
            case Admit() | TurnAway():
                decided = await self._commands.decide(command, request.at_ns)
                return Reply("done") if decided else Reply("passed", tr("That phone is no longer waiting."))
            case UnpairPhone():
                if request.button is not None:
                    names = self._table.state.names.freed(request.button)
                    self._table.become(replace(self._table.state, names=names))
                return await self._execute(request, command)
            case StartMatch() | Rematch() | GoOn():
                return await self._start(request, command)
            case Leave(number):
                on = self._session.on and self._table.state.playing and number == self._session.number
                gone = Reply("passed", tr("This match is no longer in play."))
                return await self._execute(request, command) if on else gone
            case NamePlayer(name):
                if request.button is None:
                    return Reply("forbidden", tr("The referee’s phone has no player to name."))
                await self._commands.name_player(request.button, name, request.at_ns)
                return Reply("done")
            case Do():
                return Reply("forbidden", tr("Only the referee’s phone or the box can do that."))
            case _:
                return await self._execute(request, command)

    def races(self, command: object) -> bool:
        """Return whether a command is a press of a race: players press as early as they can."""
        match = self._session.match
        if not (match and self._table.state.playing and isinstance(command, Do) and len(command.acts) == 1):
            return False
        return source_of(match, command.acts[0]) in RACES

    def _races(self, request: RemoteRequest) -> bool:
        """Return whether a request belongs to the race in play, though somebody was first there."""
        return request.question in self._finish_order.race and self.races(request.command)

    async def _execute(self, request: RemoteRequest, command: Command) -> Reply:
        """Execute a command. A press of a player's phone in a race was made after its question was shown."""
        earliest_ns = None
        if request.button is not None and self.races(command):
            shown_ns = self._finish_order.shown_ns(request.question)
            if (request.at_ns if request.stamped_ns is None else request.stamped_ns) < shown_ns:
                return Reply("refused", tr(IMPOSSIBLE))
            earliest_ns = max(request.earliest_ns or 0, shown_ns)
        await self._commands.execute(command, request.at_ns, request.source, earliest_ns)
        return Reply("done")

    async def _start(self, request: RemoteRequest, command: Command) -> Reply:
        """Start or resume a match, unless one is on."""
        if self._session.on and self._table.state.asking:
            return Reply(
                "passed", tr("A match is in progress. First choose “Exit match”, here or in the menu of the box.")
            )
        return await self._execute(request, command)

    async def _act(self, request: RemoteRequest, act: Act) -> Reply:
        match = self._session.match
        assert match
        if why := self._forbids(match, request.button, act.line()):
            return Reply("forbidden", why)
        if doubt := self._table.state.doubt:
            return Reply("refused", tr("Unclear: {doubt} Settle this first.", doubt=Translated(doubt)))
        return await self._execute(request, Do((act,)))

    def _forbids(self, match: Match, button: int | None, line: Mapping[str, Any]) -> str:
        """Return why a phone may not do this, "" if it may; the referee's phone may do everything.

        A seat's phone answers questions to its seat. Of the questions to no seat, it answers those that are not the
        referee's, if the answer names no other seat.
        """
        ask = next((ask for ask in match.asks if ask.verb == line["do"]), None)
        if ask is None:
            return ""
        seat = None if button is None else self._pairing.seat_of(button)
        if (owner := chosen_alone(ask, {name: line[name] for name in line if name not in NOT_GIVEN})) not in (
            None,
            seat,
        ):
            return tr("Only {who} may see that.", who=Name(match.players[owner]))
        if button is None:
            return ""
        if seat is None:
            return tr("No player uses this phone’s button: {button}.", button=Name(player_label(COLOURS[button])))
        if refereed(ask):
            return tr("Only the referee’s phone or the box can do that.")
        table = self._session.table
        if table and table.level_of(ask.seat):
            return ""  # hands of anybody roll and enter for a seat that the box plays
        if ask.seat not in (None, seat):
            return tr("{who}’s turn, not {me}’s.", who=Name(match.players[ask.seat]), me=Name(match.players[seat]))
        seats = [field for field in ask.fields if field.name == "seat"]
        if ask.seat is None and (line.get("seat", seat) != seat or (seats and "seat" not in line)):
            return tr("This phone plays only for {who}.", who=Name(match.players[seat]))
        return ""

    async def _undo(self, request: RemoteRequest, count: int | None) -> Reply:
        """Undo acts, or the last answer. A player's phone undoes its own, and what hands entered for the box's seat."""
        match = self._session.match
        assert match
        last = undo_line(match, self._session.joined, self._table.state.alone)["undo"]
        count = last if count is None else count
        if request.button is not None and count > 0 and not (count <= last and self._own(str(request.source), count)):
            seat = self._pairing.seat_of(request.button)
            if seat in self._table.state.sealed:
                text = "{name}, you have answered. You can change your answer until all have answered."
                if (secret := secret_ask(match.asks)) and (seat,) not in parties(match, secret):
                    text = "{name}, your team has answered. You can change its answer until all have answered."
                return Reply("forbidden", tr(text, name=Name(match.players[seat])))
            return Reply("forbidden", tr("This phone can undo only its own last move."))
        return await self._execute(request, TakeBack(count))

    def _own(self, phone: str, count: int) -> bool:
        """Return whether a phone, or anybody for a seat of the box, entered the last acts; the box may do some."""
        table, alone, done = self._session.table, self._table.state.alone, self._session.done
        assert table
        last = range(len(done) - count, len(done))
        entered = [
            done[index].who == phone or (index not in alone and table.level_of(done[index].seat) is not None)
            for index in last
        ]
        return any(entered) and all(done[index].who in (phone, "box") for index in last)

    async def _amend(self, request: RemoteRequest, correct: Correct) -> Reply:
        if request.button is not None:
            return Reply("forbidden", tr("Only the referee’s phone can edit past moves."))
        if not self._session.all_saved:
            raise Refused(message("Not possible while NOT SAVED is shown: the saved match may be incomplete."))
        assert self._session.match
        _, lost = amendment(self._session.match, correct.index, correct.act.line())
        if not correct.trying:
            await self._execute(request, correct)
        return Reply("done", "", tuple(lost))

    async def _settle(self, request: RemoteRequest, settle: Settle) -> Reply:
        if request.button is not None:
            return Reply("forbidden", tr("Settle that on the box or the referee’s phone."))
        if not (doubt := self._table.state.doubt):
            return Reply("passed", tr("Nothing to settle now."))
        if settle.doubt not in ("", tr(doubt)):
            return Reply("passed", tr("Unclear: {doubt} Settle this first.", doubt=Translated(doubt)))
        return await self._execute(request, settle)


def refereed(ask: Ask) -> bool:
    """Return whether only the referee's phone or the box gives an act.

    These are judgements: whether an answer was right, that nobody knows, that the time for an answer is over. The
    offer shows them: such an act names no seat, is asked of none, and asks for more than everybody can see on the
    table. So are the rare acts of no seat, for example the end of a game. A player may still name their own cube, and
    leave.
    """
    if any(field.name == JUDGED for field in ask.fields):
        return True
    if ask.seat is not None:
        return False
    seats = [field for field in ask.fields if field.name == "seat"]
    if seats:
        return ask.rare and ask.verb != LEAVE and not any(field.source in RACES for field in seats)
    return ask.rare or not ask.fields or not all(map(_in_sight, ask.fields))


def _in_sight(field: Field) -> bool:
    """Return whether everybody at the table can see what answers a field."""
    if isinstance(field, Each):
        return all(map(_in_sight, field.fields))
    return field.source in ("table", "scan")


def fault_line(fault: BaseException) -> str:
    """Return what failed, in one line."""
    return str(fault) if isinstance(fault, RequestFailed) else f"{type(fault).__name__}: {fault}"


def happened(match: Match | None, last: Sequence[tuple[Mapping[str, Any], str]]) -> Translated:
    """Describe the `last` line of a match; "" if nothing was done."""
    if not match or not last:
        return Translated("")
    line, _ = last[-1]
    if "do" in line:
        return sentence_of(match, len(match.acts) - 1)
    if "undo" in line:
        return tr_n("{number} move undone.", "{number} moves undone.", line["undo"])
    return tr(read_note(str(line.get("note", ""))))
