"""What every request must hold to, and what every answer bears: names of the box, headers, no other's pages."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from umpi.tongue import told

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """Answers only who calls the box by a name of its own, so that no page can lend it another (DNS rebinding)."""

    def __init__(self, app: ASGIApp, name: str) -> None:
        self._app, self._name = app, name.lower()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, its answer with the headers, or refuse it."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        app: Callable[..., object] = self._app
        if not is_own(Headers(scope=scope).get("host", ""), self._name):
            app = JSONResponse({"error": told("This box is called otherwise. Use the address it shows.")}, 403)
        await app(scope, receive, headed)  # type: ignore[misc]


def is_own(host: str, name: str) -> bool:
    """Tell whether a Host header is a number, localhost, of .local or the box's own name.

    >>> [is_own(host, "umpi") for host in ("192.168.1.7:8000", "[::1]:80", "umpi", "umpi.local", "1.2.3.evil", "")]
    [True, True, True, True, False, False]
    """
    host = host.lower()
    if host.startswith("["):
        number, bracket, port = host[1:].partition("]")
        return bool(bracket) and _is_number(number) and _is_port(port)
    bare, colon, port = host.partition(":")
    bare = bare.removesuffix(".")
    known = bare in ("localhost", name) or bare.endswith(".local") or _is_number(bare)
    return bool(bare) and known and _is_port(colon + port)


def _is_port(text: str) -> bool:
    return not text or (text.startswith(":") and text[1:].isascii() and text[1:].isdecimal() and len(text) < 7)


def _is_number(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
