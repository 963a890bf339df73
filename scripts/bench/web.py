"""Measure the web server beside a bare one, and with a full table: 100 spectators, six players who answer at once."""

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
from collections import Counter
from pathlib import Path
from typing import Any

from umpi.box.config import COLOURS
from umpi.journal import Journal

SPECTATORS, PLAYING_S, IDLE_S, EVERY_S = 100, 60, 10, 0.5
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
        umpi = [sys.executable, "-m", "umpi", "sim", "--port", "0", "--journal", str(journal)]
        with _Server([sys.executable, "-c", BARE]) as bare, _Server(umpi) as box:
            time.sleep(2)
            before = bare.cpu_s, box.cpu_s
            time.sleep(IDLE_S)
            for name, server, spent in zip(("starlette and uvicorn", "umpi sim"), (bare, box), before, strict=True):
                print(f"  {name:22} {server.rss_mb:5.1f} MB  {(server.cpu_s - spent) / IDLE_S:6.2%}")
            asyncio.run(_Table(box).play())


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
    """The spectators and the players, all in this process."""

    def __init__(self, server: _Server) -> None:
        self._server = server
        self._seen: list[dict[int, float]] = [{} for _ in range(SPECTATORS)]  # per spectator: the time of each version
        self._order: list[list[int]] = [[] for _ in range(SPECTATORS)]
        self._document: dict[str, Any] = {}
        self._statuses: Counter[int] = Counter()
        self._sent: dict[int, float] = {}  # per version: the time of the request that led to it

    async def play(self) -> None:
        """Play for a minute and print the results."""
        server = self._server
        for down in (True, False):
            await server.post("hold", {"button": "ok", "down": down})
            await asyncio.sleep(0.2)
        looking = [asyncio.create_task(self._look(each)) for each in range(SPECTATORS)]
        await asyncio.sleep(2)
        begun_s, spent_s = time.monotonic(), server.cpu_s
        await asyncio.gather(*(self._answer(seat, begun_s + PLAYING_S) for seat in range(6)))
        await asyncio.sleep(1)
        busy = (server.cpu_s - spent_s) / (time.monotonic() - begun_s)
        last = self._document["version"]
        wrong = sum(order != list(range(order[0], last + 1)) for order in self._order)
        delays = sorted(
            1000 * (max(seen[version] for seen in self._seen) - asked)
            for version, asked in self._sent.items()
            if all(version in seen for seen in self._seen)
        )
        print(f"\n{SPECTATORS} spectators and 6 players who answer every {EVERY_S} s, for {PLAYING_S} s")
        print(f"  answers: {', '.join(f'{count} × {status}' for status, count in sorted(self._statuses.items()))}")
        print(f"  of {SPECTATORS} spectators {wrong} lost, doubled or disordered any of {last} changes")
        median, late, most = statistics.median(delays), delays[int(0.95 * len(delays))], delays[-1]
        print(f"  act to last spectator, ms: median {median:.0f}, 95 % {late:.0f}, most {most:.0f}")
        print(f"  {server.rss_mb:.1f} MB, {busy:.1%} of a core")
        for task in looking:
            task.cancel()

    async def _look(self, each: int) -> None:
        source = f"127.0.1.{each % 50 + 1}", 0  # each address may open only so many streams
        reader, writer = await asyncio.open_connection("127.0.0.1", self._server.port, limit=1 << 22, local_addr=source)
        writer.write(f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{self._server.port}\r\n\r\n".encode())
        while line := await reader.readline():
            if line.startswith(b"id: "):
                version = int(line.split(b".")[1])
                self._order[each].append(version)
                self._seen[each][version] = time.monotonic()
            elif each == 0 and line.startswith(b"data: "):
                self._document = json.loads(line.removeprefix(b"data: "))

    async def _answer(self, seat: int, until_s: float) -> None:
        act = {"do": "score", "seat": seat, "points": 5}
        while (asked := time.monotonic()) < until_s:
            question = self._document["question"]["id"]
            status, reply = await self._server.post("api/act", {"question": question, "act": act}, COLOURS[seat])
            self._statuses[status] += 1
            if status == 200:
                self._sent[reply["version"]] = asked
            await asyncio.sleep(EVERY_S)
