"""A client of one box's API: its results, its event stream, and the requests of a paired script."""

from __future__ import annotations

import json
import logging
import urllib.error
import urllib.request
from collections.abc import Iterator
from http import HTTPStatus
from http.client import HTTPException
from typing import Any

from umpi.web.documents import Result, State

Json = dict[str, Any]
PATIENCE_S = 10.0  # the stream says something at least every 2 s
COOKIE = "umpi"
STRANGE = "The box does not answer as a box does."
FAULTS = (OSError, ValueError, HTTPException)  # the last: what answers speaks no HTTP, or stops within its answer


log = logging.getLogger(__name__)


class NoBox(Exception):
    """Report that the box does not answer, or not as a box does."""


class BoxApi:
    """Ask the box at a URL such as "http://127.0.0.1:8000"."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/") + "/api/1/"

    def get(self, path: str) -> Any:
        """Return a document. Raises NoBox."""
        try:
            with urllib.request.urlopen(self.url + path, timeout=PATIENCE_S) as answer:
                return json.load(answer)
        except FAULTS as fault:
            raise NoBox(f"{self.url}{path}: {fault}") from None

    def record(self, match: int) -> list[bytes]:
        """Return the lines of the record of a match, [] if the box answers that it gives none. Raises NoBox."""
        path = f"matches/{match}/record"
        try:
            with urllib.request.urlopen(self.url + path, timeout=PATIENCE_S) as answer:
                return list(answer)
        except urllib.error.HTTPError as refused:
            log.warning("%s%s: %s", self.url, path, refused)
            return []  # the other results must not wait for this one
        except FAULTS as fault:
            raise NoBox(f"{self.url}{path}: {fault}") from None

    def results(self, after: int = 0) -> Iterator[Result]:
        """Yield the matches whose numbers are above `after`, oldest first. Raises NoBox."""
        while page := self.get(f"results?after={after}"):
            yield from page
            after = page[-1]["match"]

    def states(self) -> Iterator[State]:
        """Yield what the table shows, now and after each change. Raises NoBox when the stream ends."""
        try:
            with urllib.request.urlopen(self.url + "events", timeout=PATIENCE_S) as stream:
                for line in stream:
                    if line.startswith(b"data: "):
                        yield json.loads(line[6:])
        except FAULTS as fault:
            raise NoBox(f"{self.url}events: {fault}") from None
        raise NoBox(f"{self.url}events: the box ended the stream")

    def post(self, path: str, body: Json, cookie: str = "") -> tuple[int, Json, str]:
        """Send a request; return the status, the answer and the cookie that came with it. Raises NoBox."""
        headers = {"Umpi": "1", "Content-Type": "application/json"} | (
            {"Cookie": f"{COOKIE}={cookie}"} if cookie else {}
        )
        asked = urllib.request.Request(self.url + path, json.dumps(body).encode(), headers)
        try:
            with _sent(asked) as answer:
                status, cookie = answer.status, _cookie(answer.headers.get("Set-Cookie", ""))
                found = _object(answer.read())
        except FAULTS as fault:
            raise NoBox(f"{self.url}{path}: {fault}") from None
        if found is None and status == HTTPStatus.OK:
            raise NoBox(f"{self.url}{path}: {STRANGE}")
        return status, {"error": STRANGE} if found is None else found, cookie


def _sent(asked: urllib.request.Request) -> Any:
    """Send a request and return the answer, also if it is a refusal."""
    try:
        return urllib.request.urlopen(asked, timeout=PATIENCE_S)
    except urllib.error.HTTPError as refused:
        return refused


def _cookie(header: str) -> str:
    name, _, value = header.partition(";")[0].partition("=")
    return value if name == COOKIE else ""


def _object(body: bytes) -> Json | None:
    try:
        found = json.loads(body)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
