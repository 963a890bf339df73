"""A whole evening on a real Mosquitto and a real PostgreSQL, with two clubs. Servers and bridges fail, and a stranger
sends what nobody should: each match is there once as its box has reported it, and nothing else is.

UMPI_TESTS=soak plays 5,100 matches at 50 boxes. More boxes in one process wait for its interpreter, not for the hall:
`./scripts/dev hall-crowd` plays at 200, in processes of their own.
"""

from __future__ import annotations

import json
import logging
import os
from collections import Counter
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="pip install 'umpi[club]'")

from sqlalchemy import create_engine, func, select

from tests.kit.brokers import Listener, Mosquitto, needs_mosquitto
from tests.kit.fake_boxes import FakeApi, RunningBridge, playing, result
from tests.kit.halls import running_hall
from tests.kit.hostile import UNREADABLE
from tests.kit.patience import wait_for
from tests.kit.postgres import Postgres, needs_postgres
from umpi.box.signing import SigningKey
from umpi.club.schema import match as match_table
from umpi.club.store import Store
from umpi.mqtt.broker import Received
from umpi.mqtt.outbox import Outbox

BOXES, MATCHES = (50, 102) if os.environ.get("UMPI_TESTS") == "soak" else (12, 6)
POISON = [payload for payload in UNREADABLE.values() if len(payload) < 100_000]
EVE = SigningKey.of("e" * 64)


class Stranger:
    """Somebody at the broker who reads every result, and sends forged and unreadable ones in the name of its box."""

    def __init__(self, port: int, boxes: list[str]) -> None:
        self._listener, self._boxes, self._chance = Listener(port, "umpi/+/result"), boxes, Random(7)
        self.sent = 0

    def round(self) -> None:
        """Send something of each kind in the name of each box."""
        heard = [event.payload for event in self._listener.events if isinstance(event, Received)]
        known = [json.loads(payload) for payload in heard if b'"run"' in payload][-200:]  # those of the bridges
        for box in self._boxes:
            own = [each for each in known if each["box"] == box]
            self._send(box, self._chance.choice(["result", "kept", "state"]), self._chance.choice(POISON))
            if own:
                newest, any_of = own[-1], self._chance.choice(own)
                losing = {**newest, "scores": newest["scores"][::-1], "places": newest["places"][::-1]}
                self._send(box, "result", {**losing, "revision": 99})
                self._send(box, "result", {**losing, "revision": 99, "key": "", "signature": ""})
                bare = {k: v for k, v in losing.items() if k not in ("key", "signature", "name", "run", "now")}
                self._send(box, "result", EVE.sign("result", {**bare, "revision": 99}))
                self._send(box, "result", EVE.sign("result", {**bare, "uid": f"eve-{self.sent}"}))
                self._send(box, "result", any_of)  # as it was
                receipt = {"box": box, "uid": newest["uid"], "revision": newest["revision"]}
                for forged in (receipt, {**receipt, "refused": "No."}):
                    self._send(box, "kept", forged)
                    self._send(box, "kept", EVE.sign("receipt", forged))

    def _send(self, box: str, what: str, payload: Any) -> None:
        self._listener.publish(f"umpi/{box}/{what}", payload if isinstance(payload, bytes) else json.dumps(payload))
        self.sent += 1

    def leave(self) -> None:
        self._listener.close()


@pytest.mark.slow
@needs_mosquitto
@needs_postgres
def test_each_match_is_there_once_whatever_fails(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    broker, server = Mosquitto(tmp_path), Postgres()
    store, second = Store(server.url), Store(server.url)
    store.migrate()
    apis = [FakeApi(f"{number:012x}") for number in range(BOXES)]
    keys = [SigningKey.of(f"{number:064x}") for number in range(1, BOXES + 1)]
    files = [tmp_path / f"{api.box['id']}.db" for api in apis]
    bridges = [RunningBridge(api, broker.port, file) for api, file in zip(apis, files, strict=True)]

    def play(match: int) -> None:
        for api, key, bridge in zip(apis, keys, bridges, strict=True):
            bridge.show(playing(match, acts=1))
            unsigned = result(f"{api.box['id']}-{match}", match, box=api.box["id"])
            api.kept.append(key.sign("result", unsigned))
            bridge.show(playing(match, acts=2, over=True))

    counter = create_engine(server.url, pool_pre_ping=True)

    def count() -> int:
        with counter.connect() as link:  # to count is quick; to read all of them would hold up the boxes
            return link.scalar(select(func.count()).select_from(match_table)) or 0

    def more_than(before: int) -> bool:
        return count() > before

    def wait_for_all(matches: int) -> None:
        """Wait as long as matches still arrive."""
        while (before := count()) < matches * BOXES:
            wait_for(partial(more_than, before), lambda: f"{count()} of {matches * BOXES} matches")
        assert count() == matches * BOXES

    with running_hall(store, broker.port) as hall:
        play(1)
        wait_for_all(1)
        stranger = Stranger(broker.port, [api.box["id"] for api in apis])
        broker.kill()
        play(2)
        broker.start()
        stranger.round()
        wait_for_all(2)
        server.stop()
        play(3)
        stranger.round()
        wait_for(lambda: hall.trouble)
        server.start()
        wait_for(lambda: not hall.trouble)
        wait_for_all(3)
        away = "The database is away"
        caplog.clear()
        with running_hall(second, broker.port) as other:
            bridges[0].stop()
            bridges[0] = RunningBridge(apis[0], broker.port, files[0])
            for match in range(4, MATCHES):
                play(match)
                stranger.round()
            wait_for_all(MATCHES - 1)
            assert (hall.trouble, other.trouble) == ("", "")
        play(MATCHES)
        stranger.round()
        wait_for_all(MATCHES)
        wait_for(lambda: not any(map(unkept, files)))
    assert not [line for line in caplog.messages if away in line or "does not take" in line or "same id" in line]
    assert not [record for record in caplog.records if record.exc_info]
    played = store.played()
    assert Counter((each.uid, each.box) for each in played) == Counter(
        (f"{api.box['id']}-{match}", api.box["id"]) for api in apis for match in range(1, MATCHES + 1)
    )
    assert {(each.players, each.scores, each.places) for each in played} == {(("Ann", "Ben"), (9, 8), (1, 2))}
    assert stranger.sent > BOXES * MATCHES
    stranger.leave()
    for bridge in bridges:
        bridge.stop()
    counter.dispose()
    store.close()
    second.close()
    server.stop()
    broker.kill()


def unkept(file: Path) -> int:
    """Return how many results of a box its club has not confirmed."""
    outbox = Outbox(file)
    try:
        return len(outbox.unkept())
    finally:
        outbox.close()
