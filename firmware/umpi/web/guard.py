"""The guard in front of all requests: it checks the host name and adds security headers to every response."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Collection, Sequence

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from umpi.i18n.translate import tr

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


# Suffixes that routers use for the home network, so that the box is NAME.lan there.
# Nobody else can register such a name: the suffixes are reserved, and fritz.box belongs to the router's maker.
# Another device can take another name under .local, so only the box's own is accepted there too.
HOMES = ("", ".local", ".lan", ".home", ".home.arpa", ".internal", ".fritz.box")

NUMBERED = re.compile(r"-[0-9]{1,3}(?=\.local$)")

MOST_HEADERS = 100  # a browser sends some 20

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class Guard:
    """Refuse requests whose Host header is not a name of the box (protection against DNS rebinding).

    `name` is the box's own name, `names` are further allowed ones. The forwarding headers of a `proxy` are trusted.
    """

    def __init__(self, app: ASGIApp, name: str, names: Sequence[str] = (), proxy: Network | None = None) -> None:
        self._app, self._proxy = app, proxy
        own = {name.lower(), name.lower().partition(".")[0]}  # some computers give their name with its domain
        self._names = {*map(str.lower, names), *(each + home for each in own for home in HOMES)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request and add the headers to its response, or refuse it."""
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
        if why := _refused(scope["headers"]):
            app = JSONResponse({"error": why}, 400, {"Connection": "close"})
        if scope.get("client") and within(scope["client"][0], self._proxy):
            scope = self._spoken_for(scope)
        if not is_own(Headers(scope=scope).get("host", ""), self._names):
            app = JSONResponse({"error": tr("Unknown host name. Use the address the box shows.")}, 403)
        await app(scope, receive, headed)  # type: ignore[misc]

    def _spoken_for(self, scope: Scope) -> Scope:
        """Return the scope of the client behind the proxy.

        The client is the last address in X-Forwarded-For that is not a proxy.
        """
        headers = Headers(scope=scope)
        named = [one.strip() for one in headers.get("x-forwarded-for", "").split(",")]
        client = next((one for one in reversed(named) if _is_number(one) and not within(one, self._proxy)), None)
        host, scheme = headers.get("x-forwarded-host"), headers.get("x-forwarded-proto", "").lower()
        spoken_for: Scope = {**scope, "client": (client, 0) if client else scope["client"]}
        if scheme in ("http", "https"):
            spoken_for["scheme"] = scheme
        if host is not None:
            others = [pair for pair in scope["headers"] if pair[0] != b"host"]
            spoken_for["headers"] = [*others, (b"host", host.encode("latin-1"))]
        return spoken_for


def _refused(headers: Sequence[tuple[bytes, bytes]]) -> str:
    """Return why a request with these headers is refused, "" if it is not."""
    if len(headers) > MOST_HEADERS:
        return f"A request has at most {MOST_HEADERS} headers."
    if {b"content-length", b"transfer-encoding"} <= {name for name, _ in headers}:
        return "The body has two lengths."  # a proxy before the box might take the other one
    return ""


def is_own(host: str, names: Collection[str]) -> bool:
    """Return whether a Host header is an IP address, localhost or one of the box's names.

    If two devices have the same name, Avahi adds a number to that of one of them.

    >>> [is_own(host, ["umpi", "umpi.local"]) for host in ("192.168.1.7:8000", "[::1]:80", "umpi", "umpi-2.local", "")]
    [True, True, True, True, False]
    """
    host = host.lower()
    if host.startswith("["):
        number, bracket, port = host[1:].partition("]")
        return bool(bracket) and _is_number(number) and _is_port(port)
    bare, colon, port = host.partition(":")
    bare = bare.removesuffix(".")
    known = bare == "localhost" or bare in names or NUMBERED.sub("", bare) in names or _is_number(bare)
    return bool(bare) and known and _is_port(colon + port)


def within(address: str, network: Network | None) -> bool:
    """Return whether an address is in a network."""
    return network is not None and _is_number(address) and ipaddress.ip_address(address) in network


def _is_port(text: str) -> bool:
    return not text or (text.startswith(":") and text[1:].isascii() and text[1:].isdecimal() and len(text) < 7)


def _is_number(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
