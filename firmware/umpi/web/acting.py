"""The POST requests of phones: check the sender, read the body, and return the referee's reply."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import Response

from umpi.i18n.translate import player_label, tr
from umpi.kernel.game import Act
from umpi.referee.phones import IMPOSSIBLE
from umpi.referee.remote import Reply
from umpi.referee.view_state import ViewState
from umpi.table.commands import (
    AddPhone,
    Admit,
    AgreeToCard,
    AskHint,
    AskToJoin,
    CloseJoin,
    Correct,
    Do,
    GoOn,
    Leave,
    NamePlayer,
    Occupy,
    OfferMatch,
    OpenJoin,
    Rematch,
    RemoteCommand,
    Settle,
    ShowRace,
    TakeBack,
    TurnAway,
    UnpairPhone,
    UseCard,
    UseShelf,
    Withdraw,
)
from umpi.table.empty_seat import offer_for
from umpi.table.faults import broke
from umpi.table.seats import COLOURS
from umpi.timing import lines
from umpi.timing.phone_clock import ImpossibleStamp, Interval
from umpi.web import documents
from umpi.web.clocks import Clocks, WrongReading
from umpi.web.codes import Codes, PhoneSession, TooSoon, WrongCode, phone_name
from umpi.web.content import Answer, fresh
from umpi.web.forms import following
from umpi.web.host import Host
from umpi.web.operations import ACTS, Endpoint, Operation, Pace, Tap
from umpi.web.past import entries
from umpi.web.private import hand_of, private_texts
from umpi.web.puzzling import NoPuzzle, Puzzles
from umpi.web.rates import Rate
from umpi.web.reading import LARGEST, PATIENCE_S, Stop, check_sender, checked, read_json
from umpi.web.shown import shelves_json
from umpi.web.starting import start_of
from umpi.web.stream import Stream

COOKIE, SECURE = "umpi", "umpi-https"  # two, because HTTP can neither read nor replace a cookie of HTTPS
YEAR_S = 365 * 24 * 3600
FORMS, EXCHANGES = Pace("forms", 30, 10), Pace("exchanges", 40, 10)
STATUS = {"done": 200, "passed": 409, "refused": 422, "forbidden": 403, "failed": 500}
QUESTION = "b7c1.12"  # in examples
OFFER = {"game": "dodeka", "players": [{"button": "red", "name": "Ann"}, {"button": "blue", "name": "Ben"}]}
BY_THE_SHEET = {**OFFER, "rules": ""}
WITH_OPTIONS = {
    "game": "quiz", "first": "blue", "options": {"questions": 10, "early": "locked"},
    "players": [{"button": "red", "name": ""}, {"button": "blue", "name": "Ben"}],
}  # fmt: skip

T = TypeVar("T")

log = logging.getLogger(__name__)


class Late(Stop):
    """Report that the referee has accepted a request but has not replied in time."""

    def __init__(self) -> None:
        super().__init__(504, tr("The box has received it, but is slow. Check before you send it again."))


class Acting:
    """Handle the requests of phones for one box.

    The rules of a game compute forms on a separate thread, one form at a time. Slow rules therefore delay only forms.
    """

    def __init__(self, host: Host, codes: Codes, stream: Stream, puzzles: Puzzles) -> None:
        self._host, self._codes, self._stream, self._puzzles = host, codes, stream, puzzles
        self._rates = {pace.kind: Rate(pace.burst, pace.per_s) for pace in (ACTS, FORMS, EXCHANGES)}
        self._clocks = Clocks()
        self._forming = ThreadPoolExecutor(1, "form")

    def close(self) -> None:
        """Stop computing forms."""
        self._forming.shutdown(wait=False, cancel_futures=True)

    async def answer(self, endpoint: Endpoint, request: Request) -> Response:
        """Check who sends a request, read its body, and let its handler answer."""
        arrived_ns, operation = self._host.clock(), endpoint.operation
        check_sender(request)
        session = self._paired(request, operation.pace) if operation.paired else None
        body = checked(await read_json(request, operation.longest), endpoint.body)
        return await endpoint.handler(self, Tap(request, session, arrived_ns) if session else request, body)

    @Operation(
        "POST", "/api/form", "moves", paired=True, pace=FORMS, refusals=(409, 422),
        example={"question": QUESTION, "verb": "turn", "given": {}},
    )  # fmt: skip
    async def form(self, tap: Tap, body: documents.Answers) -> Answer[documents.Form]:
        """Return the fields that follow from the answers so far."""
        view = self._host.view
        match = view.match
        if not match or not view.playing or body["question"] != view.question:
            raise Stop(409, tr("That question is closed."))
        ask = next((ask for ask in offer_for(match, view.state.box_turn) if ask.verb == body["verb"]), None)
        if ask is None:
            raise Stop(422, tr('"{verb}" is not valid now.', verb=body["verb"][:40]))
        who = who_of(tap.session, view)
        making = partial(following, ask, body["given"], match.players, who.get("seat") if who else None)
        try:
            async with asyncio.timeout(PATIENCE_S):
                return fresh(await asyncio.get_running_loop().run_in_executor(self._forming, making))
        except TimeoutError:
            raise Stop(503, tr("No reply from the box.")) from None
        except Exception as fault:  # the game's own code may raise anything
            fault = match.sayable(fault)
            log.error("The rules of %s failed while a form was made", match.game.id, exc_info=fault)
            template = "{game} rules failed: {fault}"
            why = tr(template, game=match.game.title, fault=f"{type(fault).__name__}: {fault}")
            raise Stop(422, why) from None

    @Operation(
        "POST", "/api/act", "moves", paired=True, longest=LARGEST, refusals=(409, 422),
        example={"question": QUESTION, "act": {"do": "turn", "card": "fire-2"}},
    )  # fmt: skip
    async def act(self, tap: Tap, body: documents.OneAct) -> Answer[documents.Done]:
        """Answer the question; in a race, the stamp says when the player pressed."""
        pressed = self._pressed(tap, body["stamp"]) if "stamp" in body else None
        return await self._do(tap, Do((_act(body["act"]),)), body["question"], pressed)

    @Operation(
        "POST", "/api/clock", "moves", paired=True, pace=EXCHANGES,
        example={"run": "r1", "step_us": 100, "sent_us": 1000, "last": 0, "back_us": 0},
    )  # fmt: skip
    async def clock(self, tap: Tap, body: documents.Exchange) -> Answer[documents.Exchanged]:
        """Exchange times, so that the box can turn the stamp of a press into its own time."""
        try:
            id = self._clocks.received(tap.session.hash, body, tap.arrived_ns)
        except WrongReading as fault:
            raise Stop(400, str(fault)) from None
        self._clocks.replied(tap.session.hash, self._host.clock())
        return fresh({"id": id})

    @Operation(
        "POST", "/api/undo", "moves", paired=True, refusals=(409, 422), example={"question": QUESTION, "count": 1}
    )
    async def undo(self, tap: Tap, body: documents.Undo) -> Answer[documents.Done]:
        """Undo the last answer, or so many acts."""
        return await self._do(tap, TakeBack(body.get("count")), body["question"])

    @Operation(
        "POST", "/api/amend", "moves", paired=True, longest=LARGEST, refusals=(409, 422),
        example={"question": QUESTION, "index": 4, "act": {"do": "turn", "card": "fire-3"}, "try": True},
    )  # fmt: skip
    async def amend(self, tap: Tap, body: documents.Amend) -> Answer[documents.Amended]:
        """Replace an act by another; "try" only reports which later acts would be lost."""
        before, trying = entries(self._host.view), body["try"]
        amend = Correct(body["index"], _act(body["act"]), trying)
        reply, version = await self._replied(tap.request, amend, tap.session, body["question"])
        lost = [before[index] for index in reply.lost if index < len(before)]
        return fresh({"lost": lost} if trying else {"lost": lost, "version": version})

    @Operation(
        "POST", "/api/settle", "moves", paired=True, refusals=(409, 422),
        example={"question": QUESTION, "how": "accept", "doubt": "Too close to call.\nYellow and Red: 0.8 ms."},
    )  # fmt: skip
    async def settle(self, tap: Tap, body: documents.Settling) -> Answer[documents.Done]:
        """Settle a doubtful announcement."""
        return await self._do(tap, Settle(body["how"], body.get("doubt", "")), body["question"])

    @Operation("POST", "/api/seat", "table", paired=True, refusals=(422,), example={"seat": 1, "level": "strong"})
    async def seat(self, tap: Tap, body: documents.Occupant) -> Answer[documents.Done]:
        """Let the box play a seat from now on, or a person again, for the referee's phone."""
        return await self._do(tap, Occupy(body["seat"], body.get("name", "").strip(), body.get("level")))

    @Operation("POST", "/api/slow-motion", "table", paired=True, refusals=(422,), example={})
    async def slow_motion(self, tap: Tap, body: documents.Nothing) -> Answer[documents.Done]:
        """Show the last race on the television once more, for the referee's phone."""
        return await self._do(tap, ShowRace())

    @Operation("POST", "/api/card", "box", paired=True, refusals=(422,), example={"task": "update from stick"})
    async def card(self, tap: Tap, body: documents.OneTask) -> Answer[documents.Done]:
        """Begin a task of the card, for the referee's phone; the state then says how far it is."""
        return await self._do(tap, UseCard(body["task"]))

    @Operation("POST", "/api/card-agree", "box", paired=True, refusals=(422,), example={})
    async def card_agree(self, tap: Tap, body: documents.Nothing) -> Answer[documents.Done]:
        """Agree to what the task of the card asks, for the referee's phone."""
        return await self._do(tap, AgreeToCard())

    @Operation("POST", "/api/shelf", "box", paired=True, refusals=(422,), example={"task": "look"})
    async def shelf(self, tap: Tap, body: documents.OneShelfTask) -> Answer[documents.Done]:
        """Begin a task of the shelves, for the referee's phone; the state then says how far it is."""
        return await self._do(tap, UseShelf(body["task"], body.get("shelf", ""), body.get("game", "")))

    @Operation("POST", "/api/shelf-games", "box", paired=True, refusals=(422,), example={})
    async def shelf_games(self, tap: Tap, body: documents.Nothing) -> Answer[documents.Shelves]:
        """Return what the shelves have, as it was read last, for the referee's phone."""
        if tap.session.button is not None:
            raise Stop(403, tr("Only the referee’s phone or the box can do that."))
        shelf = self._host.view.state.shelf
        if shelf is None:
            raise Stop(422, tr("This box cannot install games."))
        return fresh(shelves_json(shelf))

    @Operation("POST", "/api/hint", "moves", paired=True, refusals=(409, 422), example={"question": QUESTION})
    async def hint(self, tap: Tap, body: documents.OneQuestion) -> Answer[documents.Done]:
        """Ask what the box would do; the state then contains it."""
        return await self._do(tap, AskHint(), body["question"])

    @Operation(
        "POST", "/api/puzzle", "past", paired=True, refusals=(503,),
        example={"match": "5f0e0a3c9b7d4c1e8a2b6d9f00112233", "move": 67, "choice": 0},
    )  # fmt: skip
    async def puzzle(self, tap: Tap, body: documents.PuzzleAnswer) -> Answer[documents.Verdict]:
        """Answer a puzzle, and note when it comes again."""
        try:
            return fresh(await self._puzzles.judge(body))
        except NoPuzzle:
            raise Stop(503, tr("The answer cannot be judged.")) from None

    @Operation("POST", "/api/hand", "table", paired=True, refusals=(409,), example={})
    async def hand(self, tap: Tap, body: documents.Nothing) -> Answer[documents.Private]:
        """Return the hand of this phone's seat and its question for the ear; 409 if it has nothing to itself."""
        view, session = self._host.view, tap.session
        who = who_of(session, view)
        seat = who.get("seat") if who and view.playing else None
        match = view.match
        try:
            texts = [] if seat is None else private_texts(view, seat)
            hand = hand_of(match, seat) if match and seat is not None and texts else []
        except Exception as fault:  # the game's own code may raise anything
            assert match
            raise Stop(409, broke(match, "a hand is missing", fault)) from None
        if not texts:
            raise Stop(409, tr("There is nothing to read on this phone now."))
        return fresh({"texts": texts, "hand": hand})

    @Operation("POST", "/api/pair", "pairing", refusals=(429, 503), example={"code": "407123"})
    async def pair(self, request: Request, body: documents.Code) -> Answer[documents.Mine]:
        """Pair this phone by the six digits on the box."""
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
            await self._replied(request, join, session, enter=lambda: self._codes.enter(session, code))
        except Late:  # the journal will contain a phone whose secret nobody has received, so remove it
            self._codes.reopen(session)
            self._host.request("", UnpairPhone(session.id), session.button)
            raise Stop(503, tr("No reply from the box.")) from None
        return _keep(fresh({"who": who_of(session, self._host.view)}), request, secret)

    @Operation("POST", "/api/join", "pairing", refusals=(422, 429, 503, 504), example={"button": "red", "name": "Ann"})
    async def join(self, request: Request, body: documents.Join) -> Answer[documents.Waiting]:
        """Ask for a seat; somebody at the box or the referee's phone lets this phone in."""
        address = request.client.host if request.client else ""
        phone, button = phone_name(request.headers.get("user-agent", "")), lines.COLOURS.index(body["button"])
        try:
            secret, session, claim = self._codes.claim(
                button, body["name"].strip(), address, phone, self._host.clock(), body.get("instead", False)
            )
        except TooSoon as soon:
            raise _wait(soon.wait_s) from None
        before = self.claim(request)
        try:
            await self._replied(request, AskToJoin(claim, before), session)
        except Stop:
            self._codes.dismiss(session.hash)
            raise
        self._codes.dismiss(before)
        return _keep(fresh({"who": None, "waiting": True}), request, secret)

    @Operation("POST", "/api/withdraw", "pairing", refusals=(409, 429, 503, 504), example={})
    async def withdraw(self, request: Request, body: documents.Nothing) -> Answer[documents.Nobody]:
        """Stop asking for a seat; 409 if this phone does not wait."""
        hash = self.claim(request)
        if not hash:
            raise Stop(409, tr("That phone is no longer waiting."))
        if wait_s := self._rates[ACTS.kind].wait_s(hash, self._host.clock()):
            raise _wait(wait_s)
        await self._replied(request, Withdraw(hash), PhoneSession(0, hash, None, ""))
        self._codes.dismiss(hash)
        return fresh({"who": None})

    @Operation(
        "POST", "/api/admit", "pairing", paired=True, refusals=(409,),
        example={"claim": "47", "admit": True},
    )  # fmt: skip
    async def admit(self, tap: Tap, body: documents.Admission) -> Answer[documents.Done]:
        """Let a phone in that asks for a seat, or turn it away, for the referee's phone."""
        joining = self._host.view.state.joining
        hash = joining.signed(body["claim"]) if joining else ""
        return await self._do(tap, Admit(hash) if body["admit"] else TurnAway(hash))

    @Operation("POST", "/api/joining", "pairing", paired=True, refusals=(422,), example={"open": True})
    async def joining(self, tap: Tap, body: documents.Open) -> Answer[documents.Done]:
        """Let phones ask for seats, or end that, for the referee's phone."""
        return await self._do(tap, OpenJoin() if body["open"] else CloseJoin())

    @Operation(
        "POST", "/api/start", "start", paired=True, longest=LARGEST, refusals=(409, 422),
        examples={"by the sheet": BY_THE_SHEET, "with options": WITH_OPTIONS},
    )  # fmt: skip
    async def start(self, tap: Tap, body: documents.Start) -> Answer[documents.Done]:
        """Start a match, for the referee's phone; 409 while another one is on."""
        return await self._do(tap, start_of(body))

    @Operation(
        "POST", "/api/next", "start", paired=True, longest=LARGEST, refusals=(409, 422), example={"offer": OFFER}
    )
    async def next(self, tap: Tap, body: documents.Offer) -> Answer[documents.Done]:
        """Offer a match as the next one, for the referee's phone; an empty offer withdraws it."""
        offer = body["offer"]
        return await self._do(tap, OfferMatch(start_of(checked(offer, documents.Start)) if offer else None))

    @Operation("POST", "/api/rematch", "start", paired=True, refusals=(409, 422), example={})
    async def rematch(self, tap: Tap, body: documents.Nothing) -> Answer[documents.Done]:
        """Start a match at the last table, for the referee's phone; 409 while one is on."""
        return await self._do(tap, Rematch())

    @Operation("POST", "/api/leave", "start", paired=True, refusals=(409,), example={"match": 3})
    async def leave(self, tap: Tap, body: documents.OneMatch) -> Answer[documents.Done]:
        """Leave the match in play, for the referee's phone; it can be resumed."""
        return await self._do(tap, Leave(body["match"]))

    @Operation("POST", "/api/resume", "start", paired=True, refusals=(409, 422), example={"match": 3})
    async def resume(self, tap: Tap, body: documents.OneMatch) -> Answer[documents.Done]:
        """Resume an earlier match, for the referee's phone; 409 while another one is on."""
        return await self._do(tap, GoOn(body["match"]))

    @Operation("POST", "/api/unpair", "pairing", paired=True, example={})
    async def unpair(self, tap: Tap, body: documents.Nothing) -> Answer[documents.Nobody]:
        """Unpair this phone; a seat's phone gives its seat back."""
        await self._reply(tap.request, UnpairPhone(tap.session.id), tap.session)
        response: Answer[documents.Nobody] = fresh({"who": None})
        for cookie in (COOKIE, SECURE):
            response.delete_cookie(cookie, path="/", httponly=True, samesite="strict")
        return response

    @Operation("POST", "/api/name", "pairing", paired=True, refusals=(422,), example={"name": "Ann"})
    async def name(self, tap: Tap, body: documents.PlayerName) -> Answer[documents.Mine]:
        """Name the player of this phone; before a match, for the next one."""
        await self._replied(tap.request, NamePlayer(body["name"].strip()), tap.session)
        return fresh({"who": who_of(tap.session, self._host.view)})

    def session(self, request: Request) -> PhoneSession | None:
        """Return the session of the phone that sent a request, or None."""
        return next(filter(None, map(self._codes.session, _secrets(request))), None)

    def claim(self, request: Request) -> str:
        """Return the hash with which the phone that sent a request waits to be let in, "" if it does not wait."""
        return next(filter(None, map(self._codes.waiting, _secrets(request))), "")

    def _paired(self, request: Request, pace: Pace) -> PhoneSession:
        """Return the session of a request. Raises Stop if the phone is not paired, or sends too often."""
        session = self.session(request)
        if session is None:
            raise Stop(401, tr("This phone is not paired. Use the menu on the box."))
        if wait_s := self._rates[pace.kind].wait_s(session.hash, self._host.clock()):
            raise _wait(wait_s)
        return session

    def _pressed(self, tap: Tap, stamp: documents.Stamp) -> Interval:
        """Return when a press happened, by the clock of its phone. Raises Stop if that cannot be."""
        try:
            return self._clocks.press(tap.session.hash, stamp, tap.arrived_ns)
        except WrongReading as fault:
            raise Stop(400, str(fault)) from None
        except ImpossibleStamp as fault:
            log.warning("The time of a press on a phone is impossible: %s", fault)
            raise Stop(422, tr(IMPOSSIBLE)) from None

    async def _do(
        self, tap: Tap, command: RemoteCommand, question: str = "", pressed: Interval | None = None
    ) -> Answer[documents.Done]:
        """Send a command to the referee, and return the version that shows its result. Raises Stop if it is refused."""
        _, version = await self._replied(tap.request, command, tap.session, question, pressed=pressed)
        return fresh({"version": version})

    async def _replied(
        self, request: Request, command: RemoteCommand, session: PhoneSession, question: str = "",
        enter: Callable[[], bool] = lambda: False, pressed: Interval | None = None,
    ) -> tuple[Reply, int]:  # fmt: skip
        """Send a command as `_reply` does. Raises Stop also if it is refused."""
        reply, version = await self._reply(request, command, session, question, enter, pressed)
        if reply.how != "done":
            raise Stop(STATUS[reply.how], reply.text)
        return reply, version

    async def _reply(
        self, request: Request, command: RemoteCommand, session: PhoneSession, question: str = "",
        enter: Callable[[], bool] = lambda: False, pressed: Interval | None = None,
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


def _keep(response: Answer[T], request: Request, secret: str) -> Answer[T]:
    """Have the phone keep its secret. Return the response."""
    secure = request.url.scheme == "https"
    response.set_cookie(
        SECURE if secure else COOKIE, secret, YEAR_S, path="/", secure=secure, httponly=True, samesite="strict"
    )
    return response


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


def who_of(session: PhoneSession | None, view: ViewState) -> documents.Who:
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


def _act(act: documents.Act) -> Act:
    given = {name: value for name, value in act.items() if name not in ("do", "by", "at")}
    return Act(act["do"], given, act.get("by"))
