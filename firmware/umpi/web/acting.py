"""The POST requests of phones: check the sender, read the body, and return the referee's reply."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from umpi.i18n.translate import player_label, tr
from umpi.kernel.game import Act
from umpi.referee.phones import IMPOSSIBLE
from umpi.referee.remote import Reply
from umpi.referee.view_state import ViewState
from umpi.table.commands import (
    AddPhone,
    Admit,
    AskHint,
    AskToJoin,
    CloseJoin,
    Correct,
    Do,
    GoOn,
    Leave,
    NamePlayer,
    OfferMatch,
    OpenJoin,
    Rematch,
    RemoteCommand,
    Settle,
    TakeBack,
    TurnAway,
    UnpairPhone,
)
from umpi.table.joining import Claim
from umpi.table.seats import COLOURS
from umpi.timing.phone_clock import ImpossibleStamp, Interval
from umpi.web.clocks import Clocks, WrongReading
from umpi.web.forms import following
from umpi.web.host import Host
from umpi.web.pairing import Codes, PhoneSession, TooSoon, WrongCode, phone_name
from umpi.web.past import entries
from umpi.web.rates import Rate
from umpi.web.reading import LARGEST, PATIENCE_S, SMALL, Stop, check_sender, error, read
from umpi.web.starting import BUTTONS, CHOSEN, START_KEYS, checked_start, start_of
from umpi.web.stream import Stream

COOKIE, SECURE = "umpi", "umpi-https"  # two, because HTTP can neither read nor replace a cookie of HTTPS
YEAR_S = 365 * 24 * 3600
ACTS = 10, 5  # of one phone: burst, then rate per second
FORMS = 30, 10
EXCHANGES = 20, 5
STATUS = {"done": 200, "passed": 409, "refused": 422, "forbidden": 403, "failed": 500}
WAYS = ("toss again", "order by hand", "accept")

Body = Mapping[str, Any]

log = logging.getLogger(__name__)


class Late(Stop):
    """Report that the referee has accepted a request but has not replied in time."""

    def __init__(self) -> None:
        super().__init__(504, tr("The box has taken it, but is slow. Look before you send it again."))


class Acting:
    """Handle the requests of phones for one box.

    The rules of a game compute forms on a separate thread, one form at a time. Slow rules therefore delay only forms.
    """

    def __init__(self, host: Host, codes: Codes, stream: Stream) -> None:
        self._host, self._codes, self._stream = host, codes, stream
        self._acts, self._forms, self._exchanges = Rate(*ACTS), Rate(*FORMS), Rate(*EXCHANGES)
        self._clocks = Clocks()
        self._forming = ThreadPoolExecutor(1, "form")

    def close(self) -> None:
        """Stop computing forms."""
        self._forming.shutdown(wait=False, cancel_futures=True)

    async def form(self, request: Request) -> Response:
        """Return the fields that follow from the answers so far: {question, verb, given}."""
        self._paired(request, self._forms)
        body = await read(request, SMALL, question=str, verb=str, given=dict)
        view = self._host.view
        match = view.match
        if not match or not view.playing or body["question"] != view.question:
            return error(409, tr("That question is closed."))
        ask = next((ask for ask in match.asks if ask.verb == body["verb"]), None)
        if ask is None:
            return error(422, tr('"{verb}" is not valid now.', verb=body["verb"][:40]))
        making = partial(following, ask, body["given"], match.players)
        try:
            async with asyncio.timeout(PATIENCE_S):
                return JSONResponse(await asyncio.get_running_loop().run_in_executor(self._forming, making))
        except TimeoutError:
            return error(503, tr("No reply from the box."))
        except Exception as fault:  # the game's own code may raise anything
            log.exception("The rules of %s failed while a form was made", match.game.id)
            template = "{game} rules failed: {fault}"
            return error(422, tr(template, game=match.game.title, fault=f"{type(fault).__name__}: {fault}"))

    async def act(self, request: Request) -> Response:
        """Answer the question: {question, act: {"do": verb, ...}}, and in a race "stamp": {run, at_us}."""
        arrived_ns = self._host.clock()
        session = self._paired(request, self._acts)
        body = await read(request, LARGEST, ("stamp",), question=str, act=dict, stamp=dict)
        pressed = self._pressed(session, body["stamp"], arrived_ns) if "stamp" in body else None
        return await self._tap(request, session, body["question"], Do((_act(body["act"]),)), pressed)

    async def clock(self, request: Request) -> Response:
        """Exchange times with this phone: {run, step_us, sent_us, last, back_us}."""
        received_ns = self._host.clock()
        session = self._paired(request, self._exchanges)
        body = await read(request, SMALL, run=str, step_us=int, sent_us=int, last=int, back_us=int)
        try:
            id = self._clocks.received(session.hash, body, received_ns)
        except WrongReading as fault:
            raise Stop(400, str(fault)) from None
        self._clocks.replied(session.hash, self._host.clock())
        return JSONResponse({"id": id})

    async def undo(self, request: Request) -> Response:
        """Undo acts: {question, count}."""
        session = self._paired(request, self._acts)
        body = await read(request, SMALL, question=str, count=int)
        return await self._tap(request, session, body["question"], TakeBack(body["count"]))

    async def amend(self, request: Request) -> Response:
        """Replace an act by another: {question, index, act, try}.

        If `try` is true, only report which later acts would be lost.
        """
        session = self._paired(request, self._acts)
        body = await read(request, LARGEST, (), question=str, index=int, act=dict, **{"try": bool})
        trying = body["try"]
        before = entries(self._host.view)
        amend = Correct(body["index"], _act(body["act"]), trying)
        reply, version = await self._reply(request, body["question"], amend, session)
        lost = [before[index] for index in reply.lost if index < len(before)]
        effect = {"lost": lost} if trying else {"lost": lost, "version": version}
        return JSONResponse(effect) if reply.how == "done" else error(STATUS[reply.how], reply.text)

    async def settle(self, request: Request) -> Response:
        """Resolve a doubtful announcement: {question, how}."""
        session = self._paired(request, self._acts)
        body = await read(request, SMALL, question=str, how=str)
        if body["how"] not in WAYS:
            raise Stop(400, f'"how" must be one of {", ".join(WAYS)}.')
        return await self._tap(request, session, body["question"], Settle(body["how"]))

    async def hint(self, request: Request) -> Response:
        """Ask what the box would do: {question}. The document of the table then contains it."""
        session = self._paired(request, self._acts)
        body = await read(request, SMALL, question=str)
        return await self._tap(request, session, body["question"], AskHint())

    async def pair(self, request: Request) -> Response:
        """Pair this phone by the code on the box: {code}. If that fails, the code stays valid."""
        body = await read(request, SMALL, code=str)
        address = request.client.host if request.client else ""
        code = "".join(body["code"].split())
        name = phone_name(request.headers.get("user-agent", ""))
        try:
            secret, session = self._codes.redeem(code, address, name, self._host.clock())
        except TooSoon as soon:
            raise _wait(soon.wait_s) from None
        except WrongCode:
            raise Stop(403, tr("That is not the code on the box.")) from None
        join = AddPhone(session.hash, session.who, session.name)
        try:
            reply, _ = await self._reply(request, "", join, session, lambda: self._codes.enter(session, code))
        except Late:  # the journal will contain a phone whose secret nobody has received, so remove it
            self._codes.reopen(session)
            self._host.request("", UnpairPhone(session.id), session.button)
            raise Stop(503, tr("No reply from the box.")) from None
        if reply.how != "done":
            raise Stop(STATUS[reply.how], reply.text)
        response = JSONResponse({"who": who_of(session, self._host.view)})
        _keep(response, request, secret)
        return response

    async def join(self, request: Request) -> Response:
        """Ask for a seat: {button, name}. Somebody at the box or the referee's phone lets this phone in."""
        body = await read(request, SMALL, button=str, name=str)
        if body["button"] not in BUTTONS:
            raise Stop(400, f'"button" must be one of {", ".join(BUTTONS)}.')
        address = request.client.host if request.client else ""
        phone, button = phone_name(request.headers.get("user-agent", "")), BUTTONS.index(body["button"])
        try:
            secret, session, source = self._codes.claim(button, address, phone, self._host.clock())
        except TooSoon as soon:
            raise _wait(soon.wait_s) from None
        before = self.claim(request)
        ask = AskToJoin(Claim(session.hash, button, body["name"].strip(), phone, source), before)
        try:
            reply, _ = await self._reply(request, "", ask, session)
        except (Stop, Late):
            self._codes.dismiss(session.hash)
            raise
        if reply.how != "done":
            self._codes.dismiss(session.hash)
            raise Stop(STATUS[reply.how], reply.text)
        self._codes.dismiss(before)
        response = JSONResponse({"who": None, "waiting": True})
        _keep(response, request, secret)
        return response

    async def admit(self, request: Request) -> Response:
        """Let a phone in that asks for a seat, or turn it away: {claim, admit}. Only the referee's phone may."""
        session = self._paired(request, self._acts)
        body = await read(request, SMALL, claim=str, admit=bool)
        command = Admit(body["claim"]) if body["admit"] else TurnAway(body["claim"])
        return await self._tap(request, session, "", command)

    async def joining(self, request: Request) -> Response:
        """Let phones ask for seats, or end that: {open}. Only the referee's phone may."""
        session = self._paired(request, self._acts)
        body = await read(request, SMALL, open=bool)
        return await self._tap(request, session, "", OpenJoin() if body["open"] else CloseJoin())

    async def start(self, request: Request) -> Response:
        """Start a match: {game, players}, first, rules, options and moderator if chosen. Only the referee's phone."""
        session = self._paired(request, self._acts)
        body = await read(request, LARGEST, CHOSEN, **START_KEYS)
        return await self._tap(request, session, "", start_of(body))

    async def next(self, request: Request) -> Response:
        """Offer a match as the next one: {offer: as in start}; an empty offer withdraws it. For the referee's phone."""
        session = self._paired(request, self._acts)
        offer = (await read(request, LARGEST, offer=dict))["offer"]
        return await self._tap(request, session, "", OfferMatch(start_of(checked_start(offer)) if offer else None))

    async def rematch(self, request: Request) -> Response:
        """Start a match at the last table: {}. Only the referee's phone may."""
        session = self._paired(request, self._acts)
        await read(request, SMALL)
        return await self._tap(request, session, "", Rematch())

    async def leave(self, request: Request) -> Response:
        """Leave the match in play, which can be resumed: {match}. Only the referee's phone may."""
        session = self._paired(request, self._acts)
        body = await read(request, SMALL, match=int)
        return await self._tap(request, session, "", Leave(body["match"]))

    async def resume(self, request: Request) -> Response:
        """Resume an earlier match: {match}. Only the referee's phone may."""
        session = self._paired(request, self._acts)
        body = await read(request, SMALL, match=int)
        return await self._tap(request, session, "", GoOn(body["match"]))

    async def unpair(self, request: Request) -> Response:
        """Unpair this phone: {}."""
        session = self._paired(request, self._acts)
        await read(request, SMALL)
        await self._reply(request, "", UnpairPhone(session.id), session)
        response = JSONResponse({"who": None})
        for cookie in (COOKIE, SECURE):
            response.delete_cookie(cookie, path="/", httponly=True, samesite="strict")
        return response

    async def name(self, request: Request) -> Response:
        """Name the player of this phone: {name}. Before a match, the name is for the next one."""
        session = self._paired(request, self._acts)
        body = await read(request, SMALL, name=str)
        reply, _ = await self._reply(request, "", NamePlayer(body["name"].strip()), session)
        if reply.how != "done":
            raise Stop(STATUS[reply.how], reply.text)
        return JSONResponse({"who": who_of(session, self._host.view)})

    def session(self, request: Request) -> PhoneSession | None:
        """Return the session of the phone that sent a request, or None."""
        return next(filter(None, map(self._codes.session, _secrets(request))), None)

    def claim(self, request: Request) -> str:
        """Return the claim with which the phone that sent a request waits to be let in, "" if it does not wait."""
        return next(filter(None, map(self._codes.waiting, _secrets(request))), "")

    def _paired(self, request: Request, rate: Rate) -> PhoneSession:
        """Return the session of a request after checking its sender and its rate.

        Raises Stop if the sender is not allowed, the phone is not paired, or it sends too often.
        """
        check_sender(request)
        session = self.session(request)
        if session is None:
            raise Stop(401, tr("This phone is not paired. Use the menu on the box."))
        if wait_s := rate.wait_s(session.hash, self._host.clock()):
            raise _wait(wait_s)
        return session

    def _pressed(self, session: PhoneSession, stamp: Body, arrived_ns: int) -> Interval:
        """Return when a press happened, by the clock of its phone. Raises Stop if that cannot be."""
        try:
            return self._clocks.press(session.hash, stamp, arrived_ns)
        except WrongReading as fault:
            raise Stop(400, str(fault)) from None
        except ImpossibleStamp as fault:
            log.warning("The time of a press on a phone is impossible: %s", fault)
            raise Stop(422, tr(IMPOSSIBLE)) from None

    async def _tap(
        self,
        request: Request,
        session: PhoneSession,
        question: str,
        command: RemoteCommand,
        pressed: Interval | None = None,
    ) -> Response:
        reply, version = await self._reply(request, question, command, session, pressed=pressed)
        if reply.how != "done":
            return error(STATUS[reply.how], reply.text)
        return JSONResponse({"version": version})

    async def _reply(
        self, request: Request, question: str, command: RemoteCommand, session: PhoneSession,
        enter: Callable[[], bool] = bool, pressed: Interval | None = None,
    ) -> tuple[Reply, int]:  # fmt: skip
        """Send a request to the referee. Return its reply and the version that shows the result.

        The request has no effect if the referee does not take it in time, or if the phone disconnects first. In both
        cases, raises Stop. Raises Late if the referee has taken the request but does not reply in time.
        """
        replied: asyncio.Future[tuple[Reply, int]] = asyncio.get_running_loop().create_future()

        def reply(reply: Reply) -> None:
            if not replied.done():
                replied.set_result((reply, self._stream.version))

        gone = asyncio.ensure_future(_hung_up(request))
        id = self._host.request(question, command, session.button, reply, enter, pressed)
        try:
            await asyncio.wait((replied, gone), timeout=PATIENCE_S, return_when=asyncio.FIRST_COMPLETED)
        finally:
            gone.cancel()
            withdrawn = not replied.done() and self._host.withdraw(id)
        if replied.done():
            return replied.result()
        log.warning("The referee did not answer a phone's %s in time", type(command).__name__)
        raise Stop(503, tr("No reply from the box.")) if withdrawn else Late()


