"""A club of the tests: the hall on a thread of its own, with a real broker."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Empty, Queue
from typing import Any

from umpi.club.hall import Hall
from umpi.club.store import Store
from umpi.mqtt.broker import Broker, BrokerEvent, BrokerPlan


@contextmanager
def running_hall(store: Store, plan: BrokerPlan | int, **settings: Any) -> Iterator[Hall]:
    """Run a hall that works on a thread of its own, as `umpi.club.run` does; `plan` is that of a broker, or its port.

    While nothing comes, it tries the database again. After a second without a message it asks for what is missing.
    """
    events: Queue[BrokerEvent] = Queue()
    plan = BrokerPlan("127.0.0.1", plan) if isinstance(plan, int) else plan
    broker, stop = Broker(plan, events.put), threading.Event()
    hall = Hall(store, broker, **settings)

    def work() -> None:
        quiet = 0
        while not stop.is_set():
            try:
                hall.handle(events.get(timeout=0.1))
                quiet = 0
            except Empty:
                hall.try_again()
                quiet += 1
                if quiet % 10 == 0:
                    hall.ask_again()

    thread = threading.Thread(target=work)
    thread.start()
    broker.start()
    try:
        yield hall
    finally:
        stop.set()
        thread.join()
        broker.stop()
