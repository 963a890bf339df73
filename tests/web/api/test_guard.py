"""Accepted requests: names of the box, the page's own origin, JSON up to a size; and the headers of every reply."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import Any

import pytest

from tests.kit.at_table import Table
from tests.kit.patience import limit_s, soon
from umpi.web import acting, reading
from umpi.web.app import WebApp
from umpi.web.guard import is_own


def serve(table: Table, names: list[str], proxy: str = "") -> None:
    """Serve a table's page under other names, and behind a proxy."""
    table.desk = WebApp(table.rig.loop, table.codes, table.desk.publisher, names, proxy)
    table.app = table.desk.app()


POSTS = ("form", "act", "undo", "amend", "settle", "pair", "start", "unpair")
TURN = {"do": "turn", "card": "earth-4"}


@pytest.mark.parametrize(
    "host",
    [
        "evil.example", "192.168.4.1.evil.example", "local", "umpi.local.evil.example", "", "[::1", "192.168.4.1:80:80",
        "localhost:80@evil.example", "localhost:", "xn--lcalhost-8fa", "notumpi", "[evil]:80", "127.0.0.1:x",
    ],
)  # fmt: skip
def test_a_foreign_host_name_is_not_accepted(host: str) -> None:
    """A page of evil.example whose name is made to mean the box's number asks with its own name (DNS rebinding)."""
    assert not is_own(host, {"umpi"})


@pytest.mark.parametrize(("headers", "status"), [
    ({f"x-{number}": "1" for number in range(90)}, 200), ({f"x-{number}": "1" for number in range(100)}, 400),
    ({"content-length": "2", "transfer-encoding": "chunked"}, 400),
])  # fmt: skip
def test_odd_headers_are_refused(table: Table, headers: dict[str, str], status: int) -> None:
    answer = table.phone(headers=headers).get("state")
    assert answer.status_code == status, answer.text


@pytest.mark.parametrize("host", ["umpi", "UMPI:8000", "localhost:1", "[fe80::1]:8000", "10.0.0.1"])
def test_the_box_knows_its_names(host: str) -> None:
    assert is_own(host, {"umpi"})


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("umpi.lan", 200), ("UMPI.fritz.box:8000", 200), ("umpi.home.arpa", 200), ("umpi.home", 200),
        ("table.example.org", 200), ("table.example.org.:443", 200), ("other.lan", 403), ("umpi.example.org", 403),
        ("umpi.local", 200), ("UMPI.local.:8000", 200), ("umpi-2.local", 200), ("evil.local", 403),
        ("umpi-.local", 403), ("umpi-x.local", 403), ("umpi-2.lan", 403), ("x.umpi.local", 403),
        ("umpi.lan.example.org", 403), ("a.table.example.org", 403), ("fritz.box", 403),
    ],
)  # fmt: skip
def test_usual_names_at_home_are_the_boxs_and_others_where_umpi_toml_says_so(
    table: Table, monkeypatch: pytest.MonkeyPatch, host: str, status: int
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "Umpi")
    serve(table, ["Table.example.org"])
    assert table.phone().get("state", headers={"Host": host}).status_code == status


def test_a_computer_whose_name_has_a_domain_is_found_by_the_first_part_too(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "Anns-Mac.fritz.box")
    serve(table, [])
    for host in ("anns-mac.fritz.box", "anns-mac.local", "anns-mac"):
        assert table.phone().get("state", headers={"Host": host}).status_code == 200


FORWARDED = {
    "X-Forwarded-For": "10.9.9.9, 203.0.113.7, 127.0.0.1", "X-Forwarded-Proto": "https",
    "X-Forwarded-Host": "table.example.org", "Origin": "https://table.example.org",
}  # fmt: skip


def test_behind_a_proxy_that_is_trusted_the_page_works_by_https(table: Table) -> None:
    serve(table, ["table.example.org"], "127.0.0.0/8")
    phone = table.phone(address="127.0.0.1", headers=FORWARDED)
    code, _ = table.codes.make_code(0, table.rig.now_ns)
    assert phone.post("pair", code="000000").status_code == 403
    assert list(table.codes._tries) == ["203.0.113.7"], "the last that is no proxy: the first may say anything"
    table.rig.now_ns += 1_000_000_000
    paired = phone.post("pair", code=code)
    assert paired.status_code == 200
    assert "; secure" in paired.headers["set-cookie"].lower()
    phone.client.cookies.set("umpi", paired.headers["set-cookie"].partition("=")[2].partition(";")[0])
    assert phone.act("turn", card="earth-4").status_code == 200
    assert phone.ask("POST", "act", json={}, headers={"Origin": "http://table.example.org"}).status_code == 403


