"""The box itself on the page: its screen, its lamps and its buttons, where no other ones are on the table."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from umpi.timing.lines import BUTTONS
from umpi.web.app import WebApp
from umpi.web.content import PAGE, Content
from umpi.web.joined import joined_page
from umpi.web.reading import SMALL, read_json
from umpi.web.stream import Stream

Hold = Callable[[str, bool, int | None], object]


class BoxPage:
    """Serve the face of a box as a stream, and let its buttons be pressed.

    `face` returns what the box shows. `hold` presses or releases a button; its last value is when that happened, in
    microseconds by the clock of the page, None if only the arrival is known. Call `publish` when the face has changed.
    """

    def __init__(self, web_app: WebApp, face: Callable[[], dict[str, Any]], hold: Hold) -> None:
        self._web_app, self._face, self._hold = web_app, face, hold
        self.stream = Stream(secrets.token_hex(8), 1)  # a slow client gets the newest only

    def publish(self) -> None:
        """Publish the face also for nobody: a client may be between its request and its stream."""
        self.stream.publish(self._face())

    async def face(self, request: Request) -> Response:
        """Stream what the box shows, whenever it changes (server-sent events)."""
        self.publish()
        return self._web_app.streamed(request, self.stream, self._release)

    async def hold(self, request: Request) -> Response:
        """Press or release a button: {"button": "red", "down": true}."""
        body = await read_json(request, SMALL)
        button, down, at_us = body.get("button"), body.get("down"), body.get("at_us")
        if button not in BUTTONS or not isinstance(down, bool) or type(at_us) not in (int, type(None)):
            wanted = f'{{"button": one of {", ".join(BUTTONS)}, "down": true or false, "at_us": when, if known}}'
            return PlainTextResponse(f"Expected {wanted}.", 400)
        self._hold(button, down, at_us)
        return Response(status_code=204)

    def _release(self) -> None:
        """Release all buttons if nobody looks any more: who held one has disconnected."""
        if not self.stream.lookers:
            for button in BUTTONS:
                self._hold(button, False, None)


def page_with(request: Request, *marks: str) -> Response:
    """Return the page with marks at its root element, by which its scripts see where they run."""
    html = joined_page(PAGE).html.replace("<html ", f"<html {''.join(f'data-{mark} ' for mark in marks)}", 1)
    return Content.of(html.encode(), "text/html").packed().answer(request)
