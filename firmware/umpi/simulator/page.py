"""The web page of the virtual box: the dots of its OLED, its lamps, and its buttons."""

from __future__ import annotations

import asyncio
import base64
import errno
import io
import socket
import sys
import time
import webbrowser
from collections.abc import Callable
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any

import segno
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from umpi.box.config import COLOURS, Config
from umpi.i18n.translate import tr
from umpi.kernel.output import put
from umpi.referee.events import Reach
from umpi.service.engines import engines_watched
from umpi.service.run import run_until_signal
from umpi.service.shelf_line import shelf_line
from umpi.service.waker import Waker
from umpi.simulator.chute import HOWS
from umpi.simulator.owner import Owner
from umpi.simulator.virtual import VirtualBox
from umpi.web.address import address, address_for_phones
from umpi.web.box_page import BoxPage, page_with
from umpi.web.codes import Codes
from umpi.web.door import listen_at
from umpi.web.reading import SMALL, read_json
from umpi.web.serving import serve_at


class NoPort(Exception):
    """Report that the page cannot be served at the requested address."""


def serve(config: Config, folder: Path, host: str, port: int, show: bool = False) -> None:
    """Serve the virtual box until it is interrupted. Port 0 takes a free one.

    Raises NoPort if the address is not available, Foreign if the journal is another program's file.
    """
    try:
        listening = listen_at(host, port)
    except (OSError, OverflowError) as fault:
        raise NoPort(_no_port(host, port, fault)) from None
    with listening, engines_watched():
        _serve(config, folder, host, listening, show)


def _serve(config: Config, folder: Path, host: str, listening: socket.socket, show: bool) -> None:
    at_port = listening.getsockname()[1]
    where, page = address(host, at_port), Page(config, address_for_phones(host, at_port), folder)
    put(f"Umpi runs at {where}")
    if not page.address:
        put("Only this computer can open it. For phones, start it with --lan.")
    else:
        put(f"To have the box and its buttons on another device too, open: {page.owners_address()}")
        if sys.stdout.isatty():
            put(page.codes_for_phones())
    trouble = page.box.loop.journal.trouble
    put(f"Matches are {f'NOT SAVED: {trouble}' if trouble else f'saved in {config.journal}'}.")
    put("Press Ctrl-C to stop.")
    if show:
        webbrowser.open(where)
    try:
        asyncio.run(run_until_signal(page.box.loop, lambda stop: page.serve(listening, stop)))
    finally:
        page.box.close()


def _drawn(text: str) -> str:
    """Draw a QR code with letters."""
    drawn = io.StringIO()
    segno.make(text, error="l", boost_error=False, micro=False).terminal(drawn, border=2, compact=True)
    return drawn.getvalue()


def _no_port(host: str, port: int, fault: Exception) -> str:
    """Return why the page cannot be served, and what to do."""
    code = getattr(fault, "errno", None)
    if code == errno.EADDRINUSE:
        return f"Port {port} is in use, by another box perhaps. Choose another: --port {port % 65535 + 1}"
    if code == errno.EACCES:
        return f"Port {port} is not open to this user. Choose one above 1023: --port 8137"
    why = getattr(fault, "strerror", None) or str(fault)
    return f"The page cannot be served at {host}: {why}. Choose an address of this machine: --host 127.0.0.1"


def _find_reach(address: str, post: Callable[[Reach], object]) -> None:
    """Report how to make the page reachable for phones, if it is not."""
    trouble = tr("Phones cannot reach this computer. Restart with: ./scripts/play --lan")
    post(Reach(trouble="" if address else trouble))