@pytest.mark.parametrize(("address", "proxy"), [("192.168.4.20", "127.0.0.1"), ("127.0.0.1", "")])
def test_proxy_headers_of_strangers_are_ignored(table: Table, address: str, proxy: str) -> None:
    serve(table, ["table.example.org"], proxy)
    code, _ = table.codes.make_code(0, table.rig.now_ns)
    phone = table.phone(address=address, headers=FORWARDED)
    assert phone.post("pair", code=code).status_code == 403
    own = table.phone(address=address, headers={**FORWARDED, "Origin": "http://192.168.4.1:8000"})
    assert "secure" not in own.post("pair", code=code).headers["set-cookie"].lower()


def test_a_proxy_calls_the_box_by_no_name_that_is_not_its_own(table: Table) -> None:
    serve(table, [], "127.0.0.1")
    phone = table.phone(address="127.0.0.1", headers={"X-Forwarded-Host": "evil.example"})
    assert phone.get("state").status_code == 403


@pytest.mark.parametrize("path", ["/", "/api/state", "/api/history", "/api/matches"])
def test_a_request_with_a_foreign_host_name_is_refused(table: Table, path: str) -> None:
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
    code, _ = table.codes.make_code(0, table.rig.now_ns)
    for extra in ({}, {"Umpi": "1"}):
        bodies = {"question": table.question, "act": TURN, "count": 1, "code": code}
        refused = phone.ask("POST", post, json=bodies, headers={"Origin": origin, **extra})
        assert refused.status_code == 403, origin
    assert table.document == before
    assert len(table.codes.paired()) == 1


def test_a_script_says_that_it_is_one(table: Table) -> None:
    phone = table.paired()
    body = {"question": table.question, "act": TURN}
    del phone.client.headers["Origin"]
    assert phone.ask("POST", "act", json=body).status_code == 403
    assert phone.ask("POST", "act", json=body, headers={"Umpi": "1"}).status_code == 200


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "text/json"]
)
def test_requests_that_a_foreign_form_could_send_are_refused(table: Table, kind: str) -> None:
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
def test_wrong_json_is_refused_with_a_reason(table: Table, post: str, body: bytes) -> None:
    phone = table.paired()
    refused = phone.ask("POST", post, content=body, headers={"Content-Type": "application/json"})
    if post == "unpair" and body == b"":
        assert refused.status_code == 200, "nothing is all it needs"
        return
    if post == "undo" and body == b'{"question": "x"}':
        assert refused.status_code == 409, "without a count it undoes the last answer, of a question that has passed"
        return
    longest = reading.LARGEST if post in ("act", "amend", "start") else reading.SMALL
    assert refused.status_code == (413 if len(body) > longest else 400)
    assert refused.json()["error"]
    assert table.document["match"]["acts"] == 1


@pytest.mark.parametrize("size", [reading.LARGEST + 1, 40_000_000])
def test_a_body_too_large_is_not_read_to_its_end(table: Table, size: int) -> None:
    read = 0

    async def pieces() -> Any:
        nonlocal read
        while read < size:
            read += 8192
            yield b" " * 8192

    refused = table.paired().ask("POST", "act", content=pieces(), headers={"Content-Type": "application/json"})
    assert refused.status_code == 413
    assert read < reading.LARGEST + 3 * 8192


def test_a_body_that_breaks_off_is_not_handled_as_if_it_were_whole(table: Table) -> None:
    """The connection is lost after bytes that would be an act by themselves."""
    phone = table.paired()
    body = json.dumps({"question": table.question, "act": TURN}).encode()
    headers = {"host": "192.168.4.1:8000", "umpi": "1", "content-type": "application/json",
               "cookie": f"umpi={phone.client.cookies['umpi']}"}  # fmt: skip
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope: Any = {"type": "http", "method": "POST", "path": "/api/act", "query_string": b"", "root_path": "",
                  "scheme": "http", "headers": pairs}  # fmt: skip
    coming = [{"type": "http.request", "body": body, "more_body": True}, {"type": "http.disconnect"}]
    sent: list[Any] = []

    async def receive() -> Any:
        return coming.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    table.rig.run(soon(table.answered(table.app(scope, receive, send))))
    assert table.document["match"]["acts"] == 1
    assert sent[0]["status"] == 400
    assert b"interrupted" in sent[1]["body"]


