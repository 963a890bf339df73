"""The page on the network: at the address in umpi.toml, beside the game, without slowing it down."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from gpiozero.pins.mock import MockFactory

from tests.kit.at_table import Table
from tests.kit.journals import header
from tests.kit.patience import limit_s, soon, wait_for
from umpi.box.config import BadConfig, Config, WebPlan
from umpi.box.config_file import read_config
from umpi.journal import Journal
from umpi.service.run import run
from umpi.web.address import address, address_for_phones
from umpi.web.door import listen_at
from umpi.web.serving import serve

PID = os.getpid()
HERE = f"127.{PID >> 16 & 255}.{PID >> 8 & 255}.{PID & 255}"  # this process's own: nobody else takes a port here


def on_loopback(
    table: Table,
    play: Callable[[int], Coroutine[Any, Any, None]],
    port: int = 0,
    device_errors: list[str] | None = None,
) -> list[str]:
    """Serve a table's page at a port of its own while `play` runs; return the device errors meanwhile."""
    device_errors = [] if device_errors is None else device_errors

    async def go() -> None:
        free = port or _free()
        stop = asyncio.Event()
        refereeing = asyncio.create_task(table.loop.run(stop))
        serving = asyncio.create_task(serve(table.desk, HERE, free, stop, device_errors.append, again_s=0.01))
        try:
            await soon(play(free))
        finally:
            stop.set()
            table.desk.close()
            await soon(asyncio.gather(serving, refereeing))

    table.rig.run(go())
    return device_errors


def _free() -> int:
    with socket.socket() as some:
        some.bind((HERE, 0))
        port: int = some.getsockname()[1]
        return port


async def dial(port: int, source: str = HERE) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    while True:
        try:
            return await asyncio.open_connection(HERE, port, local_addr=(source, 0))
        except ConnectionRefusedError:
            await asyncio.sleep(0.01)


async def ask(port: int, lines: str, close: bool = True) -> str:
    reader, writer = await dial(port)
    writer.write((f"{lines}\r\nHost: {HERE}:{port}\r\n" + "Connection: close\r\n" * close + "\r\n").encode())
    replies = (await reader.read() if close else await reader.readuntil(b"}}\n\n")).decode()
    writer.close()
    return replies


