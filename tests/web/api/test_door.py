"""The door: silent connections, crowds and floods cost neither the game nor a paired phone anything."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import resource
import socket
import sys
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from tests.kit.at_table import Table
from tests.kit.patience import soon
from umpi.table.seats import COLOURS
from umpi.web import app, door
from umpi.web.door import listen_at
from umpi.web.serving import Server, settings

HERE = "127.0.0.1"
CROWD = """
import socket, sys
held = []
for number in range(400):
    try:
        source = f"127.0.1.{number % 40}", 0
        held.append(socket.create_connection(("127.0.0.1", int(sys.argv[1])), source_address=source))
    except OSError:
        pass
print("held", flush=True)
sys.stdin.read()
"""

Reader, Writer = asyncio.StreamReader, asyncio.StreamWriter


def served(
    table: Table, play: Callable[[int], Coroutine[Any, Any, None]], doors: list[door.Door] | None = None
) -> None:
    """Serve the page as the box does while `play` runs; its door is then the last of `doors`."""

    async def go() -> None:
        with listen_at(HERE, 0) as listening:
            server, stop = Server(settings(table.desk.app()), table.desk), asyncio.Event()
            if doors is not None:
                doors.append(server.door)
            server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign, assignment]
            tasks = [asyncio.create_task(server.serve([listening])), asyncio.create_task(table.loop.run(stop))]
            try:
                await soon(play(listening.getsockname()[1]))
            finally:
                stop.set()
                table.desk.stream.close()
                server.should_exit = True
                await asyncio.gather(*tasks)

    table.rig.run(go())


async def call(port: int, source: str = HERE) -> tuple[Reader, Writer]:
    return await asyncio.open_connection(HERE, port, local_addr=(source, 0))


def request(path: str = "/api/state", secret: str = "", body: Any = None) -> bytes:
    payload = b"" if body is None else json.dumps(body).encode()
    head = (
        f"{'GET' if body is None else 'POST'} {path} HTTP/1.1\r\nHost: {HERE}\r\nCookie: umpi={secret}\r\nUmpi: 1\r\n"
    )
    kind = f"Content-Type: application/json\r\nContent-Length: {len(payload)}\r\n" if payload else ""
    return (head + kind + "\r\n").encode() + payload


async def status(reader: Reader) -> int:
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    if "content-length: " in head:
        await reader.readexactly(int(head.partition("content-length: ")[2].split()[0]))
    return int(head.split()[1])


async def ended(reader: Reader) -> bool:
    """Wait until the other side ends a connection."""
    try:
        return await reader.read() == b""
    except ConnectionResetError:
        return True


async def held(port: int, number: int, source: str, seen: int | None = None) -> list[tuple[Reader, Writer]]:
    """Hold so many connections from an address, each of which has been answered once."""
    calls = [await call(port, source) for _ in range(number)]
    for _, writer in calls:
        writer.write(request())
    for reader, _ in calls[:seen]:
        assert await status(reader) == 200
    return calls


@pytest.mark.slow
@pytest.mark.parametrize("sent", [b"", b"GET /api/state HT", request(), b"POST /api/act HTTP/1.1\r\nHost: x\r\n"])
def test_a_client_without_a_complete_request_is_disconnected(
    table: Table, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(door, "HEAD_S", 0.1)

    async def play(port: int) -> None:
        reader, writer = await call(port)
        writer.write(sent)
        if sent == request():
            assert await status(reader) == 200
        assert await ended(reader)

    served(table, play)


@pytest.mark.slow
def test_a_client_that_does_not_read_is_disconnected(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "STALLED_S", 0.1)

    async def play(port: int) -> None:
        with socket.socket() as slow:
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            slow.connect((HERE, port))
            slow.sendall(request("/api/events"))
            while not table.desk.stream.lookers:
                await asyncio.sleep(0)
            for number in range(200):
                table.desk.stream.publish({"head": f"{number}" + "x" * 100_000})
                await asyncio.sleep(0)
            while table.desk.stream.lookers:
                await asyncio.sleep(0)

    served(table, play)


@pytest.mark.slow
def test_the_connections_per_address_are_limited(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(door, "COUNTED_S", 0)

    async def play(port: int) -> None:
        crowd = await held(port, door.EACH, "127.0.0.2")
        reader, _ = await call(port, "127.0.0.2")
        assert await ended(reader)
        assert "Too many connections: 1 refused, 0 cut off within a minute" in caplog.messages
        other, writer = await call(port, "127.0.0.3")
        writer.write(request())
        assert await status(other) == 200
        crowd[0][1].close()
        await crowd[0][1].wait_closed()

    served(table, play)


def test_a_new_connection_does_not_wait_behind_those_of_one_address(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []
    begin = door.Door._begin

    def noted(self: door.Door, connection: door.Connection) -> float:
        begun.append(connection.address)
        return begin(self, connection)

    monkeypatch.setattr(door.Door, "_begin", noted)

    async def play(port: int) -> None:
        with contextlib.ExitStack() as crowd:  # the kernel takes them while the loop does not run
            for source in ["127.0.0.2"] * 12 + ["127.0.0.3"]:
                crowd.enter_context(socket.create_connection((HERE, port), source_address=(source, 0)))
            while len(begun) < 13:
                await asyncio.sleep(0)
        assert begun.index("127.0.0.3") < 4, begun

    served(table, play)


def test_a_connection_that_has_ended_leaves_its_place(table: Table) -> None:
    """One after the other, an address may have more of them than at once."""
    doors: list[door.Door] = []

    async def play(port: int) -> None:
        for _ in range(door.EACH + 8):
            reader, writer = await call(port, "127.0.0.2")
            writer.write(request())
            assert await status(reader) == 200
            writer.close()
            await writer.wait_closed()
        while doors[-1].connections:
            await asyncio.sleep(0)

    served(table, play, doors)


@pytest.mark.slow
def test_strangers_in_any_number_shut_no_paired_phone_out(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """They may take all the room that there is: for each that comes, the oldest of the greatest crowd goes."""
    monkeypatch.setattr(door, "MOST", 32)
    monkeypatch.setattr(door, "ROOM", 8)
    secret = table.paired().client.cookies["umpi"]

    async def play(port: int) -> None:
        crowds = [await held(port, 8, f"127.0.0.{number}") for number in (2, 3, 4)]

        def gone() -> int:
            return sum([reader.at_eof() or reader.exception() is not None for crowd in crowds for reader, _ in crowd])

        phone, writer = await call(port, "127.0.0.9")
        writer.write(request("/api/me", secret))
        assert await status(phone) == 200
        assert gone() <= 1
        ready = await held(port, 7, "127.0.0.9")
        writer.write(request("/api/me", secret))
        assert await status(phone) == 200
        assert gone() <= 1
        for _, line in ready:
            line.close()
        for number in range(5, 30):
            await held(port, 1, f"127.0.0.1{number}")
        writer.write(request("/api/me", secret))
        assert await status(phone) == 200, "and it stays in"
        more = await held(port, 8, "127.0.0.9")
        assert len(more) == 8, "and there is room kept for it"

    served(table, play)


@pytest.mark.slow
def test_no_crowd_ends_the_stream_of_who_came_first(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "MOST", 16)
    monkeypatch.setattr(door, "ROOM", 4)

    async def play(port: int) -> None:
        first, writer = await call(port, "127.0.0.2")
        writer.write(request("/api/events"))
        await first.readuntil(b"\r\n\r\n")
        for number in range(3, 40):
            await held(port, 1, f"127.0.0.{number}")
        table.desk.stream.publish({"head": "after the crowd"})
        await first.readuntil(b"after the crowd")

    served(table, play)


@pytest.mark.slow
def test_if_all_strangers_receive_a_stream_one_more_is_refused(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "MOST", 8)
    monkeypatch.setattr(door, "ROOM", 4)

    async def play(port: int) -> None:
        lookers = [await call(port, f"127.0.0.{number}") for number in (2, 3, 4, 5)]
        for reader, writer in lookers:
            writer.write(request("/api/events"))
            await reader.readuntil(b"\r\n\r\n")
        one_more, writer = await call(port, "127.0.0.6")
        writer.write(request())
        assert await ended(one_more)
        table.desk.stream.publish({"head": "one more has come"})
        for reader, _ in lookers:
            await reader.readuntil(b"one more has come")

    served(table, play)


def test_the_streams_of_strangers_leave_connections_for_requests() -> None:
    assert app.STRANGERS + 64 <= door.MOST - door.ROOM
    paired = app.EACH * (len(COLOURS) + 1)  # of each button, and the referee's
    assert app.STRANGERS + paired <= app.LOOKERS


@pytest.mark.slow
def test_more_connections_than_there_are_descriptors_cost_no_paired_phone_anything(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    secret = table.paired().client.cookies["umpi"]
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)

    async def play(port: int) -> None:
        crowd = await asyncio.create_subprocess_exec(
            sys.executable, "-c", CROWD, str(port), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        assert crowd.stdout
        assert await crowd.stdout.readline() == b"held\n"
        question, act = table.question, {"do": "turn", "card": "earth-4"}
        reader, writer = await call(port, "127.0.0.9")
        writer.write(request("/api/act", secret, {"question": question, "act": act}))
        assert await status(reader) == 200
        await crowd.communicate(b"")

    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    try:
        with caplog.at_level(logging.DEBUG):
            served(table, play)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert table.document["match"]["acts"] == 2
    assert len(caplog.records) < 20, "a crowd is counted, not logged one by one"


@pytest.mark.slow
def test_requests_sent_all_at_once_come_to_their_turn_one_by_one(table: Table) -> None:
    secret = table.paired().client.cookies["umpi"]

    async def play(port: int) -> None:
        reader, writer = await call(port, "127.0.0.2")
        writer.write(request() * 150)
        await status(reader)
        phone, asking = await call(port, "127.0.0.9")
        asking.write(request("/api/me", secret))
        answered = asyncio.create_task(status(phone))
        others = 1
        while not answered.done():
            await status(reader)
            others += 1
        assert await answered == 200
        assert others < 100
        while others < 150:
            assert await status(reader) == 200
            others += 1

    served(table, play)


def test_a_request_of_a_disconnected_phone_is_not_played(table: Table) -> None:
    """The line stalled: the page gave up and said so, and then all of it comes at once."""
    secret = table.paired().client.cookies["umpi"]

    async def play(port: int) -> None:
        with socket.create_connection((HERE, port)) as phone:
            phone.sendall(request("/api/act", secret, {"question": table.question, "act": {"do": "take", "card": "x"}}))
        with socket.create_connection((HERE, port)) as phone:
            act = {"do": "turn", "card": "earth-4"}
            phone.sendall(request("/api/act", secret, {"question": table.question, "act": act}))
        reader, writer = await call(port)
        for _ in range(5):
            writer.write(request())
            assert await status(reader) == 200

    served(table, play)
    assert table.document["match"]["acts"] == 1


def test_requests_per_address_are_limited_and_strangers_leave_room(table: Table) -> None:
    phone = table.paired()

    async def look(looker: Any) -> int:
        """Ask as a server would; returns the status."""
        headers = [(b"host", HERE.encode()), *looker[1]]
        scope = {"type": "http", "method": "GET", "path": "/api/events", "query_string": b"", "root_path": "",
                 "scheme": "http", "headers": headers, "client": (looker[0], 1)}  # fmt: skip
        begun: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def receive() -> Any:
            await asyncio.Event().wait()

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                begun.set_result(message["status"])

        looking.append(asyncio.ensure_future(table.app(scope, receive, send)))  # type: ignore[arg-type]
        reply = await begun
        for _ in range(5):
            await asyncio.sleep(0)
        return reply

    looking: list[Any] = []

    async def go() -> None:
        cookie = [(b"cookie", f"umpi={phone.client.cookies['umpi']}".encode())]
        assert [await look(("10.0.0.1", [])) for _ in range(app.EACH + 1)] == [200] * app.EACH + [503]
        number = 0
        while await look((f"10.0.{number // 250 + 1}.{number % 250}", [])) == 200:
            number += 1
        assert number == app.STRANGERS - app.EACH
        assert await look(("10.0.0.1", cookie)) == 200
        for task in looking:
            task.cancel()
        await asyncio.gather(*looking, return_exceptions=True)

    table.rig.run(soon(go()))