def _keep(response: Response, request: Request, secret: str) -> None:
    """Have the phone keep its secret."""
    secure = request.url.scheme == "https"
    response.set_cookie(
        SECURE if secure else COOKIE, secret, YEAR_S, path="/", secure=secure, httponly=True, samesite="strict"
    )


def _secrets(request: Request) -> list[str]:
    """Return the secrets of a phone. HTTPS also accepts the one of HTTP, so that nobody must pair twice."""
    names = (SECURE, COOKIE) if request.url.scheme == "https" else (COOKIE,)
    return [request.cookies[name] for name in names if name in request.cookies]


async def _hung_up(request: Request) -> None:
    """Wait until the client disconnects."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _wait(seconds: int) -> Stop:
    return Stop(429, tr("Wait {seconds} s, then try again.", seconds=seconds), **{"Retry-After": str(seconds)})


def who_of(session: PhoneSession | None, view: ViewState) -> dict[str, Any] | None:
    """Return the role of a phone and its seat in the current match, or None if it is not paired."""
    if session is None:
        return None
    if session.button is None:
        return {"role": "referee"}
    table, match = view.table, view.match
    seat = table.buttons.index(session.button) if match and table and session.button in table.buttons else None
    own = view.state.names.own.get(session.button, COLOURS[session.button])
    name = own if seat is None or not match else match.players[seat]
    return {"role": "seat", "button": session.who, "seat": seat, "name": player_label(name)}


def _act(act: Body) -> Act:
    if not isinstance(act.get("do"), str):
        raise Stop(400, tr('"act" needs "do", the name of the act.'))
    given = {name: value for name, value in act.items() if name not in ("do", "by", "at")}
    return Act(act["do"], given, act.get("by"))
