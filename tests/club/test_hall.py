"""The hall without a broker: what it keeps, when it confirms, and what the page shows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="pip install 'umpi[club]'")

from results import NOW, result
from sqlalchemy.exc import OperationalError

from umpi.club import page
from umpi.club.hall import Hall
from umpi.club.store import Store
from umpi.mqtt.broker import Connected, Received

STATE = {
    "name": "Table 1", "run": "r1", "now": NOW.isoformat(), "title": "Dodéka", "turn": "<Ann>", "winners": [],
    "players": [
        {"seat": 0, "name": "<Ann>", "button": 0, "score": 3}, {"seat": 1, "name": "Ben", "button": 1, "score": 1},
    ],
    "problem": "",
}  # fmt: skip


class Published:
    def __init__(self) -> None:
        self.messages: list[tuple[str, str]] = []

    def publish(self, topic: str, payload: str | bytes, qos: int = 1, retain: bool = False) -> int:
        self.messages.append((topic, payload if isinstance(payload, str) else payload.decode()))
        return len(self.messages)

    def subscribe(self, *topics: str) -> None:
        pass


class Flaky(Store):
    """A database that can be away."""

    away = False

    def keep(self, *arguments: Any) -> bool:
        self._check()
        return super().keep(*arguments)

    def boxes(self) -> dict[str, str]:
        self._check()
        return super().boxes()

    def _check(self) -> None:
        if self.away:
            raise OperationalError("", {}, Exception("connection refused"))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Flaky]:
    kept = Flaky(f"sqlite:///{tmp_path / 'club.db'}")
    kept.migrate()
    yield kept
    kept.close()


@pytest.fixture
def broker() -> Published:
    return Published()


@pytest.fixture
def hall(store: Flaky, broker: Published) -> Hall:
    found = Hall(store, broker, lambda: NOW)
    found.handle(Connected())
    return found


def publish(hall: Hall, what: str, content: Any, retained: bool = False) -> None:
    payload = content if isinstance(content, bytes) else json.dumps(content).encode()
    hall.handle(Received(f"umpi/box1/{what}", payload, retained))


def test_a_result_is_confirmed_only_when_it_is_in_the_database(hall: Hall, store: Flaky, broker: Published) -> None:
    store.away = True
    publish(hall, "result", result("u1", "Ann", "Ben"))
    assert broker.messages == [("umpi/club/online", "online"), ("umpi/club/online", "offline")]
    assert "connection refused" in page.tables([], hall.trouble)
    hall.try_again()
    store.away = False
    hall.try_again()
    assert broker.messages[-1] == ("umpi/club/online", "online"), "the boxes send it again"
    publish(hall, "result", result("u1", "Ann", "Ben"))
    publish(hall, "result", result("u1", "Ann", "Ben"))
    assert broker.messages[-1] == ("umpi/box1/kept", '{"uid": "u1", "revision": 10}')
    assert len(store.played()) == 1


def test_messages_that_a_broker_dropped_are_requested(hall: Hall, store: Flaky, broker: Published) -> None:
    hall.ask_again()
    assert broker.messages == [("umpi/club/online", "online")] * 2
    store.away = True
    publish(hall, "result", result("u1", "Ann", "Ben"))
    hall.ask_again()
    assert broker.messages[-1] == ("umpi/club/online", "offline"), "not while the database is away"


def test_the_clock_of_a_box_is_compared_only_when_it_speaks_now(hall: Hall, store: Flaky) -> None:
    yesterday = (NOW - timedelta(days=1)).isoformat()
    publish(hall, "state", {**STATE, "now": yesterday}, retained=True)
    assert store.boxes() == {}
    publish(hall, "state", {**STATE, "now": yesterday})
    publish(hall, "result", result("u1", "Ann", "Ben", ago_min=24 * 60 + 5))
    assert [each.ended for each in store.played()] == [NOW - timedelta(minutes=5)]


def test_two_boxes_with_one_id_are_reported_and_both_keep_their_results(hall: Hall, store: Flaky) -> None:
    for number, run in enumerate(["r1", "r2"]):
        publish(hall, "state", {**STATE, "run": run})
        publish(hall, "result", result(f"u{number}", "Ann", "Ben"))
    assert not hall.tables["box1"].twin, "a bridge may be started again"
    publish(hall, "state", STATE)
    assert "Two boxes have this id: box1" in page.tables(hall.tables.values(), "")
    assert len(store.played()) == 2


def test_a_round_is_over_with_its_result(hall: Hall, broker: Published) -> None:
    offer = {"game": "dodeka", "players": [{"button": "red", "name": "Ann"}, {"button": "blue", "name": "Ben"}]}
    publish(hall, "next", offer, retained=True)
    assert "Next: Ann, Ben" in page.tables(hall.tables.values(), "")
    publish(hall, "result", result("u1", "Ben", "Cid"))
    assert broker.messages[-1][0] == "umpi/box1/kept"
    publish(hall, "result", result("u2", "Ben", "Ann"))
    assert broker.messages[-1] == ("umpi/box1/next", "")


def test_names_are_text_and_no_html(hall: Hall, store: Flaky) -> None:
    publish(hall, "state", STATE)
    publish(hall, "result", result("u1", "<Ann>", "Ben"))
    shown = page.tables(hall.tables.values(), "") + page.boards(store.played(), {"dodeka": "Dodéka"})
    assert "<Ann>" not in shown
    assert shown.count("&lt;Ann&gt;") >= 3


@pytest.mark.parametrize("payload", [b"", b"{", b"[]", b"\xff", b'{"uid": 3}', b'{"players": 1}'])
def test_a_strange_message_does_no_harm(hall: Hall, payload: bytes) -> None:
    for what in ("state", "online", "result", "next", "x"):
        publish(hall, what, payload)
    hall.handle(Received("umpi/club/online", b"online", True))
    assert {*hall.tables} == {"box1"}
    page.tables(hall.tables.values(), "")
