"""Remote requests: turn them into acts, reply to each phone, and show the code that pairs a new phone."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from umpi.display.acts import tell_act
from umpi.display.commands import LEAVE
from umpi.display.pairing import Code, InvalidateCode, PairPhone, UnpairPhone
from umpi.display.panel import Panel
from umpi.display.setup import COLOURS
from umpi.i18n.translate import Translated, player_label, tr, tr_n
from umpi.kernel.game import Act
from umpi.kernel.match import Match, Refused
from umpi.kernel.messages import Name, message
from umpi.referee.announcement import FinishOrderTracker
from umpi.referee.controller import Controller
from umpi.referee.effects import Effect, Fault, PairingCall, RequestFailed, SendReply, TakeRequest, perform
from umpi.referee.remote import AddPhone, Amend, ForgetPhone, PlayAct, RemoteRequest, Reply, ResolveDoubt, Undo
from umpi.referee.session import MatchSession

S = 1_000_000_000
JUDGED = "right"  # the field that records whether an answer was right

log = logging.getLogger(__name__)


class Phones:
    """Handle remote requests. Their replies are sent with the next picture, not before."""

    def __init__(
        self,
        session: MatchSession,
        panel: Panel,
        finish_order: FinishOrderTracker,
        playing: Controller,
        emit: Callable[[Effect], object],
    ) -> None:
        self._session, self._panel, self._finish_order, self._controller = session, panel, finish_order, playing
        self._emit = emit
        self._known: Sequence[tuple[int, int | None, str]] | None = None  # None on a box without a phone page
        self._withdrawn: set[int] = set()
        self._replies: list[SendReply] = []
        self._code: tuple[str, int | None, int, str] | None = None  # on the screen: code, button, expiry, page

    def know(self, phones: Sequence[tuple[int, int | None, str]]) -> None:
        """Take the paired phones: number, button and name of each."""
        self._known = phones

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
            self._controller.report(refusal)
            self._finish_order.forget()
            match = self._session.match
            reply = Reply("refused", tr(refusal.reason, match.players if match else ()))
        except Exception as fault:  # a request may fail, but it must not stop the game
            log.exception("A phone's %s failed", type(request.what).__name__)
            self._finish_order.forget()
            self._emit(Fault(fault_line(fault)))
            reply = Reply("failed", tr("The box fails: {fault}", fault=Translated(fault_line(fault))))
        self._replies.append(SendReply(request.id, reply))

    def shown(self) -> None:
        """Send the replies, because their results are now on the screen."""
        replies, self._replies = self._replies, []
        for reply in replies:
            self._emit(reply)

    async def grant(self, command: PairPhone | UnpairPhone | InvalidateCode, at_ns: int) -> None:
        """Execute a command of the panel about phones."""
        match command:
            case PairPhone(who) if self._known is not None:
                code, until_ns, page = await self._pairing("code", who)
                self._code = code, who, until_ns, page
            case UnpairPhone(number):
                await self.part(number)
            case InvalidateCode() if self._known is not None:
                await self._pairing("void")
                self._code = None

    def tick(self, now_ns: int) -> bool:
        """Show the paired phones and the valid code on the panel; return whether they changed."""
        if self._known is None:
            return False
        if self._code and now_ns >= self._code[2]:
            self._code = None
        phones = tuple((number, _label(button, name)) for number, button, name in self._known)
        code = self._code and self._told_code(*self._code, now_ns)
        return self._panel.put(phones=phones, code=code)

    def due_ns(self, now_ns: int) -> int | None:
        """When the code on the screen shows another second, in nanoseconds; None if there is no code."""
        return now_ns + (self._code[2] - now_ns - 1) % S + 1 if self._code else None

    def _told_code(self, code: str, button: int | None, until_ns: int, page: str, now_ns: int) -> Code:
        match, seat = self._session.match, None if button is None else self._seat(button)
        who = tr("The referee") if button is None else player_label(COLOURS[button])
        if match and seat is not None:
            who = player_label(match.players[seat])
        return code, page, who, -((now_ns - until_ns) // S)

    async def part(self, number: int) -> None:
        """Unpair a phone."""
        if self._known is not None and (hash := await self._pairing("revoke", number)):
            await self._session.write("revoke", hash)

    async def _pairing(self, name: Literal["code", "void", "revoke", "enter"], value: object = None) -> Any:
        answer = await perform(PairingCall(name, value))
        if answer.fault:
            raise RequestFailed(answer.fault)
        return answer.value

    async def _answer(self, request: RemoteRequest) -> Reply:
        session, panel, what = self._session, self._panel, request.what
        if isinstance(what, AddPhone):
            if not await self._pairing("enter", request.id):
                return Reply("forbidden", tr("That is not the code on the box."))
            self._code = None
            await session.write("pair", what.hash, what.who, what.name)
            return Reply("done")
        if isinstance(what, ForgetPhone):
            await self.part(what.number)
            return Reply("done")
        if not session.match or not panel.playing:
            return Reply("passed", tr("No game is on the table now."))
        if request.question != session.question:
            template = "That question has passed. {what}"
            return Reply("passed", tr(template, what=happened(session.match, session.lines[-1:])))
        if panel.beside.paused:
            return Reply("refused", tr("The game stands still. Any key of the box lets it go on."))
        match what:
            case PlayAct(line):
                return await self._act(request, line)
            case Undo(count):
                return await self._undo(request, count)
            case Amend():
                return await self._amend(request, what)
            case ResolveDoubt(how):
                return await self._settle(request, how)

    async def _act(self, request: RemoteRequest, line: Mapping[str, Any]) -> Reply:
        match = self._session.match
        assert match
        if why := self._forbids(match, request.button, line):
            return Reply("forbidden", why)
        if doubt := self._panel.unsure[0]:
            return Reply("refused", tr("Not sure: {doubt} That is to be settled first.", doubt=Translated(doubt)))
        given = {name: value for name, value in line.items() if name not in ("do", "by", "at")}
        if given.get("seat") in range(len(match.players)):  # the act may still be refused
            self._finish_order.hear(match, Act(line["do"], given), request.at_ns)
        await self._controller.play([line], request.at_ns, request.who)
        return Reply("done")

    def _forbids(self, match: Match, button: int | None, line: Mapping[str, Any]) -> str:
        """Return why a phone may not do this, "" if it may; the referee's phone may do everything.

        A seat's phone answers questions to its seat, and questions to all seats if the answer names no other seat. Only
        the referee judges whether an answer was right. Only the referee does the rare acts of all seats, for example
        the end of a game. A seat's phone may still name its own cube, and leave.
        """
        ask = next((ask for ask in match.asks if ask.verb == line["do"]), None)
        if button is None or ask is None:
            return ""
        seat = self._seat(button)
        if seat is None:
            return tr("Nobody plays at the button of this phone: {button}.", button=Name(player_label(COLOURS[button])))
        if ask.seat not in (None, seat):
            return tr("{who} is asked, not {me}.", who=Name(match.players[ask.seat]), me=Name(match.players[seat]))
        seats = [field for field in ask.fields if field.name == "seat"]
        own = any(field.source in ("buzz", "cube") for field in seats) or ask.verb == LEAVE
        judged = any(field.name == JUDGED for field in ask.fields)
        if judged or (ask.seat is None and ask.rare and not own):
            return tr("Only the referee's phone does that, or the box.")
        if ask.seat is None and (line.get("seat", seat) != seat or (seats and "seat" not in line)):
            return tr("This phone answers for {who} only.", who=Name(match.players[seat]))
        return ""

    async def _undo(self, request: RemoteRequest, count: int) -> Reply:
        if request.button is not None and count > 0:
            whose = [done.who for done in self._session.done[-count:]]
            mine = request.who in whose and {*whose} <= {request.who, "box"}
            if count > self._session.taking_back()["undo"] or not mine:
                return Reply("forbidden", tr("This phone can take back only what it did last."))
        await self._controller.play([{"undo": count}], request.at_ns, request.who)
        return Reply("done")

    async def _amend(self, request: RemoteRequest, amend: Amend) -> Reply:
        if request.button is not None:
            return Reply("forbidden", tr("Only the referee's phone changes what was done before."))
        if not self._session.all_saved:
            raise Refused(message("Not while something is NOT SAVED: what is on disk may not be all of it."))
        lines, lost = self._session.amending(amend.index, amend.line)
        if not amend.trying:
            await self._controller.amend(lines, request.at_ns, request.who)
        return Reply("done", "", tuple(lost))

    async def _settle(self, request: RemoteRequest, how: str) -> Reply:
        if request.button is not None:
            return Reply("forbidden", tr("That is settled at the box, or from the referee's phone."))
        cubes = self._controller.cubes
        if not cubes or not self._panel.unsure[0]:
            return Reply("passed", tr("Nothing is in doubt now."))
        self._panel.doubt("")
        await cubes.settle(how, request.at_ns)
        return Reply("done")

    def _seat(self, button: int) -> int | None:
        table = self._session.table
        return table.buttons.index(button) if table and button in table.buttons else None


def _label(button: int | None, name: str) -> Translated:
    """Return the name of a paired phone with its owner."""
    who = tr("The referee") if button is None else Name(player_label(COLOURS[button]))
    return tr("{who}: {phone}", who=Translated(who), phone=Name(name))


def fault_line(fault: BaseException) -> str:
    """Return what failed, in one line."""
    return str(fault) if isinstance(fault, RequestFailed) else f"{type(fault).__name__}: {fault}"


def happened(match: Match | None, last: Sequence[tuple[Mapping[str, Any], str]]) -> Translated:
    """Describe the `last` line of a match; "" if nothing was done."""
    if not match or not last:
        return Translated("")
    line, _ = last[-1]
    if "do" in line:
        return tell_act(match, len(match.acts) - 1)
    if "undo" in line:
        return tr_n("{number} act was taken back.", "{number} acts were taken back.", line["undo"])
    return tr(str(line.get("note", "")))
