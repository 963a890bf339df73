"""The routes of the web server: the page, the table as a document and as a stream, past matches, and POST requests."""

from __future__ import annotations

import ipaddress
import logging
import re
import socket
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Hashable, Mapping, Sequence
from contextlib import aclosing
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, cast

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from umpi.box.identity import read_identity
from umpi.i18n.translate import Translated, capitalised, current_language, tr
from umpi.journal.beside import beside
from umpi.kernel.match import Refused
from umpi.kernel.nothing import nothing
from umpi.kernel.record import Unreadable, dump, read_line
from umpi.table.seats import COLOURS
from umpi.web import documents
from umpi.web.acting import Acting, who_of
from umpi.web.codes import Codes, network_of
from umpi.web.content import FRESH, PAGE, Answer, Content, Files, Once, TooMany, fresh, takes_gzip
from umpi.web.guard import Guard, within
from umpi.web.host import Host
from umpi.web.joined import joined_page
from umpi.web.lessons import lesson, lesson_form, lessons
from umpi.web.openapi import describe
from umpi.web.operations import API, VERSION, Operation, Query, endpoints, versioned
from umpi.web.parts import Parts
from umpi.web.past import History, Past, question_of, record_of
from umpi.web.publisher import Publisher
from umpi.web.puzzling import NoPuzzle, Puzzles
from umpi.web.reading import Stop
from umpi.web.results import matches_csv, read_results, signed_results, stats_csv
from umpi.web.reviewing import NoReview, Reviewer, Reviews
from umpi.web.rules import games_with_rules, rules_of
from umpi.web.schema import Json
from umpi.web.starting import games_document, last_table
from umpi.web.stream import Stream
from umpi.web.watching import Watching

if TYPE_CHECKING:  # it needs sockets, which a browser does not have
    from umpi.web.https import Https

log = logging.getLogger(__name__)
LOOKERS = 564  # open streams at once
STRANGERS = 500  # of these, streams of unpaired phones: fewer than the connections that the door admits
EACH = 8  # streams per phone or per address
LONGEST = 20  # characters of a match number that are read
LONGEST_ID = 60  # characters of a game's id that are read
MOST_STEPS = 200  # of a lesson; more steps are read as this
LONGEST_ANSWER = 4096  # bytes of the answers in a URL
RECORD = "application/x-ndjson"
CSV = "text/csv; charset=utf-8"
GIVEN = Query("given", str, "answers as JSON, by field; without it those of the act")
ANSWER = Query("answer", str, 'the answer so far as JSON: "do" and a value a field')
AFTER = Query("after", Annotated[int, ("minimum", 0), ("maximum", 10**15 - 1)], "the number of a match")
ME = {"who": {"role": "seat", "button": "red", "seat": 0, "name": "Ann"}, "waiting": False, "claim": ""}
RESULT = {
    "box": "3f9ac1d20b7e", "uid": "5f0e0a3c9b7d4c1e8a2b6d9f00112233", "match": 3, "revision": 41,
    "chain": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "game": "dodeka", "title": "Dodéka",
    "rules": "", "began": "2026-11-22T19:02:11+00:00", "ended": "2026-11-22T19:31:40+00:00", "over": True,
    "players": [{"seat": 0, "name": "Ann", "button": 0}, {"seat": 1, "name": "Ben", "button": 1}],
    "scores": [3, 1], "places": [1, 2], "winners": [0], "error": "", "key": 32 * "8f", "signature": 64 * "0d",
}  # fmt: skip

T = TypeVar("T")


