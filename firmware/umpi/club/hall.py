"""The hall: the tables as they are now, and the results as they come in from the broker."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol

from sqlalchemy.exc import SQLAlchemyError

from umpi.club.store import WRONG_S, BadResult, Store, time_of
from umpi.mqtt.broker import Connected, Disconnected, Received
from umpi.mqtt.payloads import read_object
from umpi.mqtt.topics import CLUB, OFFLINE, ONLINE, ROOT, of, parts

Json = dict[str, Any]
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
    state: Json = field(default_factory=dict)
    next: Json = field(default_factory=dict)
    offset_s: float | None = None  # what to add to the clock of the box, None until it is known
    run: str = ""
    runs: set[str] = field(default_factory=set)
    twin: bool = False  # whether two boxes have this id

    def meet(self, run: str) -> None:
        """Note which process of the box spoke. If an earlier one speaks again, there are two boxes with this id."""
        self.twin = self.twin or (run != self.run and run in self.runs)
        self.run = run
        self.runs.add(run)


def _now() -> datetime:
    return datetime.now(UTC)


class Hall:
    """Handle one event of the broker after the other, on one thread. `trouble` is why results wait, "" if none does.

    A result is confirmed to its box only once it is in the database. Whenever the hall can keep results again, it says
    so, and each box sends what was not confirmed.
    """

    def __init__(self, store: Store, broker: Publisher, wall: Callable[[], datetime] = _now) -> None:
        self.tables: dict[str, Table] = {}
        self.trouble = ""
        self.connected = False
        self._store, self._broker, self._wall = store, broker, wall

    def handle(self, event: object) -> None:
        """Handle an event."""
        match event:
            case Connected():
                self.connected = True
                self._broker.subscribe(*TOPICS)
                self._say(ONLINE if not self.trouble else OFFLINE)
            case Disconnected():
                self.connected = False
            case Received():
                id, what = parts(event.topic)
                if what in ("state", "online", "result", "next") and event.topic != CLUB:
                    self._receive(self.tables.setdefault(id, Table(id)), what, event)

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
        """Let each box send what is not in the database: a broker drops messages if too many wait at once."""
        if not self.trouble:
            self._say(ONLINE)

    def _say(self, text: str) -> None:
        if self.connected:
            self._broker.publish(CLUB, text, retain=True)

    def _receive(self, table: Table, what: str, message: Received) -> None:
        fields = read_object(message.payload)
        if not _has_players(fields):
            log.warning("A message of box %s is not as expected: %s", table.id, message.topic)
        elif what == "online":
            table.online = message.payload == ONLINE.encode()
        elif what == "next":
            table.next = fields
        elif what == "state":
            table.state = fields
            table.name = str(fields.get("name") or table.id)
            self._meet(table, fields, message.retained)
        else:
            self._keep(table, {**fields, "box": table.id})

    def _meet(self, table: Table, fields: Json, retained: bool) -> None:
        """Compare the clock of a box with ours. A retained state is old and says nothing of it."""
        now = time_of(fields.get("now"))
        if retained or now is None:
            return
        table.meet(str(fields.get("run")))
        table.name = str(fields.get("name") or table.id)
        offset_s = (self._wall() - now).total_seconds()
        if table.offset_s is None or abs(table.offset_s - offset_s) > WRONG_S / 2:
            table.offset_s = offset_s
            try:
                self._store.meet(table.id, table.name, offset_s)
            except SQLAlchemyError as fault:
                self._fail(fault)

    def _keep(self, table: Table, result: Json) -> None:
        try:
            self._store.keep(result, self._wall())
        except BadResult as fault:
            log.warning("A message of box %s is not a result: %s", table.id, fault)
            return
        except SQLAlchemyError as fault:
            self._fail(fault)
            return
        receipt = {"uid": result["uid"], "revision": result["revision"]}
        self._broker.publish(of(table.id, "kept"), json.dumps(receipt))
        offered = {player["name"] for player in table.next.get("players", ())}
        if result["over"] and offered == {player["name"] for player in result["players"]}:
            self._broker.publish(of(table.id, "next"), "", retain=True)

    def _fail(self, fault: SQLAlchemyError) -> None:
        if not self.trouble:
            log.error("The database is away: %s", fault)
            self._say(OFFLINE)
        self.trouble = str(fault.__cause__ or fault).partition("\n")[0]


def _has_players(fields: Json) -> bool:
    """Return whether the players of a message, if it has any, are as the page needs them."""
    players = fields.get("players", [])
    return isinstance(players, list) and all(
        isinstance(player, dict)
        and isinstance(player.get("name"), str)
        and ("score" not in player or isinstance(player.get("button"), int))
        for player in players
    )
