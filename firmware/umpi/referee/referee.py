"""The referee's main loop: process stamped events, play acts, write them to the journal, then show the result."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Literal, TypeVar

from umpi.box.box import BUTTONS, Box, DeviceStatus
from umpi.box.config import COLOURS, WALL
from umpi.display.panel import Panel
from umpi.drivers.head_protocol import Lost, Until
from umpi.drivers.queue_rail import QueueDetection
from umpi.drivers.scanner import Scan
from umpi.drivers.screen_saver import DisplayState, ScreenSaver
from umpi.drivers.speaker import Sound
from umpi.i18n.translate import Translated, tr
from umpi.journal import Journal
from umpi.kernel.record import Find
from umpi.referee.announcement import FinishOrderTracker
from umpi.referee.command_handler import CommandHandler
from umpi.referee.controller import Controller
from umpi.referee.cubes import Cubes
from umpi.referee.health import DeviceHealth
from umpi.referee.inbox import Event, Inbox
from umpi.referee.input_queue import LATE_NS, Answer, InputQueue
from umpi.referee.phones import Phones, happened
from umpi.referee.remote import RemoteRequest
from umpi.referee.session import MatchSession
from umpi.referee.timers import Timers
from umpi.timing.debounce import Press
from umpi.timing.edge import Edge
from umpi.wifi.reach import Reach

MS = 1_000_000
BATCH = 2000  # events per round of the loop: a flood must not block the rest of the service
FOREVER = 2**63 - 1  # nanoseconds
T = TypeVar("T")

log = logging.getLogger(__name__)


class Referee:
    """Referee one box. `post` may be called from any thread, everything else only from the loop's thread.

    `clock` returns monotonic nanoseconds; the edges are stamped by the same clock. `find` finds a game by its id.
    The referee calls `commands.locate` when a player asks how phones reach the box. A Reach is posted then.
    """

    def __init__(self, panel: Panel, journal: Journal, find: Find, clock: Callable[[], int], rest: ScreenSaver) -> None:
        self.panel, self.journal, self.clock = panel, journal, clock
        self._rest, self._look = rest, DisplayState()
        self._saved = True  # the state that the last round saw
        self.session = MatchSession(journal, find, clock)
        self.box: Box | None = None
        self._inbox = Inbox()
        self._round = asyncio.Lock()
        self.answers = InputQueue(self._turn_ns)
        self._prompt_shown_ns, self._first = (
            0,
            "",
        )  # when a question that no button led to was shown, and what led to it
        self._raced_ns = 0  # the stamp of the last press in a race
        self.turned = 0  # how many rounds the loop has made
        self._notice = ""  # the journal's notice that was shown last
        self._fresh = True  # no picture has been shown yet
        self._lost = 0  # edges lost since the last look at the cubes
        self._finish_order = FinishOrderTracker()  # of the current announcement
        self._health: DeviceHealth | None = None
        session, finish_order = self.session, self._finish_order
        self._timers = Timers(session, panel)
        self._controller = Controller(session, panel, finish_order, self._sound)
        self.phones = Phones(session, panel, finish_order, self._controller)
        parts = self._controller, self._timers, self.phones
        self.commands = CommandHandler(session, panel, finish_order, *parts, self._sound, clock)
        self.commands.locate = lambda: self.post(Reach())
        self._differs = session.resume()
        panel.unsaved = journal.trouble
        if not session.on:
            panel.welcome(session.match, session.table, session.resumable())

    def use(self, box: Box) -> None:
        """Use the devices of a box."""
        self.box = box
        if box.funnel:
            self._controller.cubes = Cubes(
                box.funnel, self.session, self.panel, self._finish_order, self._controller.do
            )
        self._health = DeviceHealth(box, self.panel)
        if self.session.on:
            self._resumed()
        elif self._differs:
            self.panel.tell(tr("Problem"), self._differs)
        self._tell_notice()
        self._tell_held(box.held())

    def _resumed(self) -> None:
        """Show the match that is resumed. If its engine fails, report the error and keep the menu reachable."""
        try:
            self.commands.resumed(self._differs, back=True)
        except Exception as fault:
            log.exception("the match on the table cannot be shown as it was")
            why = Translated(f"{type(fault).__name__}: {fault}")
            self.panel.tell(tr("Problem"), tr("Box error: {fault}", fault=why))

    def post(self, event: Event) -> None:
        """Put an event of a device into the inbox and wake the loop."""
        self._inbox.post(event)

    async def run(self, stop: asyncio.Event) -> None:
        """Run the loop until `stop` is set."""
        loop, woken = asyncio.get_running_loop(), asyncio.Event()

        def wake() -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(woken.set)

        self._inbox.wake = wake
        stopped = asyncio.create_task(stop.wait())
        stopped.add_done_callback(lambda _: woken.set())
        while not stop.is_set():
            woken.clear()
            await self.settle()
            await asyncio.sleep(0)  # the phone page gets its turn even in a flood
            due = self.due_ns
            timeout = None if due is None else max(0.0, (due - self.clock()) / 1e9)
            if not self._inbox:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(woken.wait(), timeout)

    async def settle(self) -> None:
        """Process the events up to now in the order of their stamps, and show the result.

        Takes at most `BATCH` events; the rest of a flood waits for the next call. A part may fail, because an
        engine's code runs in it. The failure is logged and shown on the panel, and the other parts continue.

        Rounds never overlap. A match changes only after it is written, so a second round would not see the changes of
        the first.
        """
        async with self._round:
            await self._settle()

    async def _settle(self) -> None:
        assert self.box
        box, changed, taken = self.box, self._fresh, 0
        while True:
            now_ns = self.clock()
            events = self._inbox.take(BATCH - taken)
            taken += len(events)
            changed = await self._guarded(self._process(events, now_ns)) or changed
            if not events or taken >= BATCH:
                break
        lost, self._lost = self._lost, 0
        changed = await self._guarded(self._look_at_cubes(now_ns, lost)) or changed
        if not self.answers:  # an input that waits is older than what is due now
            changed = await self._guarded(self._timed_act(now_ns)) or changed
        changed = await self._guarded(self._retry()) or changed
        changed = self._tell_notice() or changed
        changed = await self._guarded(self._tick(now_ns)) or changed
        box.lamps.tick(now_ns)
        if self._saved and self.journal.trouble:
            self._rest.stir(now_ns)
        self._saved = not self.journal.trouble
        look = self._rest.look(now_ns)
        if changed or look != self._look:
            self._fresh, self._look = False, look
            self._show(now_ns)
        self.turned += 1

    async def _guarded(self, part: Awaitable[bool]) -> bool:
        """Run a part of a round. If it fails, log the traceback, report the error on the panel and return True."""
        try:
            return await part
        except Exception as fault:
            log.exception("a part of the referee's loop failed; the game goes on")
            self._finish_order.forget()
            why = Translated(f"{type(fault).__name__}: {fault}")
            self.panel.tell(tr("Problem"), tr("Box error: {fault}", fault=why))
            return True

    async def _process(self, events: Sequence[Event], now_ns: int) -> bool:
        """Process a batch of events; return whether the picture may have changed."""
        assert self.box
        changed = False
        for event in events:
            if isinstance(event, Lost):
                self._lost += event.count
            elif isinstance(event, Scan | RemoteRequest) or (isinstance(event, Edge) and event.active):
                self._rest.stir(event.at_ns)
        edges = sorted(self._beams(events), key=lambda edge: edge.at_ns)
        presses = [press for edge in edges for press in self.box.buttons.edge(edge)]
        presses += self.box.buttons.tick(now_ns)
        self.answers.take([*presses, *(event for event in events if isinstance(event, Scan | RemoteRequest))])
        for answer in self.answers.pop_due(now_ns):
            changed = await self._guarded(self._take(answer)) or changed
        for event in events:
            changed = await self._hear(event) or changed
        return changed

    async def _look_at_cubes(self, now_ns: int, lost: int) -> bool:
        """Take the cubes that have become certain, and name the owners of those at rest.

        Returns whether that changed anything.
        """
        cubes = self._controller.cubes
        if not cubes or not (lost or self.answers.due_ns is None):
            return False
        changed = await self.run_unprompted("cube", cubes.look(now_ns, lost)) or lost > 0
        return (not self.panel.paused and await self.run_unprompted("cube", cubes.own(now_ns))) or changed

    async def _tick(self, now_ns: int) -> bool:
        """Update the timers, the phones and the sounder; return whether the picture may have changed."""
        assert self.box
        changed = self._timers.tick(now_ns)
        if self._timers.turn.rings(now_ns):
            self._rest.stir(now_ns)
            self._sound("time")
        changed = self.phones.tick(now_ns) or changed
        if self._health:
            changed = self._health.tell(self.session.match if self.panel.asking else None) or changed
        if self.box.speaker:
            self.box.speaker.tick(now_ns)
            changed = self._trouble(DeviceStatus("sounder", self.box.speaker.trouble)) or changed
        return changed

    async def _take(self, answer: Answer) -> bool:
        """Play an input, or show why it does not count. Return False if it only lit the panel."""
        press = answer if isinstance(answer, Press) else None
        if press and self._rest.blind(press.at_ns):
            return False
        await self._guarded(self._timed_act(answer.at_ns))
        menu = press and press.long  # a long press opens the menu, which is available at every question
        if isinstance(answer, RemoteRequest):
            await self.run_unprompted("phone", self.phones.take(answer))
        elif answer.at_ns < self._prompt_shown_ns and not self.panel.owning and not menu:
            self._too_late()
        else:
            await (self._scan(answer) if isinstance(answer, Scan) else self._press(answer))
        return True

    def _turn_ns(self, answer: Answer) -> int | None:
        """Return when to play an input, in nanoseconds: at once, or in a race when no older one can arrive.

        Returns None if a seat's press must wait for a cube. Such a cube fell before the press, in a lane whose owner
        is known.
        """
        if not self.panel.owning:
            return answer.at_ns
        funnel = self.box.funnel if self.box else None
        if funnel and funnel.settings.lanes > 1 and isinstance(answer, Press) and answer.button in COLOURS:
            front_ns = funnel.front_ns
            if front_ns is not None and front_ns < answer.at_ns:
                return None
        return answer.at_ns + LATE_NS

    async def run_unprompted(self, who: Literal["phone", "cube"], doing: Awaitable[T]) -> T:
        """Run something that no button of the box requested, and return its result.

        Presses before its result is shown were meant for the earlier question.
        """
        asked = self.session.question, self.panel.unsure
        done = await doing
        if (self.session.question, self.panel.unsure) != asked:
            self._prompt_shown_ns, self._first = FOREVER, who
        return done

    def _too_late(self) -> None:
        """Show why a press or a scan does not count. After a timed act the screen already shows the end."""
        what = happened(self.session)
        if self._first == "phone":
            self.panel.tell(tr("Too late"), tr("A phone was first. {what}", what=what), passing=True)
        elif self._first == "cube":
            self.panel.tell(tr("Too late"), tr("A cube was first. {what}", what=what), passing=True)

    def _beams(self, events: Sequence[Event]) -> list[Edge]:
        """Pass the beams' edges to the funnel in order of arrival, and return the edges of the buttons.

        Drops the edges of beams if the box has no funnel.
        """
        assert self.box
        funnel, pressed = self.box.funnel, []
        for event in events:
            if not isinstance(event, Edge):
                continue
            if funnel and event.line in funnel.lines:
                funnel.edge(event)
            elif event.line in BUTTONS:
                pressed.append(event)
        return pressed

    async def _hear(self, event: Event) -> bool:
        """Process the events of the other devices; return whether the picture changes."""
        assert self.box
        match event:
            case Edge(line, True) if line == WALL and self.panel.asking:
                self._sound("cube")
                self.panel.note(tr("Wall hit"))
                return True
            case Until(at_ns) if self.box.funnel:
                self.box.funnel.heard(at_ns)
            case QueueDetection() if self._controller.cubes:
                self._controller.cubes.rests(event)
            case DeviceStatus():
                return self._trouble(event)
            case Reach(wifi, passphrase, trouble):
                pairing = self.phones.pairing
                self.panel.reach(wifi, passphrase, pairing.address if pairing else "", trouble)
                return True
        return False

    def _trouble(self, trouble: DeviceStatus) -> bool:
        assert self.box
        assert self._health
        fresh = self._health.take(trouble)
        if fresh and trouble.reason:
            self._rest.stir(self.clock())
        if fresh and trouble.device == "head":
            if self.box.funnel:
                self.box.funnel.heard(None)
            if not trouble.reason and self.box.head:
                self._tell_held(sorted(self.box.head.dark))
        return fresh

    def _tell_held(self, held: Sequence[str]) -> None:
        """Show which buttons are pressed or beams are dark, so that the players can check them."""
        if held:
            template = "Pressed or blocked at startup: {lines}. Check button, beam and wire."
            self.panel.tell(tr("Stuck"), tr(template, lines=", ".join(held)), passing=True)

    @property
    def due_ns(self) -> int | None:
        """When `settle` next has work without a new event, in nanoseconds; None if only an event brings work."""
        assert self.box
        turn_ns, funnel = self.answers.due_ns, self.box.funnel
        dues = [turn_ns if turn_ns is not None or not funnel else funnel.due_ns]
        dues += [each.due_ns for each in (self.box.buttons, self.box.speaker, self.box.lamps) if each]
        now_ns = self.clock()
        dues += [self._timers.due_ns(now_ns), self._rest.due_ns(now_ns), self.phones.due_ns(now_ns)]
        if self.journal.trouble:
            dues.append(now_ns + 1000 * MS)
        return min((due for due in dues if due is not None), default=None)

    def close(self) -> None:
        """Wait until pending writes are finished, then close the journal."""
        self.session.close()

    async def _press(self, press: Press) -> None:
        if press.lasting:
            if press.button == "back":
                await self.commands.unplug()
            return
        key: Any = COLOURS.index(press.button) if press.button in COLOURS else press.button
        racing = self.panel.owning and press.button in COLOURS
        if command := self.panel.press(key, press.long):
            await self.commands.grant(command, press.at_ns)
        if racing and press.at_ns < self._raced_ns:
            self.panel.tell(tr("Unclear"), tr("A button press came late: check the order."), passing=True)
        self._raced_ns = max(press.at_ns, self._raced_ns) if racing else self._raced_ns

    async def _scan(self, scan: Scan) -> None:
        command = self.panel.scan(scan.code)
        if isinstance(command, str):
            self.panel.refuse(command)
            self._sound("refused")
        elif command:
            await self.commands.grant(command, scan.at_ns, "scanner")

    async def _timed_act(self, at_ns: int) -> bool:
        """Do the timed act of the question if it is due; return whether it was tried."""
        due_ns, verb = self._timers.timed()
        if due_ns is None or due_ns > at_ns:
            return False
        self._rest.stir(due_ns)
        question = self.session.question
        try:
            await self._controller.do([{"do": verb}], due_ns, "box")
        finally:
            if self.session.question == question:  # it failed, and would fail again at once
                self.session.give_up_timed()
        if not self.panel.asking:
            self._prompt_shown_ns, self._first = FOREVER, "time"
        return True

    async def _retry(self) -> bool:
        """Try again to save what could not be written; return whether the sign may have to change."""
        if not self.journal.trouble:
            return False
        await self.session.write(self.journal.save)
        self.panel.unsaved = self.journal.trouble
        return True

    def _tell_notice(self) -> bool:
        """Show a notice of the journal that the players must see; return whether it is new."""
        notice = self.journal.notice
        if not notice or notice == self._notice:
            return False
        self._notice = notice
        self.panel.tell(tr("Problem"), notice)
        return True

    def _sound(self, sound: Sound) -> None:
        assert self.box
        self.box.sound(sound, self.clock())

    def _show(self, now_ns: int) -> None:
        assert self.box
        if self._prompt_shown_ns == FOREVER:
            self._prompt_shown_ns = now_ns
        first = None if self._controller.cubes and self._controller.cubes.unsure else self._finish_order.first
        lit, blinking = self._lamps(first)
        try:
            self.box.show(self.panel.picture(), lit, blinking, now_ns)
            self.box.rest(self._look)
        except Exception:  # a panel or lamps failed: the game continues, and the phones still get their replies
            log.exception("the panel or the lamps failed")
        self.phones.shown()

    def _lamps(self, first: int | None) -> tuple[set[int], set[int]]:
        """Return the lamps that are lit and those that blink; none if the engine fails."""
        if not self.panel.playing:
            return set(), set()
        try:
            bright = self._look.light == "bright"
            return self.session.lit(), self.session.blinking(first) if bright else set()
        except Exception:  # the engine decides whose turn it is
            log.exception("the lamps cannot be set")
            return set(), set()
