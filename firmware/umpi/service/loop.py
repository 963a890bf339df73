"""The loop: give the referee its events, sorted by the inbox into batches, and perform its effects."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import secrets
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

from umpi.box.box import Box
from umpi.journal import Journal
from umpi.recording.recorder import Recorder
from umpi.recording.report import Reporter
from umpi.referee.effects import (
    CountStatistics,
    DrawSeed,
    Effect,
    Fault,
    FindHint,
    FindReach,
    JournalCall,
    PairingCall,
    PlaySound,
    Request,
    SayAloud,
    SendReply,
    Show,
    TakeRequest,
    TimePicture,
    WriteReport,
)
from umpi.referee.events import Answered, DeviceStatus, Event, PhonesKnown, Reach, SwitchedOn, Tick
from umpi.referee.referee import Referee
from umpi.referee.remote import RemoteRequest, Reply, Withdrawn
from umpi.referee.view_state import ViewState
from umpi.service.counting import StatisticsCounter
from umpi.service.emitter_test import EmitterTest
from umpi.service.inbox import Inbox, Posted
from umpi.service.journal_check import JournalCheck
from umpi.table.commands import RemoteCommand
from umpi.timing.edge import Edge
from umpi.timing.phone_clock import Interval
from umpi.web.host import Pairing

BATCH = 2000  # events per round of the loop: a flood must not block the rest of the service

SWITCH_S = 0.0005  # how long another thread may compute while the loop waits

AGAIN_NS = 600 * 1_000_000_000  # between two reports of faults

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Ticket:
    """A request from a phone that has not been answered yet."""

    reply: Callable[[Reply], object]
    enter: Callable[[], bool]
    taken: bool = False


class Loop:
    """Run the referee of one box. `post` may be called from any thread, everything else only from the loop's thread.

    `clock` returns monotonic nanoseconds; the edges are stamped by the same clock. `find_reach` is called when a player
    asks how phones reach the box; a Reach is posted then. `find_hint` leads to a HintFound likewise, and
    `time_picture` to a PictureShown. `view` is what the
    box shows. `draw` returns a number below 2^64 by chance.
    """

    def __init__(
        self,
        referee: Referee,
        box: Box,
        journal: Journal,
        inbox: Inbox,
        clock: Callable[[], int],
        recorder: Recorder,
        reporter: Reporter,
        find_reach: Callable[[], object] = int,
        find_hint: Callable[[FindHint], object] = lambda wanted: None,
        time_picture: Callable[[], object] = int,
        draw: Callable[[], int] = lambda: secrets.randbits(64),
    ) -> None:
        self.referee, self.box, self.journal, self.inbox, self.clock = referee, box, journal, inbox, clock
        self.view = ViewState()
        self.turned = 0  # how many rounds the loop has made
        self._recorder, self._reporter = recorder, reporter
        self._find_reach, self._find_hint, self._draw = find_reach, find_hint, draw
        self._time_picture = time_picture
        self._unnoted: tuple[Event, list[Effect]] | None = None  # the last step, if it is not recorded yet
        self._fault = ""  # what failed and is to be reported
        self._reported_ns: int | None = None  # when a fault was reported last
        self._round = asyncio.Lock()
        self._disk = ThreadPoolExecutor(1, "journal")
        self._pairing: Pairing | None = None
        self._publish: Callable[[ViewState], object] = lambda view: None
        self._tickets: dict[int, Ticket] = {}
        self._ids = count(1)
        self._emitter_test: EmitterTest | None = None
        self._sounder = ""  # the trouble of the sounder that was reported last
        self._check = JournalCheck(journal.path, inbox.post)
        self._statistics = StatisticsCounter(lambda: journal.path, inbox.post)
        effects = self._step(SwitchedOn(clock(), dict(box.device_errors), tuple(box.held())))
        while request := self._perform(effects):
            effects = self._step(self._answer(request, *self._attempt(request)))

    def post(self, event: Posted) -> None:
        """Put an event of a device into the inbox and wake the loop."""
        self.inbox.post(event)

    def serve_phones(self, pairing: Pairing, publish: Callable[[ViewState], object]) -> None:
        """Serve a page for phones: `publish` is called with each new view."""
        self._pairing, self._publish = pairing, publish
        self._step(PhonesKnown(pairing.paired()))
        publish(self.view)

    def test_emitters(self, test: EmitterTest) -> None:
        """Test the emitters while a match is in play."""
        self._emitter_test = test

    def request(
        self,
        question: str,
        command: RemoteCommand,
        button: int | None,
        reply: Callable[[Reply], object] = lambda reply: None,
        enter: Callable[[], bool] = bool,
        pressed: Interval | None = None,
    ) -> int:
        """Post a request of a phone, and return its number. `reply` is called once its result is shown.

        `pressed` is when its player pressed, None if only its arrival is known.
        """
        pressed = pressed or Interval(None, self.clock())
        request = RemoteRequest(pressed.latest_ns, question, command, button, next(self._ids), pressed.earliest_ns)
        self._tickets[request.id] = Ticket(reply, enter)
        self.post(request)
        return request.id

    def withdraw(self, id: int) -> bool:
        """Withdraw a request; return False if the referee has already taken it."""
        if self._tickets[id].taken:
            return False
        del self._tickets[id]
        self._step(Withdrawn(id))
        return True

    async def run(self, stop: asyncio.Event) -> None:
        """Run the loop until `stop` is set."""
        loop, woken = asyncio.get_running_loop(), asyncio.Event()
        gc.freeze()  # the collector need not look at what is there for good: each look stopped the game
        sys.setswitchinterval(SWITCH_S)

        def wake() -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(woken.set)

        self.inbox.wake = wake
        stopped = asyncio.create_task(stop.wait())
        stopped.add_done_callback(lambda _: woken.set())
        await self.settle()  # the first picture
        self._check.start()
        while not stop.is_set():
            woken.clear()
            await self.settle()
            await asyncio.sleep(0)  # the phone page gets its turn even in a flood
            due = self.due_ns
            timeout = None if due is None else max(0.0, (due - self.clock()) / 1e9)
            if not self.inbox:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(woken.wait(), timeout)

    async def settle(self) -> None:
        """Let the referee process the events up to now, and perform its effects.

        Takes at most `BATCH` events; the rest of a flood waits for the next call. Rounds never overlap: a match changes
        only after it is written, so a second round would not see the changes of the first.
        """
        async with self._round:
            taken = 0
            while True:
                now_ns = self.clock()  # first: an older edge could lie unread otherwise
                self._tick_sounder(now_ns)
                events = self.inbox.take(BATCH - taken)
                taken += len(events)
                for event in events:
                    if not (self._emitter_test and isinstance(event, Edge) and self._emitter_test.own(event)):
                        self._step(self._addressed(event))
                effects = self._step(Tick(now_ns))
                while request := self._perform(effects):
                    effects = self._step(await self._answered(request))
                if not self.inbox or taken >= BATCH:
                    break
            if self._emitter_test and self.referee.session.on and self._emitter_test.due_ns <= now_ns:
                for news in await self._emitter_test.run():
                    self.post(news)
            self.box.lamps.tick(now_ns)
            self._note()
            if self._fault:
                await self._report_fault(now_ns)
            self.turned += 1

    def note_fault(self, text: str) -> None:
        """Have a fault reported, from any thread."""
        self._fault = text
        self.inbox.wake()

    async def report(self, why: str) -> Path | None:
        """Write a report; return its file, None if it cannot be written, which is logged."""
        self._note()
        write = self._reporter.prepare(why, self.view.saved)
        try:
            path = await asyncio.get_running_loop().run_in_executor(self._disk, write)
        except OSError as fault:
            log.warning("no report can be written: %s", fault)
            return None
        log.info("the session is in %s", path)
        return path

    def report_crash(self, fault: Exception) -> None:
        """Write a report after the loop has failed."""
        with contextlib.suppress(OSError):
            self._note()
            self._reporter.prepare(f"crash: {type(fault).__name__}: {fault}", self.view.saved)()

    @property
    def due_ns(self) -> int | None:
        """When `settle` next has work without a new event, in nanoseconds; None if only an event brings work."""
        devices = (self.box.speaker, self.box.lamps)
        dues = [self.referee.due_ns(self.clock()), *(each.due_ns for each in devices if each)]
        if self._emitter_test and self.referee.session.on:
            dues.append(self._emitter_test.due_ns)
        return min((due for due in dues if due is not None), default=None)

    def close(self) -> None:
        """Wait until pending writes are finished, then close the journal."""
        self._check.stop()
        self._disk.shutdown()
        self.journal.close()

    async def _report_fault(self, now_ns: int) -> None:
        """Write a report, unless a fault has just been reported: one that returns all the time needs no more."""
        text, self._fault = self._fault, ""
        if self._reported_ns is None or now_ns - self._reported_ns > AGAIN_NS:
            self._reported_ns = now_ns
            await self.report(f"fault: {text}")

    def _step(self, event: Event) -> list[Effect]:
        self._note()
        effects = self.referee.step(event)
        self._unnoted = event, effects
        return effects

    def _note(self) -> None:
        """Record the last step. That is done after its effects, so that no picture waits for it."""
        if self._unnoted:
            self._recorder.note(*self._unnoted)
            self._unnoted = None

    def _addressed(self, event: Event) -> Event:
        """Add the address of the page to the answer about the network."""
        if isinstance(event, Reach) and self._pairing:
            return replace(event, page=self._pairing.address)
        return event

    def _tick_sounder(self, now_ns: int) -> None:
        """Play what is due, and report whether the sounder works."""
        speaker = self.box.speaker
        if speaker:
            speaker.tick(now_ns)
            if speaker.trouble != self._sounder:
                self._sounder = speaker.trouble
                self._step(DeviceStatus("sounder", speaker.trouble))

    def finish_counting(self) -> bool:
        """Wait until the statistics that players look at are counted; return False if none are."""
        return self._statistics.finish()

    def _perform(self, effects: Sequence[Effect]) -> Request | None:
        """Perform effects in their order; return the request at their end, which the referee waits for."""
        for effect in effects:
            match effect:
                case JournalCall() | PairingCall() | WriteReport() | DrawSeed():
                    return effect
                case Show():
                    self._show(effect)
                case PlaySound(sound):
                    self.box.sound(sound, self.clock())
                case SayAloud(text, language):
                    self.box.say(text, language)
                case TakeRequest(id) if id in self._tickets:
                    self._tickets[id].taken = True
                case SendReply(id, reply) if id in self._tickets:
                    self._tickets.pop(id).reply(reply)
                case FindReach():
                    self._find_reach()
                case TimePicture():
                    self._time_picture()
                case FindHint():
                    self._find_hint(effect)
                case CountStatistics():
                    self._statistics.count(effect)
                case Fault(text):
                    self._fault = text
        return None

    def _show(self, show: Show) -> None:
        try:
            self.box.show(show.picture, show.view.lit, show.view.blinking, self.clock())
            self.box.rest(show.view.look)
        except Exception:  # a panel or lamps failed: the game continues, and the phones still get their replies
            log.exception("the panel or the lamps failed")
        self.view = show.view
        try:
            self._publish(show.view)
        except Exception:  # an engine's own code runs while it is published; the replies are due all the same
            log.exception("the table could not be published to the phones")

    async def _answered(self, request: Request) -> Answered:
        """Perform a request on the thread that may do it."""
        if isinstance(request, PairingCall | DrawSeed):
            return self._answer(request, *self._attempt(request))
        if isinstance(request, WriteReport):
            path = await self.report("asked for at the box")
            return self._answer(request, path and path.name, "")
        loop = asyncio.get_running_loop()
        return self._answer(request, *await loop.run_in_executor(self._disk, self._attempt, request))

    def _answer(self, request: Request, value: Any, fault: str) -> Answered:
        if isinstance(request, PairingCall) and self._pairing:
            self._step(PhonesKnown(self._pairing.paired()))
        journal = self.journal
        number = journal.row(request.number) if isinstance(request, JournalCall) else 0
        return Answered(self.clock(), value, fault, journal.saved, journal.trouble, journal.notice, number)

    def _attempt(self, request: Request) -> tuple[Any, str]:
        """Perform a request; return its value, or the fault that prevented it."""
        try:
            return self._performed(request), ""
        except Exception as fault:
            log.exception("%s failed", type(request).__name__)
            return None, f"{type(fault).__name__}: {fault}"

    def _performed(self, request: Request) -> Any:
        match request:
            case JournalCall(name, values):
                return getattr(self.journal, name)(*values)
            case DrawSeed():
                return self._draw()
            case PairingCall("enter", id):
                return id in self._tickets and self._tickets[id].enter()
            case PairingCall(name, value) if self._pairing:
                return self._paired(name, value)
        return None

    def _paired(self, name: str, value: Any) -> Any:
        """Perform a call about pairing."""
        assert self._pairing
        if name == "code":
            code, until_ns = self._pairing.code(value, self.clock())
            return code, until_ns, self._pairing.address
        if name == "void":
            return self._pairing.void()
        if name == "page":
            return self._pairing.address
        if name == "admit":
            return self._pairing.admit(value)
        if name == "dismiss":
            return self._pairing.dismiss(value)
        return self._pairing.revoke(value)
