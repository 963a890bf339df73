"""The one loop: stamped edges in, acts to the match, lines to the journal, and only then pictures out."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from umpi.announcement import Announcement, News, cube_ask
from umpi.box import Box
from umpi.config import COLOURS
from umpi.devices.buttons import Press
from umpi.devices.edges import Edge
from umpi.journal import Journal
from umpi.judge import write_trace
from umpi.panel.panel import Do, GoOn, Leave, Panel, Settle, Start, TakeBack, Wish
from umpi.panel.setup import Table
from umpi.rules.fields import Pick
from umpi.rules.game import Act
from umpi.rules.match import Match, Refused
from umpi.rules.record import Find, Header, Record, Unreadable, read_line
from umpi.rules.words import named

MS = 1_000_000


class Referee:
    """Referees one box. `post` may be called from any thread; everything else from the loop's.

    `clock` gives monotonic nanoseconds, the same clock the edges are stamped by. `find` finds a game by its id.
    """

    def __init__(
        self, panel: Panel, journal: Journal, find: Find, clock: Callable[[], int], on_show: Callable[[], object] = int
    ) -> None:
        self.panel, self.journal, self.find, self.clock = panel, journal, find, clock
        self.box: Box | None = None
        self._on_show = on_show  # told after each picture
        self._inbox: list[Edge] = []
        self._lost = 0  # edges that nobody got
        self._fresh = True  # nothing has been shown yet
        self._inbox_lock = threading.Lock()
        self._wake: Callable[[], object] = int
        self._disk = ThreadPoolExecutor(1, "journal")
        self._number = 0  # of the match in play, in the journal
        self._record: Record | None = None
        self._table: Table | None = None
        self._began_ns = 0  # when the match in play was as old as its record's start
        self._announcement: Announcement | None = None
        self._reopened = False  # whether the last act was taken back and none has followed
        self._news = News()  # of the announcement in hand
        self._find_last()

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
        while True:
            now_ns = self.clock()
            with self._inbox_lock:
                edges, self._inbox = self._inbox, []
                lost, self._lost = self._lost, 0
            if lost and self.box.funnel:
                self.box.funnel.lost(lost)
            edges = sorted(self._beams(edges), key=lambda edge: edge.at_ns)
            presses = [press for edge in edges for press in self.box.buttons.edge(edge)]
            presses += self.box.buttons.tick(now_ns)
            for press in presses:
                changed = True
                if await self._timed_act(press.at_ns) and self._record and not self._record.match.asks:
                    break  # the question these presses were meant for has gone
                await self._press(press)
            if not edges:
                break
        changed = await self._cubes(now_ns) or changed
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
        dues = [*(device.due_ns for device in devices if device), self._timed_ns]
        if self.journal.trouble:
            dues.append(self.clock() + 1000 * MS)
        return min((due for due in dues if due is not None), default=None)

    def close(self) -> None:
        """Finish what is being written."""
        self._disk.shutdown()
        self.journal.close()

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
                if self._record:
                    self._news.hear(self._record.match, acts[0], at_ns)
                await self._do([act.line() for act in acts], at_ns, "panel")
            case TakeBack():
                await self._take_back(at_ns)
            case Settle(how):
                await self._settle_announcement(how, at_ns)
            case Leave():
                await self._leave()

    async def _start(self, table: Table, at_ns: int) -> None:
        header = table.header()
        try:
            record = Record(header)
        except Refused as refusal:
            self.panel.tell("Trouble", str(refusal))
            self._sound("refused")
            return
        await self._close_if_over()
        self._record, self._table, self._began_ns = record, table, at_ns
        self._news, self._reopened = News(), False
        self._number = await self._write(self.journal.begin, header.line())
        self._sound("accepted")
        self._show_match()

    async def _cubes(self, now_ns: int) -> bool:
        """Take the cubes that have become certain; True where there were any."""
        if not self._announcement or not self.box or not self.box.funnel:
            return False
        cubes = self.box.funnel.tick(now_ns)
        self._announcement.kept += cubes
        if cubes:
            self._sound("cube")
            await self._take_cubes()
        return bool(cubes)

    async def _take_cubes(self) -> None:
        """Send the cubes seen to the question that asks for one, whatever the screen shows; else say why not."""
        announcement = self._announcement
        assert announcement
        while announcement.kept:
            ask = cube_ask(self._record.match) if self._record else None
            if ask is None or not self._record or not self._table:
                self.panel.tell("A cube", "It counts for nothing now. Take it home.")
                await self._end_announcement()
                return
            field = ask.fields[0]
            if isinstance(field, Pick) and not field.pool and not announcement.taken:
                reason = named(field.refuse(None), self._record.match.players)
                self.panel.tell("A cube is kept", reason[:1].upper() + reason[1:])
                return
            cube = announcement.kept.pop(0)
            try:
                owner = announcement.owner(cube, self._table)
            except LookupError as fault:
                self.panel.tell("A cube", f"{fault} It goes home.")
                continue
            if reason := field.refuse(owner):
                self.panel.tell("It goes home", named(reason, self._record.match.players))
                continue
            announcement.taken += 1
            self._news.text = announcement.news(self._table)
            await self._do([{"do": ask.verb, field.name: owner}], cube.t, "funnel")
        if self._table and (doubt := announcement.doubt(self._table)):
            self.panel.doubt(doubt)

    async def _settle_announcement(self, how: str, at_ns: int) -> None:
        """Write down how the table settled a doubtful announcement, and do it."""
        assert self._announcement
        assert self._table
        note = f"{how}: {self._announcement.doubt(self._table)}"
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
        if funnel.trace and self._record:
            await self._write(self.journal.keep_trace, self._number, list(write_trace(funnel.settings, funnel.trace)))
        funnel.reset()
        self._announcement = Announcement(funnel)

    async def _do(self, lines: list[dict[str, Any]], at_ns: int, who: str) -> None:
        """Play the lines one answer made; what follows the first may turn out not to be asked for, and is left out."""
        assert self._record
        before = self._record.match.now.phase
        taken: list[Mapping[str, Any]] = []
        for line in lines:
            stamped = line if "note" in line else {**line, "at": self._age_ms(at_ns)}
            try:
                self._record.take(stamped)
            except Refused as refusal:
                if not taken:
                    self.panel.refuse(str(refusal))
                    self._sound("refused")
                    return
                break
            taken.append(stamped)
            self._reopened = self._reopened and "undo" in line
        await self._write(self.journal.append, self._number, taken, who)
        self._sound("accepted" if self._record.match.asks else "winner")
        if who in ("panel", "box") and self._announcement and self._announcement.taken:
            await self._end_announcement()
        self._news.follow(before, self._record.match, who == "funnel")
        self._show_match(renew=who == "box")
        if self._announcement and self._announcement.kept and who != "funnel":
            await self._take_cubes()

    async def _take_back(self, at_ns: int) -> None:
        """Take back the last answer, with what came with it at once, and what the box has done by itself since."""
        assert self._record
        match = self._record.match
        last = len(match.acts) - 1
        while last >= 0 and _by_itself(match, last):
            last -= 1
        if last > 0:
            before, act = match.acts[last - 1], match.acts[last]
            last -= before.at == act.at is not None and match.asked(last - 1).then == act.verb
        self._reopened = True
        await self._do([{"undo": len(match.acts) - max(last, 0)}], at_ns, "panel")

    async def _leave(self) -> None:
        await self._close_if_over()
        open_match = self._record.match if self._record else None
        self.panel.welcome(open_match, self._table)

    async def _close_if_over(self) -> None:
        if self._record and not self._record.match.asks:
            await self._write(self.journal.close_match, self._number)
            self._record = None

    async def _timed_act(self, at_ns: int) -> bool:
        """Do what an offer leaves to the box once the game is old enough; True where it was done."""
        due_ns = self._timed_ns
        if due_ns is None or due_ns > at_ns or not self._record:
            return False
        verb = next(ask.verb for ask in self._record.match.asks if ask.after_ms is not None)
        await self._do([{"do": verb}], due_ns, "box")
        return True

    async def _retry(self) -> bool:
        """Try again to write what could not be written; True where the sign may have to change."""
        if not self.journal.trouble:
            return False
        await self._write(self.journal.save)
        return True

    @property
    def _timed_ns(self) -> int | None:
        """When the box acts by itself: never while another screen is shown, nor to end what an undo has reopened."""
        if not self._record or not self.panel.playing:
            return None
        match = self._record.match
        timed = [ask for ask in match.asks if ask.after_ms is not None]
        if not timed or (self._reopened and not match.after(Act(timed[0].verb))):
            return None
        assert timed[0].after_ms is not None
        return self._began_ns + timed[0].after_ms * MS

    def _age_ms(self, at_ns: int) -> int:
        assert self._record
        return max(self._record.at_ms, (at_ns - self._began_ns) // MS)

    async def _write(self, call: Callable[..., Any], *values: Any) -> Any:
        """Call the journal on its own thread, and tell the panel whether all is on disk."""
        result = await asyncio.get_running_loop().run_in_executor(self._disk, call, *values)
        self.panel.unsaved = bool(self.journal.trouble)
        return result

    def _show_match(self, renew: bool = False) -> None:
        assert self._record
        assert self._table
        show = self.panel.renew if renew else self.panel.show
        show(self._record.match, self._table, self._news.text)

    def _sound(self, sound: Any) -> None:
        assert self.box
        self.box.sound(sound, self.clock())

    def _show(self) -> None:
        assert self.box
        self.box.show(self.panel.picture(), self._lit())
        self._on_show()

    def _lit(self) -> set[int]:
        """The lamps of whoever must act; all of the table's where anybody may."""
        if not self._record or not self._table or not self.panel.playing:
            return set()
        match, buttons = self._record.match, self._table.buttons
        if not match.asks:
            result = match.now.result()
            return {buttons[seat] for seat in result.winners} if result else set()
        return set(buttons) if match.seat is None else {buttons[match.seat]}

    def _find_last(self) -> None:
        """Find the match that lies open, and the table of last time; one that cannot be read is passed over."""
        self.panel.unsaved = bool(self.journal.trouble)
        trouble = ""
        for kept in reversed(self.journal.matches()):
            try:
                record = Record(Header.read(read_line(kept.header.encode()) or {}, self.find))
                for text in self.journal.lines(kept.id):
                    record.take(read_line(text.encode()) or {})
            except (Refused, Unreadable) as fault:
                trouble = trouble or f"Match {kept.id} cannot be gone on with: {fault}"
                continue
            self._table = Table.of(record.header)
            if kept.open and record.match.asks:
                self._number, self._record = kept.id, record
                self._began_ns = self.clock() - record.at_ms * MS
            break
        self.panel.welcome(self._record.match if self._record else None, self._table)
        if trouble:
            self.panel.tell("Trouble", trouble)


def _by_itself(match: Match, index: int) -> bool:
    """Tell whether the box did this act because the game was old enough."""
    act, ask = match.acts[index], match.asked(index)
    return ask.after_ms is not None and act.at is not None and act.at >= ask.after_ms
