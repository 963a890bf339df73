"""Shared by the tests of the web server: a box in injected time, its server, and phones that send requests."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any, TypeVar

import httpx

from tests.kit.journals import header
from tests.kit.rig import Rig, Rigs
from umpi.journal import Journal
from umpi.kernel.nothing import nothing
from umpi.kernel.registry import find, games
from umpi.recording.replay import Replay, described
from umpi.recording.session_file import sealed
from umpi.web.codes import Codes

T = TypeVar("T")
HERE = "http://192.168.4.1:8000"
CODE = 123_456
BUSY = 5  # looks without a rest
DEAL: dict[str, Any] = {"do": "deal", "cards": ["air-4", "fire-4", "water-4"]}  # how a game of Dodekka begins


codes_of = partial(Codes, address=lambda: HERE + "/", digits=lambda below: CODE)  # each code is the same


class Table:
    """A box with its web server; it resumes an open match."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.desk = rig.web_app
        self.codes = self.desk.codes
        self.app = self.desk.app()
        self.heard: list[str] = []  # what programs beside the box were asked
        if rig.referee.session.match:
            rig.press("ok")
        rig.settle()

    @property
    def loop(self) -> Any:
        return self.rig.loop

    @property
    def referee(self) -> Any:
        return self.rig.referee

    @property
    def document(self) -> dict[str, Any]:
        return self.desk.stream.latest

    @property
    def question(self) -> str:
        question: str = self.document["question"]["id"]
        return question

    async def answered(self, asked: Awaitable[T], looked: Callable[[], object] = nothing) -> T:
        """Let the referee look until there is an answer, and call `looked` after each look.

        After some looks it rests in between: another thread makes what takes longer, and would have to wait for this
        one each time that it reads a row.
        """
        asking, looks = asyncio.ensure_future(asked), 0
        while not asking.done():
            await self.loop.catch_up()
            await asyncio.sleep(0 if looks < BUSY else 0.001)
            looks += 1
            looked()
        return await asking

    def phone(self, **settings: Any) -> Phone:
        return Phone(self, **settings)

    def paired(self, who: int | None = None, **settings: Any) -> Phone:
        """A phone that is paired: the referee's, or that of a button."""
        phone = self.phone(**settings)
        code, _ = self.codes.make_code(who, self.rig.now_ns)
        assert phone.post("pair", code=code).status_code == 200
        return phone


class Phone:
    """A phone at an address, with its cookies; it asks as the box's own page does."""

    def __init__(self, table: Table, address: str = "192.168.4.20", headers: Any = None) -> None:
        self.table = table
        transport = httpx.ASGITransport(table.app, client=(address, 50_000))
        self.client = httpx.AsyncClient(transport=transport, base_url=HERE, headers=headers or {"Origin": HERE})

    def get(self, path: str, **settings: Any) -> httpx.Response:
        return self.ask("GET", path, **settings)

    def post(self, path: str, **body: Any) -> httpx.Response:
        return self.ask("POST", path, json=body)

    def act(self, verb: str, question: str = "", **given: Any) -> httpx.Response:
        return self.post("act", question=question or self.table.question, act={"do": verb, **given})

    def ask(self, method: str, path: str, **settings: Any) -> httpx.Response:
        return self.table.rig.run(self.asked(method, path, **settings))

    async def asked(self, method: str, path: str, **settings: Any) -> httpx.Response:
        """Ask, and let the referee look until there is an answer."""
        path, rig = path if path.startswith("/") else f"/api/{path}", self.table.rig

        def passes() -> None:
            rig.now_ns = max(rig.now_ns, rig.referee.answers.due_ns or 0)

        return await self.table.answered(self.client.request(method, path, **settings), passes)


def laid(rigs: Rigs, game: str, players: Iterable[str], lines: Iterable[dict[str, Any]] = (), **options: Any) -> Table:
    """Lay a match on the table of a box that is switched on, so many lines of it played."""
    path = rigs.folder / "games.db"
    journal = Journal(path)
    number = journal.begin(header(game, players, **options))
    for line in lines:
        journal.append(number, [line], "panel")
    journal.close()
    return Table(rigs())


def verbs(table: Table) -> list[str]:
    """The verbs of the acts so far."""
    return [act.verb for act in table.referee.session.match.acts]


def session(table: Table) -> list[bytes]:
    recorder = table.loop._recorder
    return list(sealed([recorder.header("test"), *recorder.lines()]))


def replayed(lines: list[bytes]) -> list[str]:
    return [text for step in Replay(lines, games(), find) for text in described(step.effects)]
