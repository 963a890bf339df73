"""The page's buttons over HTTP: what they press, and what is refused."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from umpi.simulator.page import Page
from umpi.timing.edge import Edge

HOST = ("host", "127.0.0.1:8137")
OWN = ("origin", "http://127.0.0.1:8137")
KIND = ("content-type", "application/json")


def posted(page: Page, body: bytes, *headers: tuple[str, str], path: str = "/hold", method: str = "POST") -> int:
    """Post to the page's app as a server would; the status it answers."""
    answers: list[dict[str, Any]] = []
    sent = HOST, KIND, *(headers or (OWN,))
    asked = iter([{"type": "http.request", "body": body, "more_body": False}])
    scope = {
        "type": "http", "method": method, "path": path, "root_path": "", "query_string": b"", "http_version": "1.1",
        "scheme": "http", "client": ("127.0.0.1", 1),
        "headers": [(key.encode(), value.encode()) for key, value in sent],
    }  # fmt: skip

    async def receive() -> dict[str, Any]:
        for request in asked:
            return request
        return await asyncio.Future()  # nobody hangs up

    async def send(answer: Any) -> None:
        answers.append(answer)

    asyncio.run(page.app()(scope, receive, send))
    return int(answers[0]["status"])


def pressed(page: Page) -> list[tuple[str, bool]]:
    return [(edge.line, edge.active) for edge in page.box.loop.inbox.take(1000) if isinstance(edge, Edge)]


def test_a_button_goes_down_and_up(page: Page) -> None:
    assert posted(page, b'{"button": "red", "down": true}') == 204
    assert posted(page, b'{"button": "red", "down": false}') == 204
    assert pressed(page) == [("red", True), ("red", False)]


def test_pressed_twice_it_goes_down_once(page: Page) -> None:
    for _ in range(2):
        assert posted(page, b'{"button": "ok", "down": true}') == 204
    assert pressed(page) == [("ok", True)]


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"\xff", b"null", b"[]", b'"red"', b"{}", b'{"button": "red"}', b'{"down": true}',
        b'{"button": "purple", "down": true}', b'{"button": ["red"], "down": true}', b'{"button": {}, "down": true}',
        b'{"button": null, "down": true}', b'{"button": "red", "down": 1}', b'{"button": "red", "down": "yes"}',
        pytest.param(b"[" * 4_000, id="nested"),
    ],
)  # fmt: skip
def test_an_unknown_button_is_refused(page: Page, body: bytes) -> None:
    assert posted(page, body) == 400
    assert pressed(page) == []


@pytest.mark.parametrize(
    "origin", ["http://elsewhere.example", "null", "https://127.0.0.1", "http://127.0.0.1:8138", "file://", "http://["]
)
def test_another_pages_presses_are_refused(page: Page, origin: str) -> None:
    """A page from elsewhere, open in the same browser, must not play."""
    assert posted(page, b'{"button": "red", "down": true}', ("origin", origin)) == 403
    assert pressed(page) == []


def test_the_boxs_own_page_presses_and_a_script_that_says_so(page: Page) -> None:
    assert posted(page, b'{"button": "red", "down": true}', OWN) == 204
    assert posted(page, b'{"button": "blue", "down": true}', ("umpi", "1")) == 204
    assert posted(page, b'{"button": "white", "down": true}', ("accept", "*/*")) == 403
    assert pressed(page) == [("red", True), ("blue", True)]


@pytest.mark.parametrize("path", ["/hold", "/toss"])
def test_no_more_is_read_than_a_press_is_long(page: Page, path: str) -> None:
    assert posted(page, b" " * 200_000_000, path=path) == 413


@pytest.mark.parametrize(("path", "status"), [("/hold", 404), ("/none", 404), ("/../page.py", 404), ("/box.js", 200)])
def test_nothing_else_is_served(page: Page, path: str, status: int) -> None:
    assert posted(page, b"", path=path, method="GET") == status
