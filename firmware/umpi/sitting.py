"""A table and its match: acts to the record, lines to the journal, and what to take back, resume or do by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from umpi.journal import Journal
from umpi.panel.setup import Table
from umpi.rules.game import Act
from umpi.rules.match import Match, Refused
from umpi.rules.record import Find, Header, Record, Unreadable, read_line
from umpi.rules.words import words

MS = 1_000_000


@dataclass(frozen=True, slots=True)
class Done:
    """Who did an act of the match ("panel", "phone:Red", "funnel", "box"), and the seat it was for."""

    who: str
    seat: int | None


class Sitting:
    """The match in play, if any, and the table it is played at.

    `clock` gives monotonic nanoseconds. Whatever writes waits for the disk on a thread of its own; what could not be
    written shows as the journal's `trouble`.
    """

    def __init__(self, journal: Journal, find: Find, clock: Callable[[], int]) -> None:
        self.journal, self._find, self._clock = journal, find, clock
        self.record: Record | None = None
        self.table: Table | None = None  # of the match in play, or of last time
        self.lines: list[tuple[Mapping[str, Any], str]] = []  # of the record after its header, each with who wrote it
        self.done: list[Done] = []  # each act that stands
        self._number = 0  # of the match in the journal
        self._began_ns = 0  # when it was as old as its record's start
        self._reopened = False  # whether the last act was taken back and none has followed
        self._disk = ThreadPoolExecutor(1, "journal")

    @property
    def match(self) -> Match | None:
        """The match in play."""
        return self.record.match if self.record else None

    @property
    def number(self) -> int:
        """The number of the match in play in the journal."""
        return self._number

    @property
    def question(self) -> str:
        """Name the question on the table, another with each line of the record; "" where no match is in play."""
        return f"{self._number}.{len(self.lines)}" if self.record else ""

    def resume(self) -> str:
        """Find the match that lies open, and the table of last time; returns why a later one had to be passed over."""
        trouble = ""
        for kept in reversed(self.journal.matches()):
            try:
                record = Record(Header.read(read_line(kept.header.encode()) or {}, self._find))
                self.lines, self.done = [], []
                for text, who in zip(self.journal.lines(kept.id), self.journal.writers(kept.id), strict=True):
                    self._take(record, read_line(text.encode()) or {}, who)
            except (Refused, Unreadable) as fault:
                template = "Match {number} cannot be gone on with: {fault}"
                trouble = trouble or words(template, number=kept.id, fault=str(fault))
                continue
            self.table = Table.of(record.header)
            if kept.open and record.match.asks:
                self._number, self.record = kept.id, record
                self._began_ns = self._clock() - record.at_ms * MS
            break
        return trouble

    async def begin(self, table: Table, at_ns: int) -> None:
        """Begin a match at a table; raises Refused where its rules cannot set it up."""
        record = Record(table.header())
        await self.close_if_over()
        self.record, self.table, self._began_ns, self._reopened = record, table, at_ns, False
        self.lines, self.done = [], []
        self._number = await self.write(self.journal.begin, record.header.line())

    async def do(self, lines: Sequence[Mapping[str, Any]], at_ns: int, who: str) -> None:
        """Play the lines one answer made, and write them; raises Refused, with nothing changed, where the first is.

        What follows the first may turn out not to be asked for, and is left out.
        """
        assert self.record
        taken: list[Mapping[str, Any]] = []
        for line in lines:
            stamped = line if "note" in line else {**line, "at": self._age_ms(at_ns)}
            try:
                self._take(self.record, stamped, who)
            except Refused:
                if not taken:
                    raise
                break
            taken.append(stamped)
            self._reopened = "undo" in line
        await self.write(self.journal.append, self._number, taken, who)

    def taking_back(self) -> dict[str, Any]:
        """Make the line that takes back the last answer, with what came with it and what the box has done since."""
        assert self.record
        match = self.record.match
        last = len(match.acts) - 1
        while last >= 0 and _by_itself(match, last):
            last -= 1
        if last > 0:
            before, act = match.acts[last - 1], match.acts[last]
            last -= before.at == act.at is not None and match.asked(last - 1).then == act.verb
        return {"undo": len(match.acts) - max(last, 0)}

    def stood(self, stood_ns: int) -> None:
        """Take note that the game stood still for so long: it is no older for that."""
        self._began_ns += stood_ns

    def amending(self, index: int, line: Mapping[str, Any]) -> tuple[list[Mapping[str, Any]], list[int]]:
        """Make the lines that put another act in the place of one, as records write it down.

        Returns them with the indexes of the later acts that would hold no more, and changes nothing. Raises Refused
        where the act is not allowed there, or where none stands at `index`.
        """
        assert self.record
        match = self.record.match
        if not 0 <= index < len(match.acts):
            raise Refused(words("There is no act {number}: {stand} stand.", number=index + 1, stand=len(match.acts)))
        given = {key: value for key, value in line.items() if key not in ("do", "by", "at")}
        copy, lost = match.amended(index, Act(line["do"], given, line.get("by")))
        gone = [at for at, act in enumerate(match.acts) if at > index and any(act is each for each in lost)]
        kept = [replace(act, at=None).line() for act in copy.acts[index:]]
        return [{"undo": len(match.acts) - index}, *kept], gone

    async def rename(self, seat: int, name: str) -> None:
        """Call a seat by another name from here on; the record bears it from its first line."""
        assert self.record
        assert self.table
        before = self.record.match.players
        players = (*before[:seat], name, *before[seat + 1 :])
        header = replace(self.record.header, players=players)
        self.record.header, self.record.match.players = header, players
        self.table = replace(self.table, players=players)
        await self.write(self.journal.rename, self._number, players)

    async def end(self, note: str) -> None:
        """Be done with a match that cannot go on, and write down why."""
        await self.write(self.journal.append, self._number, [{"note": note}], "table")
        await self.write(self.journal.close_match, self._number)
        self.record = None

    async def close_if_over(self) -> None:
        """Be done with a match that is over."""
        if self.record and not self.record.match.asks:
            await self.write(self.journal.close_match, self._number)
            self.record = None

    async def keep_trace(self, lines: Sequence[str]) -> None:
        """Keep the raw edges of an announcement with the match."""
        if self.record:
            await self.write(self.journal.keep_trace, self._number, lines)

    @property
    def timed(self) -> tuple[int, str] | None:
        """When the box acts by itself, and what it does; never to end at once what an undo has reopened."""
        if not self.record:
            return None
        match = self.record.match
        for ask in match.asks:
            if ask.after_ms is not None and not (self._reopened and not match.after(Act(ask.verb))):
                return self._began_ns + ask.after_ms * MS, ask.verb
        return None

    def lit(self) -> set[int]:
        """The lamps of whoever must act, all of the table's where anybody may; once it is over the winners'."""
        if not self.record or not self.table:
            return set()
        match, buttons = self.record.match, self.table.buttons
        if not match.asks:
            result = match.now.result()
            return {buttons[seat] for seat in result.winners} if result else set()
        return set(buttons) if match.seat is None else {buttons[match.seat]}

    def blinking(self, first: int | None) -> set[int]:
        """The lamp of the seat that is `first` in the announcement in hand, until another's guess is heard.

        Once the game is over the winners' blink.
        """
        if self.match and not self.match.asks:
            return self.lit()
        heard = self.match is not None and self.match.seat not in (None, first)
        return {self.table.buttons[first]} if self.table and first is not None and not heard else set()

    async def write(self, call: Callable[..., Any], *values: Any) -> Any:
        """Call the journal on its own thread."""
        return await asyncio.get_running_loop().run_in_executor(self._disk, call, *values)

    def close(self) -> None:
        """Finish what is being written."""
        self._disk.shutdown()
        self.journal.close()

    def _take(self, record: Record, line: Mapping[str, Any], who: str) -> None:
        """Have a line taken, and keep who wrote it; raises Refused, with nothing changed."""
        ask = next((ask for ask in record.match.asks if ask.verb == line.get("do")), None)
        record.take(line)
        self.lines.append((line, who))
        del self.done[len(record.match.acts) :]
        if ask:
            seat = line.get("seat") if ask.seat is None else ask.seat
            self.done.append(Done(who, seat if isinstance(seat, int) else None))

    def _age_ms(self, at_ns: int) -> int:
        assert self.record
        return max(self.record.at_ms, (at_ns - self._began_ns) // MS)


def _by_itself(match: Match, index: int) -> bool:
    """Tell whether the box did this act because the game was old enough."""
    act, ask = match.acts[index], match.asked(index)
    return ask.after_ms is not None and act.at is not None and act.at >= ask.after_ms
