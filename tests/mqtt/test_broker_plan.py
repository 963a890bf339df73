"""What a connection asks of paho and tells of it: the whole talk of each plan, and each reason that can end it."""

from __future__ import annotations

import errno
import logging
import os
import socket
import ssl
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.reasoncodes import ReasonCode

from umpi.mqtt import broker as module
from umpi.mqtt import strangers
from umpi.mqtt.broker import Broker, BrokerPlan, Confirmed, Connected, Disconnected, Received, password_of
from umpi.mqtt.unreachable import why_ended, why_failed, why_refused

HALL = BrokerPlan("hall")
SAFE = BrokerPlan("hall", 8883, tls=True, ca=Path("/ca.pem"), user="club", password="secret")


class Paho:
    """In place of paho's client: it notes in `talk` what is asked of it, and a test calls back as paho does."""

    talk: list[str]

    def __init__(self, version: Any, client_id: str = "", *, clean_session: bool, protocol: int) -> None:
        assert (version.name, int(protocol)) == ("VERSION2", 4), "4 is MQTT 3.1.1"
        self.talk.append(f"client {client_id!r}{' for this connection' if clean_session else ''}")

    def __getattr__(self, name: str) -> Any:
        def ask(*given: Any, **named: Any) -> Any:
            words = [*map(repr, given), *(f"{key}={value!r}" for key, value in named.items())]
            self.talk.append(f"{name} {', '.join(words)}".strip())
            return SimpleNamespace(mid=7, close=lambda: self.talk.append("the socket is closed"))

        return ask


def code(packet: int, reason: str) -> ReasonCode:
    return ReasonCode(packet, reason)


class Talking:
    """A connection to paho's place: what both do, with the events and the log, in order."""

    def __init__(self, plan: BrokerPlan, **more: Any) -> None:
        self.talk: list[str] = []
        Paho.talk = self.talk
        self.broker = Broker(plan, lambda event: self.talk.append(f"event {event}"), **more)
        self.paho: Any = self.broker._client

    def hears(self, packet: int, reason: str, callback: str) -> None:
        getattr(self.paho, callback)(self.paho, None, None, code(packet, reason), None)

    def is_answered(self, reason: str = "Success") -> None:
        self.hears(PacketTypes.CONNACK, reason, "on_connect")

    def is_cut(self, reason: str = "Unspecified error") -> None:
        self.hears(PacketTypes.DISCONNECT, reason, "on_disconnect")

    def takes(self) -> list[str]:
        """Return what was said since the last look."""
        said = self.talk[:]
        self.talk.clear()
        return said


@pytest.fixture(autouse=True)
def paho(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "Client", Paho)
    monkeypatch.setattr(strangers, "Client", Paho)


LIMITS = ["max_inflight_messages_set 100", "reconnect_delay_set 1, 30"]


@pytest.mark.parametrize(
    ("plan", "more", "asked"),
    [
        (HALL, {}, ["client '' for this connection", *LIMITS]),
        (SAFE, {"will": ("umpi/club", "away"), "client_id": "box-1"},
         ["client 'box-1'", *LIMITS, "will_set 'umpi/club', 'away', qos=1, retain=True",
          "username_pw_set 'club', 'secret'", "tls_set '/ca.pem'"]),
        (BrokerPlan("hall", tls=True, user="club"), {},
         ["client '' for this connection", *LIMITS, "username_pw_set 'club', None", "tls_set None"]),
    ],
)  # fmt: skip
def test_a_connection_asks_for_what_its_plan_has(plan: BrokerPlan, more: dict[str, Any], asked: list[str]) -> None:
    talking = Talking(plan, **more)
    assert talking.takes() == asked
    talking.broker.start()
    talking.broker.subscribe("a", "b/#")
    assert talking.broker.publish("c", "d", retain=True) == 7
    talking.broker.publish("c", b"d", 0)
    talking.broker.stop()
    assert talking.takes() == [
        f"connect_async 'hall', {plan.port}, keepalive=20", "loop_start", "subscribe [('a', 1), ('b/#', 1)]",
        "publish 'c', 'd', 1, True", "publish 'c', b'd', 0, False", "disconnect", "loop_stop",
    ]  # fmt: skip
    talking.broker.cut()
    assert talking.takes() == ["loop_stop", "socket", "the socket is closed"]


