"""A sensor head at a USB port that the browser has opened: the page carries its bytes, and the box reads them."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable

from umpi.box.config import LANES, HeadPlan
from umpi.box.head_events import head_event
from umpi.drivers.head_link import HeadLink, HeadReport, SensorHead, busy, none_plugged, unplugged
from umpi.drivers.head_protocol import Answer, Blink, Distrust, blinks
from umpi.kernel.messages import fault_text, message
from umpi.service.inbox import Inbox
from umpi.timing.units import MS

PORT = "USB"  # what players read as the port: a browser tells no name
LATE_NS = 100 * MS  # a timer that runs later has waited for a busy thread, as bytes may that have come
BLINK_S = 0.3  # how long an answer to a blink may take

log = logging.getLogger(__name__)


def head_plan(text: str) -> HeadPlan | None:
    """Read what the page says of the head's wiring, as JSON; None if it says nothing that can be.

    >>> head_plan('{"lanes": 6, "beams": 1, "wall": false}').beam_lines
    ('lane_1', 'lane_2', 'lane_3', 'lane_4', 'lane_5', 'lane_6')
    >>> head_plan('{"lanes": 7, "beams": 1, "wall": false}'), head_plan("")
    (None, None)
    """
    try:
        found = json.loads(text)
    except ValueError:
        return None
    match found:
        case {"lanes": int(lanes), "beams": 1 | 2 as beams, "wall": bool(wall)} if 1 <= lanes <= len(LANES):
            return HeadPlan(lanes=lanes, beams=beams, wall=wall)
        case _:
            return None


class TabHead(SensorHead):
    """Talk to a sensor head through the page, which calls `opened`, `receive` and `closed`.

    `write` gets the text to send. All is called on the thread of the box, while its loop runs.
    """

    def __init__(self, plan: HeadPlan, inbox: Inbox, clock: Callable[[], int], write: Callable[[str], object]) -> None:
        self._inbox, self._clock, self._write = inbox, clock, write
        super().__init__(HeadLink(plan.lines, self._report, plan.dark_low, self._answered))
        self._open = False
        self._received_ns = clock()
        self._timer: asyncio.TimerHandle | None = None
        self._blink: asyncio.Future[Blink] | None = None

    def opened(self) -> None:
        """Begin to talk: the page has opened the port."""
        self._open = True
        self._link.connect(PORT, self._clock())
        self._go_on(self._clock())

    def receive(self, text: str, at_ns: int) -> None:
        """Take what came from the head before `at_ns`, a character for each byte."""
        now_ns = self._received_ns = max(at_ns, self._received_ns)  # two clocks may round differently
        try:
            self._link.receive(text.encode("latin-1"), now_ns)
        except Distrust as fault:
            self._lose(fault)
        self._go_on(self._clock())

    def closed(self, elsewhere: bool) -> None:
        """Note that no port is open: there is none, or it is open `elsewhere`, in another program."""
        self._open = False
        if self._link.talk:
            self._link.lose(unplugged(PORT))
        else:
            self._link.miss(busy(PORT) if elsewhere else none_plugged())
        self._wait(None)

    async def blink(self) -> Blink | None:
        """Switch all emitters off for 3 ms; return the edges since then, None if the head is too old or away.

        Raises TimeoutError if the head was asked and does not answer in time.
        """
        talk = self._link.talk
        if not talk or not blinks(self.about.get("firmware")):
            return None
        self._blink = asyncio.get_running_loop().create_future()
        talk.blink()
        self._go_on(self._clock())
        return await asyncio.wait_for(self._blink, BLINK_S)

    def _go_on(self, now_ns: int) -> None:
        """Write what is due, and set the timer."""
        if talk := self._link.talk:
            if out := talk.send(now_ns):
                self._write(out.decode("ascii"))
            self._wait(talk.due_ns)

    def _wait(self, due_ns: int | None) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if due_ns is not None:
            delay_s = max(0, due_ns - self._clock()) / 1e9
            self._timer = asyncio.get_running_loop().call_later(delay_s, self.wake, due_ns)

    def wake(self, due_ns: int) -> None:
        """Do what was due at `due_ns`; the timer calls this."""
        now_ns = self._clock()
        if now_ns - due_ns > LATE_NS:
            self._wait(now_ns)  # first come the bytes that have waited as well
            return
        if not self._link.talk:
            if self._open:
                self.opened()
            return
        try:
            self._link.talk.check(now_ns)
        except Distrust as fault:
            self._lose(fault)
        self._go_on(now_ns)

    def _lose(self, fault: Distrust) -> None:
        """End a talk that makes no sense, and begin the next one after a while."""
        log.warning("The sensor head cannot be used", exc_info=fault)
        self._link.lose(message("{port}: {reason}", port=PORT, reason=fault_text(fault)))
        self._wait(self._clock() + round(self._link.pause_s * 1e9))

    def _report(self, report: HeadReport) -> None:
        if event := head_event(report):
            self._inbox.post(event)

    def _answered(self, answer: Answer) -> None:
        if isinstance(answer, Blink) and self._blink and not self._blink.done():
            self._blink.set_result(answer)
