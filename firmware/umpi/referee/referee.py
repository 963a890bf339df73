"""The referee: a deterministic core. Stamped events go in, effects come out."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Coroutine, Sequence
from dataclasses import replace
from operator import attrgetter

from umpi.display.lesson import LearningPanel
from umpi.display.modes import spoken_key
from umpi.display.panel import key_of
from umpi.display.screen_saver import DisplayState, ScreenSaver
from umpi.i18n.translate import Translated, current_language, set_language, tr
from umpi.kernel.game import Act, Game
from umpi.kernel.messages import Name
from umpi.kernel.record import Find
from umpi.referee.announcement import FinishOrderTracker
from umpi.referee.beams import Beams
from umpi.referee.box_answers import BoxAnswers
from umpi.referee.command_handler import CommandHandler
from umpi.referee.controller import Controller
from umpi.referee.cubes import Cubes
from umpi.referee.effects import Effect, Fault, PlaySound, Request, SayAloud, Show, TimePicture
from umpi.referee.empty_seats import EmptySeats
from umpi.referee.events import (
    Answered,
    CardNews,
    DeviceStatus,
    Event,
    HintFound,
    LastUpdate,
    PhonesKnown,
    PictureShown,
    PuzzleFound,
    PuzzleJudged,
    Reach,
    ReportWritten,
    ReviewFound,
    ShelfNews,
    StatisticsCounted,
    SwitchedOn,
    Tick,
)
from umpi.referee.health import DeviceHealth
from umpi.referee.hints import Hints
from umpi.referee.input_check import InputCheck
from umpi.referee.input_queue import LATE_NS, Answer, InputQueue, order_ns
from umpi.referee.late_inputs import LateInputs
from umpi.referee.narrator import Narrator
from umpi.referee.phone_pairing import PhonePairing
from umpi.referee.phones import Phones, fault_line
from umpi.referee.remote import RemoteRequest, Withdrawn
from umpi.referee.saving import Saving
from umpi.referee.session import MatchSession
from umpi.referee.setup import BoxSetup
from umpi.referee.timers import Timers
from umpi.referee.viewer import Viewer
from umpi.referee.wall import WallSensor
from umpi.rulebook.shelf import NO_RULES, Shelf
from umpi.table.card import CardWork
from umpi.table.commands import Do
from umpi.table.empty_seat import UMPI
from umpi.table.hint import Hint
from umpi.table.house import House
from umpi.table.lot import Lot
from umpi.table.names import PlayerNames
from umpi.table.shelf_work import ShelfWork
from umpi.table.state import Table, TableState
from umpi.timing.debounce import Buttons, Press
from umpi.timing.edge import Edge
from umpi.timing.events import Lost, QueueDetection, Scan, Until
from umpi.timing.funnel import Funnel
from umpi.timing.lines import BUTTONS, COLOURS, HOLDING, WHERE

Round = Coroutine[Request, Answered | None, None]

log = logging.getLogger(__name__)


class Referee:
    """Referee one box, without any thread, clock, file or chance of its own.

    `step` takes an event and returns effects. Give it `SwitchedOn` first. Events of devices and phones wait until the
    next `Tick`, which processes them in the order of their stamps. If the last effect is a request, the referee waits
    for `Answered`; other events may come before it, but no `Tick`. The same events lead to the same effects.
    """

    def __init__(self, setup: BoxSetup, games: Sequence[type[Game]], find: Find, rules: Shelf = NO_RULES) -> None:
        """Build all parts, each from those above it."""
        set_language(setup.language)
        self._setup = setup
        self._now_ns = 0  # the newest stamp of the service
        self._running: Round | None = None  # the round that waits for an answer
        self._inbox: list[Event] = []
        self._effects: list[Effect] = []
        emit = self._effects.append

        # what is on the table, and what is shown
        house = House(setup.options, setup.rule_sets, setup.setup_card)
        hint = Hint() if setup.hint else None
        card = CardWork() if setup.card else None
        shelf = ShelfWork() if setup.shelf else None
        self.table = table = Table(
            TableState(rules=rules, hint=hint, house=house, names=PlayerNames(setup.known), card=card, shelf=shelf)
        )
        self.session = session = MatchSession(find, lambda: self._now_ns)
        self.panel = panel = LearningPanel(games, table, Lot(setup.seed))
        self._finish_order = finish_order = FinishOrderTracker(setup.press_bound_ns)  # of the current announcement
        self._rest, self._look = ScreenSaver(setup.dim_after_s, setup.off_after_s), DisplayState()
        self._panel_fault: Exception | None = None  # what the panel failed of, as far as it was reported
        self._fresh = True  # no picture has been shown yet
        self._held: tuple[str, ...] = ()  # the buttons that were down and the beams that were dark at the start

        # what is known beside the match
        self._health = DeviceHealth(table, panel)
        self._wall = WallSensor(setup.wall, self._health)
        self._check = InputCheck(table, setup.beams)
        self._timers = Timers(session, table)
        self._pairing = PhonePairing(session, table)
        self._saving = Saving(session, table, panel)
        self._late = LateInputs(session, table, panel)
        self._box_answers = BoxAnswers(session, setup.press_bound_ns)
        self._seats = seats = EmptySeats(session, table, emit)

        # who plays: answers, then commands, then those who give commands
        funnel = Funnel(setup.beams, setup.gate) if setup.beams else None
        self._cubes = cubes = Cubes(funnel, session, table, panel, finish_order) if funnel else None
        self._controller = controller = Controller(
            session, table, panel, finish_order, cubes, self._wall, self._box_answers, seats, emit
        )
        self._hints = Hints(session, table, panel, controller, emit)
        self.commands = commands = CommandHandler(
            session=session,
            table=table,
            panel=panel,
            controller=controller,
            cubes=cubes,
            timers=self._timers,
            pairing=self._pairing,
            hints=self._hints,
            seats=seats,
            check=self._check,
            games=games,
            emit=emit,
            clock=lambda: self._now_ns,
        )
        self._beams = Beams(funnel, cubes, table, panel, commands, self._late) if funnel and cubes else None
        self.phones = Phones(session, table, finish_order, commands, self._pairing, emit)
        self._buttons = Buttons(HOLDING, hold_ms=setup.hold_ms, repeat_ms=setup.repeat_ms)
        self.answers = InputQueue(self._turn_ns)

        # who shows and speaks it
        self._viewer = Viewer(session, table, panel, finish_order, cubes, self._health)
        self._narrator = Narrator() if setup.voice else None

    def step(self, event: Event) -> list[Effect]:
        """Take an event, and return what is to be done, in this order."""
        if isinstance(event, Edge):  # first, for the sake of a flood
            self._inbox.append(event)
            return []
        match event:
            case SwitchedOn(at_ns):
                self._now_ns = at_ns
                return self._resume_round(self._switch_on(event))
            case Tick(at_ns):
                assert self._running is None, "a round waits for an answer"
                self._now_ns = max(at_ns, self._now_ns)
                return self._resume_round(self._settle(at_ns))
            case Answered(at_ns):
                assert self._running is not None, "nothing was asked"
                self._now_ns = max(at_ns, self._now_ns)
                return self._resume_round(self._running, event)
            case Withdrawn(id):
                self.phones.withdraw(id)
            case PhonesKnown(phones):
                self._pairing.know(phones)
            case _:
                self._inbox.append(event)
        return []

    def _resume_round(self, running: Round, answer: Answered | None = None) -> list[Effect]:
        """Run a round until it asks for something or ends; return the effects so far."""
        self._running = running
        try:
            self._effects.append(running.send(answer))
        except StopIteration:
            self._running = None
        effects = self._effects.copy()
        self._effects.clear()
        return effects

    async def _switch_on(self, event: SwitchedOn) -> None:
        """Resume the match that was in play when the box went off, or show the start screen."""
        session, panel, setup = self.session, self.panel, self._setup
        self._rest = ScreenSaver(setup.dim_after_s, setup.off_after_s, event.at_ns)
        differs = await session.resume()
        self.table.become(replace(self.table.state, unsaved=session.trouble))
        if not session.on:
            await self.commands.welcome()
        self._health.begin(event.device_errors)
        self._check.begin(event.held)
        if session.on:
            await self._resumed(differs)
        elif differs:
            panel.tell(tr("Problem"), differs)
        self._saving.tell_notice()
        self._held = event.held
        self._health.tell_held(event.held)
        if self._beams:
            self._beams.begin(event.held)

    async def _resumed(self, differs: str) -> None:
        """Show the match that is resumed. If its engine fails, report the error and keep the menu reachable."""
        try:
            await self.commands.resumed(differs, back=True)
        except Exception as fault:
            fault = self._sayable(fault)
            log.error("the match on the table cannot be shown as it was", exc_info=fault)
            self._fail(fault)

    async def _settle(self, now_ns: int) -> None:
        """Process the events up to now in the order of their stamps, and show the result.

        A part may fail, because an engine's code runs in it. The failure is logged and shown on the panel, and the
        other parts continue.
        """
        events, self._inbox = self._inbox, []
        changed = await self._guarded(self._process(events, now_ns)) or self._fresh
        if self._beams:
            changed = await self._guarded(self._beams.look(now_ns, quiet=self.answers.due_ns is None)) or changed
        if not self.answers:  # an input that waits is older than what is due now
            changed = await self._guarded(self._timed_act(now_ns)) or changed
            changed = await self._guarded(self._act_for_seat(now_ns)) or changed
        changed = await self._guarded(self._saving.retry()) or changed
        changed = self._saving.tell_notice() or changed
        changed = await self._guarded(self._tick(now_ns)) or changed
        self._late.follow(now_ns)
        if self._saving.failed_now():
            self._rest.stir(now_ns)
        look = self._rest.look(now_ns)
        if changed or look != self._look:
            self._fresh, self._look = False, look
            self._show()
            if self._check.ask():
                self._effects.append(TimePicture())

    async def _guarded(self, part: Awaitable[bool]) -> bool:
        """Run a part of a round. If it fails, log the traceback, report the error on the panel and return True."""
        try:
            return await part
        except Exception as fault:
            fault = self._sayable(fault)
            log.error("a part of the referee's loop failed; the game goes on", exc_info=fault)
            self._fail(fault)
            return True

    def _sayable(self, fault: Exception) -> Exception:
        """Return a fault as everybody may read it."""
        match = self.session.match
        return match.sayable(fault) if match else fault

    def _fail(self, fault: Exception) -> None:
        """Show what failed, and report it to the service."""
        why = Translated(fault_line(fault))
        self._effects.append(Fault(why))
        self.panel.tell(tr("Problem"), tr("Box error: {fault}", fault=why))

    async def _process(self, events: Sequence[Event], now_ns: int) -> bool:
        """Process a batch of events; return whether the picture may have changed."""
        changed = False
        stamped = [event for event in events if isinstance(event, Edge)]
        others = [event for event in events if not isinstance(event, Edge)]
        for each in (edge for edge in stamped if edge.active):
            self._rest.stir(each.at_ns)
        for event in others:
            if isinstance(event, Lost) and self._beams:
                self._beams.lose(event.count)
            elif isinstance(event, Scan | RemoteRequest):
                self._rest.stir(event.at_ns)
            elif isinstance(event, DeviceStatus) and _ready(event):  # before its edges, which are newer
                if self._beams:
                    self._beams.begin(event.dark)
                self._check.reset_beams(event.dark)
        if self._narrator:  # a held seat button says its answer, except where the seats race each other
            self._buttons.holding = frozenset(HOLDING if self.panel.owning else (*HOLDING, *COLOURS))
        changed = self._check.hear(stamped) or changed
        hit = self._wall.hear(stamped)
        if self._beams:
            self._beams.take(stamped)
        edges = sorted((edge for edge in stamped if edge.line in BUTTONS), key=attrgetter("at_ns"))
        presses = [press for edge in edges for press in self._buttons.edge(edge)]
        presses += self._buttons.tick(now_ns)
        self.answers.take([*presses, *(event for event in others if isinstance(event, Scan | RemoteRequest))])
        for answer in self.answers.pop_due(now_ns):
            changed = await self._guarded(self._take(answer)) or changed
        if hit and self.table.state.asking:
            self._effects.append(PlaySound("cube"))
            self.panel.note(tr("Wall hit"))
            changed = True
        for event in others:
            changed = self._hear(event) or changed
        return changed

    async def _tick(self, now_ns: int) -> bool:
        """Update the timers and the phones; return whether the picture may have changed."""
        await self._box_answers.draw_wait()
        changed = self._timers.tick(now_ns)
        if self._timers.turn.rings(now_ns):
            self._rest.stir(now_ns)
            self._effects.append(PlaySound("time"))
        changed = await self._seats.tick(now_ns, self.panel) or changed
        changed = self._pairing.tick(now_ns) or changed
        changed = self._late.tick(now_ns) or changed
        changed = self._health.tell(self.session.match if self.table.state.asking else None) or changed
        return self._controller.pass_calls(now_ns) or changed

    async def _take(self, answer: Answer) -> bool:
        """Play an input, or show why it does not count. Return False if it only lit the panel."""
        press = answer if isinstance(answer, Press) else None
        where = press is not None and press.button == WHERE
        if press and not where and self._rest.blind(press.at_ns):
            return False
        await self._guarded(self._timed_act(answer.at_ns))
        if where:  # it answers at once at any time, also to somebody who cannot see whether the screen is lit
            self._tell_where()
            return True
        menu = press and press.long  # a long press opens the menu, which is available at every question
        if press and press.button == "ok" and self.panel.remedied:
            menu = False  # there it agrees, as a short one does
        own = press is not None and press.button in COLOURS and self.panel.owning
        if isinstance(answer, RemoteRequest):
            races, question = self.phones.races(answer.command), self.session.question
            await self._late.run_unprompted("phone", self.phones.take(answer))
            if races and self.session.question != question:
                self._late.note_raced(answer.at_ns)
        elif self._late.late(answer.at_ns) and not menu:
            self._late.tell()
        elif press and not menu and self._late.ignores(press):
            pass
        else:
            await (self._scan(answer) if isinstance(answer, Scan) else self._press(answer))
        by_seat = isinstance(answer, RemoteRequest) or (isinstance(answer, Press) and answer.button in COLOURS)
        self._late.follow(order_ns(answer), own and self.panel.entering, by_seat)
        self._timers.follow(answer.at_ns)
        return True

    def _turn_ns(self, answer: Answer) -> int | None:
        """Return when to play an input, in nanoseconds: at once, or in a race when no older one can arrive.

        Returns None if a seat's press must wait for a cube that fell before it, in a lane whose owner is known.
        """
        remote = isinstance(answer, RemoteRequest) and self.phones.races(answer.command)
        if not self.panel.owning and not remote:
            return answer.at_ns
        funnel = self._beams.funnel if self._beams else None
        if funnel and funnel.settings.lanes > 1 and isinstance(answer, Press) and answer.button in COLOURS:
            front_ns = funnel.front_ns
            if front_ns is not None and front_ns < answer.at_ns:
                return None
        return answer.at_ns + LATE_NS

    def _hear(self, event: Event) -> bool:
        """Process the events of the other devices; return whether the picture changes."""
        match event:
            case Until(at_ns) if self._beams:
                self._beams.funnel.reported_until(at_ns)
            case QueueDetection() if self._cubes:
                self._cubes.rests(event)
            case DeviceStatus():
                return self._trouble(event)
            case PictureShown(at_ns):
                return self._check.shown(at_ns)
            case HintFound():
                return self._hear_decision(event) or self._hints.hear(event)
            case StatisticsCounted():
                return self.commands.tell_statistics(event)
            case ReviewFound():
                return self.commands.tell_review(event)
            case PuzzleFound():
                return self.commands.tell_puzzle(event)
            case PuzzleJudged():
                return self.commands.tell_verdict(event)
            case ReportWritten():
                return self.commands.tell_report(event)
            case CardNews():
                if event.stage != "busy":
                    self._rest.stir(self._now_ns)
                changed = self.commands.tell_card(event)
                if event.stage == "asks" and self.panel.remedied:
                    self._late.interrupt()
                return changed
            case LastUpdate():
                self._rest.stir(self._now_ns)
                return self.commands.tell_last_update(event)
            case ShelfNews():
                return self.commands.tell_shelf(event)
            case Reach(wifi, passphrase, trouble, page, hello):
                if hello:
                    self._rest.stir(self._now_ns)
                    self.panel.hello(wifi, passphrase, page)
                else:
                    self.panel.reach(wifi, passphrase, page, trouble)
                return True
            case Until() | QueueDetection():
                pass  # the device is not part of this box
            case Edge() | Lost() | Scan() | RemoteRequest() | Withdrawn() | PhonesKnown():
                pass  # a round takes them before, in the order of their stamps
            case SwitchedOn() | Tick() | Answered():
                pass  # they begin or continue a round
        return False

    def _trouble(self, status: DeviceStatus) -> bool:
        fresh = self._health.take(status)
        if fresh and status.reason:
            self._rest.stir(self._now_ns)
        if fresh and status.device == "light" and self._beams:
            self._beams.light(bool(status.reason))
        if fresh and status.device == "head" and self._beams:
            self._beams.stop()
        if _ready(status) and (fresh or not {*status.dark} <= {*self._held}):  # those held at the start have been shown
            self._health.tell_held(status.dark)
            return True
        return fresh

    def due_ns(self, now_ns: int) -> int | None:
        """When the next `Tick` has work without a new event, in nanoseconds; None if only an event brings work."""
        input_ns, beams = self.answers.due_ns, self._beams
        dues = [input_ns if input_ns is not None or not beams else beams.funnel.due_ns]
        dues += [self._buttons.due_ns, self.panel.calls.due_ns, self._late.due_ns, self._seats.due_ns]
        dues += [part.due_ns(now_ns) for part in (self._timers, self._rest, self._pairing, self._saving)]
        return min((due for due in dues if due is not None), default=None)

    async def _press(self, press: Press) -> None:
        if press.lasting:
            if press.button == "back":
                await self.commands.unplug()
            return
        if press.long and press.button in COLOURS:
            self._say(spoken_key(self.panel.screen(), COLOURS.index(press.button)))
            return
        racing = self.panel.owning and press.button in COLOURS
        self._wall.press(press.at_ns, self.panel.entering)
        if command := self.panel.press(key_of(press.button), press.long):
            await self.commands.grant(command, press.at_ns, "panel")
        if racing:
            self._late.note_raced(press.at_ns)

    async def _scan(self, scan: Scan) -> None:
        command = self.panel.scan(scan.code)
        if isinstance(command, str):
            self.panel.refuse(command)
            self._effects.append(PlaySound("refused"))
        elif command:
            await self.commands.grant(command, scan.at_ns, "scanner")

    async def _timed_act(self, at_ns: int) -> bool:
        """Do the timed act of the question if it is due; return whether it was tried."""
        timed = self._timers.timed()
        if timed is None or timed.due_ns > at_ns:
            return False
        self._rest.stir(timed.due_ns)
        question = self.session.question
        try:
            await self.commands.grant(Do((Act(timed.verb),)), timed.due_ns, "box")
        finally:
            if self.session.question == question:  # it failed, and would fail again at once
                self.session.give_up_timed()
        if not self.table.state.asking:
            self._late.change("time")
        self._late.follow(timed.due_ns)
        return True

    async def _act_for_seat(self, now_ns: int) -> bool:
        """Do what the box has decided for its own seat, once players have read it; return whether it was tried."""
        due_ns, act = self._seats.due_ns, self._seats.act_due(now_ns)
        if act is None or due_ns is None:
            return False
        self._rest.stir(due_ns)
        question = self.session.question
        try:
            await self.commands.grant(Do((act,)), due_ns, "box")
        finally:
            if self.session.question == question:  # it failed, and would fail again at once
                self._seats.give_up()
                self._controller.refresh()
        self._late.change("time")
        self._late.follow(due_ns)
        return True

    def _hear_decision(self, found: HintFound) -> bool:
        """Show what the box has decided for its own seat, or that people must decide; return whether it was that."""
        if not self._seats.hear(found):
            return False
        self._controller.refresh()
        turn, match = self.table.state.box_turn, self.session.match
        if turn and turn.given_up and match:
            who = Name(match.players[turn.seat])
            self.panel.tell(UMPI, tr("{who} cannot decide. Enter a move for {who}.", who=who), passing=True)
        return True

    def _tell_where(self) -> None:
        """Show where the match is; a voice says it, again at each press. Without a match it repeats the screen."""
        self.panel.tell_where()
        if self._narrator:
            self._narrator.repeat()

    def _say(self, text: str) -> None:
        self._effects.append(SayAloud(text, current_language()))

    def _show(self) -> None:
        self._late.show(self._now_ns)
        picture = None
        try:
            picture = self.panel.picture()
        except Exception as fault:  # the game continues, and the phones still get their replies
            log.error("the panel failed", exc_info=self._sayable(fault))
        if self.panel.fault is not self._panel_fault:
            self._panel_fault = self.panel.fault
            if self._panel_fault:
                self._effects.append(Fault(fault_line(self._panel_fault)))
        view = self._viewer.view(self._look)
        self._finish_order.show(view.question, self._now_ns)
        self._effects.append(Show(picture, view))
        self.session.clock.show(self._now_ns)
        if self._narrator and (text := self._narrator.narrate(view)):
            self._say(text)
        self.phones.shown()


def _ready(status: DeviceStatus) -> bool:
    """Return whether a sensor head begins to report. The first time, there is no device error that ends."""
    return status.device == "head" and not status.reason
