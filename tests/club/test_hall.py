"""The hall without a broker: what it keeps, when it confirms, and what the page shows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from results import STATE, Published

pytest.importorskip("sqlalchemy", reason="pip install 'umpi[club]'")

from results import NOW, result
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, OperationalError

from tests.kit.hostile import UNREADABLE, wrong_fields
from tests.kit.seen import check_seen
from umpi.box.signing import SigningKey
from umpi.club import page
from umpi.club.hall import Hall
from umpi.club.store import Store
from umpi.mqtt.broker import Confirmed, Connected, Disconnected, Received

OFFER = {"game": "dodeka", "players": [{"button": "red", "name": "Ann"}, {"button": "blue", "name": "Ben"}]}


class Flaky(Store):
    """A database that can be away."""

    away = False
    refusal: Exception | None = None  # what it raises about a result

    def keep(self, *arguments: Any) -> int:
        self._check()
        if self.refusal:
            raise self.refusal
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


def alive(hall: Hall, store: Flaky, broker: Published) -> bool:
    """Return whether the hall handles the messages of a good box as if nothing had been before."""
    good = Received("umpi/good/state", json.dumps(STATE).encode(), False)
    hall.handle(good)
    hall.handle(Received("umpi/good/result", json.dumps(result("g1", "Ann", "Ben", box="good")).encode(), False))
    page.tables(hall.tables.values(), hall.trouble)
    page.boards(store.played(), {"dodeka": "Dodéka"})
    kept = {"box": "good", "uid": "g1", "revision": 10}
    return hall.tables["good"].name == "Table 1" and broker.receipt() == kept and not hall.trouble


@pytest.mark.parametrize("payload", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_a_hostile_message_is_dropped_and_the_log_names_its_topic(
    hall: Hall, store: Flaky, broker: Published, caplog: pytest.LogCaptureFixture, payload: bytes
) -> None:
    for what in ("state", "online", "result", "next"):
        for retained in (False, True):
            caplog.clear()
            for _ in range(3):
                publish(hall, what, payload, retained)
            (line,) = caplog.messages
            assert line.startswith(f"umpi/box1/{what}, ")
            assert line.endswith(f"mosquitto_pub -r -n -t umpi/box1/{what}") == retained
    assert not hall.tables
    assert store.played() == []
    assert alive(hall, store, broker)


@pytest.mark.parametrize("good", [STATE, OFFER, result("u1", "Ann", "Ben")], ids=["state", "next", "result"])
def test_no_wrong_type_of_a_field_ends_the_hall_or_its_page(
    hall: Hall, store: Flaky, broker: Published, good: dict[str, Any]
) -> None:
    for payload in wrong_fields(good):
        for what in ("state", "online", "result", "next"):
            publish(hall, what, payload)
        page.tables(hall.tables.values(), hall.trouble)
        page.boards(store.played(), {"dodeka": "Dodéka"})
    assert alive(hall, store, broker)


@pytest.mark.parametrize("shown", [
    {"players": [{"name": "Ann"}]}, {"players": [{"name": "Ann", "button": 0}]}, {"winners": None}, {"winners": 5},
])  # fmt: skip
def test_the_page_shows_a_table_whose_state_lacks_something(hall: Hall, shown: dict[str, Any]) -> None:
    publish(hall, "state", STATE)
    publish(hall, "state", {**STATE, **shown})
    assert "Table 1" in page.tables(hall.tables.values(), "")


def test_messages_of_others_are_none_of_a_box(hall: Hall, caplog: pytest.LogCaptureFixture) -> None:
    for topic in ("umpi/club/online", "umpi/box1/x", "umpi/a/b/state", "other/box1/state", ""):
        hall.handle(Received(topic, b"online", True))
    assert (hall.tables, caplog.messages) == ({}, [])
    hall.handle(Received(f"umpi/{'x' * 33}/state", b"{}", False))
    assert not hall.tables
    assert "at most 32 characters" in caplog.text


def test_another_box_changes_no_result_whatever_it_says(hall: Hall, store: Flaky, broker: Published) -> None:
    """The uids can be read at the broker, and a revision can be as high as anybody likes."""
    publish(hall, "result", result("u1", "Ann", "Ben"))
    forged = result("u1", "Eve", "Ben", revision=2**31 - 1)
    hall.handle(Received("umpi/evil/result", json.dumps(forged).encode(), False))
    assert broker.receipt() == {"box": "evil", "uid": "u1", "revision": 2**31 - 1}
    publish(hall, "result", result("u1", "Anna", "Ben", revision=12))
    assert broker.receipt() == {"box": "box1", "uid": "u1", "revision": 12}
    assert {each.box: each.players for each in store.played()} == {"box1": ("Anna", "Ben"), "evil": ("Eve", "Ben")}


def test_the_box_in_a_message_is_not_believed(hall: Hall, store: Flaky) -> None:
    publish(hall, "result", result("u1", "Ann", "Ben", box="other"))
    assert [each.box for each in store.played()] == ["box1"]


@pytest.mark.parametrize(
    "wrong", [{"players": []}, {"scores": [1]}, {"places": None}, {"match": 1e300}, {"over": "yes"}]
)
def test_a_refused_result_gets_no_receipt_but_the_reason(
    hall: Hall, store: Flaky, broker: Published, wrong: dict[str, Any]
) -> None:
    publish(hall, "result", {**result("u1", "Ann", "Ben"), **wrong})
    topic, text = broker.messages[-1]
    answer = json.loads(text)
    assert (topic, answer["uid"], answer["revision"]) == ("umpi/box1/kept", "u1", 10)
    assert next(iter(wrong)) in answer["refused"]
    assert store.played() == []


@pytest.mark.parametrize("kind", [DataError, IntegrityError])
def test_data_that_the_database_refuses_is_not_taken_for_its_absence(
    hall: Hall, store: Flaky, broker: Published, caplog: pytest.LogCaptureFixture, kind: type[DBAPIError]
) -> None:
    store.refusal = kind("", {}, Exception("it does not fit"))
    for _ in range(3):
        publish(hall, "result", result("u1", "Ann", "Ben"))
    refused = {"refused": "The database refuses it.", "of": ""}
    assert broker.receipt() == {"box": "box1", "uid": "u1", "revision": 10, **refused}
    assert broker.messages[1:] == [broker.messages[-1]] * 3, "the club is still online"
    (entry,) = caplog.records
    assert entry.exc_info
    store.refusal = None
    assert alive(hall, store, broker)


KEY, OTHER = SigningKey.of("1" * 64), SigningKey.of("2" * 64)


def signed(key: SigningKey, *names: str, **other: Any) -> dict[str, Any]:
    """A result as a bridge publishes it: what it adds is not signed."""
    return {**key.sign("result", result("u1", *names, **other)), "name": "Table 1", "run": "r1", "now": NOW.isoformat()}


def test_the_first_key_of_a_box_is_its_key_and_no_other_result_is_taken(
    hall: Hall, store: Flaky, broker: Published, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    publish(hall, "result", signed(KEY, "Ann", "Ben"))
    assert [line for line in caplog.messages if KEY.public in line]
    publish(hall, "result", signed(OTHER, "Eve", "Ben", revision=11))
    assert "--new-key box1" in broker.receipt()["refused"]
    publish(hall, "result", result("u1", "Eve", "Ben", revision=11))
    assert "not signed" in broker.receipt()["refused"]
    assert [each.players for each in store.played()] == [("Ann", "Ben")]
    publish(hall, "result", signed(KEY, "Anna", "Ben", revision=11))
    assert broker.receipt() == {"box": "box1", "uid": "u1", "revision": 11}
    assert store.forget_key("box1")
    publish(hall, "result", signed(OTHER, "Ann", "Ben", revision=12))
    publish(hall, "result", signed(KEY, "Anna", "Ben", revision=13))
    assert [each.players for each in store.played()] == [("Ann", "Ben")]


def test_a_box_that_has_not_signed_yet_may_begin_to(hall: Hall, store: Flaky, broker: Published) -> None:
    publish(hall, "state", STATE)
    publish(hall, "result", result("u1", "Ann", "Ben"))
    publish(hall, "result", signed(KEY, "Ann", "Bea", revision=11))
    publish(hall, "result", result("u1", "Eve", "Ben", revision=12))
    assert [each.players for each in store.played()] == [("Ann", "Bea")]


@pytest.mark.parametrize("change", [
    {"scores": [9, 9]}, {"revision": 99}, {"over": False}, {"winners": [1]}, {"more": 1}, {"signature": 64 * "00"},
    {"key": OTHER.public}, {"key": ""}, {"signature": ""}, {"key": "no key"}, {"key": None},
])  # fmt: skip
def test_a_signed_result_that_somebody_has_changed_is_refused(
    hall: Hall, store: Flaky, broker: Published, change: dict[str, Any]
) -> None:
    publish(hall, "result", {**signed(KEY, "Ann", "Ben"), **change})
    assert broker.receipt()["refused"]
    assert store.played() == []


def test_a_result_that_another_box_has_signed_is_refused(hall: Hall, store: Flaky, broker: Published) -> None:
    publish(hall, "result", signed(KEY, "Ann", "Ben", box="box2"))
    assert "another box" in broker.receipt()["refused"]
    assert store.played() == []


def test_two_clubs_at_one_database_sign_with_one_key(store: Flaky) -> None:
    other = Store(store._engine.url.render_as_string(hide_password=False))
    assert other.key() == store.key()
    assert [other.count_offer(), store.count_offer(), other.count_offer()] == [1, 2, 3]
    other.close()


class Away(Flaky):
    """A database that is away for keys and clocks, too."""

    def key(self) -> SigningKey:
        self._check()
        return super().key()

    def meet(self, id: str, name: str, offset_s: float) -> None:
        self._check()
        super().meet(id, name, offset_s)


def test_a_clock_that_could_not_be_noted_is_noted_with_the_next_state(tmp_path: Path, broker: Published) -> None:
    """Until then, a result stands in the database with the time of its box."""
    store = Away(f"sqlite:///{tmp_path / 'club.db'}")
    store.migrate()
    hall = Hall(store, broker, lambda: NOW)
    hall.handle(Connected())
    publish(hall, "result", result("u1", "Ann", "Ben", ago_min=65))
    late = {**STATE, "now": (NOW - timedelta(hours=1)).isoformat()}
    for away, ago_min in ((True, 65), (False, 5)):
        store.away = away
        publish(hall, "state", late)
        store.away = False
        hall.try_again()
        assert [each.ended for each in store.played()] == [NOW - timedelta(minutes=ago_min)]
    store.close()


def test_a_database_that_goes_away_at_any_step_is_told_once_and_comes_back(tmp_path: Path, broker: Published) -> None:
    store = Away(f"sqlite:///{tmp_path / 'club.db'}")
    store.migrate()
    hall = Hall(store, broker, lambda: NOW)
    hall.handle(Connected())
    keep = store.keep
    for happens in (
        lambda: publish(hall, "state", {**STATE, "now": (NOW - timedelta(hours=1)).isoformat()}),
        lambda: publish(hall, "result", result("u1", "Ann", "Ben")),
        lambda: publish(hall, "result", result("u2", "Ann", "Ben")),
    ):
        store.away = True
        broker.messages.clear()
        store.keep = lambda *given: keep(*given) if not store.away else 10  # type: ignore[method-assign]
        happens()
        happens()
        assert broker.messages == [("umpi/club/online", "offline")]
        assert hall.trouble == "(builtins.Exception) connection refused"
        store.away = False
        hall.try_again()
        assert (hall.trouble, broker.messages[-1]) == ("", ("umpi/club/online", "online"))
        del store.keep  # type: ignore[misc]
    hall.try_again()
    hall.handle(Disconnected("gone"))
    assert not hall.connected
    broker.messages.clear()
    hall.ask_again()
    assert broker.messages == [], "nobody hears it"
    store.close()


def test_two_boxes_with_one_id_are_forgotten_once_one_of_them_is_silent(store: Flaky, broker: Published) -> None:
    now_s = [0.0]
    hall = Hall(store, broker, lambda: NOW, lambda: now_s[0])
    for at_s, run in ((0.0, "r1"), (1.0, "r2"), (2.0, "r1"), (200.0, "r2"), (210.0, "r1")):
        now_s[0] = at_s
        publish(hall, "state", {**STATE, "run": run})
    for at_s, twin in ((500.0, True), (511.0, False)):
        now_s[0], before = at_s, hall.changes
        publish(hall, "state", {**STATE, "run": "r1"})
        hall.ask_again()
        assert (hall.tables["box1"].twin, hall.changes > before) == (twin, not twin)
        assert ("Two boxes have this id" in page.tables(hall.tables.values(), "")) == twin


def test_a_box_that_was_removed_from_the_broker_leaves_the_page_and_may_come_back(hall: Hall) -> None:
    drawn: dict[str, tuple[int, str]] = {}
    publish(hall, "online", b"offline", True)
    publish(hall, "state", STATE, True)
    assert "Table 1" in page.tables(hall.tables.values(), "", drawn)
    changes = hall.changes
    publish(hall, "online", b"")
    assert (hall.tables, hall.changes) == ({}, changes + 1)
    publish(hall, "online", b"")
    assert hall.changes == changes + 1
    publish(hall, "online", b"online")
    publish(hall, "state", {**STATE, "name": "Table 2"})
    assert "Table 2" in page.tables(hall.tables.values(), "", drawn)


class Told(Published):
    """A connection whose messages are noted as lines, receipts without what changes at each run."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def publish(self, topic: str, payload: str | bytes, qos: int = 1, retain: bool = False) -> int:
        number = super().publish(topic, payload, qos, retain)
        said = str(self.receipt()) if topic.endswith("/kept") else repr(payload)
        self.lines.append(f"    publishes {topic} {said}, qos {qos}{', retained' * retain}")
        return number

    def subscribe(self, *topics: str) -> None:
        self.lines.append(f"    subscribes to {', '.join(topics)}")


