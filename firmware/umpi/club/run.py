"""The running club: the broker's events into the database, and the page, in one event loop."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from queue import Empty, SimpleQueue

import uvicorn
from sqlalchemy.exc import InterfaceError, OperationalError

from umpi.club.app import ClubApp
from umpi.club.hall import Hall
from umpi.club.store import Store, why_away
from umpi.mqtt.broker import Broker, BrokerEvent, BrokerPlan
from umpi.mqtt.topics import CLUB, OFFLINE
from umpi.web.serving import settings

AGAIN_S = 1.0  # until the database is tried again
ASK_S = 30.0  # between two questions for results that are missing
TURN_S = 0.02  # events that arrive within this time are shown together
BATCH = 200  # results that are kept between two looks at the page

log = logging.getLogger(__name__)


def _now() -> datetime:
    return datetime.now(UTC)


async def run(title: str, store: Store, plan: BrokerPlan, listening: socket.socket, season: date | None) -> None:
    """Run the club until SIGTERM or SIGINT."""
    stop, events = asyncio.Event(), SimpleQueue[BrokerEvent]()
    for sign in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(sign, stop.set)
    broker = Broker(plan, events.put, (CLUB, OFFLINE))
    hall = Hall(store, broker, _now)
    club = ClubApp(title, hall, store, season, _now)
    club.publish()  # the page can be followed before the database is there

    def tell(trouble: str) -> None:
        hall.trouble = trouble
        club.publish()

    server = Server(settings(club.app()))
    serving = asyncio.create_task(server.serve([listening]))
    try:
        await _migrate(store, stop, tell)
        broker.start()
        await _work(hall, club, events, stop)
    finally:
        broker.publish(CLUB, OFFLINE, retain=True)
        broker.stop()
        club.stream.close()
        server.should_exit = True
        await serving
        store.close()


class Server(uvicorn.Server):
    """A server that leaves the signals to the club."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals alone."""
        yield


async def _migrate(store: Store, stop: asyncio.Event, tell: Callable[[str], object]) -> None:
    """Bring the database to this version, as soon as it is there. Log each reason once why it is not, and tell it.

    Raises NewerDatabase, ForeignDatabase, or another SQLAlchemyError if waiting does not help.
    """
    logged = ""
    while not stop.is_set():
        try:
            await asyncio.to_thread(store.migrate)
            tell("")
            return
        except (OperationalError, InterfaceError) as fault:
            why = why_away(fault)
            if why != logged:
                log.error("The database does not answer yet: %s", why)
                tell(why)
            logged = why
            await _pause(stop, AGAIN_S)


async def _work(hall: Hall, club: ClubApp, events: SimpleQueue[BrokerEvent], stop: asyncio.Event) -> None:
    club.publish()
    tried_s = asked_s = asyncio.get_running_loop().time()
    while not stop.is_set():
        batch = _taken(events)
        if batch:
            await asyncio.to_thread(_handle, hall, batch)
            club.publish()
        now_s = asyncio.get_running_loop().time()
        if hall.trouble and now_s - tried_s > AGAIN_S:
            tried_s = now_s
            await asyncio.to_thread(hall.try_again)
            club.publish()
        if now_s - asked_s > ASK_S:
            asked_s = now_s
            await asyncio.to_thread(hall.ask_again)
            club.publish()
        if not batch:
            await _pause(stop, TURN_S)


def _handle(hall: Hall, batch: list[BrokerEvent]) -> None:
    for event in batch:
        hall.handle(event)


def _taken(events: SimpleQueue[BrokerEvent]) -> list[BrokerEvent]:
    taken: list[BrokerEvent] = []
    while len(taken) < BATCH:
        try:
            taken.append(events.get_nowait())
        except Empty:
            break
    return taken


async def _pause(stop: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await stop.wait()
    except TimeoutError:
        return
