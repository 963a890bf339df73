"""The loop: give the referee its events, sorted by the inbox into batches, and perform its effects."""

from __future__ import annotations

import asyncio
import gc
import logging
import secrets
import sys
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import ParamSpec, Protocol

from umpi.display.picture import Picture
from umpi.display.screen_saver import DisplayState
from umpi.journal import Journal
from umpi.kernel.calls import Sound
from umpi.kernel.messages import fault_text
from umpi.kernel.nothing import nothing
from umpi.recording.recorder import Recorder
from umpi.recording.report import Reporter
from umpi.referee.effects import (
    AgreeToTask,
    BeginCardTask,
    BeginShelfTask,
    CountStatistics,
    DrawSeed,
    Effect,
    Fault,
    FindHint,
    FindPuzzle,
    FindReach,
    FindReview,
    JournalCall,
    JudgePuzzle,
    LetPhoneIn,
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
from umpi.service.card_line import CardLine
from umpi.service.counting import StatisticsCounter
from umpi.service.emitter_check import EmitterCheck
from umpi.service.inbox import Inbox
from umpi.service.journal_check import JournalCheck
from umpi.service.reporting import ReportWriter
from umpi.service.shelf_line import ShelfLine
from umpi.table.commands import RemoteCommand
from umpi.timing.edge import Edge
from umpi.timing.phone_clock import Interval
from umpi.web.host import PhoneKeeper

BATCH = 2000  # events per round of the loop: a flood must not block the rest of the service

SWITCH_S = 0.0005  # how long another thread may compute while the loop waits

AGAIN_NS = 600 * 1_000_000_000  # between two reports of faults

P = ParamSpec("P")
log = logging.getLogger(__name__)


class Devices(Protocol):
    """What the loop needs of the devices of a box: those of a Pi, or of whatever else Umpi runs on."""

    @property
    def device_errors(self) -> dict[str, str]:
        """Return why devices could not be opened, by their names."""
        ...

    @property
    def due_ns(self) -> int | None:
        """Return when to call `tick` next; None if no lamp or sound changes by itself."""
        ...

    @property
    def sounder_trouble(self) -> str:
        """Return why the sounder fails, "" if it works or there is none."""
        ...

    def held(self) -> list[str]:
        """Return the names of the buttons that are down and of the beams that are dark."""
        ...

    def show(self, picture: Picture | None, lit: Collection[int], blinking: Collection[int], now_ns: int) -> None:
        """Show a picture if there is one, light the lamps of the seats in `lit`, and let those in `blinking` blink."""
        ...

    def rest(self, look: DisplayState) -> None:
        """Set the display state of the panel for the current and all later pictures."""
        ...

    def sound(self, sound: Sound, now_ns: int) -> None:
        """Play a sound."""
        ...

    def say(self, text: str, language: str) -> None:
        """Speak a text."""
        ...

    def tick_sounder(self, now_ns: int) -> None:
        """Change the sound that is due at `now_ns`."""
        ...

    def tick_lamps(self, now_ns: int) -> None:
        """Switch the lamps that are due at `now_ns`."""
        ...


def by_chance() -> int:
    """Return a number below 2^64 by chance."""
    return secrets.randbits(64)


@dataclass(slots=True)
class Ticket:
    """A request from a phone that has not been answered yet."""

    reply: Callable[[Reply], object]
    enter: Callable[[], bool]
    taken: bool = False


class Loop:
    """Run the referee of one box. All is called on the loop's thread, but for `note_fault`.

    `clock` returns monotonic nanoseconds; the edges are stamped by the same clock. `find_reach` is called when a player
    asks how phones reach the box; a Reach is posted then. `find_hint` leads to a HintFound likewise, `find_review` to a
    ReviewFound, `find_puzzle` to a PuzzleFound, `judge_puzzle` to a PuzzleJudged, and `time_picture` to a PictureShown.
    `keeper` pairs phones, None if no page for phones is served, and `publish` is called with each new view.
    `emitter_check` tests the beams while a match is in play. `card` leads to the program that may write the card,
    None if the box has none, `shelf` to the program that installs games. `view` is what the box shows. `draw` returns a
    number below 2^64 by chance.
    """

    def __init__(
        self,
        referee: Referee,
        box: Devices,
        journal: Journal,
        inbox: Inbox,
        clock: Callable[[], int],
        recorder: Recorder,
        reporter: Reporter,
        find_reach: Callable[[], object] = nothing,
        find_hint: Callable[[FindHint], object] = nothing,
        find_review: Callable[[FindReview], object] = nothing,
        find_puzzle: Callable[[FindPuzzle], object] = nothing,
        judge_puzzle: Callable[[JudgePuzzle], object] = nothing,
        time_picture: Callable[[], object] = nothing,
        keeper: PhoneKeeper | None = None,
        publish: Callable[[ViewState], object] = nothing,
        emitter_check: EmitterCheck | None = None,
        card: CardLine | None = None,
        shelf: ShelfLine | None = None,
        draw: Callable[[], int] = by_chance,
    ) -> None:
        self.referee, self.box, self.journal, self.inbox, self.clock = referee, box, journal, inbox, clock
        self.view = ViewState()
        self.turned = 0  # how many rounds the loop has made
        self._recorder = recorder
        self._find_reach, self._find_hint, self._find_review, self._draw = find_reach, find_hint, find_review, draw
        self._find_puzzle, self._judge_puzzle = find_puzzle, judge_puzzle
        self._time_picture, self._publish = time_picture, publish
        self._keeper, self._emitter_check, self._card, self._shelf = keeper, emitter_check, card, shelf
        self._unnoted: tuple[Event, list[Effect]] | None = None  # the last step, if it is not recorded yet
        self._fault = ""  # what failed and is to be reported
        self._reported_ns: int | None = None  # when a fault was reported last
        self._round = asyncio.Lock()
        self._disk = ThreadPoolExecutor(1, "journal")
        self._tickets: dict[int, Ticket] = {}
        self._ids = count(1)
        self._sounder = ""  # the trouble of the sounder that was reported last
        self._failed: set[str] = set()  # the devices that failed as they were used
        self._check = JournalCheck(journal.path, inbox.post)
        self._statistics = StatisticsCounter(lambda: journal.path, inbox.post)
        self._reports = ReportWriter(reporter, inbox.post)
        effects = self._step(SwitchedOn(clock(), dict(box.device_errors), tuple(box.held())))
        while request := self._perform(effects):
            effects = self._step(self._answer(request, *self._attempt(request)))
        if keeper:
            self._step(PhonesKnown(keeper.paired()))
            publish(self.view)

    def request(
        self,
        question: str,
        command: RemoteCommand,
        button: int | None,
        reply: Callable[[Reply], object] = nothing,
        enter: Callable[[], bool] = lambda: False,
        pressed: Interval | None = None,
    ) -> int:
        """Post a request of a phone, and return its number. `reply` is called once its result is shown.

        `pressed` is when its player pressed, None if only its arrival is known.
        """
        pressed = pressed or Interval(None, self.clock())
        request = RemoteRequest(
            pressed.latest_ns, question, command, button, next(self._ids), pressed.earliest_ns, pressed.stamped_ns
        )
        self._tickets[request.id] = Ticket(reply, enter)
        self.inbox.post(request)
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
        gc.freeze()  # the collector need not look at what is there for good: each look stopped the game
        gc.enable()  # it is off during a start
        sys.setswitchinterval(SWITCH_S)
        waker = self.inbox.waker
        stopped = asyncio.create_task(stop.wait())
        stopped.add_done_callback(lambda _: waker.wake())
        await self.catch_up()  # the first picture
        self._check.start()
        while not stop.is_set():
            await self.catch_up()
            await asyncio.sleep(0)  # the phone page gets its turn even in a flood
            due = self.due_ns
            timeout = None if due is None else max(0.0, (due - self.clock()) / 1e9)
            if not self.inbox:
                await waker.wait(timeout)

    async def catch_up(self) -> None:
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
                    if not (self._emitter_check and isinstance(event, Edge) and self._emitter_check.own(event)):
                        self._step(self._addressed(event))
                effects = self._step(Tick(now_ns))
                while request := self._perform(effects):
                    effects = self._step(await self._answered(request))
                if not self.inbox or taken >= BATCH:
                    break
            if self._emitter_check and self.referee.session.on and self._emitter_check.due_ns <= now_ns:
                try:
                    for news in await self._emitter_check.run():
                        self.inbox.post(news)
                except Exception as fault:
                    self._fail("emitters", fault)
            self._use("lamps", self.box.tick_lamps, now_ns)
            self._note()
            if self._fault:
                self._report_fault(now_ns)
            self.turned += 1

    def note_fault(self, text: str) -> None:
        """Have a fault reported, from any thread."""
        self._fault = text
        self.inbox.waker.wake()

    async def report(self, why: str) -> Path | None:
        """Write a report; return its file, None if it cannot be written, which is logged."""
        return await asyncio.wrap_future(self._begin_report(why))

    def report_crash(self, fault: Exception) -> None:
        """Write a report after the loop has failed."""
        self._begin_report(f"crash: {type(fault).__name__}: {fault}").result()

    @property
    def due_ns(self) -> int | None:
        """When `catch_up` next has work without a new event, in nanoseconds; None if only an event brings work."""
        dues = [self.referee.due_ns(self.clock()), self.box.due_ns]
        if self._emitter_check and self.referee.session.on:
            dues.append(self._emitter_check.due_ns)
        return min((due for due in dues if due is not None), default=None)

    def close(self) -> None:
        """Wait until pending writes are finished, then close the journal."""
        self._check.stop()
        if self._card:
            self._card.close()
        if self._shelf:
            self._shelf.close()
        self._reports.close()
        self._disk.shutdown()
        self.journal.close()

    def _begin_report(self, why: str, answered: bool = False) -> Future[Path | None]:
        """Begin to write a report of what has happened until now; the game continues."""
        self._note()
        return self._reports.begin(why, self.view.saved, answered)

    def _report_fault(self, now_ns: int) -> None:
        """Write a report, unless a fault has just been reported: one that returns all the time needs no more."""
        text, self._fault = self._fault, ""
        if self._reported_ns is None or now_ns - self._reported_ns > AGAIN_NS:
            self._reported_ns = now_ns
            self._begin_report(f"fault: {text}")

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
        if isinstance(event, Reach) and self._keeper:
            return replace(event, page=self._keeper.page())
        return event

    def _tick_sounder(self, now_ns: int) -> None:
        """Play what is due, and report whether the sounder works."""
        self._use("sounder", self.box.tick_sounder, now_ns)
        if (trouble := self.box.sounder_trouble) != self._sounder:
            self._sounder = trouble
            self._step(DeviceStatus("sounder", trouble))

    def _use(self, device: str, work: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
        """Use a device. If it fails, the game continues without its function."""
        try:
            work(*args, **kwargs)
        except Exception as fault:
            self._fail(device, fault)

    def _fail(self, device: str, fault: Exception) -> None:
        """Log and report the first failure of a device as a device error, which stays until the box restarts.

        What is used after that often has nothing to do, so its success would not show that the device works again.
        """
        if device not in self._failed:
            self._failed.add(device)
            log.error("%s failed", device, exc_info=fault)
            self.inbox.post(DeviceStatus(device, fault_text(fault)))

    def finish_finding(self) -> bool:
        """Wait until the statistics are counted and the reports written that players look at; return False if none."""
        return any([self._statistics.finish(), self._reports.finish()])

    def _perform(self, effects: Sequence[Effect]) -> Request | None:
        """Perform effects in their order; return the request at their end, which the referee waits for."""
        for effect in effects:
            match effect:
                case JournalCall() | PairingCall() | LetPhoneIn() | DrawSeed():
                    return effect
                case Show():
                    self._show(effect)
                case PlaySound(sound):
                    self._use("sounder", self.box.sound, sound, self.clock())
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
                case FindReview():
                    self._find_review(effect)
                case FindPuzzle():
                    self._find_puzzle(effect)
                case JudgePuzzle():
                    self._judge_puzzle(effect)
                case WriteReport():
                    self._begin_report("asked for at the box", answered=True)
                case BeginCardTask(task, given) if self._card:
                    self._card.begin(task, given)
                case AgreeToTask() if self._card:
                    self._card.agree()
                case BeginShelfTask() if self._shelf:
                    self._shelf.begin(effect)
                case Fault(text):
                    self._fault = text
                case TakeRequest() | SendReply():
                    pass  # its phone has withdrawn it
                case BeginCardTask() | AgreeToTask() | BeginShelfTask():
                    pass  # a box without a card, or without the packages of a shelf, refuses the command
        return None

    def _show(self, show: Show) -> None:
        # "lamps": the picture goes to a thread of its own, which reports the errors of the display
        self._use("lamps", self.box.show, show.picture, show.view.lit, show.view.blinking, self.clock())
        self._use("display", self.box.rest, show.view.look)
        self.view = show.view
        try:
            self._publish(show.view)
        except Exception as fault:  # an engine's own code runs while it is published; the replies are due all the same
            fault = show.view.match.sayable(fault) if show.view.match else fault
            log.error("the table could not be published to the phones", exc_info=fault)

    async def _answered(self, request: Request) -> Answered:
        """Perform a request on the thread that may do it."""
        if not isinstance(request, JournalCall):
            return self._answer(request, *self._attempt(request))
        loop = asyncio.get_running_loop()
        return self._answer(request, *await loop.run_in_executor(self._disk, self._attempt, request))

    def _answer(self, request: Request, value: object, fault: str) -> Answered:
        if isinstance(request, JournalCall):
            journal = self.journal
            status = journal.saved, journal.trouble, journal.notice, journal.take_news()
            return Answered(self.clock(), value, fault, *status)
        if isinstance(request, PairingCall | LetPhoneIn) and self._keeper:
            self._step(PhonesKnown(self._keeper.paired()))
        return Answered(self.clock(), value, fault)

    def _attempt(self, request: Request) -> tuple[object, str]:
        """Perform a request; return its value, or the fault that prevented it."""
        try:
            return self._performed(request), ""
        except Exception as fault:
            log.exception("%s failed", type(request).__name__)
            return None, f"{type(fault).__name__}: {fault}"

    def _performed(self, request: Request) -> object:
        match request:
            case JournalCall():
                return request.on(self.journal)
            case PairingCall():
                assert self._keeper, "there is no page for phones"
                return request.on(self._keeper)
            case LetPhoneIn(id):
                return id in self._tickets and self._tickets[id].enter()
            case DrawSeed():
                return self._draw()
