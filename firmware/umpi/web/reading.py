"""The bodies of POST requests: check the sender, read the JSON, and refuse what is not as expected."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeVar, get_args, get_origin, is_typeddict

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse

from umpi.i18n.translate import Translated, tr
from umpi.kernel.record import Unreadable, read_line
from umpi.kernel.values import written
from umpi.web.schema import AtLeast, bare, is_list, keys_of

LARGEST = 16 * 1024  # of an act or a start, in bytes
SMALL = 4 * 1024  # of any other body, in bytes
PATIENCE_S = 4.0  # for a body to arrive, and for the referee to reply; the page gives up after 5 s
LONGEST = 40  # characters that a refusal repeats of what was sent

T = TypeVar("T")


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
        raise Stop(403, tr("Only the box’s own page may do that."))
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Stop(415, tr("Send JSON as application/json."))


async def read_json(request: Request, longest: int) -> dict[str, Any]:
    """Read the JSON object of a request. Raises Stop with the reason if the sender or the body is invalid."""
    check_sender(request)
    try:
        return read_line(await _body(request, longest)) or {}
    except Unreadable as fault:
        raise Stop(400, f"{str(fault)[:1].upper()}{str(fault)[1:]}.") from None


def check_query(request: Request, known: Sequence[str]) -> None:
    """Check that a query has only known keys, each of them once. Raises Stop with the reason if not."""
    given = [key for key, _ in request.query_params.multi_items()]
    for key in given:
        named = Translated(key[:LONGEST])
        if key not in known:
            keys = Translated(", ".join(f'"{each}"' for each in known))
            if not known:
                raise Stop(400, tr('Unknown query key "{key}". This path has none.', key=named))
            raise Stop(400, tr('Unknown query key "{key}". Expected: {keys}.', key=named, keys=keys))
        if given.count(key) > 1:
            raise Stop(400, tr('Query key "{key}" appears twice.', key=named))


def checked(body: Mapping[str, Any], document: type[T]) -> T:
    """Return a body that has exactly the keys of a TypedDict, each with its type. Raises Stop with the reason if not.

    The limits of numbers and texts are not checked.
    """
    _check(body, document, "")
    return body  # type: ignore[return-value]


def _check(value: Any, hint: Any, path: str) -> None:
    kind, notes = bare(hint)
    origin = get_origin(kind)
    if kind is Any:
        return
    if origin is Literal:
        choices = get_args(kind)
        if value not in choices:
            raise _unexpected(tr("one of {choices}", choices=Translated(", ".join(choices))), path, value)
    elif is_typeddict(kind) or origin is Mapping:
        _expect(value, dict, path)
        rest = [each.keys for each in notes if isinstance(each, AtLeast)]
        for document in rest or ([kind] if is_typeddict(kind) else []):
            _check_keys(value, document, path, closed=not rest)
    elif is_list(kind):
        _expect(value, tuple, path)
        for index, each in enumerate(value):
            _check(each, get_args(kind)[0], f"{path}.{index}")
    else:
        _expect(value, kind, path)


def _check_keys(value: Mapping[str, Any], document: Any, path: str, closed: bool) -> None:
    keys = keys_of(document)
    within = f"{path}." if path else ""
    wanted = Translated(", ".join(f'"{key}"' for key in keys) or "{}")
    for name, key in keys.items():
        if name in value:
            _check(value[name], key.hint, within + name)
        elif key.required:
            raise Stop(400, tr('Expected {keys}; "{key}" is missing.', keys=wanted, key=Translated(within + name)))
    if closed and (unknown := [name for name in value if name not in keys]):
        named = Translated(within + unknown[0][:LONGEST])
        raise Stop(400, tr('Expected {keys}; unknown key "{key}".', keys=wanted, key=named))


def _expect(value: Any, kind: type, path: str) -> None:
    if type(value) is not kind:
        raise _unexpected(_name_of(kind), path, value)


def _unexpected(wanted: str, path: str, value: Any) -> Stop:
    sent = f'"{value}"' if isinstance(value, str) else tr(written(value))
    got = Translated(sent[:LONGEST])
    return Stop(400, tr('Expected {wanted} for "{key}", got {got}.', wanted=wanted, key=Translated(path), got=got))


def _name_of(kind: type) -> str:
    """Return the name of a type of JSON."""
    names = {
        str: tr("text"), int: tr("a whole number"), bool: tr("true or false"), dict: tr("an object"),
        tuple: tr("a list"),
    }  # fmt: skip
    return names[kind]


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
        raise Stop(400, tr("The request was interrupted."), Connection="close") from None
    return body
