"""The bridge: follows one box, and publishes its state, calls and results."""

from __future__ import annotations

import json
import logging
import secrets
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from queue import Empty, Queue
from typing import Any, Protocol

from umpi.frozen import frozen
from umpi.kernel.match import Refused
from umpi.kernel.registry import find
from umpi.mqtt.box_api import BoxApi, NoBox
from umpi.mqtt.broker import BrokerEvent, Confirmed, Connected, Disconnected, Received
from umpi.mqtt.discovery import discovery
from umpi.mqtt.dropped import Dropped
from umpi.mqtt.outbox import Outbox
from umpi.mqtt.payloads import (
    TWIN_S,
    BadPayload,
    Offer,
    Receipt,
    TableState,
    calls_of,
    read_offer,
    read_receipt,
    read_state,
    state_of,
)
from umpi.mqtt.topics import BIRTH, CLUB, OFFLINE, ONLINE, of, parts
from umpi.review.without_luck import without_luck
from umpi.web.documents import Box, Result, State

Json = dict[str, Any]
AT_ONCE = 3  # results that are reviewed before the next event: a small box takes some seconds for each
AGAIN_S = 2.0  # until the next attempt to reach the box
TWIN = "Another box has the same id {id}. Remove box.json beside the journal of one of them, and restart it."

LONGEST_WHY = 200  # characters of a reason that the table shows
REFUSED = "The club does not take a result of this box: {why}"

log = logging.getLogger(__name__)


class AnotherBox(Exception):
    """Report that the box has another id or name than at the start of the bridge."""


class Publisher(Protocol):
    """What the bridge needs of the connection to the broker."""

    def publish(self, topic: str, payload: str | bytes, qos: int = 1, retain: bool = False) -> int:
        """Publish a message and return its number."""
        ...

    def subscribe(self, *topics: str) -> None:
        """Subscribe to topics."""
        ...


@frozen
class Shown:
    """The box shows a new state, None if it does not answer."""

    document: State | None
    why: str = ""


def _now() -> datetime:
    return datetime.now(UTC)


def has_worths(id: str) -> bool:
    """Return whether the rules of a game compute what luck was, exactly and quickly."""
    try:
        return find(id).worths is not None
    except Refused:  # a game that is not installed here
        return False


