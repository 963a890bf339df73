"""The one loop: stamped edges in, acts to the match, lines to the journal, and only then pictures out."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from umpi.announcement import News, cube_last
from umpi.box import Box, Event, Trouble
from umpi.clocks import Clocks
from umpi.config import COLOURS, WALL
from umpi.cubes import Cubes
from umpi.devices.buttons import Press
from umpi.devices.dimming import Look, Rest
from umpi.devices.edges import Edge
from umpi.devices.head_talk import Lost, Until
from umpi.devices.rail import Seen
from umpi.devices.scanner import Scan
from umpi.devices.speaker import Sound
from umpi.journal import Journal
from umpi.network.reach import Reach
from umpi.panel.languages import Speak
from umpi.panel.pairing import Pair, Unpair, Void, Where
from umpi.panel.panel import Panel
from umpi.panel.setup import Table
from umpi.panel.wishes import (
    Do,
    End,
    GoOn,
    Leave,
    Limit,
    Pause,
    Rename,
    Resume,
    Settle,
    Start,
    TakeBack,
    Wish,
)
from umpi.phones import Phones
from umpi.rules.match import Refused
from umpi.rules.record import Find
from umpi.rules.words import Name, words
from umpi.sitting import Sitting
from umpi.tap import Tap
from umpi.tongue import Told, called, speak, told
from umpi.troubles import Troubles

MS = 1_000_000


class Referee:
    """Referees one box. `post` may be called from any thread; everything else from the loop's.

    `clock` gives monotonic nanoseconds, the same clock the edges are stamped by. `find` finds a game by its id.
    `locate` is called when somebody asks how phones reach the box; a Reach is posted then.
    """

    def __init__(self, panel: Panel, journal: Journal, find: Find, clock: Callable[[], int], rest: Rest) -> None:
        self.panel, self.journal, self.clock = panel, journal, clock
        self._rest, self._look = rest, Look()
        self._saved = True  # as far as has been noticed
        self.sitting = Sitting(journal, find, clock)
        self.box: Box | None = None
        self._inbox: list[Event] = []
        self._inbox_lock = threading.Lock()
        self._wake: Callable[[], object] = int
        self.locate: Callable[[], object] = lambda: self.post(Reach())
        self._fresh = True  # nothing has been shown yet
        self._cubes: Cubes | None = None
        self._news = News()  # of the announcement in hand
        self._troubles: Troubles | None = None
        self._clocks = Clocks(self.sitting, panel)
        self.phones = Phones(self.sitting, panel, self._news, lambda: self._cubes, self._play)
        trouble = self.sitting.resume()
        panel.unsaved = journal.trouble
        panel.welcome(self.sitting.match, self.sitting.table)
        if trouble:
            panel.tell(told("Trouble"), trouble)

    def use(self, box: Box) -> None:
        """Take the devices of a box."""
        self.box = box
        if box.funnel:
            self._cubes = Cubes(box.funnel, self.sitting, self.panel, self._news, self._do)
        self._troubles = Troubles(box, self.panel)
        self._tell_held(box.held())

    def post(self, event: Event) -> None:
        """Put what a device tells on the queue and wake the loop."""
        with self._inbox_lock:
            self._inbox.append(event)
        self._wake()

    async def run(self, stop: asyncio.Event) -> None:
        """Referee until `stop` is set."""
        loop, woken = asyncio.get_running_loop(), asyncio.Event()

        def wake() -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(woken.set)

        self._wake = wake
        stopped = asyncio.create_task(stop.wait())
        stopped.add_done_callback(lambda _: woken.set())
        while not stop.is_set():
            await self.settle()
            due = self.due_ns
            timeout = None if due is None else max(0.0, (due - self.clock()) / 1e9)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(woken.wait(), timeout)
            woken.clear()

    async def settle(self) -> None:
        """Take all that has happened up to now, in the order of the stamps, and show where that leads."""
        assert self.box
        changed, lost = self._fresh, 0
        while True:
            now_ns = self.clock()
            with self._inbox_lock:
                events, self._inbox = self._inbox, []
            for event in events:
                if isinstance(event, Lost):
                    lost += event.count
                elif isinstance(event, Scan | Tap) or (isinstance(event, Edge) and event.active):
                    self._rest.stir(event.at_ns)
            edges = sorted(self._beams(events), key=lambda edge: edge.at_ns)
            presses = [press for edge in edges for press in self.box.buttons.edge(edge)]
            presses += self.box.buttons.tick(now_ns)
            answers: list[Press | Scan | Tap] = [*presses, *(each for each in events if isinstance(each, Scan | Tap))]
            gone = False  # the question that presses and scans were meant for
            for answer in sorted(answers, key=lambda answer: answer.at_ns):
                if isinstance(answer, Press) and self._rest.blind(answer.at_ns):
                    continue  # it has only lit the panel
                changed = True
                gone = gone or (await self._timed_act(answer.at_ns) and not self.panel.asking)
                if isinstance(answer, Tap):
                    await self.phones.take(answer)
                elif not gone and not self.phones.late(answer.at_ns):
                    await (self._press(answer) if isinstance(answer, Press) else self._scan(answer))
            for event in events:
                changed = await self._hear(event) or changed
            if not events:
                break
        if self._cubes:
            changed = await self._cubes.look(now_ns, lost) or changed or lost > 0
            changed = (not self.panel.paused and await self._cubes.own(now_ns)) or changed
        changed = await self._timed_act(now_ns) or changed
        changed = await self._retry() or changed
        changed = self._clocks.tick(now_ns) or changed
        if self._clocks.turn.rings(now_ns):
            self._rest.stir(now_ns)
            self._sound("time")
        changed = self.phones.tick(now_ns) or changed
        if self._troubles:
            changed = self._troubles.tell(self.sitting.match if self.panel.asking else None) or changed
        if self.box.speaker:
            self.box.speaker.tick(now_ns)
            changed = self._trouble(Trouble("sounder", self.box.speaker.trouble)) or changed
        self.box.lamps.tick(now_ns)
        if self._saved and self.journal.trouble:
            self._rest.stir(now_ns)
        self._saved = not self.journal.trouble
        look = self._rest.look(now_ns)
        if changed or look != self._look:
            self._fresh, self._look = False, look
            self._show(now_ns)

    def _beams(self, events: Sequence[Event]) -> list[Edge]:
        """Give the beams' edges to the funnel in the order they arrived, which it keeps; return the buttons' own."""
        assert self.box
        funnel, others = self.box.funnel, []
        for event in events:
            if not isinstance(event, Edge):
                continue
            if funnel and event.line in funnel.lines:
                funnel.edge(event)
            elif event.line != WALL:
                others.append(event)
        return others

    async def _hear(self, event: Event) -> bool:
        """Take what is neither a beam's, a button's nor a scan; True where that changes the picture."""
        assert self.box
        match event:
            case Edge(line, True) if line == WALL and self.panel.asking:
                self._sound("cube")
                self.panel.note(told("Wall hit"))
                return True
            case Until(at_ns) if self.box.funnel:
                self.box.funnel.heard(at_ns)
            case Seen() if self._cubes:
                self._cubes.rests(event)
            case Trouble():
                return self._trouble(event)
            case Reach(wifi, passphrase, trouble):
                pairing = self.phones.pairing
                self.panel.reach(wifi, passphrase, pairing.address if pairing else "", trouble)
                return True
        return False

    def _trouble(self, trouble: Trouble) -> bool:
        assert self.box
        assert self._troubles
        fresh = self._troubles.take(trouble)
        if fresh and trouble.reason:
            self._rest.stir(self.clock())
        if fresh and trouble.device == "head":
            if self.box.funnel:
                self.box.funnel.heard(None)
            if not trouble.reason and self.box.head:
                self._tell_held(sorted(self.box.head.dark))
        return fresh

    def _tell_held(self, held: Sequence[str]) -> None:
        """Say what is pressed or dark while nobody plays: whoever sees it is to look why."""
        if held:
            template = "Down or dark from the start: {lines}. Look at the button, the beam, the wire."
            self.panel.tell(told("Stuck"), told(template, lines=", ".join(held)), passing=True)

    @property
    def due_ns(self) -> int | None:
        """When `settle` next has something to do by itself; None where only an edge can bring news."""
        assert self.box
        devices = (self.box.buttons, self.box.speaker, self.box.funnel, self.box.lamps)
        dues = [*(device.due_ns for device in devices if device)]
        dues += [self._clocks.due_ns(self.clock()), self._rest.due_ns(self.clock()), self.phones.due_ns(self.clock())]
        if self.journal.trouble:
            dues.append(self.clock() + 1000 * MS)
        return min((due for due in dues if due is not None), default=None)

    def close(self) -> None:
        """Finish what is being written."""
        self.sitting.close()

    async def _press(self, press: Press) -> None:
        key: Any = COLOURS.index(press.button) if press.button in COLOURS else press.button
        if wish := self.panel.press(key, press.long):
            await self._grant(wish, press.at_ns)

    async def _scan(self, scan: Scan) -> None:
        wish = self.panel.scan(scan.code)
        if isinstance(wish, str):
            self.panel.refuse(wish)
            self._sound("refused")
        elif wish:
            await self._grant(wish, scan.at_ns, "scanner")

    async def _grant(self, wish: Wish, at_ns: int, who: str = "panel") -> None:
        match wish:
            case Start(table):
                await self._start(table, at_ns)
            case GoOn():
                self._show_match()
                if self._cubes and self.sitting.match and cube_last(self.sitting.match):
                    why = told("The box went off while cubes fell. Look whether their order is right.")
                    self.panel.tell(told("Not sure"), why)
            case Do(acts):
                if match := self.sitting.match:
                    self._news.hear(match, acts[0], at_ns)
                await self._do([act.line() for act in acts], at_ns, who)
            case TakeBack():
                await self._do([self.sitting.taking_back()], at_ns, who)
            case Settle(how):
                if self._cubes:
                    await self._cubes.settle(how, at_ns)
            case Rename(seat, name):
                await self.sitting.rename(seat, name)
                self._show_match()
            case End(seat):
                await self._end_match(seat)
            case Speak(code):
                await self._speak(code)
            case Limit(seconds):
                self._clocks.turn.allow(seconds, at_ns)
                self._show_match()
            case Pause():
                self._clocks.turn.pause(at_ns)
                self._show_match()
            case Resume():
                self._clocks.resume(at_ns)
            case Where():
                self.locate()
            case Pair() | Unpair() | Void():
                await self.phones.grant(wish, at_ns)
            case Leave():
                await self._leave()
                await self.sitting.close_if_over()
                self.panel.welcome(self.sitting.match, self.sitting.table)
        self.panel.unsaved, self.panel.paused = self.journal.trouble, self._clocks.turn.paused

    async def _leave(self) -> None:
        if self._cubes:
            await self._cubes.leave()
        self._news.clear()

    async def _start(self, table: Table, at_ns: int) -> None:
        await self._leave()
        try:
            await self.sitting.begin(table, at_ns)
        except Refused as refusal:
            self.panel.tell(told("Trouble"), refusal.reason)
            self._sound("refused")
            return
        self._sound("accepted")
        self._show_match()

    async def _speak(self, code: str) -> None:
        """Speak another language from here on, after the next start too."""
        speak(code)
        await self.sitting.write(self.journal.speak, code)
        if self.panel.playing:
            self._show_match()
        else:
            self.panel.welcome(self.sitting.match, self.sitting.table)

    async def _end_match(self, seat: int) -> None:
        """Be done with a match that cannot go on without a seat."""
        match = self.sitting.match
        assert match
        note = words("{who} left; the game cannot go on and ends here.", who=Name(match.players[seat]))
        names = map(called, match.players)
        scores = ", ".join(f"{name} {score}" for name, score in zip(names, match.now.scores(), strict=True))
        await self._leave()
        await self.sitting.end(note)
        self.panel.welcome(None, self.sitting.table)
        self.panel.tell(told("It ends here"), Told(f"{told(note)}\n{scores}"))

    async def _do(self, lines: Sequence[Mapping[str, Any]], at_ns: int, who: str) -> None:
        """Have the lines of one answer played and written, then show where they lead, or why they were refused."""
        try:
            await self._play(lines, at_ns, who)
        except Refused as refusal:
            self._news.forget()
            self.panel.refuse(refusal.reason)
            self._sound("refused")

    async def _play(self, lines: Sequence[Mapping[str, Any]], at_ns: int, who: str) -> None:
        """Do the same, but raise Refused."""
        match = self.sitting.match
        assert match
        before, acts = match.now.phase, len(match.acts)
        await self.sitting.do(lines, at_ns, who)
        self.panel.unsaved = self.journal.trouble
        self._sound("accepted" if match.asks else "winner")
        under_way = False
        if self._cubes and who not in ("funnel", "table") and self._cubes.ended_by(match, acts):
            under_way = await self._cubes.end()
        if len(match.acts) < acts:
            self._news.clear()  # the order it told has been taken back, or a part of it
        self._news.follow(before, match, who == "funnel")
        if self._cubes:
            self._cubes.owned(match, acts)
        self._show_match(renew=who == "box")
        if under_way:
            why = told("It fell as you pressed, and counts for nothing. Toss it again.")
            self.panel.tell(told("A cube"), why, passing=True)
        if self._cubes and self._cubes.kept and who != "funnel":
            await self._cubes.take()

    async def _timed_act(self, at_ns: int) -> bool:
        """Do what an offer leaves to the box once the game is old enough; True where it was done."""
        due_ns, verb = self._clocks.timed()
        if due_ns is None or due_ns > at_ns:
            return False
        self._rest.stir(due_ns)
        await self._do([{"do": verb}], due_ns, "box")
        return True

    async def _retry(self) -> bool:
        """Try again to write what could not be written; True where the sign may have to change."""
        if not self.journal.trouble:
            return False
        await self.sitting.write(self.journal.save)
        self.panel.unsaved = self.journal.trouble
        return True

    def _show_match(self, renew: bool = False) -> None:
        match, table = self.sitting.match, self.sitting.table
        assert match
        assert table
        show = self.panel.renew if renew else self.panel.show
        show(match, table, self._news.seen)

    def _sound(self, sound: Sound) -> None:
        assert self.box
        self.box.sound(sound, self.clock())

    def _show(self, now_ns: int) -> None:
        assert self.box
        first = None if self._cubes and self._cubes.unsure else self._news.first
        lit = self.sitting.lit() if self.panel.playing else set()
        blinking = self.sitting.blinking(first) if self.panel.playing and self._look.light == "bright" else set()
        self.box.show(self.panel.picture(), lit, blinking, now_ns)
        self.box.rest(self._look)
        self.phones.shown(now_ns)
