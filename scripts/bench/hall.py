"""Measure what a change costs in a large hall: processor time and bytes, with ten viewers of the whole season."""

from __future__ import annotations

import asyncio
import json
import random
import statistics
import tempfile
import time
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

BOXES, MATCHES, VIEWERS, CHANGES = 1000, 10_000, 10, 5
GAMES = (("dodeka", "Dodéka"), ("dohdles", "Dohdles"), ("quiz", "Quiz"))
NOW = datetime(2026, 6, 1, 20, tzinfo=UTC)
NAMES = [f"Player {number}" for number in range(300)]
HOST = [(b"host", b"localhost")]
ASK = {
    "type": "http", "method": "GET", "path": "/part", "query_string": b"when=season", "headers": HOST,
    "http_version": "1.1", "scheme": "http", "client": ("127.0.0.1", 1), "server": ("localhost", 80),
}  # fmt: skip


def hall() -> None:
    """Print the processor time and the bytes of a change in a hall of many boxes, with ten viewers of the season."""
    move_ms(BOXES)


def move_ms(boxes: int) -> float:
    """Print what changes cost in a hall of so many boxes. Return the milliseconds of a move."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_measure(Path(folder), boxes))


@dataclass(slots=True)
class _Viewer:
    """One screen: it takes the events of the stream, and then asks for the main part of the page."""

    app: Any
    stream: AsyncGenerator[bytes, None]

    async def look(self) -> tuple[int, int]:
        """Return how many bytes the event has, and the part."""
        event = await anext(self.stream)
        while not event.startswith(b"id:"):
            event = await anext(self.stream)
        sent: list[dict[str, Any]] = []

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"", "more_body": False}

        await self.app(dict(ASK), receive, send)
        assert sent[0]["status"] == 200, sent[0]
        return len(event), sum(len(message.get("body", b"")) for message in sent)


class _Broker:
    """A broker that drops what the hall publishes."""

    def publish(self, topic: str, payload: str | bytes, qos: int = 1, retain: bool = False) -> int:
        return 1

    def subscribe(self, *topics: str) -> None: ...


async def _measure(folder: Path, boxes: int) -> float:
    from umpi.club.app import ClubApp
    from umpi.club.hall import Hall
    from umpi.club.store import Store
    from umpi.mqtt.broker import Received

    store = Store(f"sqlite:///{folder / 'club.db'}")
    store.migrate()
    _fill(store, boxes)
    hall = Hall(store, _Broker(), lambda: NOW)
    for number in range(boxes):
        hall.handle(Received(f"umpi/box{number}/online", b"online", True))
        hall.handle(Received(f"umpi/box{number}/state", _state(number, 0), True))
    club = ClubApp("Club", hall, store, date(2026, 1, 1), lambda: NOW)
    app = club.app()
    club.publish()
    viewers = [_Viewer(app, club.stream.follow()) for _ in range(VIEWERS)]

    async def change(what: Callable[[int], Received]) -> float:
        taken = []
        for number in range(CHANGES):
            begun = time.process_time()
            hall.handle(what(number))
            club.publish()
            found = await asyncio.gather(*(viewer.look() for viewer in viewers))
            taken.append(1000 * (time.process_time() - begun))
        print(f"  {statistics.median(taken):9.1f} ms ({min(taken):.1f} to {max(taken):.1f}), bytes of an event "
              f"{found[0][0]:,}, of the part {found[0][1]:,}", end="")  # fmt: skip
        return statistics.median(taken)

    print(f"\nA change in a hall of {boxes:,} boxes after {MATCHES:,} matches, {VIEWERS} viewers of the season, "
          f"processor time, median of {CHANGES} (least to most)")  # fmt: skip
    begun = time.process_time()
    await asyncio.gather(*(viewer.look() for viewer in viewers))
    print(f"  {1000 * (time.process_time() - begun):9.1f} ms at the first look")
    move = await change(lambda number: Received(f"umpi/box{number}/state", _state(number, 1), True))
    print(": a move")
    await change(lambda number: Received(f"umpi/box{number}/result", _result(number, 1), False))
    print(": a match that ends now")
    await change(lambda number: Received(f"umpi/box{number}/result", _result(100 + number, 60 * 24), False))
    print(": a match that ended a day ago")
    for viewer in viewers:
        await viewer.stream.aclose()
    store.close()
    return move


def _state(number: int, moves: int) -> bytes:
    players = [{"seat": seat, "name": NAMES[(number + seat) % 300], "button": seat, "score": moves} for seat in (0, 1)]
    state = {"name": f"Table {number}", "run": "r", "now": None, "version": moves, "title": "Dodéka", "moves": moves,
             "turn": players[0]["name"], "winners": [], "players": players, "problem": ""}  # fmt: skip
    return json.dumps(state).encode()


def _result(number: int, ago_min: int) -> bytes:
    names = [NAMES[number % 300], NAMES[(number * 7 + 1) % 300]]
    names = names if len({*names}) == 2 else NAMES[:2]
    result = {
        "uid": f"new{number}", "match": 1, "revision": 10, "game": "dodeka", "title": "Dodéka", "rules": "",
        "began": "", "ended": (NOW - timedelta(minutes=ago_min)).isoformat(), "over": True,
        "players": [{"seat": seat, "name": name, "button": seat} for seat, name in enumerate(names)],
        "scores": [9, 8], "places": [1, 2], "winners": [0], "error": "",
    }  # fmt: skip
    return json.dumps(result).encode()


def _fill(store: Any, boxes: int) -> None:
    """Write the matches of a season at once, as boxes would have one after the other."""
    from sqlalchemy import insert

    from umpi.club.schema import match, seat

    chance = random.Random(1)
    matches, seats = [], []
    for number in range(MATCHES):
        game, title = chance.choice(GAMES)
        ended = NOW - timedelta(minutes=20 * (MATCHES - number) + 60)
        began = ended - timedelta(minutes=15)
        text = json.dumps({"began": began.isoformat(), "ended": ended.isoformat(), "lines": "x" * 900})
        key = {"uid": f"u{number}", "box": f"box{number % boxes}"}
        matches.append({**key, "number": 1, "revision": 1, "over": True, "game": game, "title": title, "rules": "",
                        "ended": ended, "evening": ended.date(), "text": text})  # fmt: skip
        for at, name in enumerate(chance.sample(NAMES, chance.randint(2, 4))):
            seats.append({**key, "seat": at, "name": name, "score": 9 - at, "place": 1 + at})
    with store._engine.begin() as link:
        link.execute(insert(match), matches)
        link.execute(insert(seat), seats)
