"""The process `umpi club` with a real Mosquitto: poisoned topics do not end it, nor a bridge, also after a restart."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from contextlib import closing
from datetime import date
from pathlib import Path
from queue import SimpleQueue
from typing import Any
from urllib.request import urlopen

import pytest

pytest.importorskip("sqlalchemy", reason="pip install 'umpi[club]'")

from sqlalchemy.exc import OperationalError

from tests.kit.brokers import Listener, Mosquitto, needs_mosquitto
from tests.kit.fake_boxes import FakeApi, RunningBridge, playing
from tests.kit.fake_boxes import result as box_result
from tests.kit.hostile import UNREADABLE
from tests.kit.patience import limit_s, wait_for
from umpi.club.run import _migrate, _work, run
from umpi.club.store import Store
from umpi.mqtt.broker import BrokerPlan
from umpi.mqtt.outbox import Outbox
from umpi.mqtt.topics import CLUB, OFFLINE

NEXT = "umpi/0123456789ab/next"


class Club:
    """The process, its log in a file."""

    def __init__(self, folder: Path, port: int) -> None:
        self._log = folder / "club.log"
        where = ["--broker", f"127.0.0.1:{port}", "--database", f"sqlite:///{folder / 'club.db'}", "--port", "0"]
        self._command = [sys.executable, "-m", "umpi", "club", *where]
        self.start()

    def start(self) -> None:
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log)

    def says(self, *texts: str) -> bool:
        assert self._process.poll() is None, self._log.read_text()
        return all(text in self._log.read_text() for text in texts)

    def stop(self) -> int:
        self._process.terminate()
        return self._process.wait(limit_s())

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


@pytest.mark.slow
@needs_mosquitto
def test_a_poisoned_topic_ends_neither_the_club_nor_a_bridge_and_the_log_says_how_to_clear_it(
    tmp_path: Path, broker: Mosquitto
) -> None:
    api, box, listener = FakeApi(), tmp_path / "mqtt.db", Listener(broker.port, "umpi/club/online")
    club, bridge = Club(tmp_path, broker.port), RunningBridge(api, broker.port, box)

    def play(match: int) -> None:
        """Play a match, and wait until the box knows that the club has it."""
        api.kept.append(box_result(f"u{match}", match))
        bridge.show(playing(match, acts=1))
        bridge.show(playing(match, acts=2, over=True))
        with closing(Outbox(box)) as outbox:
            wait_for(lambda: outbox.sent_of(f"u{match}") and not outbox.unkept())

    try:
        wait_for(lambda: "online" in listener.contents("online"))
        for payload in UNREADABLE.values():
            for what in ("state", "result", "next", "online"):
                listener.publish(f"umpi/stranger/{what}", payload)
            listener.publish("umpi/0123456789ab/kept", payload)
            listener.publish(NEXT, payload, retain=True)
        listener.publish(NEXT, UNREADABLE["lists nested 100,000 deep"], retain=True)
        wait_for(lambda: club.says("umpi/stranger/result, a message was dropped: ", f"{NEXT}, "))
        play(1)
        assert club.stop() == 0
        bridge.stop()
        club.start()
        bridge = RunningBridge(api, broker.port, box)
        wait_for(lambda: club.says(f"To clear it: mosquitto_pub -r -n -t {NEXT}"))
        play(2)
        listener.publish(NEXT, "", retain=True)
        assert club.stop() == 0
        club.start()
        play(3)
        assert not club.says("dropped")
        assert club.stop() == 0
    finally:
        club.kill()
        bridge.stop()
        listener.close()


class Coming(Store):
    """A database that answers at the fifth time."""

    asked = 0

    def migrate(self) -> None:
        self.asked += 1
        if self.asked < 5:
            raise OperationalError("", {}, Exception("refused"))


def test_a_database_that_is_away_at_the_start_is_logged_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("umpi.club.run.AGAIN_S", 0.0)
    told: list[str] = []
    asyncio.run(_migrate(Coming("sqlite://"), asyncio.Event(), told.append))
    assert caplog.messages == ["The database does not answer yet: (builtins.Exception) refused"]
    assert told == ["(builtins.Exception) refused", ""]


class Told:
    """In place of the broker: what the club has had of it."""

    def __init__(self, plan: BrokerPlan, post: Any, will: tuple[str, str]) -> None:
        self.done: list[tuple[Any, ...]] = [("will", *will)]
        brokers.append(self)

    def start(self) -> None:
        self.done.append(("start",))
        os.kill(os.getpid(), signal.SIGTERM)

    def publish(self, topic: str, payload: str, retain: bool = False) -> int:
        self.done.append(("publish", topic, payload, retain))
        return 0

    def stop(self) -> None:
        self.done.append(("stop",))


brokers: list[Told] = []


def test_a_club_that_is_ended_says_that_it_is_away_and_leaves_the_broker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else each box would wait for its answers until the broker misses it."""
    monkeypatch.setattr("umpi.club.run.Broker", Told)
    store = Store(f"sqlite:///{tmp_path / 'club.db'}")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        asyncio.run(run("Umpi", store, BrokerPlan("nowhere"), listening, date(2026, 9, 1)))
    (broker,) = brokers
    assert broker.done == [("will", CLUB, OFFLINE), ("start",), ("publish", CLUB, OFFLINE, True), ("stop",)]


