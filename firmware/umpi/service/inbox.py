"""The events for the loop: posted from any thread, taken in batches, limited in a flood."""

from __future__ import annotations

import logging
import threading
from collections import Counter

from umpi.kernel.messages import message
from umpi.referee.events import DeviceEvent, DeviceStatus
from umpi.referee.remote import RemoteRequest
from umpi.service.waker import Waker
from umpi.timing.edge import Edge
from umpi.timing.events import Lost
from umpi.timing.lines import BUTTONS

Posted = DeviceEvent | RemoteRequest

MOST = 20_000  # events that may wait; beyond that, edges are dropped and counted
FLOOD = message("it changes too fast: check its wire")

log = logging.getLogger(__name__)


class Inbox:
    """Keep events in the order they were posted.

    If `MOST` events wait, further edges are dropped. The last dropped edge of each line is kept, so that its level is
    right afterwards. A line that floods is reported as a `DeviceStatus`, and dropped edges of beams as `Lost`. `waker`
    wakes the loop when the first event arrives.
    """

    def __init__(self) -> None:
        self.waker = Waker()
        self._lock = threading.Lock()
        self._events: list[Posted] = []
        self._dropped: Counter[str] = Counter()
        self._last: dict[str, Edge] = {}
        self._flooding: set[str] = set()

    def __bool__(self) -> bool:
        """Return whether any event waits."""
        return bool(self._events)

    def post(self, event: Posted) -> None:
        """Add an event, from any thread."""
        with self._lock:
            if isinstance(event, Edge) and len(self._events) >= MOST:
                self._dropped[event.line] += 1
                self._last[event.line] = event
                return
            first = not self._events
            self._events.append(event)
        if first:
            self.waker.wake()

    def take(self, most: int) -> list[Posted]:
        """Remove and return the oldest events, at most `most`; after a flood, add what it left behind."""
        with self._lock:
            if not (self._events or self._dropped or self._flooding):
                return []
            events = self._events[:most]
            del self._events[:most]
            if self._events:
                return events
            dropped, self._dropped = self._dropped, Counter()
            events += self._last.values()
            self._last = {}
        for line, count in dropped.items():
            log.warning("%s: %d edges dropped, the line changes too fast", line, count)
        if lost := sum(count for line, count in dropped.items() if line not in BUTTONS):
            events.append(Lost(lost))
        events += [DeviceStatus(line, FLOOD) for line in dropped.keys() - self._flooding]
        events += [DeviceStatus(line, "") for line in self._flooding - dropped.keys()]
        self._flooding = set(dropped)
        return events
