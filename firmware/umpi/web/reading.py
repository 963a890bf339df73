"""The bodies of POST requests: check the sender, read the JSON, and refuse what is not as expected."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse

from umpi.i18n.translate import tr
from umpi.kernel.record import Unreadable, read_line

LARGEST = 16 * 1024  # of an act or a start, in bytes
SMALL = 4 * 1024  # of any other body, in bytes
PATIENCE_S = 4.0  # for a body to arrive, and for the referee to reply; the page gives up after 5 s


class Stop(Exception):
    """End a request at once with this error response."""

    def __init__(self, status: int, why: str, **headers: str) -> None:
        super().__init__(why)
        self.response = JSONResponse({"error": why}, status, headers)


def check_sender(request: Request) -> None:
    """Check that a request is JSON from the box's own page or from a script. Raises Stop if not.

    A script identifies itself with the header Umpi: 1.
    """
    origin, own = request.headers.get("origin"), f"{request.url.scheme}://{request.headers.get('host')}"
    if origin is None and request.headers.get("umpi") != "1":
        raise Stop(403, tr("Scripts must send the header Umpi: 1."))
    if origin is not None and origin.lower() != own.lower():
        raise Stop(403, tr("Only the box's own page may do that."))
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Stop(415, tr("Send JSON as application/json."))


async def read_json(request: Request, longest: int) -> dict[str, Any]:
    """Read the JSON object of a request. Raises Stop with the reason if the sender or the body is invalid."""
    check_sender(request)
    try:
        return read_line(await _body(request, longest)) or {}
    except Unreadable as fault:
        raise Stop(400, f"{str(fault)[:1].upper()}{str(fault)[1:]}.") from None


async def read(request: Request, longest: int, optional: Sequence[str] = (), **keys: type) -> dict[str, Any]:
    """Read a request body with exactly these keys and types; those in `optional` may be missing.

    Raises Stop with the reason if it is invalid.
    """
    return check(await read_json(request, longest), optional, **keys)


def check(body: dict[str, Any], optional: Sequence[str] = (), **keys: type) -> dict[str, Any]:
    """Return a body with exactly these keys and types, as `read` does. Raises Stop with the reason if it is invalid."""
    wanted = ", ".join(f'"{key}"' for key in keys) or "nothing"
    for key, kind in keys.items():
        if type(body.get(key)) is not kind and not (key in optional and key not in body):
            raise Stop(400, tr("Expected {keys}; {key} is missing or has the wrong type.", keys=wanted, key=key))
    if unknown := [key for key in body if key not in keys]:
        raise Stop(400, tr("Expected {keys}; unknown key {key}.", keys=wanted, key=unknown[0][:40]))
    return body


async def _body(request: Request, longest: int) -> bytes:
    body = b""
    try:
        async with asyncio.timeout(PATIENCE_S):
            async for chunk in request.stream():
                body += chunk
                if len(body) > longest:
                    why = tr("Too long: {size} kB at most.", size=longest // 1024)
                    raise Stop(413, why, Connection="close")
    except TimeoutError:
        raise Stop(408, tr("The request was too slow."), Connection="close") from None
    except ClientDisconnect:
        raise Stop(400, tr("Request interrupted."), Connection="close") from None
    return body


def error(status: int, why: str) -> JSONResponse:
    """Return an error response with a reason."""
    return JSONResponse({"error": why}, status)