class Page:
    """Serve one virtual box to its clients. `address` is the URL for phones, "" if they cannot reach this computer.

    Games are installed in `folder`, by default beside the journal.
    """

    def __init__(self, config: Config, address: str = "", folder: Path | None = None) -> None:
        self.address = address
        self._face_changed = Waker()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._next: asyncio.TimerHandle | None = None  # when the virtual devices next have something to do
        self.box = VirtualBox(
            config,
            time.monotonic_ns,
            on_change=self._face_changed.wake,
            find_reach=partial(_find_reach, address),
            codes_of=partial(Codes, address=lambda: address),
            shelf_of=partial(shelf_line, config, folder or config.journal.parent),
        )
        assert self.box.web_app
        self.web_app = self.box.web_app
        self._box_page = BoxPage(self.web_app, self._face, lambda button, down, _: self.box.hold(button, down))
        self._owner = Owner(self.web_app.is_proxy)

    def owners_address(self) -> str:
        """Return the address at which another device gets the face and the buttons of the box."""
        return self._owner.address(self.address)

    def codes_for_phones(self) -> str:
        """Return the QR code for the players, beside one that makes the first phone the referee's."""
        players = _drawn(f"{self.address}#pair")
        codes = self.web_app.codes
        if any(button is None for _, button, _ in codes.paired()):
            return f"Players scan this code:\n{players}"
        referee = _drawn(f"{self.address}#pair={codes.invite()}").splitlines()
        beside = zip_longest(referee, players.splitlines(), fillvalue="")
        lines = [f"{left:{len(referee[0])}}  {right}" for left, right in beside]
        head = f"{'The referee scans this code first.':{len(referee[0])}}  The players scan this one."
        return "\n".join([head, *lines])

    def app(self) -> ASGIApp:
        """Return the application: the routes of the web server, and for the owner the face and the buttons."""
        only = self._owner.only
        routes = [
            Route("/", self.index),
            Route("/face", only(self._box_page.face)),
            Route("/hold", only(self._box_page.hold), methods=["POST"]),
            Route("/toss", only(self.toss), methods=["POST"]),
        ]
        return self.web_app.app(routes)

    async def serve(self, listening: socket.socket, stop: asyncio.Event) -> None:
        """Serve the page on an open socket until `stop` is set. Set it if the server ends by itself."""
        self._loop = asyncio.get_running_loop()
        self._fall()
        stopped = asyncio.create_task(stop.wait())
        stopped.add_done_callback(lambda _: self._close())
        publishing = asyncio.create_task(self._publish())
        try:
            await serve_at(listening, self.app(), self.web_app, stopped)
        finally:
            publishing.cancel()
            stop.set()

    def _close(self) -> None:
        self._box_page.stream.close()
        self.web_app.close()

    async def index(self, request: Request) -> Response:
        """Return the page: for the owner with the virtual box, for all others that of any box.

        A further mark shows that phones cannot reach it.
        """
        if entered := self._owner.enter(request):
            return entered
        if not self._owner.owns(request):
            return page_with(request)
        return page_with(request, "box") if self.address else page_with(request, "box", "alone")

    async def toss(self, request: Request) -> Response:
        """Toss cubes into the funnel: {"cubes": ["red", "blue"], "how": "apart"}; {"jiggle": true} shakes it."""
        body = await read_json(request, SMALL)
        if body == {"jiggle": True}:
            self.box.jiggle()
            return Response(status_code=204)
        cubes, how = body.get("cubes"), body.get("how", "apart")
        fits = isinstance(cubes, tuple) and 1 <= len(cubes) <= 6 and all(cube in COLOURS for cube in cubes)
        if not fits or not isinstance(cubes, tuple) or how not in HOWS:
            wanted = f'{{"cubes": some of {", ".join(COLOURS)}, "how": one of {", ".join(HOWS)}}}'
            return PlainTextResponse(f"Expected {wanted}.", 400)
        try:
            self.box.toss(cubes, how)
        except LookupError as fault:
            return PlainTextResponse(f"{fault}.", 409)
        self._fall()
        return Response(status_code=204)

    def _fall(self) -> None:
        """Let the cubes fall, and schedule the next call for when something is due."""
        due_ns = self.box.fly()
        if self._next:
            self._next.cancel()
        if due_ns is not None and self._loop:
            self._next = self._loop.call_later(max(0.0, (due_ns - self.box.clock()) / 1e9), self._fall)

    def _face(self) -> dict[str, Any]:
        dots = base64.b64encode(self.box.picture().tobytes()).decode()
        funnel = self.box.box.funnel
        lanes = funnel.settings.lanes if funnel else 0
        lamps = {"lit": self.box.lit(), "blinking": self.box.blinking()}
        return {"dots": dots, "light": self.box.light(), **lamps, "sounding": self.box.sounding(), "lanes": lanes}

    async def _publish(self) -> None:
        """Publish the face whenever it changes."""
        while True:
            await self._face_changed.wait()
            self._box_page.publish()
