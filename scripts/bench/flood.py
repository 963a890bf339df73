"""Measure press to picture while strangers, or one paired phone, flood each route of the web API, on loopback.

A computer that does other things delays the picture too. So the table also contains how long the page kept the game's
loop at most, in processor time, which other programs do not change: that is what the page can add to a press.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import CoroutineType
from typing import Any
from urllib.request import urlopen

HERE, SECRET = "127.0.0.1", "bench"
STRANGERS = [f"127.0.1.{number}" for number in range(1, 17)]
PAIRED = ["127.0.0.9"]
PER_S = 500  # requests and connections that all of them together begin at most
PAST = 40  # past matches; the match in play is half of another one
FORM = {"question": "", "verb": "turn", "given": {}}
ACT = {"question": "0.0", "act": {"do": "turn", "card": "fire-1"}}
FORM_SIZE = {True: 3_500, False: 60_000}  # of a paired phone's, and a stranger's
ROUTES: dict[str, Any] = {
    "/": None, "/api/state": None, "/api/events": None, "/api/form": FORM, "/api/act": ACT,
    "/api/pair": {"code": "000000"}, "/api/matches": None, "/api/stats": None, "/api/history": None, "/main.js": None,
}  # fmt: skip


def flood() -> None:
    """Print press to picture, quiet and under each flood, with the ratios to the quiet value measured beside it."""
    parser = argparse.ArgumentParser(prog="./scripts/dev bench-flood", description=flood.__doc__)
    parser.add_argument("--seconds", type=float, default=4.0, help="length of each measurement in seconds")
    parser.add_argument("--connections", type=int, nargs="+", default=[100, 400])
    parser.add_argument("--routes", nargs="+", default=list(ROUTES), choices=list(ROUTES))
    parser.add_argument("--box", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--load", nargs=4, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.box:
        asyncio.run(_Box().serve())
    elif chosen.load:
        os.nice(10)  # phones have processors of their own
        port, route, connections, who = chosen.load
        asyncio.run(_Load(int(port), route, who == "paired").run(int(connections)))
    else:
        _table(chosen.routes, chosen.connections, chosen.seconds)


def _table(routes: list[str], connections: list[int], seconds: float) -> None:
    program = [sys.executable, "-m", "scripts.bench.flood"]
    with subprocess.Popen([*program, "--box"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as box:
        assert box.stdin
        assert box.stdout
        port = box.stdout.readline().strip()

        def measured() -> tuple[float, float, dict[str, float]]:
            assert box.stdin
            assert box.stdout
            box.stdin.write(f"{seconds}\n")
            box.stdin.flush()
            result = json.loads(box.stdout.readline())
            return statistics.median(result["delays"]), max(result["delays"]), result["kept"]

        measured()  # warm
        print(f"press to picture, ms: median and most over {seconds:g} s; × is the ratio to quiet just before")
        print("kept: the longest time that the page kept the game's loop, and the game itself, ms of the processor")
        for route in routes:
            quiet = measured()
            print(f"{route:14} quiet            {quiet[0]:8.1f} {quiet[1]:8.1f}  {_kept(quiet[2])}", flush=True)
            for who in ("strangers", "paired"):
                for many in connections:
                    load = subprocess.Popen([*program, "--load", port, route, str(many), who],
                                            stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True)  # fmt: skip
                    time.sleep(1.5)
                    median, most, kept = measured()
                    statuses = load.communicate("stop\n")[0].strip()
                    ratio = f"× {median / quiet[0]:5.1f} × {most / quiet[1]:5.1f}"
                    row = f"{median:8.1f} {most:8.1f}  {_kept(kept)}  {ratio}  {statuses}"
                    print(f"{'':14} {many:4} {who:10}  {row}", flush=True)
                    time.sleep(0.5)
        box.stdin.close()


def _kept(kept: dict[str, float]) -> str:
    return f"kept {kept['page']:4.1f} {kept['game']:4.1f}"


class _Kept:
    """Record the longest time of each callback in the event loop, in milliseconds of processor time."""

    def __init__(self) -> None:
        self.most = dict.fromkeys(("page", "game"), 0.0)
        run: Callable[[asyncio.Handle], None] = asyncio.Handle._run

        def timed(handle: Any) -> None:
            begun_s, callback = time.thread_time(), handle._callback  # it is gone when it has run
            run(handle)
            task = getattr(callback, "__self__", None)
            work = task.get_coro() if isinstance(task, asyncio.Task) else None
            game = isinstance(work, CoroutineType) and work.__qualname__ == "Loop.run"
            whose = "game" if game else "page"
            self.most[whose] = max(self.most[whose], 1000 * (time.thread_time() - begun_s))

        asyncio.Handle._run = timed  # type: ignore[assignment,method-assign]


class _Box:
    """Run a virtual box with its page, in real time. Each line of input makes it press for that many seconds."""

    def __init__(self) -> None:
        from umpi.box.config import Config
        from umpi.simulator.virtual import VirtualBox
        from umpi.web.codes import Codes

        self._folder = tempfile.TemporaryDirectory()
        path = Path(self._folder.name) / "games.db"
        _lay(path)
        self._changed, self._kept = threading.Event(), _Kept()
        with socket.socket() as some:
            some.bind((HERE, 0))
            self._port = some.getsockname()[1]
        self._box = VirtualBox(
            Config(journal=path, dim_after_s=0, off_after_s=0),
            time.monotonic_ns,
            self._changed.set,
            codes_of=partial(Codes, address=lambda: f"http://{HERE}:{self._port}/"),
        )

    async def serve(self) -> None:
        from umpi.web.serving import serve

        port, web_app = self._port, self._box.web_app
        assert web_app
        loop, stop = self._box.loop, asyncio.Event()
        refereeing = asyncio.create_task(loop.run(stop))
        serving = asyncio.create_task(serve(web_app, HERE, port, stop, lambda why: print(why, file=sys.stderr)))
        print(port, flush=True)
        await asyncio.to_thread(self._obey)
        stop.set()
        await asyncio.gather(refereeing, serving)
        self._box.close()
        self._folder.cleanup()

    def _obey(self) -> None:
        time.sleep(1)
        self._press("ok")  # resume the open match
        for line in sys.stdin:
            until, delays = time.monotonic() + float(line), list[float]()
            self._kept.most.update(page=0.0, game=0.0)
            while time.monotonic() < until:
                delays.append(self._press("up"))
            print(json.dumps({"delays": delays, "kept": self._kept.most}), flush=True)

    def _press(self, button: str) -> float:
        """Press and release a button; return the milliseconds until the picture changed."""
        before = self._box.picture().tobytes()
        self._changed.clear()
        begun = time.perf_counter()
        self._box.hold(button, True)
        while self._changed.wait(20):
            shown = time.perf_counter()
            self._changed.clear()
            if self._box.picture().tobytes() != before:
                break
        else:
            shown = time.perf_counter()
        time.sleep(0.04)
        self._box.hold(button, False)
        time.sleep(0.04)
        return 1000 * (shown - begun)


def _lay(path: Path) -> None:
    from umpi.journal import Journal
    from umpi.kernel.random_games import play_out
    from umpi.kernel.registry import find

    journal, names = Journal(path), ["Ann", "Ben", "Cleo"]
    for seed in range(PAST + 1):
        match = journal.begin({"umpi": 1, "game": "dodekka", "players": names, "options": {}, "buttons": [0, 1, 2]})
        lines = [act.line() for act in play_out(find("dodekka"), names, seed=seed).acts]
        journal.append(match, lines if seed < PAST else lines[: len(lines) // 2], "panel")
        if seed < PAST:
            journal.close_match(match)
    journal.pair(hash=hashlib.sha256(SECRET.encode()).hexdigest(), who="referee", name="bench")
    journal.close()


class _Load:
    """Connections that ask for one route again and again, all in this process, at a bounded rate."""

    def __init__(self, port: int, route: str, paired: bool) -> None:
        self._port, self._stream = port, route == "/api/events"
        self._sources = PAIRED if paired else STRANGERS
        self._next_s = 0.0
        self._answers: Counter[str] = Counter()
        body = json.dumps(self._body(route, paired)) if ROUTES[route] else ""
        head = [f"{'POST' if body else 'GET'} {route} HTTP/1.1", f"Host: {HERE}:{port}", "Umpi: 1"]
        head += [f"Cookie: umpi={SECRET}"] * paired
        head += ["Content-Type: application/json", f"Content-Length: {len(body)}"] if body else []
        self._request = "\r\n".join([*head, "", body]).encode()

    def _body(self, route: str, paired: bool) -> Any:
        if ROUTES[route] is not FORM:
            return ROUTES[route]
        with urlopen(f"http://{HERE}:{self._port}/api/state") as reply:
            question = json.load(reply)["question"]["id"]
        return {**FORM, "question": question, "given": {"card": ["x"] * (FORM_SIZE[paired] // 5)}}

    async def run(self, connections: int) -> None:
        tasks = [asyncio.create_task(self._ask(number)) for number in range(connections)]
        await asyncio.to_thread(sys.stdin.readline)
        for task in tasks:
            task.cancel()
        print(", ".join(f"{count} × {what}" for what, count in sorted(self._answers.items())))

    async def _turn(self) -> None:
        self._next_s = max(self._next_s + 1 / PER_S, time.monotonic())
        await asyncio.sleep(self._next_s - time.monotonic())

    async def _ask(self, number: int) -> None:
        source = self._sources[number % len(self._sources)], 0
        while True:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
                await self._turn()
                reader, writer = await asyncio.open_connection(HERE, self._port, local_addr=source, limit=1 << 22)
                try:
                    while True:
                        writer.write(self._request)
                        async with asyncio.timeout(30):
                            await self._read(reader)
                        if self._stream:
                            await asyncio.sleep(0.2)
                            break
                        await self._turn()
                finally:
                    writer.transport.abort()
                continue
            self._answers["cut off"] += 1
            await asyncio.sleep(0.1)

    async def _read(self, reader: asyncio.StreamReader) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        self._answers[head.split()[1]] += 1
        if "content-length: " in head:
            await reader.readexactly(int(head.partition("content-length: ")[2].split()[0]))
        elif self._stream:
            await reader.readuntil(b"data: ")


if __name__ == "__main__":
    flood()
