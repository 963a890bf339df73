"""The bridge without a broker: what it publishes of a table, and what it does with what it receives."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from queue import Empty, Queue
from typing import Any

import pytest

pytest.importorskip("paho.mqtt", reason="pip install paho-mqtt")

from tests.kit.fake_boxes import WELL, FakeApi, closed_port, playing, result
from tests.kit.hostile import UNREADABLE, wrong_fields
from tests.kit.seen import check_seen
from umpi.box.signing import SigningKey
from umpi.kernel.match import Match
from umpi.kernel.random_games import play_out
from umpi.kernel.record import Header, dump
from umpi.kernel.registry import find
from umpi.mqtt.box_api import BoxApi, NoBox
from umpi.mqtt.bridge import AnotherBox, Bridge, Shown, follow, run, wait_for
from umpi.mqtt.broker import Broker, BrokerPlan, Confirmed, Connected, Disconnected, Received
from umpi.mqtt.outbox import Outbox
from umpi.review.match_review import review
from umpi.review.split import Share

ID = "0123456789ab"
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Published:
    """A connection that only notes."""

    def __init__(self) -> None:
        self.messages: list[tuple[str, Any, bool]] = []

    def publish(self, topic: str, payload: str | bytes, qos: int = 1, retain: bool = False) -> int:
        text = payload if isinstance(payload, str) else payload.decode()
        self.messages.append((topic, json.loads(text) if text.startswith("{") else text, retain))
        return len(self.messages)

    def subscribe(self, *topics: str) -> None:
        pass

    def contents(self, what: str) -> list[Any]:
        return [payload for topic, payload, _ in self.messages if topic == f"umpi/{ID}/{what}"]


@pytest.fixture
def api() -> FakeApi:
    return FakeApi(ID)


@pytest.fixture
def broker() -> Published:
    return Published()


@pytest.fixture
def outbox(tmp_path: Path) -> Outbox:
    return Outbox(tmp_path / "mqtt.db")


@pytest.fixture
def bridge(api: FakeApi, broker: Published, outbox: Outbox) -> Bridge:
    return Bridge(api.box, api, broker, outbox, lambda: NOON)


def written(match: Match) -> list[bytes]:
    header = Header(match.game, match.players, match.options).line()
    return [dump(line).encode() for line in (header, *(act.line() for act in match.acts))]


@pytest.mark.slow
def test_a_result_has_what_each_player_got_without_luck_if_the_rules_compute_it(
    bridge: Bridge, broker: Published, api: FakeApi
) -> None:
    api.kept = [result(f"u{number}", number, game="dodeka") for number in range(1, 6)]
    api.kept += [result("u6", 6)]
    for number in range(1, 5):
        match = play_out(find("dodeka"), ("Ann", "Ben"), {"parts": 1}, number)
        api.records[number] = written(match)
    bridge.handle(Connected())
    bridge.handle(Shown(WELL))
    bridge.catch_up()
    assert [each["match"] for each in broker.contents("result")] == [1, 2, 3], "others wait for the next event"
    bridge.handle(None)
    assert [each["match"] for each in broker.contents("result")] == [1, 2, 3, 4, 5, 6]
    for number, found in enumerate(broker.contents("result"), 1):
        if number not in api.records:
            assert "without_luck" not in found
            continue
        match = play_out(find("dodeka"), ("Ann", "Ben"), {"parts": 1}, number)
        shares = [each for each in review(match, range(len(match.acts))).players if isinstance(each, Share)]
        assert found["without_luck"] == [round(float(each.points - each.luck.value), 1) for each in shares]


def test_a_command_while_the_box_is_off_is_answered_and_the_bridge_goes_on(
    api: FakeApi, broker: Published, outbox: Outbox
) -> None:
    outbox.cookie = "secret"
    with closed_port() as url:
        bridge = Bridge(api.box, BoxApi(url), broker, outbox)
        bridge.handle(Connected())
        for _ in range(2):
            bridge.handle(Received(f"umpi/{ID}/start", b"rematch", False))
    replies = broker.contents("reply")
    assert [(reply["to"], reply["ok"]) for reply in replies] == [("rematch", False)] * 2
    assert all("refused" in reply["error"] for reply in replies)


@pytest.mark.parametrize("payload", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_a_hostile_message_is_dropped_and_the_log_names_its_topic(
    bridge: Bridge, broker: Published, api: FakeApi, outbox: Outbox, caplog: pytest.LogCaptureFixture, payload: bytes
) -> None:
    outbox.cookie = "secret"
    bridge.handle(Connected())
    for what, retained in (("kept", False), ("kept", True), ("next", False), ("next", True), ("state", False)):
        caplog.clear()
        for _ in range(3):
            bridge.handle(Received(f"umpi/{ID}/{what}", payload, retained))
        (line,) = caplog.messages
        assert line.startswith(f"umpi/{ID}/{what}, ")
        assert line.endswith(f"mosquitto_pub -r -n -t umpi/{ID}/{what}") == retained
    assert api.posted == []
    bridge.handle(Received(f"umpi/{ID}/next", b'{"game": "quiz"}', True))
    assert api.posted == [("next", {"offer": {"game": "quiz"}}, "secret")]
    bridge.handle(Shown(playing(1)))
    assert broker.contents("state")[-1]["problem"] == ""


@pytest.mark.parametrize("good", [{"uid": "u1", "revision": 10, "refused": ""}, {"run": "r", "players": []}])
def test_no_wrong_type_of_a_field_ends_the_bridge(
    bridge: Bridge, broker: Published, api: FakeApi, good: dict[str, Any]
) -> None:
    bridge.handle(Connected())
    for payload in (b"", *wrong_fields(good)):
        for what in ("state", "kept", "next", "start", "online", "x"):
            bridge.handle(Received(f"umpi/{ID}/{what}", payload, False))
    bridge.handle(Shown(playing(1)))
    assert broker.contents("state")


def confirm(bridge: Bridge, broker: Published) -> None:
    """The broker has all messages."""
    for number in range(1, len(broker.messages) + 1):
        bridge.handle(Confirmed(number))


def test_a_box_that_stays_away_is_logged_once(bridge: Bridge, api: FakeApi, caplog: pytest.LogCaptureFixture) -> None:
    api.down = True
    assert wait_for(api, Waiting(5)) is None
    assert caplog.messages == ["The box does not answer yet: box: down"]
    caplog.clear()
    stop = threading.Event()
    shown = [Shown(playing(1, acts=acts, over=True)) for acts in range(5)]
    run(bridge, Timed(stop, [(0, event) for event in shown]), stop)
    assert caplog.messages == ["The box does not answer: results?after=0: down"], (
        "each of them would ask for the result of the match"
    )


class Timed(Queue[object]):
    """A queue of events with their times in seconds, None if nothing comes. It stops its reader at the end."""

    def __init__(self, stop: threading.Event, events: Sequence[tuple[float, object]]) -> None:
        super().__init__()
        self.now_s, self._stop, self._events = 0.0, stop, list(events)

    def get(self, block: bool = True, timeout: float | None = None) -> object:
        self.now_s, event = self._events.pop(0)
        if not self._events:
            self._stop.set()
        if event is None:
            raise Empty
        return event


PICTURE, AWAY = Shown(playing(1)), Shown(None, "down")


ATTEMPTS: tuple[tuple[list[tuple[float, object]], float, list[float]], ...] = (  # events, down until, when it is tried
    ([(0, None), (1, PICTURE), (9, None)], 0, [0]),  # once is enough
    ([(0, AWAY), (1, None), (9, PICTURE)], 0, [1]),  # not while it says that it is away
    ([(0, None), (1.9, PICTURE), (2, None), (3, None), (4.5, PICTURE), (9, None)], 3, [0, 2, 4.5]),  # two seconds apart
    ([(0, None), (5, AWAY), (6, PICTURE), (7, PICTURE)], 0, [0, 6]),  # again after it was away
    ([(0, None), (1, AWAY), (1.5, PICTURE), (2, PICTURE)], 0, [0, 2]),  # but not more often
)


def test_the_results_are_read_at_the_start_and_after_each_time_the_box_was_away(
    bridge: Bridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    for events, down_until_s, tried_s in ATTEMPTS:
        stop, tried, handled = threading.Event(), list[float](), list[object]()
        queue = Timed(stop, events)

        def catch_up(queue: Timed = queue, tried: list[float] = tried, until_s: float = down_until_s) -> None:
            tried.append(queue.now_s)
            if queue.now_s < until_s:
                raise NoBox("down")

        monkeypatch.setattr(bridge, "catch_up", catch_up)
        monkeypatch.setattr(bridge, "handle", handled.append)
        monkeypatch.setattr("umpi.mqtt.bridge.time.monotonic", lambda queue=queue: queue.now_s)
        run(bridge, queue, stop)
        assert tried == tried_s
        assert handled == [event for _, event in events]


def test_a_plan_with_tls_checks_the_broker_and_one_without_does_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[str | None] = []
    monkeypatch.setattr("umpi.mqtt.broker.Client.tls_set", lambda client, ca_certs=None: asked.append(ca_certs))
    ca = tmp_path / "ca.pem"
    plans = BrokerPlan("club"), BrokerPlan("club", tls=True), BrokerPlan("club", tls=True, ca=ca)
    for plan in plans:
        Broker(plan, Queue[object]().put)
    assert asked == [None, str(ca)]


CLUB, OTHER = SigningKey.of("1" * 64), SigningKey.of("2" * 64)
OFFER = {"game": "quiz", "players": [], "box": ID, "number": 3}


def send(bridge: Bridge, what: str, fields: dict[str, Any]) -> None:
    bridge.handle(Received(f"umpi/{ID}/{what}", json.dumps(fields).encode(), False))


def test_the_first_club_that_signs_is_the_club_of_the_box(
    bridge: Bridge, broker: Published, api: FakeApi, outbox: Outbox
) -> None:
    api.kept = [result("u1", 1), result("u2", 2)]
    bridge.handle(Connected())
    bridge.handle(Shown(WELL))
    bridge.catch_up()
    confirm(bridge, broker)
    receipt = {"box": ID, "uid": "u1", "revision": 10}
    send(bridge, "kept", CLUB.sign("receipt", receipt))
    assert [each["uid"] for each in outbox.unkept()] == ["u2"]
    second = {**receipt, "uid": "u2"}
    forgeries = (
        second, OTHER.sign("receipt", second), CLUB.sign("receipt", {**second, "box": "another"}),
        {**CLUB.sign("receipt", receipt), "uid": "u2"}, CLUB.sign("offer", second),
    )  # fmt: skip
    for number, forged in enumerate(forgeries, 1):
        send(bridge, "kept", forged)
        assert (bridge._dropped.count, [each["uid"] for each in outbox.unkept()]) == (number, ["u2"])
    outbox.club = "", 0
    send(bridge, "kept", OTHER.sign("receipt", second))
    assert outbox.unkept() == []


def test_an_offer_is_of_the_club_and_no_older_one_replaces_it(bridge: Bridge, api: FakeApi, outbox: Outbox) -> None:
    outbox.cookie = "secret"
    bridge.handle(Connected())
    good = CLUB.sign("offer", OFFER)
    send(bridge, "next", good)
    older = CLUB.sign("offer", {**OFFER, "number": 2})
    for forged in (OFFER, OTHER.sign("offer", OFFER), older, {**good, "game": "dodeka"}, {"game": "dodeka"}):
        send(bridge, "next", forged)
    assert api.posted == [("next", {"offer": {"game": "quiz", "players": ()}}, "secret")]
    send(bridge, "next", good)
    assert len(api.posted) == 2, "a broker sends it again at each start"
    bridge.handle(Received(f"umpi/{ID}/next", b"", False))
    assert api.posted[-1][1] == {"offer": {}}


def test_an_outbox_is_for_its_user_alone_and_who_reads_it_holds_up_nobody(tmp_path: Path) -> None:
    """It has the cookie of the pairing. `umpi mqtt --dropped` reads it while the bridge writes."""
    outbox = Outbox(tmp_path / "state" / "umpi" / "mqtt.db")
    assert (tmp_path / "state" / "umpi" / "mqtt.db").stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(tmp_path / "state" / "umpi" / "mqtt.db")) as reader:
        reader.execute("BEGIN")
        assert reader.execute("SELECT * FROM result").fetchall() == []
        assert outbox.put(result("u1", 1))


def test_a_result_of_an_earlier_umpi_gets_its_signature(outbox: Outbox) -> None:
    outbox.put(result("u1", 1))
    outbox.sent("u1", 10)
    outbox.put(result("u1", 1, signature="ab"))
    outbox.put(result("u1", 1))
    assert [each["signature"] for each in outbox.unkept()] == ["ab"]
    assert outbox.unsent() == []
    older = {name: value for name, value in result("u2", 2).items() if name not in ("key", "signature")}
    assert outbox.put(older), "a box whose version is older than that of its bridge"
    assert not outbox.put(older)


def test_a_few_results_at_a_time_are_reviewed_and_a_review_that_fails_sends_the_result_without(
    bridge: Bridge, broker: Published, api: FakeApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the table on the screens would be late by all of their reviews."""

    def reviewed(lines: list[bytes], find: Any) -> tuple[float, ...] | None:
        assert find("dodeka").id == "dodeka"
        number = int(lines[0])
        return {1: (1.5, 2.5), 2: None}[number] if number < 3 else 1 / 0  # type: ignore[return-value]

    monkeypatch.setattr("umpi.mqtt.bridge.without_luck", reviewed)
    games = ["dodeka", "dodeka", "scorepad", "gone", "dodeka", "dodeka", "dodeka"]
    api.kept = [result(f"u{number}", number, game=game) for number, game in enumerate(games, 1)]
    api.records = {number: [str(number).encode()] for number in range(1, 8)}
    bridge.handle(Connected())
    bridge.catch_up()
    assert broker.contents("result") == [], "not before a state: by that the club knows the clock of the box"
    bridge.handle(Shown(WELL))
    sent = [(each["match"], each.get("without_luck", "none")) for each in broker.contents("result")]
    assert sent == [(1, [1.5, 2.5]), (2, "none"), (3, "none"), (4, "none"), (5, "none")]
    bridge.handle(None)
    assert [each["match"] for each in broker.contents("result")] == list(range(1, 8)), "each once"


