"""Measure the web server beside a bare one, and a full table: onlookers, and six players who answer at once."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from umpi.box.config import COLOURS
from umpi.journal import Journal

SPECTATORS, PLAYING_S, IDLE_S, EVERY_S = (1, 100, 500), 30, 10, 0.5
ADDRESSES = 100  # of the onlookers
TICKS = 100  # per second, in /proc/PID/stat
HEADER = {"umpi": 1, "game": "scorepad", "players": list("ABCDEF"), "options": {}, "buttons": list(range(6))}
BARE = """
import socket, uvicorn
from starlette.applications import Starlette
listening = socket.create_server(("127.0.0.1", 0))
print(f"http://127.0.0.1:{listening.getsockname()[1]}/", flush=True)
uvicorn.Server(uvicorn.Config(Starlette(), log_level="warning")).run(sockets=[listening])
"""


def web() -> None:
    """Print memory and idle time beside starlette and uvicorn that serve nothing, then the cost of a full table."""
    print(f"\nThe web server: memory, and processor time without any requests, over {IDLE_S} s")
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "games.db"
        _prepare(journal)
        with _Server([sys.executable, "-c", BARE]) as bare, _Server(_box(journal)) as box:
            time.sleep(2)
            before = bare.cpu_s, box.cpu_s
            time.sleep(IDLE_S)
            for name, server, spent in zip(("starlette and uvicorn", "umpi sim"), (bare, box), before, strict=True):
                print(f"  {name:22} {server.rss_mb:5.1f} MB  {(server.cpu_s - spent) / IDLE_S:6.2%}")
            print(f"\nA table of six players who answer every {EVERY_S} s, for {PLAYING_S} s")
            costs = [asyncio.run(_Table(box, number, not nth).play()) for nth, number in enumerate(SPECTATORS)]
        (few, low_ms), *_, (many, high_ms) = zip(SPECTATORS, costs, strict=True)
        each_us = 1000 * (high_ms - low_ms) / (many - few)
        print(f"  one more onlooker costs {each_us:.0f} µs of processor time per act")


def onlookers_ms(numbers: Sequence[int], playing_s: int) -> list[float]:
    """Print what a full table costs, by its onlookers. Return the milliseconds of processor time per act."""
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "games.db"
        _prepare(journal)
        with _Server(_box(journal)) as box:
            time.sleep(2)
            tables = [_Table(box, number, not nth, playing_s) for nth, number in enumerate(numbers)]
            return [asyncio.run(table.play()) for table in tables]


def _box(journal: Path) -> list[str]:
    return [sys.executable, "-m", "umpi", "sim", "--port", "0", "--journal", str(journal)]


def _prepare(journal: Path) -> None:
    """Start a match of six players and pair their phones; a phone's secret is the name of its colour."""
    kept = Journal(journal)
    kept.begin(HEADER)
    for colour in COLOURS:
        kept.pair(hash=hashlib.sha256(colour.encode()).hexdigest(), who=colour, name="bench")
    kept.close()


class _Server:
    """A server process; it prints its first line when it is ready."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout
        found = re.search(r"http://127.0.0.1:(\d+)", self._process.stdout.readline())
        assert found
        self.port = int(found[1])

    def __enter__(self) -> _Server:
        return self

    def __exit__(self, *fault: object) -> None:
        self._process.kill()
        self._process.wait()

    @property
    def cpu_s(self) -> float:
        """Return the processor time that it has used."""
        used = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(used[11]) + int(used[12])) / TICKS

    @property
    def rss_mb(self) -> float:
        """Return the memory that it uses."""
        found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self._process.pid}/status").read_text())
        assert found
        return int(found[1]) / 1024

    async def post(self, path: str, body: object, secret: str = "") -> tuple[int, Any]:
        """Ask for something; returns status and body."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        payload = json.dumps(body)
        head = [f"POST /{path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", "Content-Type: application/json", "Umpi: 1"]
        head += [f"Cookie: umpi={secret}", f"Content-Length: {len(payload)}", "Connection: close", "", payload]
        writer.write("\r\n".join(head).encode())
        answer = (await reader.read()).decode()
        writer.close()
        reply_body = answer.partition("\r\n\r\n")[2]
        return int(answer.split()[1]), json.loads(reply_body) if reply_body else None


