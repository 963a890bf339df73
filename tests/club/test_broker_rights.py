"""Who may publish what at a real Mosquitto with the settings of --make-broker: a box, a club and a stranger."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="pip install 'umpi[club]'")

from results import STATE
from results import result as result_of

from tests.kit.brokers import Listener, Mosquitto, needs_mosquitto
from tests.kit.fake_boxes import FakeApi, RunningBridge, playing, result
from tests.kit.halls import running_hall
from tests.kit.patience import wait_for
from umpi.cli import main
from umpi.club.store import Store
from umpi.mqtt.broker import BrokerPlan
from umpi.mqtt.outbox import Outbox

BOX = "0123456789ab"
STRANGER = "ba9876543210"


@pytest.mark.slow
@needs_mosquitto
def test_a_box_may_speak_for_itself_and_nobody_for_it(tmp_path: Path) -> None:
    broker = Mosquitto.made(tmp_path, [BOX, STRANGER])
    plan, api = BrokerPlan("127.0.0.1", broker.port), FakeApi(BOX)
    store = Store(f"sqlite:///{tmp_path / 'club.db'}")
    store.migrate()

    def login(user: str) -> BrokerPlan:
        password = (tmp_path / "umpi-logins" / user).read_text(encoding="utf-8").strip()
        return BrokerPlan(plan.host, plan.port, user=user, password=password)

    stranger = Listener(login(STRANGER), "umpi/#")
    with running_hall(store, login("club")) as hall:
        bridge = RunningBridge(api, login(BOX), tmp_path / "mqtt.db")
        bridge.show(playing(1))
        wait_for(lambda: BOX in hall.tables and hall.tables[BOX].online and hall.tables[BOX].state.title)
        forged = json.dumps(result_of("u1", "Eve", "Ben", revision=99))
        for topic in (f"umpi/{BOX}/result", f"umpi/{BOX}/state", f"umpi/{BOX}/next", "umpi/club/online"):
            stranger.publish(topic, forged, retain=True)
        stranger.publish(f"umpi/{BOX}/kept", '{"uid": "u1", "revision": 10}')
        stranger.publish(f"umpi/{BOX}/start", "rematch")
        stranger.publish(f"umpi/{STRANGER}/result", json.dumps(result_of("s1", "Eve", "Ben")))
        wait_for(lambda: len(store.played()) == 1)  # all before this one was refused by the broker
        api.kept.append(result("u1", 1))
        bridge.show(playing(1, acts=2, over=True))
        wait_for(lambda: len(store.played()) == 2)
        outbox = Outbox(tmp_path / "mqtt.db")
        wait_for(lambda: not outbox.unkept())
        outbox.close()
        assert {each.uid: (each.box, each.players[0]) for each in store.played()} == {
            "s1": (STRANGER, "Eve"), "u1": (BOX, "Ann")
        }  # fmt: skip
        assert api.posted == []
        bridge.stop()
        wait_for(lambda: not hall.tables[BOX].online)
    assert {event.topic for event in stranger.events if hasattr(event, "topic")} <= {
        "umpi/club/online", f"umpi/{STRANGER}/kept", f"umpi/{STRANGER}/result"
    }  # fmt: skip
    stranger.close()
    store.close()
    broker.kill()


@pytest.mark.slow
@needs_mosquitto
def test_a_round_finds_the_boxes_that_are_online_and_a_box_that_is_gone_can_be_forgotten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The broker confirms to a box what it does not let it publish."""
    broker = Mosquitto.made(tmp_path, [BOX, STRANGER])
    store = Store(f"sqlite:///{tmp_path / 'club.db'}")
    store.migrate()
    for box in (BOX, STRANGER):
        store.meet(box, f"Table {box[0]}", 0.0)
    store.close()

    def start(user: str, *options: str) -> int:
        (tmp_path / "umpi.toml").write_text(
            f'[mqtt]\nport = {broker.port}\nuser = "{user}"\npassword_file = "{tmp_path / "umpi-logins" / user}"\n'
        )
        where = ["--config", str(tmp_path / "umpi.toml"), "--database", f"sqlite:///{tmp_path / 'club.db'}"]
        return main(["club", *where, *(options or ("--round", "dodeka", "--players", "Ann,Ben,Cid,Dora"))])

    password = (tmp_path / "umpi-logins" / BOX).read_text(encoding="utf-8").strip()
    box = Listener(BrokerPlan("127.0.0.1", broker.port, user=BOX, password=password), f"umpi/{BOX}/#")
    box.publish(f"umpi/{BOX}/online", "online", retain=True)
    wait_for(lambda: box.contents("online"))
    assert start("club") == 0
    assert capsys.readouterr().out.splitlines() == [
        "Table 0: Ann, Ben", "2 players rest: Cid, Dora", "1 box is offline: Table b"
    ]  # fmt: skip
    wait_for(lambda: box.contents("next"))
    assert start(BOX) == 1
    assert f"does not pass on what the user {BOX} publishes for the club" in capsys.readouterr().err
    assert start("club", "--forget", BOX) == 2
    assert "this box is online" in capsys.readouterr().err
    box.publish(f"umpi/{BOX}/state", json.dumps(STATE), retain=True)
    box.publish(f"umpi/{BOX}/online", "offline", retain=True)
    wait_for(lambda: "offline" in box.contents("online"))
    store = Store(f"sqlite:///{tmp_path / 'club.db'}")
    password = (tmp_path / "umpi-logins" / "club").read_text(encoding="utf-8").strip()
    with running_hall(store, BrokerPlan("127.0.0.1", broker.port, user="club", password=password)) as hall:
        wait_for(lambda: BOX in hall.tables)
        assert start("club", "--forget", BOX) == 0
        wait_for(lambda: not hall.tables)
    assert store.boxes() == {STRANGER: "Table b"}
    store.close()
    capsys.readouterr()
    assert start("club", "--forget", BOX) == 2
    assert "neither the club nor its broker knows" in capsys.readouterr().err, "the broker keeps nothing of it"
    box.close()
    broker.kill()
