"""Who gets the face of the virtual box: its computer, and each device that was opened with the address of the owner.

The face shows the pairing code, and its buttons grant every right. Without this, each device in the network would be
the owner of the box.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from umpi.web.reading import Stop

KEY = "box"  # of the secret in the address
COOKIE = "umpi-box"
REFUSED = "Only the computer of the box may do that. On another device, open the address in its terminal."
HERE = ("127.0.0.1", "::1")  # the addresses of a computer that talks to itself
Serve = Callable[[Request], Awaitable[Response]]


class Owner:
    """Check who asks. The secret in the address is valid until the box is switched off.

    `is_proxy` returns whether an address is that of a proxy, by which others ask.
    """

    def __init__(self, is_proxy: Callable[[str], bool]) -> None:
        self._secret, self._is_proxy = secrets.token_urlsafe(16), is_proxy

    def address(self, page: str) -> str:
        """Return the address that makes another device the owner's."""
        return f"{page}?{KEY}={self._secret}"

    def only(self, serve: Serve) -> Serve:
        """Return the endpoint of a route that is the owner's alone."""

        async def checked(request: Request) -> Response:
            self._check(request)
            return await serve(request)

        return checked

    def _check(self, request: Request) -> None:
        """Raise Stop unless a request is the owner's."""
        if not self.owns(request):
            raise Stop(403, REFUSED)

    def owns(self, request: Request) -> bool:
        """Return whether a request is from the computer of the box, or contains the secret that its terminal shows."""
        if self._knows(request.cookies.get(COOKIE, "")):
            return True
        client, server = request.scope.get("client"), request.scope.get("server")
        if not client or self._is_proxy(client[0]):
            return False
        return client[0] in HERE or (server is not None and client[0] == server[0])

    def enter(self, request: Request) -> Response | None:
        """Return the response to an address with a secret, None if a request has none.

        The device keeps the secret; it does not remain in the address. Raises Stop if it is wrong.
        """
        given = request.query_params.get(KEY)
        if given is None:
            return None
        if not self._knows(given):
            self._check(request)
        response = RedirectResponse(request.url.path, 303)
        response.set_cookie(COOKIE, self._secret, path="/", httponly=True, samesite="lax")
        return response

    def _knows(self, secret: str) -> bool:
        return hmac.compare_digest(secret.encode(errors="replace"), self._secret.encode())
