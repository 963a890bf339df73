"""The routes of the desk: the page, the table as a document and as a stream, its past, and what phones ask for."""

from __future__ import annotations

import asyncio
import logging
import secrets
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from umpi.desk.acting import Acting, Stop, error, who_of
from umpi.desk.guard import Guard
from umpi.desk.openapi import description
from umpi.desk.pairing import Codes
from umpi.desk.past import Past, entries, question_of, record_of
from umpi.desk.stream import Stream
from umpi.desk.table import document
from umpi.desk.words import WORDS
from umpi.referee import Referee
from umpi.rules.record import Unreadable, read_line
from umpi.tongue import Told, sentence, spoken, template, told

log = logging.getLogger(__name__)
FOLDER = Path(__file__).parent
FRESH = {"Cache-Control": "no-store"}
LOOKERS = 256
LONGEST = 4096  # bytes of an answer in an address
RECORD = "application/x-ndjson"


class Desk:
    """The desk of one referee. `address` tells where phones find it; all runs in the referee's own loop."""

    def __init__(self, referee: Referee, codes: Codes) -> None:
        self._referee = referee
        self.stream = Stream(secrets.token_hex(8))
        self._past = Past(referee.journal.path)
        self._acting = Acting(referee, codes, self.stream)
        referee.phones.pairing, referee.phones.watch = codes, self._publish
        self._publish()

    def app(self, routes: Sequence[BaseRoute] = (), **settings: Any) -> ASGIApp:
        """Make the app, with other routes beside the desk's own."""
        acting = self._acting
        api = [
            Route("/state", self.state),
            Route("/events", self.events),
            Route("/words", self.words),
            Route("/me", self.me),
            Route("/history", self.history),
            Route("/history/{index:int}", self.question),
            Route("/record", self.record),
            Route("/matches", self.matches),
            Route("/matches/{number}", self.match),
            Route("/matches/{number}/record", self.match_record),
            Route("/stats", self.stats),
            Route("/openapi.json", self.openapi),
        ]
        posts = (acting.form, acting.act, acting.undo, acting.amend, acting.settle, acting.pair, acting.unpair)
        api += [Route(f"/{post.__name__}", post, methods=["POST"]) for post in posts]
        page = Mount("/", StaticFiles(directory=FOLDER / "page", html=True))
        handlers: Any = {Stop: _stopped, HTTPException: _refused}
        app = Starlette(routes=[*routes, Mount("/api", routes=api), page], exception_handlers=handlers, **settings)
        return Guard(app, socket.gethostname())

    def close(self) -> None:
        """Let all who look go."""
        self.stream.close()

    def _publish(self) -> None:
        self.stream.publish(document(self._referee.sitting, self._referee.panel))

    async def words(self, request: Request) -> Response:
        """What the page says, in the language of the box."""
        return JSONResponse({"language": spoken(), "words": {text: template(text) for text in WORDS}}, headers=FRESH)

    async def state(self, request: Request) -> Response:
        """Tell what the table shows."""
        return JSONResponse(self.stream.latest, headers=FRESH)

    async def events(self, request: Request) -> Response:
        """Stream what the table shows, whenever it changes (server-sent events)."""
        if self.stream.lookers >= LOOKERS:
            return error(503, told("Too many look at once."))
        events = self.stream.follow(request.headers.get("last-event-id", ""))
        return StreamingResponse(events, media_type="text/event-stream", headers=FRESH)

    async def me(self, request: Request) -> Response:
        """Tell whose phone this is."""
        return JSONResponse({"who": who_of(self._acting.session(request), self._referee)}, headers=FRESH)

    async def history(self, request: Request) -> Response:
        """Tell the acts that stand."""
        return JSONResponse(entries(self._referee.sitting), headers=FRESH)

    async def question(self, request: Request) -> Response:
        """Return the question that one of these acts answered, for the referee's phone, which may amend it."""
        session = self._acting.session(request)
        if session is None or session.button is not None:
            return error(403, told("Only the referee's phone changes what was done before."))
        given = request.query_params.get("given", "{}").encode()
        try:
            answers = read_line(given[:LONGEST]) if "given" in request.query_params else None
            found = question_of(self._referee.sitting, request.path_params["index"], answers)
        except Unreadable as fault:
            return error(400, sentence(f"{fault}."))
        except Exception as fault:  # the engine's own code runs in it
            log.exception("a question that was answered cannot be shown")
            return error(422, told("The box fails: {fault}", fault=Told(f"{type(fault).__name__}: {fault}")))
        return JSONResponse(found, headers=FRESH) if found else error(404, told("There is no such act."))

    async def record(self, request: Request) -> Response:
        """Give the match in play as a record."""
        sitting = self._referee.sitting
        return _download(record_of(sitting) or None, sitting.number)

    async def matches(self, request: Request) -> Response:
        """Tell the matches of before."""
        return JSONResponse(await asyncio.to_thread(self._past.matches), headers=FRESH)

    async def match(self, request: Request) -> Response:
        """Tell one of them, with its scores act by act."""
        found = await asyncio.to_thread(self._past.match, request.path_params["number"])
        return JSONResponse(found, headers=FRESH) if found else error(404, told("There is no such match."))

    async def match_record(self, request: Request) -> Response:
        """Give one of them as a record."""
        number = request.path_params["number"]
        return _download(await asyncio.to_thread(self._past.record, number), number)

    async def stats(self, request: Request) -> Response:
        """Tell who has played and won how much."""
        return JSONResponse(await asyncio.to_thread(self._past.stats), headers=FRESH)

    async def openapi(self, request: Request) -> Response:
        """Describe all this."""
        return JSONResponse(description())


def _download(record: str | None, number: object) -> Response:
    if record is None:
        return error(404, told("There is no such match."))
    headers = {**FRESH, "Content-Disposition": f'attachment; filename="umpi-{number}.jsonl"'}
    return Response(record, media_type=RECORD, headers=headers)


async def _stopped(request: Request, stop: Exception) -> Response:
    assert isinstance(stop, Stop)
    return stop.response


async def _refused(request: Request, fault: Exception) -> Response:
    assert isinstance(fault, HTTPException)
    return JSONResponse({"error": fault.detail}, fault.status_code, fault.headers)