class Followed(Store):
    """A database that comes once somebody has followed the page of the club at `url`."""

    url, seen = "", b""

    def migrate(self) -> None:
        with urlopen(f"{self.url}/events", timeout=limit_s()) as stream:
            self.seen = next((line for line in stream if line.startswith(b"data: ")), b"")
        super().migrate()


def test_the_page_can_be_followed_before_the_database_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("umpi.club.run.Broker", Told)
    store = Followed(f"sqlite:///{tmp_path / 'club.db'}")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        store.url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        asyncio.run(run("Umpi", store, BrokerPlan("nowhere"), listening, date(2026, 9, 1)))
    assert b"changes" in store.seen


class Working:
    """A hall and a club that note what the loop asks of them; the loop is stopped after `most` of it."""

    def __init__(self, most: int, trouble: str = "") -> None:
        self.done: list[str] = []
        self.trouble, self.stop = trouble, asyncio.Event()
        self._most = most

    def _note(self, what: str) -> None:
        self.done.append(what)
        if len(self.done) == self._most:
            self.stop.set()

    def handle(self, event: str) -> None:
        self._note(event)

    def publish(self) -> None:
        self._note("publish")

    def try_again(self) -> None:
        self._note("try again")
        self.trouble = ""

    def ask_again(self) -> None:
        self._note("ask again")


NEVER, ALWAYS = float("inf"), -1.0


@pytest.mark.parametrize(
    ("events", "trouble", "again_s", "ask_s", "done"),
    [
        (["a", "b"], "", ALWAYS, NEVER, ["publish", "a", "b", "publish"]),
        ([], "away", ALWAYS, NEVER, ["publish", "try again", "publish"]),
        ([], "away", NEVER, ALWAYS, ["publish", "ask again", "publish"]),
        (["a"], "away", ALWAYS, ALWAYS, ["publish", "a", "publish", "try again", "publish", "ask again", "publish"]),
        ([*map(str, range(201))], "", NEVER, NEVER,
         ["publish", *map(str, range(200)), "publish", "200", "publish"]),
    ],
)  # fmt: skip
def test_the_loop_of_a_club_keeps_events_and_looks_whether_something_is_missing(
    events: list[str], trouble: str, again_s: float, ask_s: float, done: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("umpi.club.run.AGAIN_S", again_s)
    monkeypatch.setattr("umpi.club.run.ASK_S", ask_s)
    monkeypatch.setattr("umpi.club.run.TURN_S", 0.0)

    async def work() -> list[str]:
        working, queue = Working(len(done), trouble), SimpleQueue[Any]()
        for event in events:
            queue.put(event)
        async with asyncio.timeout(limit_s()):
            await _work(working, working, queue, working.stop)  # type: ignore[arg-type]
        return working.done

    assert asyncio.run(work()) == done
