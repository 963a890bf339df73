"""The host of a box in a tab: it runs the loop of the service and answers the page's requests, without a server."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from contextvars import Context
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from umpi.box.config import Config
from umpi.i18n.translate import LANGUAGES, capitalised, tr
from umpi.journal import Journal, open_to_read
from umpi.journal.transfer import BadExport, export, read_export
from umpi.kernel.nothing import nothing
from umpi.kernel.registry import find, games
from umpi.recording.recorder import Recorder
from umpi.recording.report import Reporter
from umpi.referee.events import PictureShown, PuzzleFound, Reach
from umpi.referee.referee import Referee
from umpi.referee.setup import BoxSetup
from umpi.rulebook.shelf import Shelf
from umpi.service.emitter_check import EmitterCheck, HeadSwitch
from umpi.service.inbox import Inbox
from umpi.service.loop import Loop
from umpi.tab.aside import Aside, Start, Task
from umpi.tab.devices import TOUCHED_NS, PageClock, TabDevices
from umpi.tab.head import TabHead, head_plan
from umpi.timing.funnel import Funnel
from umpi.web.app import RECORD, WebApp
from umpi.web.box_page import BoxPage, page_with
from umpi.web.codes import Codes
from umpi.web.publisher import Publisher

log = logging.getLogger(__name__)

COOKIES = "cookies.json"  # beside the journal: a service worker cannot set cookies, so the host keeps them
KEPT_BACK = {  # headers of the guard: the window shows the page in a frame, which they forbid
    "set-cookie", "x-frame-options", "content-security-policy",
}  # fmt: skip
Send = Callable[[str, Any], object]  # what an answer consists of: "head", then "part" any number of times, then "end"


class Host:
    """Run one box in a tab. Its files are in `folder`; `language` is used until its players choose another.

    `page_us` is now, by the clock of the page in microseconds; without it, presses are stamped as they arrive. `wiring`
    is that of the sensor head, if there is one, as `head_plan` reads it. `start_aside` starts a second Python.

    Raises Foreign if the journal in the folder is not one, or a newer Umpi's.
    """

    def __init__(
        self,
        folder: Path,
        language: str = "en",
        page_us: int | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
        wiring: str = "",
        write: Callable[[str], object] = nothing,
        start_aside: Start | None = None,
    ) -> None:
        page = None if page_us is None else PageClock(1000 * page_us, clock())
        plan = head_plan(wiring)
        config = Config(journal=folder / "games.db", own_journal=True, language=known_language(language), head=plan)
        journal = Journal(config.journal, own=True)
        inbox = Inbox()
        self.head = TabHead(plan, inbox, clock, write) if plan else None
        self.devices = TabDevices(inbox, clock, self._publish_face, page, self.head)
        setup = BoxSetup(
            known=tuple(journal.players()), language=journal.spoken() or config.language, seed=secrets.randbits(48),
            setup_card=True, hint=True, press_bound_ns=TOUCHED_NS, beams=config.beam_lines,
            wall=bool(plan and plan.wall),
        )  # fmt: skip
        recorder = Recorder()
        recorder.begin(setup)
        codes = Codes(journal.phones())
        publisher = Publisher(codes)
        self._box_page: BoxPage | None = None
        self._stop = asyncio.Event()
        self._calls: dict[int, asyncio.Event] = {}  # requests that are being answered, and whether their client is gone
        self._tasks: set[asyncio.Task[None]] = set()
        self._jar = Jar(folder / COOKIES)
        self._aside = Aside(inbox.post, start_aside)
        self.loop = Loop(
            referee=Referee(setup, games(), find, Shelf(games())),
            box=self.devices,
            journal=journal,
            inbox=inbox,
            clock=clock,
            recorder=recorder,
            reporter=Reporter(config, recorder),
            find_reach=lambda: inbox.post(Reach(trouble=tr("Phones cannot reach a box in a browser’s tab."))),
            find_hint=self._aside.find_hint,
            find_review=self._aside.find_review,
            find_puzzle=lambda _: inbox.post(PuzzleFound(why=tr("There are no puzzles in a browser’s tab."))),
            time_picture=lambda: inbox.post(PictureShown(clock())),
            keeper=codes,
            publish=publisher.publish,
            emitter_check=emitter_check(self.head, config.beam_lines, clock) if self.head else None,
        )
        self.web_app = WebApp(self.loop, codes, publisher, reviews=self._aside)
        self._box_page = BoxPage(self.web_app, self.devices.face, self.devices.hold)
        routes = [
            Route("/", self._index),
            Route("/face", self._box_page.face),
            Route("/hold", self._box_page.hold, methods=["POST"]),
            Route("/matches", self._export),
            Route("/matches", self._import, methods=["POST"]),
        ]
        self._app = self.web_app.app(routes)
        self._running: asyncio.Task[None] | None = None

    def start(self, on_crash: Callable[[str], object] = nothing) -> None:
        """Begin to run the loop. If it ever fails, a report is written, and `on_crash` is called with the reason."""

        def ended(running: asyncio.Task[None]) -> None:
            fault = None if running.cancelled() else running.exception()
            if isinstance(fault, Exception):
                log.error("The loop has failed", exc_info=fault)
                self.loop.report_crash(fault)
                on_crash(f"{type(fault).__name__}: {fault}")

        take_late_times(asyncio.get_running_loop())
        self._running = asyncio.ensure_future(self.loop.run(self._stop))
        self._running.add_done_callback(ended)

    async def close(self) -> None:
        """End the loop, and close the journal."""
        self._stop.set()
        if self._running:
            await asyncio.wait([self._running])
        self.loop.close()

    def head_opened(self) -> None:
        """Begin to talk to the sensor head, whose port the page has opened."""
        if self.head:
            self.head.opened()

    def head_sent(self, text: str, at_us: int) -> None:
        """Take what the sensor head has sent, a character for each byte, and when it came by the clock of the page."""
        if self.head:
            self.head.receive(text, self.devices.stamp(at_us))

    def head_closed(self, elsewhere: bool) -> None:
        """Note that no port of a sensor head is open: there is none, or it is open `elsewhere`."""
        if self.head:
            self.head.closed(elsewhere)

    def found(self, task: Task, number: int, text: str) -> None:
        """Take what the second Python has found, "" if it has failed."""
        self._aside.found(task, number, text)

    def invitation(self) -> str:
        """Return the secret with which this tab's page becomes the referee's, "" if it is already."""
        if any(button is None for _, button, _ in self.web_app.codes.paired()) and self._jar.line:
            return ""
        return self.web_app.codes.invite()

    def ask(self, number: int, method: str, target: str, headers: str, body: str, send: Send) -> None:
        """Begin to answer a request of the page. `headers` are pairs as JSON; `number` names it for `leave`."""
        task = asyncio.ensure_future(self.answer(number, method, target, json.loads(headers), body.encode(), send))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def answer(
        self, number: int, method: str, target: str, headers: Sequence[tuple[str, str]], body: bytes, send: Send
    ) -> None:
        """Answer a request of the page."""
        gone = self._calls[number] = asyncio.Event()
        messages = [{"type": "http.request", "body": body, "more_body": False}]
        path, _, query = target.partition("?")
        known = [(name.lower().encode("latin-1"), value.encode("latin-1", "replace")) for name, value in headers]
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
            "path": path, "raw_path": path.encode(), "query_string": query.encode(), "root_path": "",
            "headers": [(b"host", b"localhost"), (b"umpi", b"1"), *self._jar.header(), *known],
            "client": ("127.0.0.1", 1), "server": ("localhost", 80),
        }  # fmt: skip

        async def receive() -> dict[str, Any]:
            if messages:
                return messages.pop()
            await gone.wait()
            return {"type": "http.disconnect"}

        async def sent(message: Mapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                pairs = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in message["headers"]]
                self._jar.keep([value for name, value in pairs if name == "set-cookie"])
                send("head", json.dumps([message["status"], [pair for pair in pairs if pair[0] not in KEPT_BACK]]))
            elif message.get("body"):
                send("part", message["body"])

        try:
            await self._app(scope, receive, sent)
        finally:
            del self._calls[number]
            send("end", "")

    def leave(self, number: int) -> None:
        """Note that the client of a request is gone."""
        if number in self._calls:
            self._calls[number].set()

    async def _index(self, request: Request) -> Response:
        return page_with(request, "box", "alone", "tab")

    async def _export(self, request: Request) -> Response:
        """Return all matches as `umpi history --export` writes them."""
        with closing(open_to_read(self.loop.journal.path)) as file:
            return Response("".join(f"{line}\n" for line in export(file)), media_type=RECORD)

    async def _import(self, request: Request) -> Response:
        """Add the matches of an export, all or none, as `umpi history --import` does."""
        try:
            matches = read_export((await request.body()).splitlines(keepends=True))
        except BadExport as fault:
            return JSONResponse({"error": f"{capitalised(str(fault))}."}, 400)
        done = self.loop.journal.merge(matches)
        if self.loop.journal.trouble:
            return JSONResponse({"error": str(tr(self.loop.journal.trouble))}, 507)
        return JSONResponse({name: done[name] for name in ("new", "longer", "there", "beside")})

    def _publish_face(self) -> None:
        if self._box_page:
            self._box_page.publish()


class Jar:
    """The cookies of the page in this tab, in a file."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._cookies: SimpleCookie = SimpleCookie()
        with suppress(OSError):
            self._cookies.load(file.read_text(encoding="utf-8"))

    @property
    def line(self) -> str:
        """Return the cookies as a request has them."""
        return "; ".join(f"{name}={each.value}" for name, each in self._cookies.items())

    def header(self) -> list[tuple[bytes, bytes]]:
        """Return the header of a request with the cookies."""
        return [(b"cookie", self.line.encode("latin-1"))] if self.line else []

    def keep(self, given: Sequence[str]) -> None:
        """Keep the cookies that a response sets."""
        for line in given:
            for name, each in SimpleCookie(line).items():
                self._cookies.pop(name, None)
                if each["max-age"] != "0":
                    self._cookies[name] = each.value
        if given:
            with suppress(OSError):  # without storage, the page is paired again at the next start
                self._file.write_text(self.line, encoding="utf-8")


def take_late_times(loop: asyncio.AbstractEventLoop) -> None:
    """Let a loop do at once what was due a moment ago. asyncio's own loops do; the one of Pyodide raises ValueError."""
    later = loop.call_later

    def call_later(
        delay_s: float, work: Callable[..., object], *values: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        return later(max(0.0, delay_s), work, *values, context=context)

    loop.call_later = call_later  # type: ignore[method-assign, assignment]


def emitter_check(head: TabHead, beams: Sequence[str], clock: Callable[[], int]) -> EmitterCheck:
    """Return the test of the emitters, which the sensor head switches."""
    return EmitterCheck(HeadSwitch(beams, Funnel(beams).settings, lambda: head.dark, head.blink), clock)


def known_language(wanted: str) -> str:
    """Return the language of a browser if Umpi speaks it, otherwise English.

    >>> known_language("de-AT"), known_language("cy")
    ('de', 'en')
    """
    short = wanted.partition("-")[0].lower()
    return short if short in LANGUAGES else "en"
