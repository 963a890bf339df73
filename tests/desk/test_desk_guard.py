"""What gets in: names of the box, the page's own origin, JSON of a size; and what every answer bears."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from at_table import Table, laid

from umpi.desk import acting
from umpi.desk.guard import is_own

POSTS = ("form", "act", "undo", "amend", "settle", "pair", "unpair")
TURN = {"do": "turn", "card": "earth-4"}


@pytest.fixture
def table(rigs: Any) -> Table:
    return laid(rigs, "dodekka", ["Rosie", "Tom"], [{"do": "deal", "cards": ["air-4", "fire-4", "water-4"]}])


@pytest.mark.parametrize(
    "host",
    [
        "evil.example", "192.168.4.1.evil.example", "local", "umpi.local.evil.example", "", "[::1", "192.168.4.1:80:80",
        "localhost:80@evil.example", "localhost:", "xn--lcalhost-8fa", "notumpi", "[evil]:80", "127.0.0.1:x",
    ],
)  # fmt: skip
def test_another_name_of_the_box_is_none_of_its_own(host: str) -> None:
    """A page of evil.example whose name is made to mean the box's number asks with its own name (DNS rebinding)."""
    assert not is_own(host, "umpi")


@pytest.mark.parametrize("host", ["umpi", "UMPI:8000", "localhost:1", "a.local.", "[fe80::1]:8000", "10.0.0.1"])
def test_the_box_knows_its_names(host: str) -> None:
    assert is_own(host, "umpi")


@pytest.mark.parametrize("path", ["/", "/api/state", "/api/history", "/api/matches"])
def test_who_calls_the_box_by_anothers_name_sees_nothing(table: Table, path: str) -> None:
    refused = table.phone().ask("GET", path, headers={"Host": "evil.example"})
    assert refused.status_code == 403
    assert "Dodekka" not in refused.text


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example", "null", "", "https://192.168.4.1:8000", "http://192.168.4.1", "http://192.168.4.1:8001",
        "http://192.168.4.1:8000.evil.example", "http://192.168.4.1:8000/", "file://", "http://localhost:8000",
    ],
)  # fmt: skip
@pytest.mark.parametrize("post", POSTS)
def test_no_page_but_the_boxs_own_changes_anything(table: Table, post: str, origin: str) -> None:
    """No request changes anything without pairing and its own origin; the header of scripts helps no page."""
    phone = table.paired()
    before = table.document
    code, _ = table.codes.code(0, table.rig.now_ns)
    for extra in ({}, {"Umpi": "1"}):
        bodies = {"question": table.question, "act": TURN, "count": 1, "code": code}
        refused = phone.ask("POST", post, json=bodies, headers={"Origin": origin, **extra})
        assert refused.status_code == 403, origin
    assert table.document == before
    assert len(table.codes.known()) == 1


def test_a_script_says_that_it_is_one(table: Table) -> None:
    phone = table.paired()
    body = {"question": table.question, "act": TURN}
    del phone.client.headers["Origin"]
    assert phone.ask("POST", "act", json=body).status_code == 403
    assert phone.ask("POST", "act", json=body, headers={"Umpi": "1"}).status_code == 200


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "text/json"]
)
def test_what_a_form_of_another_page_could_send_is_not_taken(table: Table, kind: str) -> None:
    body = json.dumps({"question": table.question, "act": TURN}).encode()
    refused = table.paired().ask("POST", "act", content=body, headers={"Content-Type": kind})
    assert refused.status_code == 415


@pytest.mark.parametrize(
    "body",
    [
        b"", b"null", b"[]", b"{", b"\xff\xfe", b'"x"', b"[" * 30_000, b'{"a":' * 9_000, b'{"question": NaN}',
        b'{"question": 1e999}', b'{"question": "x", "question": "y"}', b'{"question": "\\ud800"}', b"9" * 5_000,
        b'{"question": ' + b"9" * 5_000 + b"}", b'{"question": 5, "act": {}}', b'{"question": "x"}',
        b'{"question": "x", "act": [], "z": 1}', b'{"question": "x", "act": {"do": "turn"}, "z": 1}',
    ],
)  # fmt: skip
@pytest.mark.parametrize("post", POSTS)
def test_what_is_no_json_of_the_kind_needed_is_refused_with_a_reason(table: Table, post: str, body: bytes) -> None:
    phone = table.paired()
    refused = phone.ask("POST", post, content=body, headers={"Content-Type": "application/json"})
    if post == "unpair" and body == b"":
        assert refused.status_code == 200, "nothing is all it needs"
        return
    assert refused.status_code == 400
    assert refused.json()["error"]
    assert table.document["match"]["acts"] == 1


@pytest.mark.parametrize("size", [acting.LARGEST + 1, 40_000_000])
def test_a_body_too_large_is_not_read_to_its_end(table: Table, size: int) -> None:
    read = 0

    async def pieces() -> Any:
        nonlocal read
        while read < size:
            read += 8192
            yield b" " * 8192

    refused = table.paired().ask("POST", "act", content=pieces(), headers={"Content-Type": "application/json"})
    assert refused.status_code == 413
    assert read < acting.LARGEST + 3 * 8192


def test_a_body_that_does_not_come_is_waited_for_no_longer_than_so(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = table.paired()
    monkeypatch.setattr(acting, "PATIENCE_S", 0.01)

    async def never() -> Any:
        yield b"{"
        await asyncio.Event().wait()

    refused = phone.ask("POST", "act", content=never(), headers={"Content-Type": "application/json"})
    assert refused.status_code == 408


def test_a_referee_that_does_not_answer_is_waited_for_no_longer_than_so(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = table.paired()
    monkeypatch.setattr(acting, "PATIENCE_S", 0.01)
    monkeypatch.setattr(table.referee, "post", lambda tap: None)
    assert phone.act("turn", card="earth-4").status_code == 503


@pytest.mark.parametrize(
    "path", ["/", "/api/state", "/nothing", "/api/nothing", "/api/matches/99", "/..%2f..%2fetc/passwd"]
)
def test_every_answer_bears_what_keeps_other_pages_out(table: Table, path: str) -> None:
    headers = table.phone().ask("GET", path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/act", 405), ("POST", "/api/state", 405), ("GET", "/api/nothing", 404), ("GET", "/%00", 404),
        ("DELETE", "/api/matches/1", 405), ("GET", "/api/matches/" + "9" * 6000, 404), ("GET", "/api/matches/-1", 404),
        ("GET", "/api/matches/1x", 404), ("GET", "/../acting.py", 404), ("GET", "/%2e%2e/acting.py", 404),
        ("GET", "/openapi.json", 404), ("POST", "/", 405), ("GET", "/api/", 404),
    ],
)  # fmt: skip
def test_what_there_is_not_is_said_in_json(table: Table, method: str, path: str, status: int) -> None:
    refused = table.phone().ask(method, path)
    assert refused.status_code == status
    assert refused.json()["error"]


def test_a_secret_of_any_make_opens_nothing(table: Table) -> None:
    table.paired()
    for secret in ("", "x", "a" * 5000, "%00", "é", '"; drop'):
        told = table.phone().ask("GET", "me", headers={"Cookie": f"umpi={secret}".encode()})
        assert told.json() == {"who": None}
