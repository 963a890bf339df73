"""Requests that change something: who may send them, what they say, and what the referee replies."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from umpi.desk.forms import following
from umpi.desk.pairing import Codes, Session, TooSoon, WrongCode, phone_name
from umpi.desk.past import entries
from umpi.desk.stream import Stream
from umpi.panel.setup import COLOURS
from umpi.referee import Referee
from umpi.rules.record import Unreadable, read_line
from umpi.tap import Amend, Answer, Join, Part, Reply, SettleIt, Tap, Undo, What
from umpi.tongue import called, told

COOKIE = "umpi"
YEAR_S = 365 * 24 * 3600
LARGEST = 64 * 1024
PATIENCE_S = 10.0  # for a body to come, and for the referee to reply
STATUS = {"done": 200, "passed": 409, "refused": 422, "forbidden": 403, "failed": 500}
WAYS = ("toss again", "order by hand", "accept")

Told = Mapping[str, Any]


class Stop(Exception):
    """A request that is answered at once, and how."""

    def __init__(self, status: int, why: str, **headers: str) -> None:
        super().__init__(why)
        self.response = JSONResponse({"error": why}, status, headers)


class Acting:
    """The requests of phones to one referee."""

    def __init__(self, referee: Referee, codes: Codes, stream: Stream) -> None:
        self._referee, self._codes, self._stream = referee, codes, stream

    async def form(self, request: Request) -> Response:
        """Tell how a question goes on from what has been answered: {question, verb, given}."""
        body = await read(request, question=str, verb=str, given=dict)
        sitting, panel = self._referee.sitting, self._referee.panel
        match = sitting.match
        if not match or not panel.playing or body["question"] != sitting.question:
            return error(409, told("That question has passed."))
        ask = next((ask for ask in match.asks if ask.verb == body["verb"]), None)
        if ask is None:
            return error(422, told('"{verb}" is not asked for now.', verb=body["verb"][:40]))
        try:
            return JSONResponse(following(ask, body["given"], match.players))
        except Exception as fault:  # the engine's own code runs in it
            template = "The rules of {game} fail: {fault}"
            return error(422, told(template, game=match.game.title, fault=f"{type(fault).__name__}: {fault}"))

    async def act(self, request: Request) -> Response:
        """Answer the question: {question, act: {"do": verb, ...}}."""
        body = await read(request, question=str, act=dict)
        return await self._tap(request, body, Answer(_line(body["act"])))

    async def undo(self, request: Request) -> Response:
        """Take acts back: {question, count}."""
        body = await read(request, question=str, count=int)
        return await self._tap(request, body, Undo(body["count"]))

    async def amend(self, request: Request) -> Response:
        """Put another act in the place of one: {question, index, act, try}."""
        body = await read(request, question=str, index=int, act=dict, **{"try": bool})
        trying = body["try"]
        before = entries(self._referee.sitting)
        amend = Amend(body["index"], _line(body["act"]), trying)
        reply, version = await self._ask(request, body, amend)
        lost = [before[index] for index in reply.lost if index < len(before)]
        told = {"lost": lost} if trying else {"lost": lost, "version": version}
        return JSONResponse(told) if reply.how == "done" else error(STATUS[reply.how], reply.text)

    async def settle(self, request: Request) -> Response:
        """Settle a doubtful announcement: {question, how}."""
        body = await read(request, question=str, how=str)
        if body["how"] not in WAYS:
            raise Stop(400, f'"how" must be one of {", ".join(WAYS)}.')
        return await self._tap(request, body, SettleIt(body["how"]))

    async def pair(self, request: Request) -> Response:
        """Pair this phone by the code on the box: {code}."""
        body = await read(request, code=str)
        address = request.client.host if request.client else ""
        code = "".join(body["code"].split())
        name = phone_name(request.headers.get("user-agent", ""))
        try:
            secret, session = self._codes.redeem(code, address, name, self._referee.clock())
        except TooSoon as soon:
            why = told("Wait {seconds} s, then try again.", seconds=soon.wait_s)
            raise Stop(429, why, **{"Retry-After": str(soon.wait_s)}) from None
        except WrongCode:
            raise Stop(403, told("That is not the code on the box.")) from None
        await self._reply("", Join(session.hash, session.who, session.name), session)
        response = JSONResponse({"who": who_of(session, self._referee)})
        response.set_cookie(COOKIE, secret, YEAR_S, path="/", httponly=True, samesite="strict")
        return response

    async def unpair(self, request: Request) -> Response:
        """Forget this phone: {}."""
        await read(request)
        session = self.session(request)
        if session is None:
            raise Stop(401, told("This phone is not paired."))
        await self._reply("", Part(session.id), session)
        response = JSONResponse({"who": None})
        response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
        return response

    def session(self, request: Request) -> Session | None:
        """Find whose phone sends a request."""
        return self._codes.session(request.cookies.get(COOKIE, ""))

    async def _tap(self, request: Request, body: Told, what: What) -> Response:
        reply, version = await self._ask(request, body, what)
        if reply.how != "done":
            return error(STATUS[reply.how], reply.text)
        return JSONResponse({"version": version})

    async def _ask(self, request: Request, body: Told, what: What) -> tuple[Reply, int]:
        session = self.session(request)
        if session is None:
            raise Stop(401, told("This phone is not paired. The box's menu pairs it."))
        return await self._reply(body["question"], what, session)

    async def _reply(self, question: str, what: What, session: Session) -> tuple[Reply, int]:
        """Ask the referee, and wait for its reply; returns it with the version that shows what came of it."""
        replied: asyncio.Future[tuple[Reply, int]] = asyncio.get_running_loop().create_future()

        def reply(reply: Reply) -> None:
            if not replied.done():
                replied.set_result((reply, self._stream.version))

        self._referee.post(Tap(self._referee.clock(), question, what, session.button, reply))
        try:
            async with asyncio.timeout(PATIENCE_S):
                return await replied
        except TimeoutError:
            raise Stop(503, told("The box does not answer.")) from None


def who_of(session: Session | None, referee: Referee) -> dict[str, Any] | None:
    """Tell whose phone it is, and where its seat is at the table now."""
    if session is None:
        return None
    if session.button is None:
        return {"role": "referee"}
    table, match = referee.sitting.table, referee.sitting.match
    seat = table.buttons.index(session.button) if match and table and session.button in table.buttons else None
    name = COLOURS[session.button] if seat is None or not match else match.players[seat]
    return {"role": "seat", "button": session.who, "seat": seat, "name": called(name)}


async def read(request: Request, **keys: type) -> dict[str, Any]:
    """Read the body of a request from the box's own page; raises Stop, saying what is wrong with it."""
    origin, own = request.headers.get("origin"), f"{request.url.scheme}://{request.headers.get('host')}"
    if origin is None and request.headers.get("umpi") != "1":
        raise Stop(403, told("Scripts say so by the header Umpi: 1."))
    if origin is not None and origin.lower() != own.lower():
        raise Stop(403, told("Only the box's own page may do that."))
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Stop(415, told("JSON is needed, as application/json."))
    try:
        body = read_line(await _body(request)) or {}
    except Unreadable as fault:
        raise Stop(400, f"{str(fault)[:1].upper()}{str(fault)[1:]}.") from None
    wanted = ", ".join(f'"{key}"' for key in keys) or "nothing"
    for key, kind in keys.items():
        if type(body.get(key)) is not kind:
            raise Stop(400, told("The body bears {keys}; {key} is missing or of another kind.", keys=wanted, key=key))
    if unknown := [key for key in body if key not in keys]:
        raise Stop(400, told("The body bears {keys}, and no {key}.", keys=wanted, key=unknown[0][:40]))
    return body


async def _body(request: Request) -> bytes:
    body = b""
    try:
        async with asyncio.timeout(PATIENCE_S):
            async for chunk in request.stream():
                body += chunk
                if len(body) > LARGEST:
                    raise Stop(413, told("That is too long: 64 kB at most."), Connection="close")
    except TimeoutError:
        raise Stop(408, told("The request came too slowly."), Connection="close") from None
    except ClientDisconnect:
        raise Stop(400, told("The request broke off."), Connection="close") from None
    return body


def _line(act: Told) -> Told:
    if not isinstance(act.get("do"), str):
        raise Stop(400, told('"act" bears "do", the name of what is done.'))
    return {name: value for name, value in act.items() if name != "at"}


def error(status: int, why: str) -> JSONResponse:
    """Answer with a reason."""
    return JSONResponse({"error": why}, status)
