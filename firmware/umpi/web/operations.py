"""The operations of the API: each is declared beside its handler. Routes and the OpenAPI document follow from that."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import KW_ONLY
from functools import cache
from inspect import getdoc
from typing import Any, Literal, NamedTuple, get_args, get_type_hints

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from umpi.frozen import frozen
from umpi.web.codes import PhoneSession
from umpi.web.content import JSON
from umpi.web.reading import SMALL, check_query

Tag = Literal["table", "moves", "start", "pairing", "past", "rules", "box"]
Handler = Callable[..., Awaitable[Response]]
API = "/api"  # the prefix of the paths that also exist with the version of the API
VERSION = 1  # of the API, as in /api/1/


class Pace(NamedTuple):
    """How often one phone may send requests of a kind: so many at once, then so many per second."""

    kind: str  # each has an allowance of its own
    burst: int
    per_s: int


ACTS = Pace("acts", 10, 5)


class Query(NamedTuple):
    """A key of a query, which may be left out."""

    name: str
    hint: Any
    about: str


class Tap(NamedTuple):
    """A request of a paired phone, and when it arrived."""

    request: Request
    session: PhoneSession
    arrived_ns: int


@frozen
class Operation:
    """Declare an operation of the API, as the decorator of its handler.

    The handler's docstring describes it. The handler's annotations are the types of body and answer.
    """

    method: Literal["GET", "POST"]
    path: str  # as Starlette writes it
    tag: Tag
    _: KW_ONLY
    paired: bool = False  # only a paired phone may
    pace: Pace = ACTS  # of a paired phone
    longest: int = SMALL  # bytes of a body
    query: tuple[Query, ...] = ()
    media: str = JSON  # of the answer
    refusals: tuple[int, ...] = ()  # the statuses that only some operations have
    unwell: str = ""  # what status 503 means, if its answer is the same document
    example: Any = None  # of the body; without a body, of the answer
    examples: Mapping[str, Any] | None = None  # of the body, by name

    def __call__(self, handler: Handler) -> Endpoint:
        """Return the handler with this declaration."""
        return Endpoint(self, handler)


@frozen
class Endpoint:
    """An operation and its handler, a method that is not bound to an object."""

    operation: Operation
    handler: Handler

    @property
    def texts(self) -> tuple[str, str]:
        """What it does, in one line, and what else there is to say."""
        summary, _, more = (getdoc(self.handler) or "").partition("\n\n")
        return summary.removesuffix("."), " ".join(more.split())

    @property
    def body(self) -> Any:
        """The type of the body."""
        return _hints(self.handler)["body"]

    @property
    def document(self) -> Any:
        """The type of the document with which it answers."""
        (document,) = get_args(_hints(self.handler)["return"])
        return document

    @property
    def in_api(self) -> bool:
        """Whether the path is one of the API, which also exists with its version."""
        return self.operation.path.startswith(f"{API}/")

    def route(self, serve: Callable[[Request], Awaitable[Response]]) -> Route:
        """Return the route to `serve`, without the prefix of the API, which refuses a query with other keys."""
        known = [each.name for each in self.operation.query]

        async def served(request: Request) -> Response:
            if self.in_api:
                check_query(request, known)
            return await serve(request)

        return Route(self.operation.path.removeprefix(API), served, methods=[self.operation.method])


@cache
def _hints(handler: Handler) -> Mapping[str, Any]:
    return get_type_hints(handler, include_extras=True)


def endpoints(owner: type) -> list[Endpoint]:
    """Return the operations that a class declares."""
    return [each for each in vars(owner).values() if isinstance(each, Endpoint)]


def versioned(path: str) -> str:
    """Return a path of the API as that of its version.

    >>> versioned("/api/state"), versioned("/healthz")
    ('/api/1/state', '/healthz')
    """
    return path.replace(f"{API}/", f"{API}/{VERSION}/", 1)
