"""The client of a box's API over real sockets: what it sends, what it makes of each answer, and of none."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import pytest

pytest.importorskip("paho.mqtt", reason="pip install paho-mqtt")

from tests.kit.fake_boxes import closed_port
from umpi.mqtt import box_api
from umpi.mqtt.box_api import BoxApi, NoBox

ASK: dict[str, Callable[[BoxApi], object]] = {
    "get": lambda api: api.get("box"),
    "results": lambda api: list(api.results()),
    "states": lambda api: list(api.states()),
    "post": lambda api: api.post("rematch", {}, "secret"),
}


class SmallServer:
    """A server on a port of its own: it reads each request, sends the same bytes, and ends the connection.

    With None it sends nothing, and ends no connection until the client does.
    """

    def __init__(self, answer: bytes | None) -> None:
        self.asked: list[bytes] = []
        self._answer = answer
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self._thread = Thread(target=self._serve)
        self._thread.start()

    def close(self) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listening.close()

    def _serve(self) -> None:
        while True:
            try:
                calling, _ = self._listening.accept()
            except OSError:  # closed
                return
            with calling, calling.makefile("rb") as read:
                head = b"".join(iter(read.readline, b"\r\n"))
                lengths = [line.split()[1] for line in head.splitlines() if line.lower().startswith(b"content-length:")]
                self.asked.append(head + read.read(int(lengths[0]) if lengths else 0))
                if self._answer is None:
                    read.read()
                else:
                    calling.sendall(self._answer)


@contextmanager
def answering(answer: bytes | None) -> Iterator[SmallServer]:
    server = SmallServer(answer)
    try:
        yield server
    finally:
        server.close()


def http(body: Any, status: str = "200 OK", *headers: str) -> bytes:
    payload = body if isinstance(body, bytes) else json.dumps(body).encode()
    head = [f"HTTP/1.1 {status}", "Content-Type: application/json", f"Content-Length: {len(payload)}", *headers]
    return "\r\n".join([*head, "", ""]).encode() + payload


@pytest.mark.parametrize("ask", ASK.values(), ids=ASK)
def test_a_box_that_is_off_is_no_box(ask: Callable[[BoxApi], object]) -> None:
    with closed_port() as url, pytest.raises(NoBox, match=f"{url}/api/1/.*refused"):
        ask(BoxApi(url))


NO_BOX = {
    "ends at once": b"",
    "speaks no HTTP": b"220 mail.example ESMTP\r\n",
    "stops in its head": b"HTTP/1.1 200 OK\r\nContent-",
    "stops in its body": http(b'{"id": "0123')[:-4],
    "no JSON": http(b"<html>It works!</html>"),
    "no UTF-8": http(b'"\xff"'),
}


@pytest.mark.parametrize("ask", [ASK["get"], ASK["results"], ASK["post"]], ids=["get", "results", "post"])
@pytest.mark.parametrize("answer", NO_BOX.values(), ids=NO_BOX)
def test_what_does_not_answer_as_a_box_does_is_no_box(answer: bytes, ask: Callable[[BoxApi], object]) -> None:
    with answering(answer) as server, pytest.raises(NoBox, match="/api/1/"):
        ask(BoxApi(server.url))


@pytest.mark.parametrize("status", ["404 Not Found", "500 Internal Server Error", "503 Service Unavailable"])
def test_a_record_that_the_box_does_not_give_holds_no_other_up(status: str) -> None:
    with answering(http({"error": "no"}, status)) as server:
        assert BoxApi(server.url).record(7) == []


@pytest.mark.parametrize("answer", [http([1]), http(b"{}", "403 Forbidden")[:-1]], ids=["a list", "half a refusal"])
def test_a_command_needs_a_whole_answer(answer: bytes) -> None:
    with answering(answer) as server, pytest.raises(NoBox, match="/api/1/rematch: "):
        BoxApi(server.url).post("rematch", {})


@pytest.mark.parametrize("ask", ASK.values(), ids=ASK)
def test_a_box_that_says_nothing_is_no_box(ask: Callable[[BoxApi], object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(box_api, "PATIENCE_S", 0.05)
    with answering(None) as server, pytest.raises(NoBox, match="timed out"):
        ask(BoxApi(server.url))


def test_a_request_bears_the_pairing_and_its_answer_may_bring_one() -> None:
    with answering(http({"who": {"role": "referee"}}, "200 OK", "Set-Cookie: umpi=new; Path=/; HttpOnly")) as server:
        assert BoxApi(f"{server.url}/").post("pair", {"code": "407123"}, "old") == (
            200, {"who": {"role": "referee"}}, "new",
        )  # fmt: skip
    (asked,) = server.asked
    head, _, body = asked.rpartition(b"\r\n")
    assert head.startswith(b"POST /api/1/pair HTTP/1.1\r\n")
    assert {b"cookie: umpi=old", b"umpi: 1", b"content-type: application/json"} <= set(head.lower().split(b"\r\n"))
    assert json.loads(body) == {"code": "407123"}


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"error": "This code is wrong."}, "This code is wrong."),
        (b"Bad Gateway", "The box does not answer as a box does."),
        (["odd"], "The box does not answer as a box does."),
    ],
)
def test_a_refusal_is_an_answer(body: Any, error: str) -> None:
    with answering(http(body, "403 Forbidden")) as server:
        assert BoxApi(server.url).post("pair", {"code": "1"}) == (403, {"error": error}, "")


def test_the_stream_is_read_up_to_its_end() -> None:
    stream = b'HTTP/1.1 200 OK\r\n\r\n: hello\n\ndata: {"version": 1}\n\nid: 2\ndata: {"version": 2}\n\n'
    seen: list[int] = []
    with answering(stream) as server, pytest.raises(NoBox, match="the box ended the stream"):
        seen.extend(state["version"] for state in BoxApi(server.url).states())
    assert seen == [1, 2]
