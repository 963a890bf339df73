"""Cached content: responses that are computed once, with a validator (ETag), and sent only if they have changed."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
import mimetypes
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from umpi.web.joined import JoinedPage

KEPT = 64  # answers about the past
MAKING = 8  # answers being computed at once
JSON = "application/json"
PAGE = Path(__file__).parent / "page"
FRESH = {"Cache-Control": "no-store"}
LEVEL = 6  # of gzip: 9 takes twice the time for 1 % less
LASTING = "public, max-age=31536000, immutable"  # for files whose name contains a hash of their content

T = TypeVar("T")


class Answer(Response, Generic[T]):
    """A response whose body is a document T as JSON."""


def fresh(document: T, status: int = 200) -> Answer[T]:
    """Return a response with a document, which the client asks for each time."""
    body = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
    return Answer(body, status, FRESH, JSON)


def takes_gzip(request: Request) -> bool:
    """Return whether the client accepts gzip."""
    return "gzip" in request.headers.get("accept-encoding", "")


class Content(NamedTuple, Generic[T]):
    """A response body with its media type and its ETag, and the same body as gzip for who accepts it.

    T is the document that the body contains, if it is JSON.
    """

    body: bytes
    kind: str
    tag: str
    zipped: bytes = b""

    @classmethod
    def of(cls, body: bytes, kind: str = JSON) -> Content[T]:
        """Return the content for a body. Its ETag is a hash of the body."""
        return cls(body, kind, f'"{hashlib.sha256(body).hexdigest()[:20]}"')

    @classmethod
    def json(cls, document: T) -> Content[T]:
        """Return the content for a document."""
        return cls.of(json.dumps(document, ensure_ascii=False).encode())

    def packed(self) -> Content[T]:
        """Return the content with its body as gzip too. Not for images, which would not become smaller."""
        return self._replace(zipped=gzip.compress(self.body, LEVEL, mtime=0))

    def answer(self, request: Request, **headers: str) -> Answer[T]:
        """Return a response with the body, or with status 304 if the client has the current version.

        The headers make the client check for a new version each time.
        """
        body, tag = self.body, self.tag
        headers = {"Cache-Control": "no-cache", **headers}
        if self.zipped:
            headers["Vary"] = "Accept-Encoding"
            if takes_gzip(request):
                body, tag, headers["Content-Encoding"] = self.zipped, f'{self.tag[:-1]}-gzip"', "gzip"
        headers["ETag"] = tag
        known = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
        if tag in known or known == ["*"]:
            headers.pop("Content-Encoding", None)
            return Answer(status_code=304, headers=headers)
        return Answer(body, media_type=self.kind, headers=headers)


class Files:
    """Serve the files of a folder with the content that they had at the start, and a joined `page`, if there is one."""

    def __init__(self, folder: Path, page: JoinedPage | None = None) -> None:
        files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
        self._bodies = {name: path.read_bytes() for name, path in files.items()}
        self._lasting = page.files if page else {}
        self._bodies |= {"index.html": page.html.encode(), **page.files} if page else {}
        self._contents: dict[str, Content[Any]] = {}  # those that somebody asked for: nobody loads most modules alone

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request. Raises HTTPException if there is no such file or method."""
        request = Request(scope)
        if request.method not in ("GET", "HEAD"):
            raise HTTPException(405)
        name = request.url.path.removeprefix("/") or "index.html"
        if name not in self._bodies:
            raise HTTPException(404)
        if name not in self._contents:
            self._contents[name] = _content(name, self._bodies[name])
        headers = {"Cache-Control": LASTING} if name in self._lasting else {}
        await self._contents[name].answer(request, **headers)(scope, receive, send)


mimetypes.add_type("application/manifest+json", ".webmanifest")


def _content(name: str, body: bytes) -> Content[Any]:
    content: Content[Any] = Content.of(body, mimetypes.guess_type(name)[0] or "application/octet-stream")
    return content if content.kind == "image/png" else content.packed()


class TooMany(Exception):
    """Report that too many different answers are being computed."""


class Once:
    """Compute contents on one separate thread, one after the other, and share each among all clients.

    A content is cached as long as `stamp()` returns the same value.
    """

    def __init__(self, stamp: Callable[[], Hashable]) -> None:
        self._stamp = stamp
        self._thread = ThreadPoolExecutor(1, "past")
        self._kept: OrderedDict[Hashable, tuple[Hashable, Content[Any] | None]] = OrderedDict()
        self._making: dict[Hashable, asyncio.Future[Content[Any] | None]] = {}

    def close(self) -> None:
        """Stop computing."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def get(self, what: Hashable, make: Callable[[], Content[T] | None]) -> Content[T] | None:
        """Return the result of `make`, or the cached one. None means that there is no such content.

        Raises TooMany if too many contents are being computed.
        """
        return await self.share(what, lambda: asyncio.get_running_loop().run_in_executor(self._thread, make))

    async def share(self, what: Hashable, begin: Callable[[], Awaitable[Content[T] | None]]) -> Content[T] | None:
        """Return what `begin` leads to, or the cached result. Raises TooMany, and what `begin` raises."""
        stamp = self._stamp()
        if (kept := self._kept.get(what)) and kept[0] == stamp:
            return kept[1]
        if (making := self._making.get((what, stamp))) is None:
            if len(self._making) >= MAKING:
                raise TooMany
            making = asyncio.ensure_future(begin())
            self._making[what, stamp] = making
            making.add_done_callback(lambda made: self._keep(what, stamp, made))
        return await asyncio.shield(making)

    def _keep(self, what: Hashable, stamp: Hashable, made: asyncio.Future[Content[Any] | None]) -> None:
        del self._making[what, stamp]
        if not made.cancelled() and not made.exception():
            self._kept[what] = stamp, made.result()
            self._kept.move_to_end(what)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