def test_a_body_that_does_not_come_is_waited_for_no_longer_than_so(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = table.paired()
    monkeypatch.setattr(reading, "PATIENCE_S", 0.01)

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
    with monkeypatch.context() as slow:
        slow.setattr(table.loop, "catch_up", lambda: asyncio.sleep(0))
        assert phone.act("turn", card="earth-4").status_code == 503
    table.rig.settle()
    assert table.document["match"]["acts"] == 1, "what has timed out is never played"


def test_an_act_whose_phone_hangs_up_before_it_is_its_turn_is_not_played(table: Table) -> None:
    """A line that stalled: the page has said that it was not sent."""
    phone = table.paired()

    async def ask() -> None:
        asking = asyncio.ensure_future(phone.client.post("/api/act", json={"question": table.question, "act": TURN}))
        while not table.loop.inbox:
            await asyncio.sleep(0)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        await table.loop.catch_up()

    table.rig.run(ask())
    assert table.document["match"]["acts"] == 1


def test_an_act_that_is_played_too_late_to_say_so_says_that_it_was_taken(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone, journal, written = table.paired(), table.loop.journal, threading.Event()
    monkeypatch.setattr(acting, "PATIENCE_S", 0.05)
    append = journal.append

    def slow(*arguments: Any) -> None:
        written.wait(limit_s())
        append(*arguments)

    monkeypatch.setattr(journal, "append", slow)

    async def ask() -> Any:
        body = {"question": table.question, "act": TURN}
        asking = asyncio.ensure_future(phone.client.post("/api/act", json=body))
        while not table.loop.inbox:
            await asyncio.sleep(0)
        settling = asyncio.ensure_future(table.loop.catch_up())
        answered = await asking
        written.set()
        await settling
        return answered

    answered = table.rig.run(soon(ask()))
    assert answered.status_code == 504
    assert "has received it" in answered.json()["error"]
    assert table.document["match"]["acts"] == 2


@pytest.mark.parametrize(
    ("post", "body", "status", "at_once", "per_s"),
    [
        ("act", {"question": "0.0", "act": TURN}, 409, 10, 5),
        ("form", {"question": "0.0", "verb": "dance", "given": {}}, 409, 30, 10),
        ("clock", {"run": "r", "step_us": 1, "sent_us": 1, "last": 0, "back_us": 0}, 200, 40, 10),
    ],
)
def test_a_phone_that_asks_too_often_is_told_when_to_retry(
    table: Table, post: str, body: dict[str, Any], status: int, at_once: int, per_s: int
) -> None:
    phone, other = table.paired(), table.paired(1)

    def statuses(number: int) -> list[int]:
        return [phone.post(post, **body).status_code for _ in range(number)]

    assert statuses(at_once + 5) == [status] * at_once + [429] * 5
    refused = phone.post(post, **body)
    assert (refused.headers["retry-after"], "Wait 1 s" in refused.json()["error"]) == ("1", True)
    assert other.post(post, **body).status_code == status, "it costs no other phone anything"
    table.rig.now_ns += 1_000_000_000
    assert statuses(per_s + 1) == [status] * per_s + [429]


def test_rules_that_fail_while_a_form_is_made_cost_that_form_and_say_why(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*arguments: Any) -> Any:
        raise ZeroDivisionError("no form today")

    monkeypatch.setattr(acting, "following", fails)
    refused = table.paired().post("form", question=table.question, verb="turn", given={})
    assert refused.status_code == 422
    assert "no form today" in refused.json()["error"]
    assert "ZeroDivisionError" in caplog.text, "with its traceback"


def test_rules_that_are_slow_hold_up_forms_and_nothing_else(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    phone, go_on = table.paired(), threading.Event()
    monkeypatch.setattr(acting, "following", lambda *arguments: go_on.wait(limit_s()) and {})

    async def ask() -> Any:
        body = {"question": table.question, "verb": "turn", "given": {}}
        asking = asyncio.ensure_future(phone.client.post("/api/form", json=body))
        played = await phone.asked("POST", "act", json={"question": table.question, "act": TURN})
        assert not asking.done()
        go_on.set()
        return played, await asking

    played, formed = table.rig.run(soon(ask()))
    assert (played.status_code, formed.status_code) == (200, 200)


@pytest.mark.parametrize(
    "path", ["/", "/api/state", "/nothing", "/api/nothing", "/api/matches/99", "/..%2f..%2fetc/passwd"]
)
def test_every_reply_has_headers_against_other_pages(table: Table, path: str) -> None:
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
def test_an_unknown_path_gets_an_error_in_json(table: Table, method: str, path: str, status: int) -> None:
    refused = table.phone().ask(method, path)
    assert refused.status_code == status
    assert refused.json()["error"]


def test_a_secret_of_any_make_opens_nothing(table: Table) -> None:
    table.paired()
    for secret in ("", "x", "a" * 5000, "%00", "é", '"; drop'):
        reply = table.phone().ask("GET", "me", headers={"Cookie": f"umpi={secret}".encode()})
        assert reply.json() == {"who": None, "waiting": False, "claim": ""}
