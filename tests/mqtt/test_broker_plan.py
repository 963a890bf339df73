"""What a connection asks of paho, from its plan: the will, the user, the certificates; and how it ends."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from umpi.mqtt import broker as module
from umpi.mqtt.broker import Broker, BrokerPlan


class Paho:
    """In place of paho's client: what was asked of it, in order, without what it is to call."""

    def __init__(self, *how: Any, **named: Any) -> None:
        self.asked: list[tuple[Any, ...]] = [("client", how[1:], named["clean_session"])]

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return lambda *given, **named: self.asked.append((name, *given, *sorted(named.items())))


def asked(plan: BrokerPlan, monkeypatch: pytest.MonkeyPatch, **more: Any) -> list[tuple[Any, ...]]:
    monkeypatch.setattr(module, "Client", Paho)
    broker = Broker(plan, lambda event: None, **more)
    broker.start()
    broker.subscribe("a", "b/#")
    broker.stop()
    client: Any = broker._client
    return list(client.asked)


LIMITS = [("max_inflight_messages_set", 100), ("reconnect_delay_set", 1, 30)]
ENDS = [("loop_start",), ("subscribe", [("a", 1), ("b/#", 1)]), ("disconnect",), ("loop_stop",)]


def test_a_plain_plan_asks_for_no_user_and_no_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    assert asked(BrokerPlan("hall"), monkeypatch) == [
        ("client", ("",), True), *LIMITS, ("connect_async", "hall", 1883, ("keepalive", 20)), *ENDS,
    ]  # fmt: skip


def test_a_whole_plan_asks_for_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = BrokerPlan("hall", 8883, tls=True, ca=Path("/ca.pem"), user="club", password="secret")
    assert asked(plan, monkeypatch, will=("umpi/club", "away"), client_id="box-1") == [
        ("client", ("box-1",), False), *LIMITS,
        ("will_set", "umpi/club", "away", ("qos", 1), ("retain", True)), ("username_pw_set", "club", "secret"),
        ("tls_set", "/ca.pem"), ("connect_async", "hall", 8883, ("keepalive", 20)), *ENDS,
    ]  # fmt: skip


def test_certificates_of_the_system_and_a_user_without_a_password(monkeypatch: pytest.MonkeyPatch) -> None:
    found = asked(BrokerPlan("hall", tls=True, user="club"), monkeypatch)
    assert ("tls_set", None) in found
    assert ("username_pw_set", "club", None) in found
