"""A real Mosquitto that is killed and started again: each result arrives, and the state is as it was last."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("paho.mqtt", reason="pip install paho-mqtt")

from tests.kit.brokers import Listener, Mosquitto, needs_mosquitto
from tests.kit.fake_boxes import WELL, FakeApi, RunningBridge, playing, result
from tests.kit.patience import wait_for
from umpi.mqtt.broker import Connected
from umpi.mqtt.outbox import Outbox
from umpi.mqtt.topics import CLUB, ONLINE

pytestmark = needs_mosquitto


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    broker = Mosquitto(tmp_path)
    yield broker
    broker.kill()


@pytest.mark.slow
def test_a_broker_that_was_killed_gets_each_result(mosquitto: Mosquitto, tmp_path: Path) -> None:
    api = FakeApi()
    bridge = RunningBridge(api, mosquitto.port, tmp_path / "mqtt.db")
    listener = Listener(mosquitto.port, "umpi/#")
    bridge.show(playing(1))
    wait_for(lambda: listener.contents("state"))
    mosquitto.kill()
    api.kept = [result("u1", 1)]
    bridge.show(playing(1, acts=5, over=True))
    wait_for(lambda: Outbox(tmp_path / "mqtt.db").unsent())
    mosquitto.start()
    wait_for(lambda: listener.events.count(Connected()) == 2)
    listener.publish(CLUB, ONLINE, retain=True)  # a result that was published before this connection is sent again
    wait_for(lambda: {each["uid"] for each in listener.contents("result")} == {"u1"})
    wait_for(lambda: listener.contents("state")[-1]["over"])
    wait_for(lambda: not Outbox(tmp_path / "mqtt.db").unsent())
    bridge.stop()
    wait_for(lambda: listener.contents("online")[-1] == "offline")
    listener.close()


@pytest.mark.slow
def test_matches_played_while_the_bridge_was_off_are_sent_at_its_start(mosquitto: Mosquitto, tmp_path: Path) -> None:
    api = FakeApi()
    api.kept = [result("u1", 1), result("u2", 2, over=False)]
    listener = Listener(mosquitto.port, "umpi/#")
    first = RunningBridge(api, mosquitto.port, tmp_path / "mqtt.db")
    first.show(WELL)
    wait_for(lambda: listener.contents("result"))
    wait_for(lambda: not Outbox(tmp_path / "mqtt.db").unsent())
    first.stop()
    api.kept[1] = result("u2", 2, revision=20)
    second = RunningBridge(api, mosquitto.port, tmp_path / "mqtt.db")
    second.show(WELL)
    wait_for(lambda: {each["uid"] for each in listener.contents("result")} == {"u1", "u2"})
    second.stop()
    listener.close()
