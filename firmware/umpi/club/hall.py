"""The hall: the tables as they are now, and the results as they come in from the broker."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, Protocol

from sqlalchemy.exc import SQLAlchemyError

from umpi.box.signing import SigningKey
from umpi.club.store import WRONG, WRONG_S, Store, WrongKey, why_away
from umpi.mqtt.broker import BrokerEvent, Confirmed, Connected, Disconnected, Received
from umpi.mqtt.dropped import Dropped
from umpi.mqtt.payloads import (
    TWIN_S,
    BadPayload,
    Result,
    Sent,
    TableState,
    read_offer,
    read_online,
    read_result,
    read_sent,
    read_state,
)
from umpi.mqtt.topics import CLUB, OFFLINE, ONLINE, ROOT, of, parts

BOX = 32  # characters of an id
TOPICS = tuple(f"{ROOT}/+/{what}" for what in ("state", "online", "result", "next"))

log = logging.getLogger(__name__)


class Publisher(Protocol):
    """What the hall needs of the connection to the broker."""

    def publish(self, topic: str, payload: str | bytes, qos: int = 1, retain: bool = False) -> int:
        """Publish a message and return its number."""
        ...

    def subscribe(self, *topics: str) -> None:
        """Subscribe to topics."""
        ...


@dataclass(slots=True)
class Table:
    """One box as the hall sees it."""

    id: str
    name: str = ""
    online: bool = False
    state: TableState = field(default_factory=TableState)
    next: tuple[str, ...] = ()  # the players of the match that the box shall offer
    offset_s: float | None = None  # what to add to the clock of the box, None until it is known
    known: str = ""  # the name in the database
    run: str = ""
    runs: set[str] = field(default_factory=set)
    twin: bool = False  # whether two boxes have this id
    twin_s: float = 0.0  # when that was seen last
    changes: int = 0  # how often what the page shows of it has changed

    @property
    def shown(self) -> tuple[object, ...]:
        """What the page shows of it."""
        return self.name, self.online, self.twin, self.next, replace(self.state, run="", now=None)

    def meet(self, run: str, now_s: float) -> None:
        """Note which process of the box spoke. If an earlier one speaks again, there are two boxes with this id."""
        if run != self.run and run in self.runs:
            self.twin, self.twin_s = True, now_s
        self.run = run
        self.runs.add(run)


def _now() -> datetime:
    return datetime.now(UTC)


class Hall:
    """Handle one event of the broker after the other, on one thread. `trouble` is why results wait, "" if none does.

    A result is confirmed to its box only once it is in the database. Whenever the hall can keep results again, it says
    so, and each box sends what was not confirmed. A message that cannot be used is dropped; a result also gets a reply
    that says why.
    """

    def __init__(
        self,
        store: Store,
        broker: Publisher,
        wall: Callable[[], datetime] = _now,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.tables: dict[str, Table] = {}
        self.changes = 0  # how often what the page shows of the tables has changed
        self.trouble = ""
        self.connected = False
        self.lost = False  # whether the broker is away; before the first attempt, nobody knows
        self._store, self._broker, self._wall, self._clock = store, broker, wall, clock
        self._dropped = Dropped(partial(store.drop, wall))
        self._key: SigningKey | None = None

    def handle(self, event: BrokerEvent) -> None:
        """Handle an event."""
        match event:
            case Connected():
                self.connected, self.lost = True, False
                self._broker.subscribe(*TOPICS)
                self._say(ONLINE if not self.trouble else OFFLINE)
            case Disconnected():
                self.connected, self.lost = False, True
            case Received():
                id, what = parts(event.topic)
                if what and event.topic != CLUB:
                    with self._dropped.dropping(event):
                        self._receive(id, what, event)
            case Confirmed():
                pass  # a box sends again what it does not know to be kept

    def try_again(self) -> None:
        """Look whether the database is back, if it was away."""
        if not self.trouble:
            return
        try:
            self._store.boxes()
        except SQLAlchemyError:
            return
        log.info("The database is back")
        self.trouble = ""
        self._say(ONLINE)

    def ask_again(self) -> None:
        """Let each box send what is not in the database: a broker drops messages if too many wait at once.

        Look also whether another process has written, so that the page shows it, and forget boxes that had the id of
        another one.
        """
        self._forget_twins()
        if self.trouble:
            return
        try:
            self._store.look()
        except SQLAlchemyError as fault:
            self._fail(fault)
            return
        self._say(ONLINE)

    def _forget_twins(self) -> None:
        for table in self.tables.values():
            if table.twin and self._clock() - table.twin_s > TWIN_S:
                table.twin = False
                table.changes += 1
                self.changes += 1

    def _say(self, text: str) -> None:
        if self.connected:
            self._broker.publish(CLUB, text, retain=True)

    def _receive(self, id: str, what: str, message: Received) -> None:
        """Handle a message of a box. Raises BadPayload, with nothing changed."""
        if len(id) > BOX:
            raise BadPayload(f"the id of a box has at most {BOX} characters")
        before = self._shown(id)
        try:
            self._take(id, what, message)
        finally:
            if self._shown(id) != before:
                self.changes += 1
                if table := self.tables.get(id):
                    table.changes += 1

    def _shown(self, id: str) -> tuple[object, ...] | None:
        table = self.tables.get(id)
        return table.shown if table else None

    def _take(self, id: str, what: str, message: Received) -> None:
        match what:
            case "online" if not message.payload:  # somebody has removed it from the broker
                self.tables.pop(id, None)
            case "online":
                self._table(id).online = read_online(message.payload)
            case "next":
                self._table(id).next = read_offer(message.payload).players
            case "state":
                state = read_state(message.payload)
                self._show(self._table(id), state, message.retained)
            case "result":
                self._keep(id, message.payload)
            case _:
                pass  # it is for the boxes, or for Home Assistant

    def _table(self, id: str) -> Table:
        if id not in self.tables:  # its changes are others than those of one that was removed
            self.tables[id] = Table(id, changes=self.changes)
        return self.tables[id]

    def _show(self, table: Table, state: TableState, retained: bool) -> None:
        """Show a state, and compare the clock of its box with ours. A retained state is old and says nothing of it."""
        table.state, table.name = state, state.name or table.id
        if retained or state.now is None:
            return
        table.meet(state.run, self._clock())
        offset_s = (self._wall() - state.now).total_seconds()
        wrong = table.offset_s is None or abs(table.offset_s - offset_s) > WRONG_S / 2
        if wrong or table.known != table.name:
            table.offset_s, table.known = offset_s, table.name
            try:
                self._store.meet(table.id, table.name, offset_s)
            except WRONG:
                raise
            except SQLAlchemyError as fault:
                table.offset_s = None  # the next state says it again
                self._fail(fault)

    def _keep(self, id: str, payload: bytes) -> None:
        """Keep a result, and tell its box which revision is in the database now, or why its own is refused."""
        sent = read_sent(payload)
        try:
            result = read_result(payload)
            if result.key and result.box != id:
                raise BadPayload("another box has signed it")
            kept = self._store.keep(id, result, self._wall())
        except (BadPayload, WrongKey) as fault:
            self._refuse(id, sent, str(fault))
            raise BadPayload(str(fault)) from None
        except WRONG:
            self._refuse(id, sent, "The database refuses it.")
            raise
        except SQLAlchemyError as fault:
            self._fail(fault)
            return
        self._answer(id, {"box": id, "uid": result.uid, "revision": kept})
        self._end_offer(self._table(id), result)

    def _refuse(self, id: str, sent: Sent, why: str) -> None:
        """Send a receipt that says why a result is refused. With its signature, the box knows if it has sent it."""
        self._answer(id, {"box": id, "uid": sent.uid, "revision": sent.revision, "refused": why, "of": sent.signature})

    def _answer(self, id: str, fields: dict[str, Any]) -> None:
        """Send a receipt, signed."""
        try:
            self._key = self._key or self._store.key()
        except SQLAlchemyError as fault:  # without a receipt, the box sends it again
            self._fail(fault)
            return
        self._broker.publish(of(id, "kept"), json.dumps(self._key.sign("receipt", fields)))

    def _end_offer(self, table: Table, result: Result) -> None:
        """Withdraw the offer of a match that has been played."""
        if result.over and {*table.next} == {player.name for player in result.players}:
            self._broker.publish(of(table.id, "next"), "", retain=True)

    def _fail(self, fault: SQLAlchemyError) -> None:
        if not self.trouble:
            log.error("The database is away: %s", fault)
            self._say(OFFLINE)
        self.trouble = why_away(fault)
