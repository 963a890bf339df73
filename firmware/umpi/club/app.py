"""The web server of the hall: the page, its parts, and a stream that says when they have changed."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections import OrderedDict
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.types import ASGIApp

from umpi.club import page
from umpi.club.hall import Hall
from umpi.club.page import Drawn, Ladders
from umpi.club.store import History, Played, Store, evening_of, season_of, why_away
from umpi.frozen import frozen
from umpi.web.content import PAGE, Content, Files
from umpi.web.guard import Guard
from umpi.web.stream import Stream

HERE = Path(__file__).parent
PARTS = 16  # that are kept
FRESH = {"Cache-Control": "no-store"}


@frozen
class Part:
    """The main part of the page as HTML, and the titles of the games that were played."""

    html: bytes
    games: dict[str, str]


class Period:
    """The matches since a day, and what was counted of them."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._played: list[Played] = []
        self._ladders: Ladders = {}
        self._drawing = threading.Lock()  # a draw continues even if who has asked is gone

    def draw(self, tables: str, game: str, months: bool, warned: bool) -> tuple[Part, bool]:
        """Return the tables with the boards, and whether the database could be read.

        `months` is whether the boards have what was played month by month; `warned` whether the tables say already
        that the database is away. Until it was read once, there are no boards.
        """
        with self._drawing:
            whole = True
            try:
                self._played = self._history.read()
            except SQLAlchemyError as fault:
                whole = False
                tables = tables if warned else page.away(why_away(fault)) + tables
                if not self._played:
                    return Part(tables.encode(), {}), whole
            titles = {each.game: each.title for each in self._played}
            games = {id: titles[id] for id in sorted(titles)}
            boards = page.boards(self._played, games, game, self._ladders, months)
            return Part((tables + boards).encode(), games), whole


class ClubApp:
    """Serve one hall. `season` is the first day of the season, None for 1 January; `wall` says what day it is."""

    def __init__(self, title: str, hall: Hall, store: Store, season: date | None, wall: Callable[[], datetime]) -> None:
        self.stream = Stream("club")
        self._title, self._hall, self._store, self._season, self._wall = title, hall, store, season, wall
        self._periods: dict[date, Period] = {}
        self._drawn: Drawn = {}  # the tables
        self._parts: OrderedDict[tuple[object, ...], Part] = OrderedDict()  # the newest ones, by all that is in them
        self._drawing = asyncio.Lock()  # so that many who ask at once share what is drawn
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
        """Tell all pages if the hall has changed. They ask for what they show."""
        self.stream.publish({"changes": [*self._changes]})

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
        part = await self._part(period, game)
        main = part.html.decode()
        return HTMLResponse(page.page(self._title, main, period, game, part.games), headers=FRESH)

    async def part(self, request: Request) -> Response:
        """Return the main part of the page."""
        part = await self._part(*_asked(request))
        return HTMLResponse(part.html, headers=FRESH)

    @property
    def _changes(self) -> tuple[int, int, str, bool]:
        """What is another value whenever the page shows something else."""
        return self._hall.changes, self._store.writes, self._hall.trouble, self._hall.lost

    async def _part(self, period: str, game: str) -> Part:
        """Return the main part of the page, drawn once for all who ask for it."""
        async with self._drawing:
            evening = evening_of(self._wall())
            season = season_of(evening, self._season)
            what = self._changes, evening, period, game
            if what not in self._parts:
                since = evening if period == "evening" else season
                self._periods = {day: each for day, each in self._periods.items() if day in (evening, season)}
                read = self._periods.setdefault(since, Period(History(self._store, since)))
                trouble = self._hall.trouble
                tables = page.tables(self._hall.tables.values(), trouble, self._drawn, self._hall.lost)
                part, whole = await asyncio.to_thread(read.draw, tables, game, period == "season", bool(trouble))
                if not whole:
                    return part
                self._parts[what] = part
                if len(self._parts) > PARTS:
                    self._parts.popitem(last=False)
            return self._parts[what]


def _asked(request: Request) -> tuple[str, str]:
    period = request.query_params.get("when", "evening")
    return (period if period in page.PERIODS else "evening"), request.query_params.get("game", "")[:60]
