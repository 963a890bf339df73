"""The web server of the hall: the page, its parts, and a stream that says when they have changed."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.types import ASGIApp

from umpi.club import page
from umpi.club.hall import Hall
from umpi.club.store import NIGHT, Played, Store
from umpi.web.content import PAGE, Content, Files
from umpi.web.guard import Guard
from umpi.web.stream import Stream

HERE = Path(__file__).parent
FRESH = {"Cache-Control": "no-store"}


class ClubApp:
    """Serve one hall. `season` is the first day of the season; `wall` says what day it is."""

    def __init__(self, title: str, hall: Hall, store: Store, season: date, wall: Callable[[], datetime]) -> None:
        self.stream = Stream("club")
        self._title, self._hall, self._store, self._season, self._wall = title, hall, store, season, wall
        self._kept: dict[Any, tuple[int, list[Played]]] = {}
        self._reading = asyncio.Lock()
        self._tokens = Content.of((PAGE / "tokens.css").read_bytes(), "text/css")
        self._icon = Content.of((PAGE / "icon.svg").read_bytes(), "image/svg+xml")

    def app(self) -> ASGIApp:
        """Return the application."""
        routes = [
            Route("/", self.page),
            Route("/part", self.part),
            Route("/events", self.events),
            Route("/tokens.css", self.tokens),
            Route("/icon.svg", self.icon),
            Mount("/", Files(HERE / "page")),
        ]
        return Guard(Starlette(routes=routes), socket.gethostname())

    def publish(self) -> None:
        """Tell all pages if the hall has changed."""
        tables = [
            {
                "id": table.id,
                "name": table.name,
                "online": table.online,
                "twin": table.twin,
                "next": table.next,
                "state": asdict(replace(table.state, now=None)),
            }
            for table in self._hall.tables.values()
        ]
        self.stream.publish({"tables": tables, "writes": self._store.writes, "trouble": self._hall.trouble})

    async def events(self, request: Request) -> Response:
        """Stream the hall, whenever it changes (server-sent events)."""
        followed = self.stream.follow(request.headers.get("last-event-id", ""))
        return StreamingResponse(followed, media_type="text/event-stream", headers=FRESH)

    async def tokens(self, request: Request) -> Response:
        """Return the colours and sizes of the box's own page."""
        return self._tokens.answer(request)

    async def icon(self, request: Request) -> Response:
        """Return the icon of the box's own page."""
        return self._icon.answer(request)

    async def page(self, request: Request) -> Response:
        """Return the page of the hall."""
        period, game = _asked(request)
        main, games = await self._main(period, game)
        return HTMLResponse(page.page(self._title, main, period, game, games), headers=FRESH)

    async def part(self, request: Request) -> Response:
        """Return the main part of the page."""
        main, _ = await self._main(*_asked(request))
        return HTMLResponse(main, headers=FRESH)

    async def _main(self, period: str, game: str) -> tuple[str, dict[str, str]]:
        now = (self._wall().astimezone() - NIGHT).date()
        since = now if period == "evening" else self._season
        try:
            played = await self._played(since)
        except SQLAlchemyError:  # the hall reports it as well
            played = self._kept.get(since, (0, []))[1]
        games = {each.game: each.title for each in played}
        shown = [each for each in played if game in ("", each.game)]
        tables = page.tables(self._hall.tables.values(), self._hall.trouble)
        boards = await asyncio.to_thread(page.boards, shown, {id: games[id] for id in sorted(games)})
        return tables + boards, games

    async def _played(self, since: date) -> list[Played]:
        """Return the matches since a day, from the database if something was written."""
        async with self._reading:
            writes = self._store.writes
            if self._kept.get(since, (-1, []))[0] != writes:
                self._kept[since] = writes, await asyncio.to_thread(partial(self._store.played, since))
            return self._kept[since][1]


def _asked(request: Request) -> tuple[str, str]:
    period = request.query_params.get("when", "evening")
    return (period if period in page.PERIODS else "evening"), request.query_params.get("game", "")[:60]
