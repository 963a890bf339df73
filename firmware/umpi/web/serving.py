"""The web server on the network, in the referee's event loop. It reports errors and tries again."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import Callable, Iterator
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from umpi.web.app import WebApp
from umpi.web.door import Connection, Door, listen_at

AGAIN_S = 10.0
LONGEST_HEAD = 16 * 1024
log = logging.getLogger(__name__)


async def serve(
    desk: WebApp,
    listen: str,
    port: int,
    stop: asyncio.Event,
    on_trouble: Callable[[str], object],
    again_s: float = AGAIN_S,
) -> None:
    """Serve the web application until `stop` is set.

    If that fails, `on_trouble` receives the reason and the server tries again after `again_s` seconds. This happens for
    example if the address does not exist yet because the network is down. When it works again, `on_trouble` receives
    "".
    """
    app, reported = desk.app(), ""
    stopped = asyncio.create_task(stop.wait())
    stopped.add_done_callback(lambda _: desk.close())
    while not stop.is_set():
        try:
            with listen_at(listen, port) as listening:
                if reported:
                    on_trouble("")
                reported = ""
                await serve_at(listening, app, desk, stopped)
        except Exception as fault:  # the phones stop working, but the game must not
            why = f"{listen}:{port}: {getattr(fault, 'strerror', None) or fault}"
            if why != reported:
                log.error("The page for phones cannot be served", exc_info=True)
                on_trouble(why)
            reported = why
            await asyncio.wait((stopped,), timeout=again_s)


async def serve_at(listening: socket.socket, app: ASGIApp, desk: WebApp, stopped: asyncio.Future[Any]) -> None:
    """Serve `app` on an open socket until `stopped` is done. `app` contains the web application `desk`."""
    server = Server(settings(app), desk)
    serving = asyncio.create_task(server.serve([listening]))
    await asyncio.wait((serving, stopped), return_when=asyncio.FIRST_COMPLETED)
    server.should_exit = True
    await serving


def settings(app: ASGIApp) -> uvicorn.Config:
    """Return uvicorn's settings: no logs, and no trust in proxy headers, which Guard handles."""
    return uvicorn.Config(
        app, http="h11", log_config=None, log_level="error", access_log=False, server_header=False, proxy_headers=False,
        timeout_graceful_shutdown=2, h11_max_incomplete_event_size=LONGEST_HEAD, ws="none",
    )  # fmt: skip


class Server(uvicorn.Server):
    """Serve the web application to the clients that its Door admits. The caller of the loop handles the signals."""

    def __init__(self, config: uvicorn.Config, desk: WebApp) -> None:
        super().__init__(config)
        self.door = Door(desk.is_paired, desk.is_proxy)
        self._https = desk.https
        self._keeping: asyncio.Task[None] | None = None

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals alone."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the server and accept connections."""
        await super().startup(sockets=[])
        self.door.open(sockets or [], self._connection)
        if self._https:
            self._keeping = asyncio.create_task(self._https.keep(self.door))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop accepting connections, then stop the server."""
        if self._keeping:
            self._keeping.cancel()
            await asyncio.wait([self._keeping])
        self.door.close()
        await super().shutdown(sockets)

    def _connection(self) -> Connection:
        return Connection(self.door, self.config, self.server_state, self.lifespan.state)
