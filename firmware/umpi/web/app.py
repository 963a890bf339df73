"""The routes of the web server: the page, the table as a document and as a stream, past matches, and POST requests."""

from __future__ import annotations

import ipaddress
import json
import logging
import re
import secrets
import socket
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Hashable, Sequence
from contextlib import aclosing
from functools import cache
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from umpi.box.identity import read_identity
from umpi.i18n.translate import Translated, capitalised, current_language, tr
from umpi.kernel.record import Unreadable, dump, read_line
from umpi.referee.view_state import ViewState
from umpi.table.seats import COLOURS
from umpi.web.acting import Acting, who_of
from umpi.web.content import FRESH, PAGE, Content, Files, Once, TooMany
from umpi.web.guard import Guard, within
from umpi.web.host import Host
from umpi.web.https import Https
from umpi.web.joined import joined_page
from umpi.web.lessons import lesson, lessons
from umpi.web.openapi import description
from umpi.web.pairing import Codes, network_of
from umpi.web.parts import Parts
from umpi.web.past import History, Past, question_of, record_of
from umpi.web.reading import Stop, error
from umpi.web.results import matches_csv, read_results, stats_csv
from umpi.web.rules import games_with_rules, rules_of
from umpi.web.starting import games_document, last_table
from umpi.web.stream import Stream
from umpi.web.table import document
from umpi.web.watching import API, Watching, described

log = logging.getLogger(__name__)
LOOKERS = 160  # open streams at once
STRANGERS = 128  # of these, streams of unpaired phones
EACH = 8  # streams per phone or per address
LONGEST = 20  # characters of a match number that are read
LONGEST_ID = 60  # characters of a game's id that are read
LONGEST_ANSWER = 4096  # bytes of the answers in a URL
RECORD = "application/x-ndjson"
CSV = "text/csv; charset=utf-8"