class Bridge:
    """Handle one event after the other, on one thread: states of the box, and what happens at the broker.

    `wall` is the clock of the box, which a club compares with its own; `clock` counts seconds.
    """

    def __init__(
        self,
        box: Box,
        api: BoxApi,
        broker: Publisher,
        outbox: Outbox,
        wall: Callable[[], datetime] = _now,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.box, self._api, self._broker, self._outbox, self._wall = box, api, broker, outbox, wall
        self._clock = clock
        self.run = secrets.token_hex(4)  # names this process: another one with the same id is another box
        self._document: State | None = None
        self._match: tuple[object, ...] = ()  # what of the match on the table may have changed its result
        self._question: str | None = None
        self._uid = ""
        self._twin = ""  # says that another box has this id, "" if none was met lately
        self._twin_s = 0.0  # when it spoke last
        self._away = ""  # why the box does not answer, "" if it does
        self._connected = False
        self._mids: dict[int, tuple[str, int]] = {}  # the results whose messages the broker has not confirmed
        self._refused: dict[str, str] = {}  # the results that the club does not take, and what to say about it
        self._lucks: dict[tuple[str, int], tuple[float, ...] | None] = {}  # what the reviews of results have found
        self._offered: tuple[Json, str] | None = None  # the last offer, and the start of the box that has had it
        self._dropped = Dropped(partial(outbox.drop, wall))

    def handle(self, event: Shown | BrokerEvent | None) -> None:
        """Handle an event. Raises NoBox."""
        match event:
            case Shown(None, why):
                self._away = why
                self._publish_state()
            case Shown(document):
                assert document is not None
                self._show(document)
            case Connected():
                self._connect()
            case Disconnected():
                self._connected = False
                self._mids.clear()
            case Confirmed(number):
                if number in self._mids:
                    self._outbox.sent(*self._mids.pop(number))
            case Received() if (event.topic, event.payload) == (CLUB, ONLINE.encode()):
                self._publish_state()  # a club that has just started knows only the retained one, which is old
                self._send(self._outbox.unkept())
            case Received():
                with self._dropped.dropping(event):
                    self._receive(event)
            case None:  # nothing has come for a while
                if self._twin and self._clock() - self._twin_s > TWIN_S:
                    self._twin = ""
                    self._publish_state()
                self._send(self._outbox.unsent())

    def catch_up(self) -> None:
        """Put all results of the box into the outbox, and send what the broker does not have.

        Raises NoBox, or AnotherBox: the broker has the id in the last will, and the name in what Home Assistant knows.
        """
        for result in self._api.results():
            self._outbox.put(result)
        now: Box = self._api.get("box")
        if (now["id"], now["name"]) != (self.box["id"], self.box["name"]):
            raise AnotherBox(
                f"The box is {now['name']} ({now['id']}) now, and was {self.box['name']} ({self.box['id']})."
            )
        self._send(self._outbox.unsent())

    def _show(self, document: State) -> None:
        self._document = document
        self._away = ""
        match = document["match"]
        number, over = (match["id"], match["over"]) if match else (None, None)
        names = [player["name"] for player in match["players"]] if match else []
        now = number, names, over, match["acts"] if match and over else None, document["unsaved"]
        if now != self._match:
            self._fetch(number)
            self._match = now
        question = document["question"]["id"] if document["question"] else None
        if question != self._question:
            for call in calls_of(document) if self._question is not None else []:
                self._publish("call", call)
            self._question = question
        self._publish_state()
        if self._offered and self._offered[1] != document["boot"]:
            self._ask_offer(self._offered[0])
        self._send(self._outbox.unsent())

    def _fetch(self, number: int | None) -> None:
        """Read the result of the match on the table, and of the one before it. Raises NoBox."""
        self._uid = ""
        for each in {number, self._match[0] if self._match else None} - {None}:
            for result in self._api.get(f"results?after={int(str(each)) - 1}")[:1]:
                if result["match"] == number:
                    self._uid = result["uid"]
                self._outbox.put(result)

    def _connect(self) -> None:
        self._connected = True
        id = self.box["id"]
        self._broker.subscribe(BIRTH, CLUB, *(of(id, what) for what in ("online", "state", "start", "next", "kept")))
        self._broker.publish(of(id, "online"), ONLINE, retain=True)
        self._discover()
        self._publish_state()
        self._send(self._outbox.unsent())

    def _discover(self) -> None:
        for topic, entity in discovery(self.box, bool(self._outbox.cookie)).items():
            self._broker.publish(topic, json.dumps(entity) if entity else "", retain=True)

    def _send(self, results: list[Result]) -> None:
        """Publish results, after a state: by that the club knows the clock of the box.

        The outbox keeps those whose arrival the broker does not confirm. A few at a time are reviewed; others follow
        when nothing else comes, so that the table on the screens is at most as late as these reviews. A result that is
        sent again, because the club does not take it, is not reviewed again: it would keep the others from theirs.
        """
        waiting, reviewed = set(self._mids.values()), 0
        for result in results if self._connected and self._document else ():
            key = result["uid"], result["revision"]
            if key in waiting:
                continue
            if result["over"] and has_worths(result["game"]) and key not in self._lucks:
                if reviewed == AT_ONCE:
                    break
                reviewed += 1
                self._lucks[key] = self._without_luck(result)
            fields = {**result, "box": result.get("box") or self.box["id"], "name": self.box["name"], "run": self.run}
            if found := self._lucks.get(key):
                fields["without_luck"] = list(found)
            self._mids[self._publish("result", fields, qos=1)] = key

    def _without_luck(self, result: Result) -> tuple[float, ...] | None:
        """Return what each player of a match got without luck, None if that cannot be computed: then the log says why.

        Raises NoBox.
        """
        lines = self._api.record(result["match"])
        try:
            return without_luck(lines, find)
        except Exception:  # the author's own code
            log.warning("Match %s is sent without a review", result["match"], exc_info=True)
            return None

    def _publish_state(self) -> None:
        if self._connected and self._document:
            problem = self._twin or self._away or next(iter(self._refused.values()), "")
            fields = state_of(self._document, self.box, self._uid, self._outbox.last(), problem)
            self._publish("state", {**fields, "run": self.run}, retain=True)

    def _publish(self, what: str, fields: Json, qos: int = 0, retain: bool = False) -> int:
        """Publish something with the time of the box. With `qos` 1 it may arrive late, after a break.

        A state does not: the time in it would seem to be that of a wrong clock.
        """
        if not self._connected:
            return -1
        text = json.dumps({**fields, "now": self._wall().isoformat(timespec="milliseconds")}, ensure_ascii=False)
        return self._broker.publish(of(self.box["id"], what), text, qos, retain)

    def _receive(self, message: Received) -> None:
        what = parts(message.topic)[1]
        if message.topic == BIRTH and message.payload == ONLINE.encode():
            self._discover()
        elif message.topic == of(self.box["id"], "online") and message.payload == OFFLINE.encode():
            self._broker.publish(message.topic, ONLINE, retain=True)  # it is the last will of an earlier connection
        elif what == "kept":
            self._note(read_receipt(message.payload))
        elif what == "state" and not message.retained:
            self._compare(read_state(message.payload))
        elif what == "start" and not message.retained:
            self._ask("rematch", {})
        elif what == "next":
            self._offer(read_offer(message.payload))

    def _offer(self, offer: Offer) -> None:
        """Let the box offer a match. Anybody may withdraw an offer. Raises BadPayload if the club is another one."""
        if offer.match:
            newest = self._of_club(offer.key, offer.box)
            if offer.number < newest:
                raise BadPayload("the club has made a newer offer since")
            if offer.key:
                self._outbox.club = offer.key, offer.number
        self._ask_offer(offer.match)

    def _ask_offer(self, match: Json) -> None:
        """Give the box an offer, {} if it is withdrawn.

        It is kept for a box that does not answer now, or restarts: the broker does not send it again.
        """
        boot = self._document["boot"] if self._document else self.box["boot"]
        self._offered = match, boot if self._ask("next", {"offer": match}) else ""

    def _of_club(self, key: str, box: str) -> int:
        """Check who has signed a message for this box. Return the number of the newest offer of the club.

        The first club that signs is the club of this box. Raises BadPayload if it is another one.
        """
        known, newest = self._outbox.club
        if key and box != self.box["id"]:
            raise BadPayload("it is for another box")
        if key != known and known:
            why = (
                "it is signed with another key than that of the club" if key else "it is not signed, and the club signs"
            )
            raise BadPayload(f"{why}. If this box has changed to another club: umpi mqtt --new-club")
        if key != known:
            log.info("This box belongs to the club with the key %s now", key)
            self._outbox.club = key, newest
        return newest

    def _note(self, receipt: Receipt) -> None:
        """Note what the club has; log once if it does not have what this box has sent, and will not take it.

        Raises BadPayload if it is another club.
        """
        self._of_club(receipt.key, receipt.box)
        sent = self._outbox.sent_of(receipt.uid)
        if sent is None:  # a match of another box with this id
            return
        revision, why = sent.revision, receipt.refused
        if why and (receipt.revision, receipt.of) != (revision, sent.signature):
            return  # somebody else has sent it under the name of this box, or it was an earlier one
        if not why and receipt.revision > revision:
            why = f"it has revision {receipt.revision}, and this box never sent that one"
        if not why:
            self._outbox.kept(receipt.uid, receipt.revision)
            self._lucks.pop((receipt.uid, receipt.revision), None)
            if self._refused.pop(receipt.uid, ""):
                self._publish_state()
        elif receipt.uid not in self._refused:
            self._refused[receipt.uid] = REFUSED.format(why=why[:LONGEST_WHY])
            log.warning("The club does not take revision %d of match %s: %s", revision, receipt.uid, ascii(why))
            self._publish_state()

    def _compare(self, state: TableState) -> None:
        """Find out whether another box has the same id."""
        if state.run in ("", self.run):
            return
        self._twin_s = self._clock()
        if not self._twin:
            self._twin = TWIN.format(id=self.box["id"])
            log.error(self._twin)
            self._publish_state()

    def _ask(self, path: str, body: Json) -> bool:
        """Ask the box for something that needs a pairing, and publish what became of it.

        Return False if the box does not answer, so that it can be asked again.
        """
        cookie = self._outbox.cookie
        if not cookie:
            self._publish(
                "reply", {"to": path, "ok": False, "error": "This bridge is not paired: umpi mqtt --pair CODE"}
            )
            return True
        try:
            status, answer, _ = self._api.post(path, body, cookie)
            answered = True
        except NoBox as fault:
            status, answer, answered = 503, {"error": str(fault)}, False
        if status != 200:
            log.warning("The box refused %s: %s", path, answer.get("error"))
        self._publish("reply", {"to": path, "ok": status == 200, "error": answer.get("error", "")})
        return answered


def wait_for(api: BoxApi, stop: threading.Event) -> Box | None:
    """Return who the box is as soon as it answers, None if `stop` is set before. Log each reason once."""
    logged = ""
    while not stop.is_set():
        try:
            found: Box = api.get("box")
            return found
        except NoBox as fault:
            if str(fault) != logged:
                log.warning("The box does not answer yet: %s", fault)
            logged = str(fault)
            stop.wait(AGAIN_S)
    return None


def follow(api: BoxApi, events: Queue[Shown | BrokerEvent], stop: threading.Event) -> None:
    """Post what the box shows until `stop` is set; without an answer, try again."""
    while not stop.is_set():
        try:
            for document in api.states():
                events.put(Shown(document))
                if stop.is_set():
                    return
        except NoBox as fault:
            events.put(Shown(None, str(fault)))
            stop.wait(AGAIN_S)


def run(bridge: Bridge, events: Queue[Shown | BrokerEvent], stop: threading.Event) -> None:
    """Handle events until `stop` is set. Raises AnotherBox.

    The results of the box are read again after each time it was away. The log says once, with each reason, that the
    box does not answer.
    """
    behind, again_s, logged = True, 0.0, set[str]()

    def missed(fault: NoBox) -> None:
        if str(fault) not in logged:
            log.warning("The box does not answer: %s", fault)
        logged.add(str(fault))

    while not stop.is_set():
        try:
            event = events.get(timeout=0.5)
        except Empty:
            event = None
        away = isinstance(event, Shown) and event.document is None
        behind = behind or away
        if behind and not away and time.monotonic() >= again_s:
            again_s = time.monotonic() + AGAIN_S
            try:
                bridge.catch_up()
                behind = False
                logged.clear()
            except NoBox as fault:
                missed(fault)
        try:  # also if the results could not be read: the broker sends no event again
            bridge.handle(event)
        except NoBox as fault:
            behind = True
            missed(fault)