def test_what_paho_hears_is_an_event(caplog: pytest.LogCaptureFixture) -> None:
    talking = Talking(HALL)
    talking.takes()
    events: list[Any] = []
    talking.broker._post = events.append
    talking.paho.on_publish(talking.paho, None, 5, None, None)
    talking.paho.on_message(talking.paho, None, SimpleNamespace(topic="a/b", payload=bytearray(b"c"), retain=1))

    class Unreadable:
        payload, retain = b"c", 0

        @property
        def topic(self) -> str:
            return b"\xff".decode()

    talking.paho.on_message(talking.paho, None, Unreadable())
    assert talking.takes() == [f"event {event}" for event in (
        Confirmed(5), Received("a/b", b"c", True), Received("", b"c", False)
    )]  # fmt: skip


def test_a_connection_says_once_why_it_is_away(caplog: pytest.LogCaptureFixture) -> None:
    """A refusal ends the connection, too: that is no second reason."""
    caplog.set_level(logging.INFO)
    talking = Talking(BrokerPlan("hall"))
    talking.takes()
    lost, refused = "The connection to the broker is lost: Unspecified error", why_refused("Not authorized", HALL)
    at_once = why_ended("Unspecified error", False, HALL)
    talking.is_answered()  # the first time, it looks for strangers
    talking.takes()
    told: list[list[str]] = []
    acts: tuple[Callable[[], object], ...] = (
        lambda: talking.is_answered("Not authorized"), talking.is_cut, talking.is_cut, talking.is_cut,
        talking.is_answered, talking.is_cut, talking.is_answered, lambda: talking.is_cut("Normal disconnection"),
        talking.is_cut,
    )  # fmt: skip
    for happens in acts:
        caplog.clear()
        happens()
        told.append([*talking.takes(), *(f"log {line}" for line in caplog.messages)])
    gone = {why: f"event {Disconnected(why)}" for why in (lost, refused, at_once)}
    there = [f"event {Connected()}"]
    hello = "log hall:1883: connected to the broker"
    assert told == [
        [gone[refused], f"log hall:1883: {refused}"], [], [gone[at_once], f"log hall:1883: {at_once}"], [gone[at_once]],
        [*there, hello], [gone[lost], f"log hall:1883: {lost}"], [*there, hello], [],
        [gone[at_once], f"log hall:1883: {at_once}"],
    ]  # fmt: skip


def test_a_connection_that_cannot_be_made_says_why() -> None:
    talking = Talking(HALL)
    talking.takes()
    try:
        raise TimeoutError
    except TimeoutError:
        talking.paho.on_connect_fail(talking.paho, None)
    assert talking.takes() == [f"event {Disconnected('The broker does not answer.')}"]


