"""A box as the bridge sees it: its API in memory, with matches that the test ends."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Queue
from typing import Any, cast

from umpi.mqtt.box_api import BoxApi, NoBox
from umpi.mqtt.bridge import Bridge, Shown, run
from umpi.mqtt.broker import Broker, BrokerEvent, BrokerPlan
from umpi.mqtt.outbox import Outbox
from umpi.mqtt.topics import OFFLINE, of
from umpi.web.documents import Box, State

Json = dict[str, Any]
WELL: Json = {
    "boot": "b", "version": 1, "language": "en", "screen": "welcome", "match": None, "question": None, "paused": False,
    "unsaved": "", "troubles": [], "calls": [],
}  # fmt: skip


def result(uid: str, match: int, players: tuple[str, ...] = ("Ann", "Ben"), **other: Any) -> Json:
    """A result: the first player has won."""
    return {
        "uid": uid, "match": match, "revision": 10, "game": "scorepad", "title": "Score pad", "rules": "",
        "began": "2026-11-22T19:00:00+00:00", "ended": "2026-11-22T19:30:00+00:00", "over": True,
        "players": [{"seat": seat, "name": name, "button": seat} for seat, name in enumerate(players)],
        "scores": [9 - seat for seat in range(len(players))], "places": [1 + seat for seat in range(len(players))],
        "winners": [0], "error": "", "key": "", "signature": "", **other,
    }  # fmt: skip


def playing(
    match: int, acts: int = 0, over: bool = False, players: tuple[str, ...] = ("Ann", "Ben"), **other: Any
) -> Json:
    """The document of a table."""
    ended = {"winners": [0], "places": [1, 2], "why": "Ann has more."} if over else None
    seats = [{"seat": seat, "name": name, "button": seat} for seat, name in enumerate(players)]
    table = {
        "id": match, "game": "scorepad", "title": "Score pad", "players": seats, "turn": None if over else 0,
        "scores": [acts, 0], "over": ended, "acts": acts,
    }  # fmt: skip
    return {**WELL, "screen": "play", "match": table, "question": {"id": f"{match}.{acts}"}, **other}


class FakeApi(BoxApi):
    """The API of a box in memory. While it is `down`, it does not answer."""

    def __init__(self, id: str = "0123456789ab") -> None:
        super().__init__("http://box")
        self.box: Box = {"id": id, "name": "Table 1", "version": "0.1.0", "api": 1, "boot": "b"}
        self.kept: list[Json] = []
        self.records: dict[int, list[bytes]] = {}
        self.posted: list[tuple[str, Json, str]] = []
        self.down = False

    def get(self, path: str) -> Any:
        if self.down:
            raise NoBox(f"{path}: down")
        name, _, after = path.partition("?after=")
        return self.box if name == "box" else [each for each in self.kept if each["match"] > int(after)][:200]

    def record(self, match: int) -> list[bytes]:
        if self.down:
            raise NoBox(f"record {match}: down")
        return self.records.get(match, [])

    def post(self, path: str, body: Json, cookie: str = "") -> tuple[int, Json, str]:
        if self.down:
            raise NoBox(f"{path}: down")
        self.posted.append((path, body, cookie))
        return (200, {"version": 1}, "") if cookie else (401, {"error": "not paired"}, "")


@contextmanager
def closed_port() -> Iterator[str]:
    """The address of a port at which nobody listens, and nobody can meanwhile."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{held.getsockname()[1]}"


class RunningBridge:
    """A bridge with a real broker, on a thread of its own. `plan` is that of a broker at 127.0.0.1, or its port."""

    def __init__(self, api: FakeApi, plan: BrokerPlan | int, outbox: Any, **settings: Any) -> None:
        self.events: Queue[Shown | BrokerEvent] = Queue()
        self._stop = threading.Event()
        plan = BrokerPlan("127.0.0.1", plan) if isinstance(plan, int) else plan
        self._broker = Broker(plan, self.events.put, (of(str(api.box["id"]), "online"), OFFLINE))
        self._outbox = outbox

        def work() -> None:
            kept = Outbox(outbox)
            run(Bridge(api.box, api, self._broker, kept, **settings), self.events, self._stop)
            kept.close()

        self._thread = threading.Thread(target=work)
        self._thread.start()
        self._broker.start()

    def show(self, document: Json) -> None:
        self.events.put(Shown(cast(State, document)))  # it has the keys that the bridge reads

    def stop(self) -> None:
        """End without a word to the broker, as a kill does: it publishes the will."""
        self._stop.set()
        self._thread.join(10)
        self._broker.cut()