def course(hall: Hall, store: Away, broker: Told) -> Iterator[str]:
    """Yield what a hall does with each kind of event: what it publishes, and how its tables and results change."""
    shown: dict[str, str] = {}
    own = {"uid": "u1", "revision": 10}
    late = (NOW - timedelta(minutes=2)).isoformat()

    def message(what: str, content: Any, box: str = "box1", retained: bool = False) -> Received:
        payload = content if isinstance(content, bytes) else json.dumps(content).encode()
        return Received(f"umpi/{box}/{what}", payload, retained)

    def away(is_away: bool) -> Callable[[], None]:
        return lambda: setattr(store, "away", is_away)

    for title, happens in (
        ("a message before the connection", message("online", b"online")),
        ("connected", Connected()),
        ("a state", message("state", STATE)),
        ("the same state", message("state", STATE)),
        ("a state of another run, retained", message("state", {**STATE, "run": "r0", "now": late}, retained=True)),
        ("a clock a minute behind", message("state", {**STATE, "now": (NOW - timedelta(seconds=60)).isoformat()})),
        ("a clock a little more behind", message("state", {**STATE, "now": (NOW - timedelta(seconds=61)).isoformat()})),
        ("a clock two minutes behind", message("state", {**STATE, "now": late})),
        ("a state without a clock", message("state", {**STATE, "run": "r2", "now": None})),
        ("another run", message("state", {**STATE, "run": "r2", "name": ""})),
        ("the run of before", message("state", {**STATE, "title": "Quiz", "players": [], "turn": ""})),
        ("another box goes offline", message("online", b"offline", "box2")),
        ("an old state of a box that has not spoken yet", message("state", {**STATE, "now": late}, "box3", True)),
        ("a state is cleared", message("state", b"", "box3")),
        ("whether a box is there is cleared", message("online", b"", "box3")),
        ("a result that is not over", message("result", result("u0", "Ann", "Ben", over=False, revision=3))),
        ("an offer", message("next", OFFER, retained=True)),
        ("a result of others", message("result", result("u2", "Ann", "Cid"))),
        ("a result", message("result", result("u1", "Ben", "Ann"))),
        ("an earlier one", message("result", result("u1", "Ben", "Ann", revision=9))),
        ("a result that is no match", message("result", {**own, "over": 1, "signature": "ab"})),
        ("something that is no result", message("result", {"over": True})),
        ("the offer is withdrawn", message("next", b"")),
        ("a call, which is for others", message("call", {"kind": "bust"})),
        ("a receipt of the club itself", message("kept", {"uid": "u1"})),
        ("the club's own message", Received("umpi/club/online", b"online", True)),
        ("a foreign topic", Received("homeassistant/status", b"online", True)),
        ("an id of 32 characters", message("online", b"online", "b" * 32)),
        ("an id of 33 characters", message("online", b"online", "b" * 33)),
        ("a message is confirmed", Confirmed(1)),
        ("asks for what is missing", hall.ask_again),
        ("tries the database again", hall.try_again),
        ("the database goes away", away(True)),
        ("a result comes", message("result", result("u3", "Ann", "Ben"))),
        ("another result comes", message("result", result("u4", "Ann", "Ben"))),
        ("asks for what is missing", hall.ask_again),
        ("tries the database again", hall.try_again),
        ("connected again", Connected()),
        ("the database is back", away(False)),
        ("tries the database again", hall.try_again),
        ("the broker is gone", Disconnected("killed")),
        ("asks for what is missing", hall.ask_again),
    ):  # fmt: skip
        yield title
        happens() if callable(happens) else hall.handle(happens)
        yield from broker.lines
        broker.lines.clear()
        state = {
            f"{id}{kind} {name}": str(sorted(value) if name == "runs" else value)
            for id, table in hall.tables.items() for kind, what in (("", table), (" shows", table.state))
            for name, value in asdict(what).items() if name != "state"
        }  # fmt: skip
        state["the hall"] = f"connected {hall.connected}, trouble {hall.trouble!r}, changes {hall.changes}"
        store.away, was = False, store.away
        state["results"] = str([(each.uid, each.players, each.box) for each in store.played()])
        state["boxes"] = str(store.boxes())
        state["dropped"] = str([(each.topic, each.why, each.begins, each.at) for each in store.dropped()][-1:])
        store.away = was
        yield from (f"  {name}: {now}" for name, now in state.items() if shown.get(name) != now)
        shown = state


def test_what_the_hall_does_with_each_event_is_as_somebody_has_read_it(tmp_path: Path) -> None:
    store, broker = Away(f"sqlite:///{tmp_path / 'club.db'}"), Told()
    store.migrate()
    hall = Hall(store, broker, lambda: NOW, lambda: 0.0)
    check_seen(Path(__file__).with_name("course.txt"), course(hall, store, broker))
    store.close()


def test_a_table_with_another_name_has_it_in_the_database_too(tmp_path: Path) -> None:
    """`--round` prints these names."""
    store = Store(f"sqlite:///{tmp_path / 'club.db'}")
    store.migrate()
    hall = Hall(store, Published(), lambda: NOW)
    for name in ("Table 1", "Window"):
        hall.handle(Received("umpi/box1/state", json.dumps({**STATE, "name": name}).encode(), False))
        assert store.boxes() == {"box1": name}
    store.close()