@pytest.mark.parametrize(
    ("plan", "asked"),
    [
        (HALL, ["client '' for this connection"]),
        (SAFE,
         ["client '' for this connection", "tls_set '/ca.pem'", "connect_async 'hall', 8883, keepalive=20",
          "loop_start"]),
        (BrokerPlan("hall", user="club"),
         ["client '' for this connection", "connect_async 'hall', 1883, keepalive=20", "loop_start"]),
        (BrokerPlan("hall", tls=True, user="club"),
         ["client '' for this connection", "tls_set None", "connect_async 'hall', 1883, keepalive=20", "loop_start"]),
    ],
)  # fmt: skip
def test_a_stranger_is_sent_once_if_this_side_has_a_user(
    plan: BrokerPlan, asked: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    talking = Talking(plan)
    talking.takes()
    talking.is_answered()
    assert talking.takes() == [f"event {Connected()}", *asked]
    assert ("lets in everybody" in caplog.text) == (not plan.user)
    talking.is_answered()
    assert talking.takes() == [f"event {Connected()}"], "one is enough"
    stranger: Any = talking.broker._stranger
    talking.broker.stop()
    assert talking.takes() == ["disconnect", "loop_stop", "disconnect", "loop_stop"]
    for reason, warned in (("Not authorized", False), ("Success", True)):
        caplog.clear()
        stranger._client.on_connect(stranger._client, None, None, code(PacketTypes.CONNACK, reason), None)
        assert talking.takes() == ["disconnect"]
        assert ("lets in everybody" in caplog.text) == warned


def distrusted(code: int) -> ssl.SSLCertVerificationError:
    fault = ssl.SSLCertVerificationError(1, "certificate verify failed")
    fault.verify_code, fault.verify_message = code, "why"
    return fault


def failed(reason: str) -> ssl.SSLError:
    fault = ssl.SSLError(1, "[SSL] odd")
    fault.reason = reason
    return fault


CLOCK = "or the clock of this computer is wrong."
AT_ONCE = "The broker ends the connection at once. It may have TLS at another port, usually 8883."
UNKNOWN = " (why). Enter the right file as ca in [mqtt]."


@pytest.mark.parametrize(
    ("fault", "plan", "sentence"),
    [
        (distrusted(10), SAFE, f"The certificate of the broker has expired, {CLOCK}"),
        (distrusted(9), SAFE, f"The certificate of the broker is not valid yet, {CLOCK}"),
        (distrusted(62), SAFE, "The certificate of the broker is not for hall. Use a name for which it was made."),
        (distrusted(64), SAFE, "The certificate of the broker is not for hall. Use a name for which it was made."),
        (distrusted(63), SAFE, f"The certificate of the broker is not from the authority in /ca.pem{UNKNOWN}"),
        (distrusted(20), BrokerPlan("hall", tls=True),
         f"The certificate of the broker is not from an authority that this computer trusts{UNKNOWN}"),
        (ssl.SSLEOFError(8, "EOF"), SAFE, AT_ONCE),
        (ConnectionResetError(errno.ECONNRESET, "reset"), SAFE, AT_ONCE),
        (failed("WRONG_VERSION_NUMBER"), SAFE, AT_ONCE),
        (failed("NO_CIPHERS"), SAFE, "TLS does not work: NO_CIPHERS"),
        (failed(""), SAFE, "TLS does not work: [SSL] odd"),
        (ConnectionResetError(errno.ECONNRESET, "reset"), HALL,
         f"The broker does not answer: {os.strerror(errno.ECONNRESET)}"),
        (socket.gaierror(-2, "Name or service not known"), HALL, "The name of the broker is unknown in this network."),
        (TimeoutError("timed out"), HALL, "The broker does not answer."),
        (OSError(errno.EHOSTUNREACH, "?"), HALL, f"The broker does not answer: {os.strerror(errno.EHOSTUNREACH)}"),
        (OSError("no number"), HALL, "The broker does not answer: no number"),
        (None, HALL, "The broker does not answer: None"),
    ],
)  # fmt: skip
def test_why_no_connection_was_made_says_what_to_change(
    fault: BaseException | None, plan: BrokerPlan, sentence: str
) -> None:
    """The codes are those of X509_verify_cert: 9 and 10 the time, 62 a name, 63 a mail address, 64 an address."""
    assert why_failed(fault, plan) == sentence


def test_why_a_login_was_refused_says_what_to_change() -> None:
    for reason in ("Not authorized", "Bad user name or password"):
        assert why_refused(reason, HALL) == (
            "The broker wants a user and a password. Enter user and password_file in [mqtt]."
        )
        assert why_refused(reason, SAFE) == 'The broker refuses the user "club" or their password.'
    assert why_refused("Server busy", SAFE) == "The broker refuses the connection: Server busy"


def test_why_a_connection_ended_says_what_to_change() -> None:
    assert why_ended("cut", True, HALL) == why_ended("cut", True, SAFE) == "The connection to the broker is lost: cut"
    assert why_ended("cut", False, SAFE) == "The broker ends the connection at once."
    assert why_ended("cut", False, HALL) == (
        "The broker ends the connection at once. It may want TLS: tls = true in [mqtt]."
    )


def test_a_password_is_the_text_of_its_file(tmp_path: Path) -> None:
    for encoding in ("utf-8", "utf-8-sig"):
        (tmp_path / "password").write_text(" sécret \n", encoding=encoding)
        assert (password_of(tmp_path / "password"), password_of(None)) == ("sécret", "")