class _Table:
    """The onlookers, who take gzip as browsers do, and the players, all in this process. The first table resumes."""

    def __init__(self, server: _Server, onlookers: int, begins: bool, playing_s: int = PLAYING_S) -> None:
        self._server, self._onlookers, self._begins, self._playing_s = server, onlookers, begins, playing_s
        self._seen: list[dict[int, float]] = [{} for _ in range(onlookers)]  # per onlooker: the time of each version
        self._order: list[list[int]] = [[] for _ in range(onlookers)]
        self._received = 0  # bytes of all onlookers, with the frames of HTTP, without those of TCP
        self._document: dict[str, Any] = {}
        self._statuses: Counter[int] = Counter()
        self._sent: dict[int, float] = {}  # per version: the time of the request that led to it

    async def play(self) -> float:
        """Play, and print the results. Return the processor time per act in milliseconds."""
        server = self._server
        for down in (True, False) if self._begins else ():
            await server.post("hold", {"button": "ok", "down": down})
            await asyncio.sleep(0.2)
        looking = [asyncio.create_task(self._look(each)) for each in range(self._onlookers)]
        while not all(self._order):
            await asyncio.sleep(0.1)
        begun_s, spent_s, received, first = time.monotonic(), server.cpu_s, self._received, self._document["version"]
        await asyncio.gather(*(self._answer(seat, begun_s + self._playing_s) for seat in range(6)))
        await asyncio.sleep(1)
        spent_s, last = server.cpu_s - spent_s, self._document["version"]
        wrong = sum(order[order.index(first) :] != list(range(first, last + 1)) for order in self._order)
        delays = sorted(
            1000 * (max(seen[version] for seen in self._seen) - asked)
            for version, asked in self._sent.items()
            if all(version in seen for seen in self._seen)
        )
        acts = self._statuses[200]
        answers = ", ".join(f"{count} × {status}" for status, count in sorted(self._statuses.items()))
        median, late = statistics.median(delays), delays[int(0.95 * len(delays))]
        print(
            f"  {self._onlookers:3} onlookers: {1000 * spent_s / acts:5.1f} ms of processor time per act,"
            f" {(self._received - received) / acts / self._onlookers:4.0f} bytes per act and onlooker,"
            f" {server.rss_mb:.1f} MB\n"
            f"    act to last onlooker, ms: median {median:.0f}, 95 % {late:.0f}; answers: {answers};"
            f" {wrong} onlookers lost, doubled or disordered any of {last - first} changes",
            flush=True,
        )
        for task in looking:
            task.cancel()
        await asyncio.gather(*looking, return_exceptions=True)
        return 1000 * spent_s / acts

    async def _look(self, each: int) -> None:
        source = f"127.0.1.{each % ADDRESSES + 1}", 0  # each address may open only so many streams
        reader, writer = await asyncio.open_connection("127.0.0.1", self._server.port, local_addr=source)
        head = f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{self._server.port}\r\nAccept-Encoding: gzip\r\n\r\n"
        writer.write(head.encode())
        unpack, rest = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress, b""
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            assert head.startswith("HTTP/1.1 200"), head
            assert "content-encoding: gzip" in head.lower(), head
            while size := await reader.readline():
                packed = await reader.readexactly(int(size, 16) + 2)
                self._received += len(size) + len(packed)
                rest += unpack(packed[:-2])
                *events, rest = rest.split(b"\n\n")
                for event in events:
                    self._take(each, event)
        finally:
            writer.close()

    def _take(self, each: int, event: bytes) -> None:
        """Take an event or a comment that an onlooker has received."""
        if not event.startswith(b"id: "):
            return
        version = int(event.partition(b"\n")[0].split(b".")[1])
        self._order[each].append(version)
        self._seen[each][version] = time.monotonic()
        if each == 0:
            self._document = json.loads(event.partition(b"data: ")[2])

    async def _answer(self, seat: int, until_s: float) -> None:
        act = {"do": "score", "seat": seat, "points": 5}
        while (asked := time.monotonic()) < until_s:
            question = self._document["question"]["id"]
            status, reply = await self._server.post("api/act", {"question": question, "act": act}, COLOURS[seat])
            self._statuses[status] += 1
            if status == 200:
                self._sent[reply["version"]] = asked
            await asyncio.sleep(EVERY_S)
