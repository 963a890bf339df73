"""Cached content: responses that are computed once, with a validator (ETag), and sent only if they have changed."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import mimetypes
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

KEPT = 64  # answers about the past
MAKING = 8  # answers being computed at once
JSON = "application/json"


class Content(NamedTuple):
    """A response body with its media type and its ETag."""

    body: bytes
    kind: str
    tag: str

    @classmethod
    def of(cls, body: bytes, kind: str = JSON) -> Content:
        """Return the content for a body. Its ETag is a hash of the body."""
        return cls(body, kind, f'"{hashlib.sha256(body).hexdigest()[:20]}"')

    def packed(self) -> Content:
        """Return the content as gzip, with an ETag of its own."""
        return Content.of(gzip.compress(self.body, mtime=0), self.kind)

    def answer(self, request: Request, **headers: str) -> Response:
        """Return a response with the body, or with status 304 if the client has the current version.

        The headers make the client check for a new version each time.
        """
        headers = {"ETag": self.tag, "Cache-Control": "no-cache", **headers}
        known = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
        if self.tag in known or known == ["*"]:
            return Response(status_code=304, headers=headers)
        return Response(self.body, media_type=self.kind, headers=headers)


class Files:
    """Serve the files of a folder with the content that they had at the start."""

    def __init__(self, folder: Path) -> None:
        files = (path for path in folder.rglob("*") if path.is_file())
        self._files = {path.relative_to(folder).as_posix(): _read(path) for path in files}
        texts = {name: file for name, file in self._files.items() if not file.kind.startswith("image/png")}
        self._packed = {name: file.packed() for name, file in texts.items()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request. Raises HTTPException if there is no such file or method."""
        request = Request(scope)
        if request.method not in ("GET", "HEAD"):
            raise HTTPException(405)
        name = request.url.path.removeprefix("/") or "index.html"
        found = self._files.get(name)
        if found is None:
            raise HTTPException(404)
        headers = {"Vary": "Accept-Encoding"} if name in self._packed else {}
        if name in self._packed and "gzip" in request.headers.get("accept-encoding", ""):
            found, headers["Content-Encoding"] = self._packed[name], "gzip"
        await found.answer(request, **headers)(scope, receive, send)


mimetypes.add_type("application/manifest+json", ".webmanifest")


def _read(path: Path) -> Content:
    return Content.of(path.read_bytes(), mimetypes.guess_type(path.name)[0] or "application/octet-stream")


class TooMany(Exception):
    """Report that too many different answers are being computed."""


class Once:
    """Compute contents on one separate thread, one after the other, and share each among all clients.

    A content is cached as long as `stamp()` returns the same value.
    """

    def __init__(self, stamp: Callable[[], Hashable]) -> None:
        self._stamp = stamp
        self._thread = ThreadPoolExecutor(1, "past")
        self._kept: OrderedDict[Hashable, tuple[Hashable, Content | None]] = OrderedDict()
        self._making: dict[Hashable, asyncio.Future[Content | None]] = {}

    def close(self) -> None:
        """Stop computing."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def get(self, what: Hashable, make: Callable[[], Content | None]) -> Content | None:
        """Return the result of `make`, or the cached one. None means that there is no such content.

        Raises TooMany if too many contents are being computed.
        """
        stamp = self._stamp()
        if (kept := self._kept.get(what)) and kept[0] == stamp:
            return kept[1]
        if (making := self._making.get((what, stamp))) is None:
            if len(self._making) >= MAKING:
                raise TooMany
            making = asyncio.ensure_future(asyncio.get_running_loop().run_in_executor(self._thread, make))
            self._making[what, stamp] = making
            making.add_done_callback(lambda made: self._keep(what, stamp, made))
        return await asyncio.shield(making)

    def _keep(self, what: Hashable, stamp: Hashable, made: asyncio.Future[Content | None]) -> None:
        del self._making[what, stamp]
        if not made.cancelled() and not made.exception():
            self._kept[what] = stamp, made.result()
            self._kept.move_to_end(what)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
