"""TLS, user and password at a real Mosquitto: who may come in, and the refusal for others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("paho.mqtt", reason="pip install paho-mqtt")

from tests.kit.brokers import Mosquitto, free_port, needs_mosquitto
from tests.kit.fake_boxes import FakeApi, RunningBridge, playing, result
from tests.kit.patience import wait_for
from umpi.cli import main
from umpi.mqtt.broker import Broker, BrokerPlan, Connected, Disconnected
from umpi.mqtt.outbox import Outbox
from umpi.web.certificates import AUTHORITY, make_authority, now, renew

pytestmark = [needs_mosquitto, pytest.mark.slow]
LOCAL = "127.0.0.1"
LONG_AGO = timedelta(days=1000)


def certified(folder: Path, host: str = LOCAL, ago: timedelta = timedelta(0)) -> tuple[Path, Path]:
    """Make an authority and a certificate; return their files."""
    make_authority(folder, "club", [host], now() - ago)
    return folder / AUTHORITY, renew(folder, [host], now() - ago).certificate


@pytest.fixture(scope="module")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrokerPlan]:
    """A broker with TLS, user and password, and the plan of those who may come in."""
    folder = tmp_path_factory.mktemp("mosquitto")
    ca, certificate = certified(folder)
    broker = Mosquitto(folder, certificate, {"umpi": "secret"})
    yield BrokerPlan(LOCAL, broker.port, True, ca, "umpi", "secret")
    broker.kill()


@contextmanager
def connecting(plan: BrokerPlan) -> Iterator[list[Any]]:
    events: list[Any] = []
    broker = Broker(plan, events.append)
    broker.start()
    yield events
    broker.stop()


def refusal(plan: BrokerPlan) -> str:
    """Return why a broker could not be reached."""
    with connecting(plan) as events:
        wait_for(lambda: events)
        assert isinstance(events[0], Disconnected), events
        return events[0].why


def test_certificate_user_and_password_give_access(secured: BrokerPlan) -> None:
    with connecting(secured) as events:
        wait_for(lambda: events)
        assert events == [Connected()]


@pytest.mark.parametrize(("wrong", "reason"), [
    ({"password": "Secret"}, 'refuses the user "umpi" or their password'),
    ({"user": ""}, "wants a user and a password"),
    ({"tls": False}, "tls = true in [mqtt]"),
    ({"ca": None}, "not from an authority that this computer trusts"),
    ({"host": "localhost"}, "is not for localhost"),
])  # fmt: skip
def test_a_refused_login_is_reported_with_its_cause(secured: BrokerPlan, wrong: dict[str, Any], reason: str) -> None:
    assert reason in refusal(replace(secured, **wrong))


def test_a_certificate_of_another_authority_is_refused(secured: BrokerPlan, tmp_path: Path) -> None:
    other, _ = certified(tmp_path)
    assert f"not from the authority in {other}" in refusal(replace(secured, ca=other))


def test_an_expired_certificate_and_one_of_another_host_are_refused(tmp_path: Path) -> None:
    for name, validity, reason in (
        ("old", {"ago": LONG_AGO}, "has expired"),
        ("other", {"host": "club.local"}, "not for"),
    ):
        folder = tmp_path / name
        folder.mkdir()
        ca, certificate = certified(folder, **validity)  # type: ignore[arg-type]
        broker = Mosquitto(folder, certificate)
        assert reason in refusal(BrokerPlan(LOCAL, broker.port, True, ca))
        broker.kill()


def test_a_broker_without_tls_or_port_is_reported(tmp_path: Path, secured: BrokerPlan) -> None:
    broker = Mosquitto(tmp_path)
    assert "TLS at another port" in refusal(replace(secured, port=broker.port))
    broker.kill()
    assert "refused" in refusal(BrokerPlan(LOCAL, free_port()))
    assert "unknown in this network" in refusal(BrokerPlan("no-such-host.invalid", 1883))


def test_the_bridge_tries_again_until_it_is_let_in(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    ca, certificate = certified(tmp_path)
    broker = Mosquitto(tmp_path, certificate, {"umpi": "old"})
    api = FakeApi()
    api.kept = [result("u1", 1)]
    plan = BrokerPlan(LOCAL, broker.port, True, ca, "umpi", "new")
    bridge = RunningBridge(api, plan, tmp_path / "mqtt.db")
    bridge.show(playing(1, over=True))
    wait_for(lambda: "refuses the user" in caplog.text)
    wait_for(lambda: [each["uid"] for each in Outbox(tmp_path / "mqtt.db").unsent()] == ["u1"])
    broker.kill()
    broker.admit({"umpi": "new"})
    broker.start()
    wait_for(lambda: not Outbox(tmp_path / "mqtt.db").unsent())
    bridge.stop()
    broker.kill()
    lines = [line for line in caplog.messages if "refuses the user" in line]
    assert len(lines) == 1, "the same reason is logged once"
    assert "new" not in caplog.text, "no password is logged"


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_a_file_that_is_no_authority_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str | None
) -> None:
    ca, config = tmp_path / "ca.pem", tmp_path / "umpi.toml"
    if content:
        ca.write_text(content)
    config.write_text(f'[mqtt]\ntls = true\nca = "{ca}"\n')
    assert main(["mqtt", "--config", str(config), "--box", "http://127.0.0.1:1"]) == 2
    assert str(ca) in capsys.readouterr().err
