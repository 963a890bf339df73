"""The stream of the face: who may open it, what a slow client gets, and what happens when a client disconnects."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from tests.kit.patience import soon
from umpi.simulator.page import Page
from umpi.timing.edge import Edge
from umpi.web.app import EACH


class Client:
    """A browser that has opened the stream."""

    def __init__(self, page: Page) -> None:
        self.status, self.headers, self.faces = 0, dict[bytes, bytes](), list[dict[str, Any]]()
        self._answered, self._gone, self._asked = asyncio.Event(), asyncio.Event(), False
        scope = {
            "type": "http", "method": "GET", "path": "/face", "root_path": "", "query_string": b"", "scheme": "http",
            "http_version": "1.1", "headers": [(b"host", b"127.0.0.1:8137")], "client": ("127.0.0.1", 1),
        }  # fmt: skip
        self._served = asyncio.create_task(page.app()(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        if self._asked:
            await self._gone.wait()
            return {"type": "http.disconnect"}
        self._asked = True
        return {"type": "http.request", "body": b"", "more_body": False}

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], dict(message["headers"])
        for line in message.get("body", b"").split(b"\n"):
            if line.startswith(b"data: "):
                self.faces.append(json.loads(line.removeprefix(b"data: ")))
        if self.faces or self.status != 200:
            self._answered.set()

    async def answered(self) -> Client:
        await self._answered.wait()
        return self

    async def leave(self) -> None:
        self._gone.set()
        await self._served


def play(steps: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(soon(steps()))


def pressed(page: Page) -> list[tuple[str, bool]]:
    return [(edge.line, edge.active) for edge in page.box.loop.inbox.take(1000) if isinstance(edge, Edge)]


def test_a_client_gets_the_face_at_once_with_the_headers_of_the_web_server(page: Page) -> None:
    async def steps() -> None:
        client = await Client(page).answered()
        assert {"dots", "light", "lit", "blinking", "sounding"} <= client.faces[0].keys()
        assert client.faces[0]["lanes"] == 0, "a box without a funnel"
        assert client.headers[b"x-frame-options"] == b"DENY"
        assert client.headers[b"cache-control"] == b"no-store"
        await client.leave()

    play(steps)


def test_the_buttons_are_released_when_the_last_client_disconnects(page: Page) -> None:
    async def steps() -> None:
        clients = [await Client(page).answered() for _ in range(2)]
        page.box.hold("red", True)
        await clients[0].leave()
        assert pressed(page) == [("red", True)]
        await clients[1].leave()
        assert pressed(page) == [("red", False)]

    play(steps)


def test_the_streams_per_address_are_limited(page: Page) -> None:
    async def steps() -> None:
        clients = [await Client(page).answered() for _ in range(EACH)]
        assert {client.status for client in clients} == {200}
        refused = await Client(page).answered()
        assert refused.status == 503
        await clients[0].leave()
        assert (await Client(page).answered()).status == 200

    play(steps)