class WebApp:
    """Serve the web application of one box, in its event loop.

    Phones may use `names` as host names in addition to the box's own. `proxy` is the address or network of a trusted
    proxy, or "". `name` is the name of the box; without it, that of the computer. `https` also serves it over HTTPS.
    """

    def __init__(
        self, host: Host, codes: Codes, names: Sequence[str] = (), proxy: str = "", name: str = "",
        https: Https | None = None,
    ) -> None:  # fmt: skip
        self._host, self._codes, self.https = host, codes, https
        self._names, self._proxy = names, ipaddress.ip_network(proxy) if proxy else None
        self.stream = Stream(secrets.token_hex(8))
        self._watching = Watching(host, read_identity(host.journal.path.parent, name), self.stream)
        self._past, self._once = Past(host.journal.path), Once(self._stamp)
        self._history = History()
        self._acting, self._parts = Acting(host, codes, self.stream), Parts(codes, https)
        self._looking: Counter[tuple[Stream, str]] = Counter()
        host.serve_phones(codes, self._publish)

    def app(self, routes: Sequence[BaseRoute] = ()) -> ASGIApp:
        """Return the application. Other `routes` come before its own."""
        acting = self._acting
        api = [
            Route("/state", self.state),
            Route("/events", self.events),
            Route("/words", self._parts.words),
            Route("/me", self.me),
            Route("/names", self.names),
            Route("/app", self._parts.as_app),
            Route("/games", self.games),
            Route("/history", self.history),
            Route("/history/{index:int}", self.question),
            Route("/record", self.record),
            Route("/matches", self.matches),
            Route("/matches/{number}", self.match),
            Route("/matches/{number}/record", self.match_record),
            Route("/stats", self.stats),
            Route("/rules", self.rules),
            Route("/rules/{game}", self.rules_of),
            Route("/lessons", self.lessons),
            Route("/lessons/{game}", self.lesson),
            Route("/openapi.json", self.openapi),
            Route("/box", self._watching.box),
            Route("/results", self.results),
            Route("/matches.csv", self.matches_csv),
            Route("/stats.csv", self.stats_csv),
        ]
        posts = (
            acting.form,
            acting.act,
            acting.undo,
            acting.amend,
            acting.settle,
            acting.hint,
            acting.pair,
            acting.join,
            acting.joining,
            acting.admit,
            acting.name,
            acting.start,
            acting.rematch,
            acting.next,
            acting.leave,
            acting.resume,
            acting.unpair,
            acting.clock,
        )
        api += [Route(f"/{post.__name__}", post, methods=["POST"]) for post in posts]
        watched = [Route("/healthz", self._watching.healthz), Route("/metrics", self._watching.metrics)]
        files = [
            Route("/join.svg", self._parts.join),
            Route("/umpi.crt", self._parts.authority),
            Route("/offline.html", self._parts.offline),
        ]
        both = [Mount(f"/api/{API}", routes=api), Mount("/api", routes=api)]
        page = Mount("/", Files(PAGE, joined_page(PAGE)))
        handlers: Any = {Stop: _stopped, HTTPException: _refused}
        app = Starlette(routes=[*routes, *both, *watched, *files, page], exception_handlers=handlers)
        return Guard(app, socket.gethostname(), self._names, self._proxy)

    def close(self) -> None:
        """End all streams and stop computing answers."""
        self.stream.close()
        self._acting.close()
        self._once.close()

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
        return current_language(), journal.writes, *map(_stamp_of, (path, path.with_name(f"{path.name}-wal")))

    async def _json(self, request: Request, what: Hashable, tell: Callable[[], Any], none: str = "") -> Response:
        """Return a response with a document as JSON; `none` is the error if there is none."""

        def make() -> Content | None:
            document = tell()
            if document is None:
                return None
            return Content.of(json.dumps(document, ensure_ascii=False).encode()).packed()

        return await self._content(request, what, make, none)

    async def _content(
        self, request: Request, what: Hashable, make: Callable[[], Content | None], none: str = "", **headers: str
    ) -> Response:
        try:
            found = await self._once.get(what, make)
        except TooMany:
            return error(503, tr("Too many viewers."))
        return found.answer(request, **headers) if found else error(404, none or tr("There is no such match."))

    def _publish(self, view: ViewState) -> None:
        referee = any(button is None for _, button, _ in self._codes.paired())
        self.stream.publish(document(view, referee))

    async def state(self, request: Request) -> Response:
        """Return what the table shows."""
        return JSONResponse(self.stream.latest, headers=FRESH)

    async def events(self, request: Request) -> Response:
        """Stream what the table shows, whenever it changes (server-sent events)."""
        return self.streamed(request, self.stream)

    def streamed(self, request: Request, stream: Stream, on_end: Callable[[], object] = int) -> Response:
        """Return the documents of a stream as server-sent events, unless too many are open.

        `on_end` is called when the client has disconnected.
        """
        session = self._acting.session(request)
        who = stream, session.hash if session else network_of(request.client.host if request.client else "")
        if stream.lookers >= (LOOKERS if session else STRANGERS) or self._looking[who] >= EACH:
            return error(503, tr("Too many viewers."))
        events = self._follow(who, request.headers.get("last-event-id", ""), on_end)
        return _Events(events, media_type="text/event-stream", headers=FRESH)

    async def _follow(
        self, who: tuple[Stream, str], last: str, on_end: Callable[[], object]
    ) -> AsyncGenerator[bytes, None]:
        self._looking[who] += 1
        try:
            async with aclosing(who[0].follow(last)) as events:
                async for event in events:
                    yield event
        finally:
            self._looking[who] -= 1
            if not self._looking[who]:
                del self._looking[who]
            on_end()

    async def me(self, request: Request) -> Response:
        """Return the role of this phone, and whether it waits to be let in."""
        who, claim = who_of(self._acting.session(request), self._host.view), self._acting.claim(request)
        return JSONResponse({"who": who, "waiting": claim != "", "claim": claim}, headers=FRESH)

    async def names(self, request: Request) -> Response:
        """Return the names that a paired phone may offer to its player."""
        if not self.is_paired(request.scope):
            return error(403, tr("This phone is not paired. Use the menu on the box."))
        known = [name for name in self._host.view.state.names.known if name not in COLOURS]
        return JSONResponse({"names": known}, headers=FRESH)

    async def games(self, request: Request) -> Response:
        """Return what can be started: the games with their options and rule sets, and the last table."""
        house, last = self._host.view.state.house, last_table(self._host.view)
        return await self._json(request, ("games", dump(last)), lambda: games_document(house, last))

    async def history(self, request: Request) -> Response:
        """Return the acts of the match in play."""
        return self._history.content(self._host.view).answer(request)

    async def question(self, request: Request) -> Response:
        """Return the question that an act answered, for the referee's phone, which may amend it."""
        session = self._acting.session(request)
        if session is None or session.button is not None:
            return error(403, tr("Only the referee's phone can edit past moves."))
        given = request.query_params.get("given", "{}").encode()
        try:
            answers = read_line(given[:LONGEST_ANSWER]) if "given" in request.query_params else None
            found = question_of(self._host.view, request.path_params["index"], answers)
        except Unreadable as fault:
            return error(400, capitalised(f"{fault}."))
        except Exception as fault:  # the game's own code may raise anything
            log.exception("a question that was answered cannot be shown")
            return error(422, tr("Box error: {fault}", fault=Translated(f"{type(fault).__name__}: {fault}")))
        return JSONResponse(found, headers=FRESH) if found else error(404, tr("There is no such act."))

    async def record(self, request: Request) -> Response:
        """Return the match in play as a record."""
        view = self._host.view
        return _download(record_of(view) or None, view.number)

    async def matches(self, request: Request) -> Response:
        """Return the past matches."""
        return await self._json(request, "matches", self._past.matches)

    async def match(self, request: Request) -> Response:
        """Return one past match with its scores after each act."""
        number = request.path_params["number"][:LONGEST]
        return await self._json(request, ("match", number), lambda: self._past.match(number))

    async def match_record(self, request: Request) -> Response:
        """Return one past match as a record."""
        number = request.path_params["number"][:LONGEST]

        def make() -> Content | None:
            record = self._past.record(number)
            return None if record is None else Content.of(record.encode(), RECORD)

        return await self._content(request, ("record", number), make, **_named(number))

    async def stats(self, request: Request) -> Response:
        """Return the statistics of all players."""
        return await self._json(request, "stats", self._past.stats)

    async def results(self, request: Request) -> Response:
        """Return the matches whose numbers are above `after`, oldest first, for programs that keep results."""
        after = request.query_params.get("after", "0")
        if not re.fullmatch("[0-9]{1,15}", after):
            return error(400, '"after" must be the number of a match.')
        path = self._host.journal.path
        return await self._json(request, ("results", after), lambda: read_results(path, int(after)))

    async def matches_csv(self, request: Request) -> Response:
        """Return all matches as CSV, a row per player."""
        path = self._host.journal.path
        return await self._csv(request, "matches.csv", lambda: matches_csv(read_results(path, most=None)))

    async def stats_csv(self, request: Request) -> Response:
        """Return the statistics of all players as CSV."""
        return await self._csv(request, "stats.csv", lambda: stats_csv(self._past.stats()["tallies"]))

    async def _csv(self, request: Request, name: str, make: Callable[[], bytes]) -> Response:
        headers = {"Content-Disposition": f'attachment; filename="umpi-{name}"'}
        return await self._content(request, name, lambda: Content.of(make(), CSV), **headers)

    async def rules(self, request: Request) -> Response:
        """Return the games that have rules."""
        return JSONResponse(games_with_rules(self._host.view.state.rules), headers=FRESH)

    async def rules_of(self, request: Request) -> Response:
        """Return the rules of a game, with its examples position by position."""
        game, view = request.path_params["game"][:LONGEST_ID], self._host.view
        options = view.match.options if view.match and view.match.game.id == game else None
        return await self._json(
            request, ("rules", game, dump(options)), lambda: rules_of(view.state.rules, game, options),
            tr("This game has no rules."),
        )  # fmt: skip

    async def lessons(self, request: Request) -> Response:
        """Return the games that have a lesson."""
        return JSONResponse(lessons(), headers=FRESH)

    async def lesson(self, request: Request) -> Response:
        """Return the lesson of a game, with all its steps."""
        game = request.path_params["game"]
        if all(game != each["game"] for each in lessons()):
            return error(404, tr("There is no such lesson."))
        return await self._json(request, ("lesson", game), lambda: lesson(game))

    async def openapi(self, request: Request) -> Response:
        """Return the OpenAPI description of this API."""
        return _description(request.url.path.startswith(f"/api/{API}/")).answer(request)


class _Events(StreamingResponse):
    """A stream that ends as soon as its client disconnects, without waiting for the garbage collector."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream."""
        events: Any = self.body_iterator
        async with aclosing(events):
            await super().__call__(scope, receive, send)


@cache
def _description(numbered: bool) -> Content:
    api = description()
    paths = described(api["paths"]) if numbered else api["paths"]
    return Content.of(json.dumps({**api, "paths": paths}).encode()).packed()


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
        return error(404, tr("There is no such match."))
    return Response(record, media_type=RECORD, headers=FRESH | _named(number))


async def _stopped(request: Request, stop: Exception) -> Response:
    assert isinstance(stop, Stop)
    return stop.response


async def _refused(request: Request, fault: Exception) -> Response:
    assert isinstance(fault, HTTPException)
    return JSONResponse({"error": fault.detail}, fault.status_code, fault.headers)