class Streaming(FakeApi):
    """A box whose stream shows states and then breaks off, time after time, until it has nothing more to show."""

    def __init__(self, *streams: list[Any]) -> None:
        super().__init__(ID)
        self.streams = list(streams)

    def states(self) -> Any:
        yield from self.streams.pop(0)
        raise NoBox(f"stream {len(self.streams)}")


class Waiting(threading.Event):
    """A stop that nobody waits for; it is set once `most` waits were asked for."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.waits: list[float | None] = []
        self._most = most

    def wait(self, timeout: float | None = None) -> bool:
        self.waits.append(timeout)
        if len(self.waits) == self._most:
            self.set()
        return self.is_set()


def test_what_a_box_shows_is_followed_until_the_end_and_again_after_each_break() -> None:
    one, two, three = (playing(number) for number in (1, 2, 3))
    events, stop = Queue[Any](), Waiting(2)
    follow(Streaming([one, two], [three]), events, stop)
    assert [*events.queue] == [Shown(one), Shown(two), Shown(None, "stream 1"), Shown(three), Shown(None, "stream 0")]
    assert stop.waits == [2.0, 2.0]

    class Stopping(Queue[Any]):
        def put(self, item: Any, block: bool = True, timeout: float | None = None) -> None:
            super().put(item)
            stop.set()

    stop, events = Waiting(9), Stopping()
    follow(Streaming([one, two]), events, stop)
    assert [*events.queue] == [Shown(one)]
    follow(Streaming(), events, stop)
    assert stop.waits == []


def test_a_box_that_comes_later_is_found(api: FakeApi, caplog: pytest.LogCaptureFixture) -> None:
    stop = Waiting(9)

    class Late(FakeApi):
        def get(self, path: str) -> Any:
            self.down = len(stop.waits) < 2
            return super().get(path)

    assert (wait_for(Late(ID), stop), stop.waits) == (api.box, [2.0, 2.0])
    stop.set()
    assert wait_for(Late(ID), stop) is None


SEEN = Path(__file__).with_name("bridging.txt")


class Traced(Published):
    """A connection that notes all of each message, and who subscribes to what."""

    def __init__(self) -> None:
        super().__init__()
        self.talk: list[str] = []

    def publish(self, topic: str, payload: str | bytes, qos: int = 1, retain: bool = False) -> int:
        text = payload if isinstance(payload, str) else payload.decode()
        fields = json.loads(text) if text.startswith("{") else {}
        if topic.startswith("homeassistant") and text:  # whole only the first time
            text = "as before" if any((topic, fields) == each[:2] for each in self.messages) else text
        elif "scores_text" in fields:  # what a state adds to that of payloads.txt
            text = json.dumps({key: fields[key] for key in ("run", "now", "uid", "last_winner", "problem", "turn")})
        self.talk.append(f"{'keeps' if retain else 'sends'} {topic} {text} (qos {qos})")
        return super().publish(topic, payload, qos, retain)

    def subscribe(self, *topics: str) -> None:
        self.talk.append(f"subscribes to {', '.join(topics)}")


def evening(bridge: Bridge, api: FakeApi, outbox: Outbox) -> Iterator[tuple[str, object]]:
    """Yield what happens at a table and at its broker, from the start of the bridge to its end: events, or calls."""
    here, club = f"umpi/{ID}", "umpi/club/online"

    def received(topic: str, fields: object = b"", retained: bool = False) -> Received:
        return Received(topic, fields if isinstance(fields, bytes) else json.dumps(fields).encode(), retained)

    def receipt(**more: object) -> dict[str, Any]:
        return {"box": ID, "uid": "u1", "revision": 10, **more}

    yield "a state before there is a broker", Shown(WELL)
    yield "the broker is there", Connected()
    api.kept = [result("u1", 1, signature="5"), result("u2", 2, over=False)]
    yield "a match begins", Shown(playing(1))
    yield "a move, with a call", Shown({**playing(1, acts=1), "calls": [{"kind": "good", "seat": 0}]})
    yield "the same picture again", Shown({**playing(1, acts=1), "calls": [{"kind": "good", "seat": 0}]})
    yield "the match is over", Shown(playing(1, acts=2, over=True))
    yield "nothing comes for a while", None
    yield "the broker has another message", Confirmed(10_000)
    yield "the club begins before the broker has confirmed", received(club, b"online")
    yield "the club is away", received(club, b"offline")
    for number in list(bridge._mids):
        yield "the broker has the result", Confirmed(number)
    yield "nothing more is to send", None
    yield "the club begins", received(club, b"online")
    yield "the club refuses what this box has never sent", received(f"{here}/kept", receipt(refused="why", of="6"))
    yield "the club refuses it", received(f"{here}/kept", receipt(refused="why", of="5"))
    yield "the club refuses it again", received(f"{here}/kept", receipt(refused="why", of="5"))
    yield "the club has a revision that was never sent", received(f"{here}/kept", receipt(uid="u1", revision=11))
    yield "the club has it", received(f"{here}/kept", receipt())
    yield "the club has a match of another box", received(f"{here}/kept", receipt(uid="other"))
    yield "the next match begins", Shown(playing(2))
    yield "the box is away", Shown(None, "box: down")
    yield "the box is away for another reason", Shown(None, "box: off")
    yield "the box is back", Shown(playing(2))
    yield "somebody starts a rematch", received(f"{here}/start", b"{}")
    outbox.cookie = "secret"
    yield "somebody starts a rematch, and the bridge is paired", received(f"{here}/start", b"{}")
    yield "an old start", received(f"{here}/start", b"{}", True)
    yield "an offer", received(f"{here}/next", {"game": "quiz", "players": [], "box": ID, "number": 1}, True)
    yield "the offer is withdrawn", received(f"{here}/next")
    yield "the last will of an earlier connection", received(f"{here}/online", b"offline")
    yield "our own birth", received(f"{here}/online", b"online")
    yield "home assistant starts", received("homeassistant/status", b"online")
    yield "home assistant ends", received("homeassistant/status", b"offline")
    yield "our own state", received(f"{here}/state", {"run": bridge.run})
    yield "a state without a run", received(f"{here}/state", {})
    yield "an old state of another box", received(f"{here}/state", {"run": "r2"}, True)
    yield "the broker is away", Disconnected("lost")
    yield "a move that nobody hears", Shown(playing(2, acts=1))
    api.kept.append(result("u3", 3))
    yield "the results of the box are read", bridge.catch_up
    yield "the club has what was never sent", received(f"{here}/kept", receipt(uid="u3"))
    yield "the broker is back", Connected()
    yield "the club has what the broker has not confirmed", received(f"{here}/kept", receipt(uid="u3"))
    yield "the broker is away before it confirms", Disconnected("killed")
    yield "the broker is back, and gets it again", Connected()
    for number in list(bridge._mids):
        yield "the broker has the result", Confirmed(number)
    yield "the broker is away", Disconnected("killed")
    yield "the broker is back, and gets it no more", Connected()
    yield "the club has an earlier revision", received(f"{here}/kept", receipt(uid="u3", revision=9))
    for _ in range(2):
        yield "the club refuses it", received(f"{here}/kept", receipt(uid="u3", refused="It is\n" + "x" * 60_000))
    yield "another club may take it", received(club, b"online")
    yield "the club has it", received(f"{here}/kept", receipt(uid="u3"))
    yield "somebody says that it is forged", received(f"{here}/kept", receipt(uid="u3", refused="Forged.", of="ab"))
    yield "the match goes on the table", Shown(playing(3, acts=9, over=True))
    yield "it is paused", Shown({**playing(3, acts=9, over=True), "paused": True})
    api.kept[-1] = result("u3", 3, ("Anna", "Ben"), revision=11)
    yield "a player is renamed", Shown(playing(3, acts=9, over=True, players=("Anna", "Ben")))
    yield "the club has the new name before it was confirmed", received(f"{here}/kept", receipt(uid="u3", revision=11))
    api.kept[-1] = result("u3", 3, ("Anna", "Ben"), revision=12, over=False)
    yield "the last move is undone", Shown(playing(3, acts=8, players=("Anna", "Ben")))
    for number in list(bridge._mids):
        yield "the broker has both", Confirmed(number)
    for _ in range(3):
        yield "the club has one that was never sent", received(f"{here}/kept", receipt(uid="u3", revision=2**31 - 1))
    yield "a state of another box with our id", received(f"{here}/state", {"run": "r2"})
    yield "another state of it", received(f"{here}/state", {"run": "r3"})
    yield "the next move", Shown(playing(3, acts=9, players=("Anna", "Ben")))


def test_an_evening_at_a_bridge_is_as_somebody_has_read_it(
    api: FakeApi, outbox: Outbox, caplog: pytest.LogCaptureFixture
) -> None:
    """After a change on purpose: set UMPI_APPROVE=1, run this, and read what has changed."""
    broker = Traced()
    bridge = Bridge(api.box, api, broker, outbox, lambda: NOON)
    bridge.run = "r1"
    lines, known = list[str](), ""
    for title, event in evening(bridge, api, outbox):
        broker.talk.clear()
        api.posted.clear()
        caplog.clear()
        event() if callable(event) else bridge.handle(event)  # type: ignore[arg-type]
        lines += [title, *(f"  {line}" for line in broker.talk), *(f"  asks the box: {each}" for each in api.posted)]
        lines += [f"  logs {line[:300]!r}" for line in caplog.messages]
        unsent, unkept = ([(each["uid"], each["revision"]) for each in of] for of in (outbox.unsent(), outbox.unkept()))
        if (now := f"  the broker lacks {unsent}, the club lacks {unkept}") != known:
            lines.append(known := now)
    lines += [f"{bridge._dropped.count} messages were dropped"]
    check_seen(SEEN, lines)


def test_another_box_with_our_id_is_forgotten_once_it_is_silent(
    api: FakeApi, outbox: Outbox, broker: Published
) -> None:
    now_s = [0.0]
    bridge = Bridge(api.box, api, broker, outbox, lambda: NOON, lambda: now_s[0])
    bridge.handle(Connected())
    bridge.handle(Shown(WELL))
    for at_s in (0.0, 250.0):
        now_s[0] = at_s
        bridge.handle(Received(f"umpi/{ID}/state", b'{"run": "r2"}', False))
    for at_s, problem in ((540.0, True), (551.0, False)):
        now_s[0] = at_s
        bridge.handle(None)
        assert ("Another box has the same id" in broker.contents("state")[-1]["problem"]) == problem
    states = len(broker.contents("state"))
    bridge.handle(None)
    assert len(broker.contents("state")) == states


def test_an_event_that_comes_while_the_results_cannot_be_read_is_handled(
    bridge: Bridge, broker: Published, api: FakeApi
) -> None:
    """A bridge that lost the start of the connection stayed mute until the broker was away again."""
    stop, api.down = threading.Event(), True
    run(bridge, Timed(stop, [(0, Connected())]), stop)
    assert broker.contents("online") == ["online"]


def test_results_that_the_club_refuses_hold_up_no_other_and_each_is_reviewed_once(
    bridge: Bridge, broker: Published, api: FakeApi, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    reviewed: list[bytes] = []
    monkeypatch.setattr("umpi.mqtt.bridge.without_luck", lambda lines, find: reviewed.extend(lines) or (1.0, 2.0))
    api.kept = [result(f"u{number}", number, game="dodeka") for number in range(1, 6)]
    api.records = {number: [str(number).encode()] for number in range(1, 6)}
    for each in api.kept:
        outbox.put(each)
        outbox.sent(each["uid"], 10)  # the club was away when they came
    bridge.handle(Connected())
    bridge.handle(Shown(WELL))
    for _ in range(2):
        bridge.handle(Received("umpi/club/online", b"online", False))
        confirm(bridge, broker)
    assert [each["match"] for each in broker.contents("result")] == [1, 2, 3, 1, 2, 3, 4, 5]
    assert reviewed == [b"1", b"2", b"3", b"4", b"5"]


def test_a_club_that_asks_while_the_box_is_away_drops_no_message(
    bridge: Bridge, api: FakeApi, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    outbox.put(result("u1", 1, game="dodeka"))
    outbox.sent("u1", 10)
    bridge.handle(Connected())
    bridge.handle(Shown(WELL))
    api.down = True
    with pytest.raises(NoBox):  # `run` logs it once, and reads the results again later
        bridge.handle(Received("umpi/club/online", b"online", False))
    assert outbox.dropped() == []


def test_an_offer_comes_again_if_the_box_was_down_or_has_restarted(
    bridge: Bridge, api: FakeApi, outbox: Outbox
) -> None:
    """The broker keeps an offer, but sends it only to a bridge that connects."""
    outbox.cookie = "secret"
    asked = ("next", {"offer": {"game": "quiz"}}, "secret")
    bridge.handle(Connected())
    bridge.handle(Shown(WELL))
    api.down = True
    send(bridge, "next", {"game": "quiz"})
    bridge.handle(Shown(None, "down"))
    api.down = False
    bridge.handle(Shown(WELL))
    assert api.posted == [asked]
    bridge.handle(Shown(WELL))
    assert api.posted == [asked]
    bridge.handle(Shown({**WELL, "boot": "c"}))
    assert api.posted == [asked] * 2


def test_a_bridge_whose_box_has_a_new_id_ends_and_changes_no_signed_result(
    bridge: Bridge, broker: Published, api: FakeApi
) -> None:
    """Who starts it again gets one for the new id. The club refuses a result that names another box than it signed."""
    signed = SigningKey.of("1" * 64).sign("result", {**result("u1", 1), "box": "fedcba987654"})
    api.kept = [signed]
    bridge.handle(Connected())
    bridge.handle(Shown(playing(1)))
    (sent,) = broker.contents("result")
    assert sent["box"] == signed["box"]
    bridge.catch_up()
    api.box = {**api.box, "id": "fedcba987654"}
    with pytest.raises(AnotherBox, match="fedcba987654"):
        bridge.catch_up()