class WebApp:
    """Serve the web application of one box, in its event loop. The loop of the box publishes by the `publisher`.

    Phones may use `names` as host names in addition to the box's own. `proxy` is the address or network of a trusted
    proxy, or "". `name` is the name of the box; without it, that of the computer. `https` also serves it over HTTPS.
    """

    def __init__(
        self,
        host: Host,
        codes: Codes,
        publisher: Publisher,
        names: Sequence[str] = (),
        proxy: str = "",
        name: str = "",
        https: Https | None = None,
        reviews: Reviews | None = None,
    ) -> None:
        self._host, self.codes, self.publisher, self.https = host, codes, publisher, https
        self._names, self._proxy = names, ipaddress.ip_network(proxy) if proxy else None
        self.stream = publisher.stream
        self._watching = Watching(host, read_identity(host.journal.path.parent, name), self.stream)
        self._past, self._once = Past(host.journal.path), Once(self._stamp)
        self._reviews, self._reviewed = reviews or Reviewer(), Once(current_language)
        self._history = History()
        self._puzzles = Puzzles(host.journal.path)
        self._acting, self._parts = Acting(host, codes, self.stream, self._puzzles), Parts(codes, https)
        self._looking: Counter[tuple[Stream, str]] = Counter()

    def app(self, routes: Sequence[BaseRoute] = ()) -> ASGIApp:
        """Return the application. Other `routes` come before its own."""
        described = [
            (each, each.route(partial(each.handler, owner)))
            for owner in (self, self._parts, self._watching)
            for each in endpoints(type(owner))
        ]
        described += [(each, each.route(partial(self._acting.answer, each))) for each in endpoints(Acting)]
        api = [route for each, route in described if each.in_api]
        files = [
            Route("/join.svg", self._parts.join),
            Route("/umpi.crt", self._parts.authority),
            Route("/offline.html", self._parts.offline),
        ]
        files += [route for each, route in described if not each.in_api]
        both = [Mount(f"{API}/{VERSION}", routes=api), Mount(API, routes=api)]
        page = Mount("/", Files(PAGE, joined_page(PAGE)))
        handlers: Any = {Stop: _stopped, HTTPException: _refused}
        app = Starlette(routes=[*routes, *both, *files, page], exception_handlers=handlers)
        return Guard(app, socket.gethostname(), self._names, self._proxy)

    def close(self) -> None:
        """End all streams and stop computing answers."""
        self.stream.close()
        self._acting.close()
        self._once.close()
        self._reviewed.close()
        self._reviews.close()
        self._puzzles.close()

    def is_paired(self, scope: Scope) -> bool:
        """Return whether a request is from a paired phone."""
        return self._acting.session(Request(scope)) is not None

    def is_proxy(self, address: str) -> bool:
        """Return whether an address is the proxy's."""
        return within(address, self._proxy)

    def _stamp(self) -> Hashable:
        """Return a value that changes with the journal on disk or with the language."""
        journal = self._host.journal
        path = journal.path
        return current_language(), journal.writes, *map(_stamp_of, (path, beside(path, "-wal")))

    async def _json(self, request: Request, what: Hashable, tell: Callable[[], T | None], none: str = "") -> Answer[T]:
        """Return a response with a document as JSON.

        Raises Stop if there is none, for the reason `none`, and if the code of a game fails on its past.
        """

        def make() -> Content[T] | None:
            document = tell()
            return None if document is None else Content.json(document).packed()

        try:
            return await self._answer(request, self._once.get(what, make), none)
        except Stop:
            raise
        except Exception as fault:  # the game's own code tells its past, and may raise anything
            if match := self._host.view.match:
                fault = match.sayable(fault)
            log.error("%s cannot be answered", request.url.path, exc_info=fault)
            raise Stop(503, tr("Box error: {fault}", fault=Translated(f"{type(fault).__name__}: {fault}"))) from None

    async def _answer(
        self,
        request: Request,
        finding: Awaitable[Content[T] | None],
        none: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> Answer[T]:
        try:
            found = await finding
        except TooMany:
            raise Stop(503, tr("Too many viewers.")) from None
        if found is None:
            raise Stop(404, none or tr("There is no such match."))
        return found.answer(request, **(headers or {}))

    @Operation("GET", "/api/state", "table")
    async def state(self, request: Request) -> Answer[documents.State]:
        """Return what the table shows."""
        return fresh(cast(documents.State, self.stream.latest))  # what the publisher tells, with its version

    @Operation("GET", "/api/events", "table", media="text/event-stream", refusals=(503,))
    async def events(self, request: Request) -> Response:
        """Stream what the table shows, as server-sent events.

        Each has the id BOOT.VERSION, the event "state" and a State as data. Last-Event-ID goes on from there. With
        "Accept-Encoding: gzip", each event is compressed by the one before it.
        """
        return self.streamed(request, self.stream)

    def streamed(self, request: Request, stream: Stream, on_end: Callable[[], object] = nothing) -> Response:
        """Return the documents of a stream as server-sent events, unless too many are open.

        `on_end` is called when the client has disconnected.
        """
        session = self._acting.session(request)
        who = stream, session.hash if session else network_of(request.client.host if request.client else "")
        if stream.lookers >= (LOOKERS if session else STRANGERS) or self._looking[who] >= EACH:
            raise Stop(503, tr("Too many viewers."))
        packed = takes_gzip(request)
        events = self._follow(who, request.headers.get("last-event-id", ""), packed, on_end)
        headers = FRESH | {"Vary": "Accept-Encoding"} | ({"Content-Encoding": "gzip"} if packed else {})
        return _Events(events, media_type="text/event-stream", headers=headers)

    async def _follow(
        self, who: tuple[Stream, str], last: str, packed: bool, on_end: Callable[[], object]
    ) -> AsyncGenerator[bytes, None]:
        self._looking[who] += 1
        try:
            async with aclosing(who[0].follow(last, packed=packed)) as events:
                async for event in events:
                    yield event
        finally:
            self._looking[who] -= 1
            if not self._looking[who]:
                del self._looking[who]
            on_end()

    @Operation("GET", "/api/me", "pairing", example=ME)
    async def me(self, request: Request) -> Answer[documents.Me]:
        """Return whose phone this is, and whether it waits to be let in.

        `claim` is its sign, which the box shows too, "" if it does not wait.
        """
        view, hash = self._host.view, self._acting.claim(request)
        claim = view.state.joining.of(hash) if view.state.joining else None
        who = who_of(self._acting.session(request), view)
        return fresh({"who": who, "waiting": hash != "", "claim": str(claim.sign) if claim else ""})

    @Operation("GET", "/api/names", "start", example={"names": ["Ann", "Ben"]})
    async def names(self, request: Request) -> Answer[documents.Names]:
        """Return the names of players that the box knows, for a paired phone."""
        if not self.is_paired(request.scope):
            raise Stop(403, tr("This phone is not paired. Use the menu on the box."))
        known = [name for name in self._host.view.state.names.known if name not in COLOURS]
        return fresh({"names": known})

    @Operation("GET", "/api/games", "start", refusals=(503,))
    async def games(self, request: Request) -> Answer[documents.Games]:
        """Return the games with their options and rule sets, and the last table."""
        state, last = self._host.view.state, last_table(self._host.view)
        return await self._json(request, ("games", dump(last)), lambda: games_document(state.house, state.rules, last))

    @Operation("GET", "/api/history", "table")
    async def history(self, request: Request) -> Answer[list[documents.Entry]]:
        """Return the acts that stand in the match in play."""
        return self._history.content(self._host.view).answer(request)

    @Operation("GET", "/api/history/{index:int}", "table", refusals=(404, 422), query=(GIVEN,))
    async def question(self, request: Request) -> Answer[documents.PastQuestion]:
        """Return the question that an act answered, for the referee's phone."""
        session = self._acting.session(request)
        if session is None or session.button is not None:
            raise Stop(403, tr("Only the referee’s phone can edit past moves."))
        given = request.query_params.get("given", "{}").encode()
        try:
            answers = read_line(given[:LONGEST_ANSWER]) if "given" in request.query_params else None
            found = question_of(self._host.view, request.path_params["index"], answers)
        except Unreadable as fault:
            raise Stop(400, capitalised(f"{fault}.")) from None
        except Refused as refusal:
            raise Stop(422, tr(refusal.reason)) from None
        except Exception as fault:  # the game's own code may raise anything
            if match := self._host.view.match:
                fault = match.sayable(fault)
            log.error("a question that was answered cannot be shown", exc_info=fault)
            raise Stop(422, tr("Box error: {fault}", fault=Translated(f"{type(fault).__name__}: {fault}"))) from None
        if found is None:
            raise Stop(404, tr("There is no such move."))
        return fresh(found)

    @Operation("GET", "/api/record", "table", media=RECORD, refusals=(404,))
    async def record(self, request: Request) -> Response:
        """Return the match in play as JSON Lines."""
        view = self._host.view
        return _download(record_of(view) or None, view.number)

    @Operation("GET", "/api/matches", "past", refusals=(503,))
    async def matches(self, request: Request) -> Answer[list[documents.Past]]:
        """Return the newest hundred matches, the newest first."""
        return await self._json(request, "matches", self._past.matches)

    @Operation("GET", "/api/matches/{number}", "past", refusals=(404, 503))
    async def match(self, request: Request) -> Answer[documents.Past]:
        """Return one match, and its scores act by act."""
        number = request.path_params["number"][:LONGEST]
        return await self._json(request, ("match", number), lambda: self._past.match(number))

    @Operation("GET", "/api/matches/{number}/moves", "past", refusals=(404, 503))
    async def moves(self, request: Request) -> Answer[documents.Replay]:
        """Return the moves of one match, each with the position that it led to."""
        number = request.path_params["number"][:LONGEST]
        return await self._json(request, ("moves", number), lambda: self._past.moves(number))

    @Operation("GET", "/api/matches/{number}/record", "past", media=RECORD, refusals=(404,))
    async def match_record(self, request: Request) -> Response:
        """Return one match as JSON Lines. Its header contains the signed result."""
        number = request.path_params["number"][:LONGEST]

        return await self._answer(request, self._record(number), headers=_named(number))

    @Operation("GET", "/api/matches/{number}/review", "past", refusals=(404, 503))
    async def match_review(self, request: Request) -> Answer[documents.Review]:
        """Return how much of one match was luck, and which choices cost most. This may take a minute."""
        number = request.path_params["number"][:LONGEST]

        async def found() -> Content[documents.Review] | None:
            if (record := await self._record(number)) is None:
                return None
            text = record.body  # a record has one review, whatever is played meanwhile

            async def make() -> Content[documents.Review]:
                return Content.json(await self._reviews.review(text.decode())).packed()

            return await self._reviewed.share(text, make)

        try:
            return await self._answer(request, found())
        except NoReview:
            raise Stop(503, tr("This match cannot be reviewed.")) from None

    async def _record(self, number: str) -> Content[Any] | None:
        def make() -> Content[Any] | None:
            record = self._past.record(number)
            return None if record is None else Content.of(record.encode(), RECORD)

        return await self._once.get(("record", number), make)

    @Operation("GET", "/api/puzzle", "past", refusals=(503,))
    async def puzzle(self, request: Request) -> Answer[documents.PuzzleDue]:
        """Return the puzzle that is due. If none is, a paired phone has new matches searched, for some minutes."""
        try:
            return fresh(await self._puzzles.due(search=self.is_paired(request.scope)))
        except NoPuzzle:
            raise Stop(503, tr("No puzzle can be found.")) from None

    @Operation("GET", "/api/stats", "past", refusals=(503,))
    async def stats(self, request: Request) -> Answer[documents.Stats]:
        """Return who has played and won how much: in all games, then in each."""
        return await self._json(request, "stats", self._past.stats)

    @Operation("GET", "/api/results", "past", refusals=(503,), query=(AFTER,), example=[RESULT])
    async def results(self, request: Request) -> Answer[list[documents.Result]]:
        """Return the matches after one, oldest first, 200 at most."""
        after = request.query_params.get("after", "0")
        if not re.fullmatch("[0-9]{1,15}", after):
            raise Stop(400, '"after" must be the number of a match.')
        path = self._host.journal.path
        return await self._json(request, ("results", after), lambda: signed_results(path, int(after)))

    @Operation("GET", "/api/matches.csv", "past", media=CSV, refusals=(503,))
    async def matches_csv(self, request: Request) -> Response:
        """Return all matches as CSV, a row per player."""
        path = self._host.journal.path
        return await self._csv(request, "matches.csv", lambda: matches_csv(read_results(path, most=None)))

    @Operation("GET", "/api/stats.csv", "past", media=CSV, refusals=(503,))
    async def stats_csv(self, request: Request) -> Response:
        """Return the statistics of all players as CSV."""
        return await self._csv(request, "stats.csv", lambda: stats_csv(self._past.stats()["tallies"]))

    async def _csv(self, request: Request, name: str, make: Callable[[], bytes]) -> Response:
        headers = {"Content-Disposition": f'attachment; filename="umpi-{name}"'}
        finding = self._once.get(name, lambda: Content.of(make(), CSV))
        return await self._answer(request, finding, headers=headers)

    @Operation("GET", "/api/rules", "rules")
    async def rules(self, request: Request) -> Answer[list[documents.Title]]:
        """Return the games that have rules."""
        return fresh(games_with_rules(self._host.view.state.rules))

    @Operation("GET", "/api/rules/{game}", "rules", refusals=(404, 503))
    async def rules_of(self, request: Request) -> Answer[documents.Rules]:
        """Return the rules of a game, in English if there are no others."""
        game, view = request.path_params["game"][:LONGEST_ID], self._host.view
        options = view.match.options if view.match and view.match.game.id == game else None
        return await self._json(
            request, ("rules", game, dump(options)), lambda: rules_of(view.state.rules, game, options),
            tr("This game has no rules."),
        )  # fmt: skip

    @Operation("GET", "/api/lessons", "rules")
    async def lessons(self, request: Request) -> Answer[list[documents.Title]]:
        """Return the games that have a lesson."""
        return fresh(lessons())

    @Operation("GET", "/api/lessons/{game}", "rules", refusals=(404,))
    async def lesson(self, request: Request) -> Answer[documents.Lesson]:
        """Return a lesson with all its steps."""
        game = _lesson_of(request)
        return await self._json(request, ("lesson", game), lambda: lesson(game))

    @Operation("GET", "/api/lessons/{game}/{step:int}", "rules", refusals=(404, 503), query=(ANSWER,))
    async def lesson_form(self, request: Request) -> Answer[documents.LessonForm]:
        """Return the form of an answer to the question of a step, and how the lesson judges the answer."""
        game, step = _lesson_of(request), min(request.path_params["step"], MOST_STEPS)
        answer = request.query_params.get("answer", "{}")[:LONGEST_ANSWER]
        try:
            given = dict(read_line(answer.encode()) or {})
        except Unreadable as fault:
            raise Stop(400, capitalised(f"{fault}.")) from None
        verb = str(given.pop("do", ""))
        return await self._json(
            request, ("lesson", game, step, answer), lambda: lesson_form(game, step, verb, given),
            tr("The lesson does not ask that."),
        )  # fmt: skip

    @Operation("GET", "/api/openapi.json", "box")
    async def openapi(self, request: Request) -> Answer[Mapping[str, Any]]:
        """Return this description."""
        return _description(request.url.path == versioned("/api/openapi.json")).answer(request)


class _Events(StreamingResponse):
    """A stream that ends as soon as its client disconnects, without waiting for the garbage collector."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream."""
        events: Any = self.body_iterator
        async with aclosing(events):
            await super().__call__(scope, receive, send)


def description(numbered: bool = False) -> Json:
    """Return the OpenAPI description of the API; `numbered` has the paths of its version."""
    declared = [each for owner in (WebApp, Parts, Watching, Acting) for each in endpoints(owner)]
    return describe(declared, versioned) if numbered else describe(declared)


@cache
def _description(numbered: bool) -> Content[Mapping[str, Any]]:
    return Content[Mapping[str, Any]].json(description(numbered)).packed()


def _lesson_of(request: Request) -> str:
    """Return the game of a request for a lesson. Raises Stop if it has none."""
    game: str = request.path_params["game"]
    if all(game != each["game"] for each in lessons()):
        raise Stop(404, tr("There is no such lesson."))
    return game


def _stamp_of(path: Path) -> Hashable:
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_ino, stat.st_size


def _named(number: object) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="umpi-{number}.jsonl"'}


def _download(record: str | None, number: object) -> Response:
    if record is None:
        raise Stop(404, tr("There is no such match."))
    return Response(record, media_type=RECORD, headers=FRESH | _named(number))


async def _stopped(request: Request, stop: Exception) -> Response:
    assert isinstance(stop, Stop)
    return stop.response


async def _refused(request: Request, fault: Exception) -> Response:
    assert isinstance(fault, HTTPException)
    return JSONResponse({"error": fault.detail}, fault.status_code, fault.headers)