def test_the_desk_is_served_beside_the_game(table: Table) -> None:
    replies = []

    async def play(port: int) -> None:
        replies.append(await ask(port, "GET /api/state HTTP/1.1"))

    assert on_loopback(table, play) == []
    head, _, body = replies[0].partition("\r\n\r\n")
    assert head.startswith("HTTP/1.1 200")
    assert "uvicorn" not in head
    assert json.loads(body)["match"]["title"] == "Dodekka"


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_a_connection_sends_an_answer_without_waiting_for_an_acknowledgement(host: str) -> None:
    """Asked of the kernel: asyncio sets TCP_NODELAY only for a socket that names its protocol."""
    options: list[int] = []

    class Probe(asyncio.Protocol):
        def connection_made(self, transport: Any) -> None:
            options.append(transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    async def go() -> None:
        with listen_at(host, 0) as listening:
            server = await asyncio.get_running_loop().create_server(Probe, sock=listening)
            _, writer = await asyncio.open_connection(*listening.getsockname()[:2])
            while not options:
                await asyncio.sleep(0)
            writer.close()
            server.close()

    asyncio.run(go())
    assert options == [1]


def test_a_busy_port_is_reported_and_tried_again(table: Table) -> None:
    taken = listen_at(HERE, 0)
    port, device_errors = taken.getsockname()[1], list[str]()

    async def play(port: int) -> None:
        while not device_errors:
            await asyncio.sleep(0)
        taken.close()
        await ask(port, "GET /api/state HTTP/1.1")

    fault, well = on_loopback(table, play, port, device_errors)
    assert f"{HERE}:{port}: " in fault
    assert "in use" in fault
    assert well == "", "reported once, and its end once"


def test_streams_end_when_the_box_stops(table: Table) -> None:
    replies: list[asyncio.Task[bytes]] = []

    async def play(port: int) -> None:
        reader, writer = await dial(port)
        writer.write(f"GET /api/events HTTP/1.1\r\nHost: {HERE}\r\n\r\n".encode())
        await reader.readuntil(b"data: ")
        replies.append(asyncio.create_task(reader.read()))

    on_loopback(table, play)
    assert replies[0].done(), "and the server had not to wait for it"


@pytest.mark.slow
def test_a_spectator_that_does_not_read_delays_nobody_and_resumes_at_the_newest_version(table: Table) -> None:
    """What is kept for it is the ring all share and what its connection holds, whatever it does."""
    phone = table.paired()
    text = "x" * 100_000  # so that the connection's buffers are soon full

    async def play(port: int) -> None:
        _, first = await dial(port)  # it listens now
        first.close()
        slow = socket.create_connection((HERE, port))
        slow.sendall(f"GET /api/events HTTP/1.1\r\nHost: {HERE}\r\n\r\n".encode())
        while not table.desk.stream.lookers:
            await asyncio.sleep(0)
        for number in range(1000):
            table.desk.stream.publish({"head": f"{number}{text}"})
            await asyncio.sleep(0)
        assert (await phone.client.get("/api/state")).status_code == 200
        slow.setblocking(False)
        loop, read = asyncio.get_running_loop(), bytearray()
        newest = f"id: {table.desk.stream.boot}.{table.document['version']}\n".encode()
        while newest not in read[-300_000:] or not read.endswith(b"\n\n\r\n"):
            read += await loop.sock_recv(slow, 1 << 16)
        slow.close()
        assert b'"skipped":' in read

    on_loopback(table, play)
    assert table.desk.stream.lookers == 0


def test_an_endless_request_delays_no_other(table: Table) -> None:
    async def play(port: int) -> None:
        dribbling = [await dial(port, "127.0.0.2") for _ in range(30)]
        for _, writer in dribbling:
            writer.write(b"POST /api/act HTTP/1.1\r\nHost: localhost\r\nContent-Le")
        assert "200 OK" in await ask(port, "GET /api/state HTTP/1.1")
        for _, writer in dribbling:
            writer.close()

    on_loopback(table, play)


@pytest.mark.parametrize("line", ["GET /\x00", "FOO /", "GET http://[::1/", "GET /%ff%fe", "\x16\x03\x01"])
def test_an_invalid_request_does_not_stop_the_server(
    table: Table, line: str, capfd: pytest.CaptureFixture[str]
) -> None:
    async def play(port: int) -> None:
        assert "500" not in (await ask(port, f"{line} HTTP/1.1")).partition("\r\n")[0]
        assert "200 OK" in await ask(port, "GET /api/state HTTP/1.1")

    on_loopback(table, play)
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.slow
def test_umpi_run_serves_the_desk_in_the_box_s_own_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On mock pins; SIGTERM ends the box and its web server."""
    port, replies = _free(), list[Any]()
    journal = Journal(tmp_path / "games.db")
    journal.begin(header("dodekka", ["Rosie", "Tom"]))
    journal.close()
    monkeypatch.setattr("umpi.service.run.pin_factory", lambda name, *_: MockFactory())

    def look() -> None:
        asked = Request(f"http://{HERE}:{port}/api/matches")

        def answered() -> bool:
            with contextlib.suppress(OSError), urlopen(asked, timeout=limit_s()) as answer:
                replies.append(json.load(answer))
            return bool(replies)

        try:
            wait_for(answered)
        finally:
            os.kill(os.getpid(), signal.SIGTERM)

    looking = threading.Thread(target=look)
    looking.start()
    run(Config(journal=tmp_path / "games.db", silent=True, desk=WebPlan(HERE, port)))
    looking.join()
    assert [match["game"] for match in replies[0]] == ["dodekka"]


def test_the_address_to_show_is_one_that_phones_can_reach() -> None:
    assert address("192.168.4.1", 80) == "http://192.168.4.1:80/"
    assert [address_for_phones(host, 80) for host in ("127.0.0.1", "::1", "localhost")] == ["", "", ""]
    assert address_for_phones("192.168.4.1", 80) == "http://192.168.4.1:80/"
    shown = address("0.0.0.0", 8000)
    assert shown == "" or not shown.startswith("http://0.")


def config(tmp_path: Path, text: str) -> Any:
    path = tmp_path / "umpi.toml"
    path.write_text(text)
    return read_config(path)


def test_without_a_section_desk_there_is_no_page(tmp_path: Path) -> None:
    assert config(tmp_path, "").desk is None


def test_umpi_toml_says_where_the_desk_listens(tmp_path: Path) -> None:
    assert config(tmp_path, "[desk]\n").desk == WebPlan("0.0.0.0", 8000)
    assert config(tmp_path, '[desk]\nlisten = "::1"\nport = 80\n').desk == WebPlan("::1", 80)
    toml = '[desk]\nnames = ["umpi.example.org"]\ntrusted_proxy = "10.0.0.0/8"\n'
    assert config(tmp_path, toml).desk == WebPlan(names=("umpi.example.org",), trusted_proxy="10.0.0.0/8")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('listen = "umpi.example"', "expected an address of this box"), ("listen = 7", "an address of this box"),
        ("listen = 0", "an address"), ("port = 0", "1 to 65535"), ('port = "80"', "a whole number"),
        ("prot = 80", "port?"), ('name = ["a"]', "Did you mean names?"), ('names = "a.lan"', "a list of names"),
        ('names = ["https://a.lan"]', "without a port"), ('names = ["a.lan:80"]', "without a port"),
        ('names = [""]', "a list of names"), ('trusted_proxi = "::1"', "Did you mean trusted_proxy?"),
        ('trusted_proxy = "nginx"', "an address or a network"), ("trusted_proxy = 1", "an address or a network"),
        ('trusted_proxy = "10.0.0.1/8"', "an address or a network"),
    ],
)  # fmt: skip
def test_a_desk_that_cannot_be_is_refused_with_its_line(tmp_path: Path, line: str, why: str) -> None:
    with pytest.raises(BadConfig) as refused:
        config(tmp_path, f"[desk]\n{line}\n")
    assert "umpi.toml, line 2: [desk]" in str(refused.value)
    assert why in str(refused.value)
