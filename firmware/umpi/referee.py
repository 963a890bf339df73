"""The one loop: stamped edges in, acts to the match, lines to the journal, and only then pictures out."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from umpi.announcement import Announcement, News, cube_ask
from umpi.box import Box
from umpi.config import COLOURS
from umpi.devices.buttons import Press
from umpi.devices.edges import Edge
from umpi.devices.speaker import Sound
from umpi.journal import Journal
from umpi.judge import write_trace
from umpi.panel.panel import Panel
from umpi.panel.setup import Table
from umpi.panel.wishes import Do, End, GoOn, Leave, Rename, Settle, Start, TakeBack, Wish
from umpi.rules.fields import Pick
from umpi.rules.match import Refused
from umpi.rules.record import Find
from umpi.rules.words import named
from umpi.sitting import Sitting

MS = 1_000_000


class Referee:
    """Referees one box. `post` may be called from any thread; everything else from the loop's.

    `clock` gives monotonic nanoseconds, the same clock the edges are stamped by. `find` finds a game by its id.
    """

    def __init__(self, panel: Panel, journal: Journal, find: Find, clock: Callable[[], int]) -> None:
        self.panel, self.journal, self.clock = panel, journal, clock
        self.sitting = Sitting(journal, find, clock)
        self.box: Box | None = None
        self._inbox: list[Edge] = []
        self._inbox_lock = threading.Lock()
        self._lost = 0  # edges that nobody got
        self._wake: Callable[[], object] = int
        self._fresh = True  # nothing has been shown yet
        self._announcement: Announcement | None = None
        self._news = News()  # of the announcement in hand
        trouble = self.sitting.resume()
        panel.unsaved = bool(journal.trouble)
        panel.welcome(self.sitting.match, self.sitting.table)
        if trouble:
            panel.tell("Trouble", trouble)

    def use(self, box: Box) -> None:
        """Take the devices of a box."""
        self.box = box
        self._announcement = Announcement(box.funnel) if box.funnel else None
        if held := box.held():  # nobody presses while the box is switched on
            told = f"Down or dark from the start: {', '.join(held)}."
            self.panel.tell("Stuck", f"{told} Look at the button, the beam, the wire.")

    def post(self, edge: Edge) -> None:
        """Put an edge on the queue and wake the loop."""
        with self._inbox_lock:
            self._inbox.append(edge)
        self._wake()

    def post_lost(self, count: int) -> None:
        """Say that edges were lost on their way: an announcement they may belong to is not clear."""
        with self._inbox_lock:
            self._lost += count
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
        changed = self._fresh
        with self._inbox_lock:
            lost, self._lost = self._lost, 0
        while True:
            now_ns = self.clock()
            with self._inbox_lock:
                edges, self._inbox = self._inbox, []
            edges = sorted(self._beams(edges), key=lambda edge: edge.at_ns)
            presses = [press for edge in edges for press in self.box.buttons.edge(edge)]
            presses += self.box.buttons.tick(now_ns)
            for press in presses:
                changed = True
                if await self._timed_act(press.at_ns) and not self.panel.asking:
                    break  # the question these presses were meant for has gone
                await self._press(press)
            if not edges:
                break
        changed = await self._cubes(now_ns, lost) or changed
        changed = await self._timed_act(now_ns) or changed
        changed = await self._retry() or changed
        if self.box.speaker:
            self.box.speaker.tick(now_ns)
        if changed:
            self._fresh = False
            self._show()

    def _beams(self, edges: list[Edge]) -> list[Edge]:
        """Give the beams' edges to the funnel in the order they arrived, which it keeps; return the others."""
        assert self.box
        funnel, others = self.box.funnel, []
        for edge in edges:
            if funnel and edge.line in funnel.lines:
                funnel.edge(edge)
            else:
                others.append(edge)
        return others

    @property
    def due_ns(self) -> int | None:
        """When `settle` next has something to do by itself; None where only an edge can bring news."""
        assert self.box
        devices = (self.box.buttons, self.box.speaker, self.box.funnel)
        dues = [*(device.due_ns for device in devices if device), self._timed()[0]]
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

    async def _grant(self, wish: Wish, at_ns: int) -> None:
        match wish:
            case Start(table):
                await self._start(table, at_ns)
            case GoOn():
                self._show_match()
            case Do(acts):
                if match := self.sitting.match:
                    self._news.hear(match, acts[0], at_ns)
                await self._do([act.line() for act in acts], at_ns, "panel")
            case TakeBack():
                await self._do([self.sitting.taking_back()], at_ns, "panel")
            case Settle(how):
                await self._settle_announcement(how, at_ns)
            case Rename(seat, name):
                await self.sitting.rename(seat, name)
                self._show_match()
            case End(seat):
                await self._end_match(seat)
            case Leave():
                await self.sitting.close_if_over()
                self.panel.welcome(self.sitting.match, self.sitting.table)
        self.panel.unsaved = bool(self.journal.trouble)

    async def _start(self, table: Table, at_ns: int) -> None:
        try:
            await self.sitting.begin(table, at_ns)
        except Refused as refusal:
            self.panel.tell("Trouble", str(refusal))
            self._sound("refused")
            return
        self._news = News()
        self._sound("accepted")
        self._show_match()

    async def _end_match(self, seat: int) -> None:
        """Be done with a match that cannot go on without a seat."""
        match = self.sitting.match
        assert match
        note = f"{match.players[seat]} left; the game cannot go on and ends here."
        scores = ", ".join(f"{name} {score}" for name, score in zip(match.players, match.now.scores(), strict=True))
        await self.sitting.end(note)
        self.panel.welcome(None, self.sitting.table)
        self.panel.tell("It ends here", f"{note}\n{scores}")

    async def _cubes(self, now_ns: int, lost: int) -> bool:
        """Take the cubes that have become certain, and that edges were lost; True where that changes the picture."""
        if not self._announcement or not self.box or not self.box.funnel:
            return False
        if lost:
            self.box.funnel.lost(lost, now_ns)
        cubes = self.box.funnel.tick(now_ns)
        self._announcement.kept += cubes
        if cubes:
            self._sound("cube")
        if cubes or (lost and self._announcement.taken):
            await self._take_cubes()
        return bool(cubes or lost)

    async def _take_cubes(self) -> None:
        """Send the cubes seen to the question that asks for one, whatever the screen shows; else say why not."""
        announcement, match, table = self._announcement, self.sitting.match, self.sitting.table
        assert announcement
        while announcement.kept:
            ask = cube_ask(match) if match else None
            if ask is None or match is None or table is None:
                self.panel.tell("A cube", "It counts for nothing now. Take it home.")
                await self._end_announcement()
                return
            field = ask.fields[0]
            if isinstance(field, Pick) and not field.pool and not announcement.taken:
                reason = named(field.refuse(None), match.players)
                self.panel.tell("A cube is kept", reason[:1].upper() + reason[1:])
                return
            cube = announcement.kept.pop(0)
            try:
                owner = announcement.owner(cube, table)
            except LookupError as fault:
                self.panel.tell("A cube", f"{fault} It goes home.")
                continue
            if reason := field.refuse(owner):
                self.panel.tell("It goes home", named(reason, match.players))
                continue
            announcement.taken += 1
            self._news.text = announcement.news(table)
            await self._do([{"do": ask.verb, field.name: owner}], cube.t, "funnel")
        if table and (doubt := announcement.doubt(table)):
            self.panel.doubt(doubt)

    async def _settle_announcement(self, how: str, at_ns: int) -> None:
        """Write down how the table settled a doubtful announcement, and do it."""
        assert self._announcement
        assert self.sitting.table
        note = f"{how}: {self._announcement.doubt(self.sitting.table)}"
        taken = self._announcement.taken
        self._announcement.settled = how == "accept"
        lines: list[dict[str, Any]] = [{"note": note}]
        if how != "accept" and taken:
            lines.append({"undo": taken})
        await self._do(lines, at_ns, "table")
        if how != "accept":
            await self._end_announcement()
        if how == "order by hand":
            self.panel.tell("By hand", "Press OK, then your buttons in the order the cubes came out.")

    async def _end_announcement(self) -> None:
        """Keep the raw trace of the cubes so far with the match, and begin anew."""
        if not self.box or not self.box.funnel or not self._announcement:
            return
        funnel = self.box.funnel
        if funnel.trace:
            await self.sitting.keep_trace(list(write_trace(funnel.settings, funnel.trace)))
        funnel.reset()
        self._announcement = Announcement(funnel)

    async def _do(self, lines: Sequence[Mapping[str, Any]], at_ns: int, who: str) -> None:
        """Have the lines of one answer played and written, then show where they lead, or why they were refused."""
        match = self.sitting.match
        assert match
        before = match.now.phase
        try:
            await self.sitting.do(lines, at_ns, who)
        except Refused as refusal:
            self._news.forget()
            self.panel.refuse(str(refusal))
            self._sound("refused")
            return
        self.panel.unsaved = bool(self.journal.trouble)
        self._sound("accepted" if match.asks else "winner")
        if who in ("panel", "box") and self._announcement and self._announcement.taken:
            await self._end_announcement()
        self._news.follow(before, match, who == "funnel")
        self._show_match(renew=who == "box")
        if self._announcement and self._announcement.kept and who != "funnel":
            await self._take_cubes()

    def _timed(self) -> tuple[int | None, str]:
        """When the box acts by itself, and what it does: never while another screen is shown."""
        return (self.sitting.timed if self.panel.playing else None) or (None, "")

    async def _timed_act(self, at_ns: int) -> bool:
        """Do what an offer leaves to the box once the game is old enough; True where it was done."""
        due_ns, verb = self._timed()
        if due_ns is None or due_ns > at_ns:
            return False
        await self._do([{"do": verb}], due_ns, "box")
        return True

    async def _retry(self) -> bool:
        """Try again to write what could not be written; True where the sign may have to change."""
        if not self.journal.trouble:
            return False
        await self.sitting.write(self.journal.save)
        self.panel.unsaved = bool(self.journal.trouble)
        return True

    def _show_match(self, renew: bool = False) -> None:
        match, table = self.sitting.match, self.sitting.table
        assert match
        assert table
        show = self.panel.renew if renew else self.panel.show
        show(match, table, self._news.text)

    def _sound(self, sound: Sound) -> None:
        assert self.box
        self.box.sound(sound, self.clock())

    def _show(self) -> None:
        assert self.box
        self.box.show(self.panel.picture(), self.sitting.lit() if self.panel.playing else set())
