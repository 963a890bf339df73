"""Remote requests: turn them into acts, reply to each phone, and show the code that pairs a new phone."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

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
from umpi.referee.remote import AddPhone, Amend, ForgetPhone, Pairing, PlayAct, RemoteRequest, Reply, ResolveDoubt, Undo
from umpi.referee.session import MatchSession

S = 1_000_000_000
JUDGED = "right"  # the field that records whether an answer was right

log = logging.getLogger(__name__)


class Phones:
    """Handle remote requests.

    `watch` is called whenever another picture is shown. The replies to the requests are sent then, not before.
    """

    def __init__(
        self, session: MatchSession, panel: Panel, finish_order: FinishOrderTracker, playing: Controller
    ) -> None:
        self._session, self._panel, self._finish_order, self._controller = session, panel, finish_order, playing
        self.watch: Callable[[], object] = int
        self.pairing: Pairing | None = None
        self._replies: list[tuple[RemoteRequest, Reply]] = []
        self._code: tuple[str, int | None, int] | None = None  # on the screen: code, button, expiry in ns

    async def take(self, request: RemoteRequest) -> None:
        """Execute a remote request, or note why not; a request that was withdrawn has no effect."""
        if not request.take():
            return
        try:
            reply = await self._answer(request)
        except Refused as refusal:
            self._finish_order.forget()
            match = self._session.match
            reply = Reply("refused", tr(refusal.reason, match.players if match else ()))
        except Exception as fault:  # a request may fail, but it must not stop the game
            log.exception("A phone's %s failed", type(request.what).__name__)
            self._finish_order.forget()
            reply = Reply("failed", tr("Box error: {fault}", fault=Translated(f"{type(fault).__name__}: {fault}")))
        self._replies.append((request, reply))

    def shown(self) -> None:
        """Publish the picture that is now on the screen, and reply to the phones."""
        try:
            self.watch()
        except Exception:  # an engine's own code runs while it is published; the replies are due all the same
            log.exception("the table could not be published to the phones")
        replies, self._replies = self._replies, []
        for request, reply in replies:
            request.reply(reply)

    async def grant(self, command: PairPhone | UnpairPhone | InvalidateCode, at_ns: int) -> None:
        """Execute a command of the panel about phones."""
        match command:
            case PairPhone(who) if self.pairing:
                code, until_ns = self.pairing.code(who, at_ns)
                self._code = code, who, until_ns
            case UnpairPhone(number):
                await self.part(number)
            case InvalidateCode() if self.pairing:
                self.pairing.void()

    def tick(self, now_ns: int) -> bool:
        """Show the paired phones and the valid code on the panel; return whether they changed."""
        panel, pairing = self._panel, self.pairing
        if not pairing:
            return False
        if not pairing.open(now_ns):
            self._code = None
        phones, code = tuple(pairing.known()), self._code and self._told_code(*self._code, pairing.address, now_ns)
        if (phones, code) == (panel.phones, panel.code):
            return False
        panel.phones, panel.code = phones, code
        return True

    def due_ns(self, now_ns: int) -> int | None:
        """When the code on the screen shows another second, in nanoseconds; None if there is no code."""
        return now_ns + (self._code[2] - now_ns - 1) % S + 1 if self._code else None

    def _told_code(self, code: str, button: int | None, until_ns: int, page: str, now_ns: int) -> Code:
        match, seat = self._session.match, None if button is None else self._seat(button)
        who = tr("Referee") if button is None else player_label(COLOURS[button])
        if match and seat is not None:
            who = player_label(match.players[seat])
        return code, page, who, -((now_ns - until_ns) // S)

    async def part(self, number: int) -> None:
        """Unpair a phone."""
        if self.pairing and (hash := self.pairing.revoke(number)):
            await self._session.write(self._session.journal.revoke, hash)

    async def _answer(self, request: RemoteRequest) -> Reply:
        session, panel, what = self._session, self._panel, request.what
        if isinstance(what, AddPhone):
            if not what.enter():
                return Reply("forbidden", tr("That is not the code on the box."))
            await session.write(session.journal.pair, what.hash, what.who, what.name)
            return Reply("done")
        if isinstance(what, ForgetPhone):
            await self.part(what.number)
            return Reply("done")
        if not session.match or not panel.playing:
            return Reply("passed", tr("No game in progress."))
        if request.question != session.question:
            template = "That question has passed. {what}"
            return Reply("passed", tr(template, what=happened(session)))
        if panel.paused:
            return Reply("refused", tr("Game paused. Press any button on the box to resume."))
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
            return Reply("refused", tr("Unclear: {doubt} Settle this first.", doubt=Translated(doubt)))
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
            return tr("No player uses this phone's button: {button}.", button=Name(player_label(COLOURS[button])))
        if ask.seat not in (None, seat):
            return tr("{who}'s turn, not {me}'s.", who=Name(match.players[ask.seat]), me=Name(match.players[seat]))
        seats = [field for field in ask.fields if field.name == "seat"]
        own = any(field.source in ("buzz", "cube") for field in seats) or ask.verb == LEAVE
        judged = any(field.name == JUDGED for field in ask.fields)
        if judged or (ask.seat is None and ask.rare and not own):
            return tr("Only the referee's phone does that, or the box.")
        if ask.seat is None and (line.get("seat", seat) != seat or (seats and "seat" not in line)):
            return tr("This phone acts for {who} only.", who=Name(match.players[seat]))
        return ""

    async def _undo(self, request: RemoteRequest, count: int) -> Reply:
        if request.button is not None and count > 0:
            whose = [done.who for done in self._session.done[-count:]]
            mine = request.who in whose and {*whose} <= {request.who, "box"}
            if count > self._session.taking_back()["undo"] or not mine:
                return Reply("forbidden", tr("This phone can undo only its own last move."))
        await self._controller.play([{"undo": count}], request.at_ns, request.who)
        return Reply("done")

    async def _amend(self, request: RemoteRequest, amend: Amend) -> Reply:
        if request.button is not None:
            return Reply("forbidden", tr("Only the referee's phone can edit past moves."))
        if not self._session.journal.saved:
            raise Refused(message("Not while NOT SAVED shows: the disk may be incomplete."))
        lines, lost = self._session.amending(amend.index, amend.line)
        if not amend.trying:
            await self._controller.amend(lines, request.at_ns, request.who)
        return Reply("done", "", tuple(lost))

    async def _settle(self, request: RemoteRequest, how: str) -> Reply:
        if request.button is not None:
            return Reply("forbidden", tr("Settle that on the box or the referee's phone."))
        cubes = self._controller.cubes
        if not cubes or not self._panel.unsure[0]:
            return Reply("passed", tr("Nothing to settle now."))
        self._panel.doubt("")
        await cubes.settle(how, request.at_ns)
        return Reply("done")

    def _seat(self, button: int) -> int | None:
        table = self._session.table
        return table.buttons.index(button) if table and button in table.buttons else None


def happened(session: MatchSession) -> Translated:
    """Describe what was done last in the match in play; "" if nothing was done."""
    match = session.match
    if not match or not session.lines:
        return Translated("")
    line, _ = session.lines[-1]
    if "do" in line:
        return tell_act(match, len(match.acts) - 1)
    if "undo" in line:
        return tr_n("{number} move undone.", "{number} moves undone.", line["undo"])
    return tr(str(line.get("note", "")))
