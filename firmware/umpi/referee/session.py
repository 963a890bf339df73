"""A table and its match: acts to the record, lines to the journal, and what to take back, correct or do by itself."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

from umpi.display.resumable import ResumableMatch
from umpi.display.setup import TableSetup
from umpi.journal import Journal, Kept
from umpi.kernel.game import Act, revision_of
from umpi.kernel.match import Match, Refused
from umpi.kernel.messages import message
from umpi.kernel.record import Find, Header, Record, Unreadable, dump, read_line
from umpi.referee.transcript import Done, Transcript, mark_of, outcome_of, read_transcript

MS = 1_000_000
LISTED = 60  # past matches that are offered
LATER = "later"  # beside a match in the journal: the acts that wait while forgotten ones are entered before them

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Read:
    """A match read from the journal: its number there, what was written, and the acts that wait to be put back."""

    number: int
    transcript: Transcript
    later: tuple[Act, ...]


class MatchSession:
    """The match in play, if any, and the table it is played at.

    Only the referee's loop changes it. What changes is written first, on the journal's thread, and takes effect here
    afterwards, so nothing can be read from it while it is on its way to the disk. What could not be written takes
    effect all the same, and shows as the journal's `trouble`. `clock` returns monotonic nanoseconds. `later` are acts
    taken back so that forgotten ones may come before them.
    """

    def __init__(self, journal: Journal, find: Find, clock: Callable[[], int]) -> None:
        self.journal, self._find, self._clock = journal, find, clock
        self.table: TableSetup | None = None  # of the match in play, or of last time
        self.on = False  # whether the match is on the table, and has not been left
        self.later: tuple[Act, ...] = ()
        self._transcript: Transcript | None = None  # never changed, only replaced
        self._saved: Transcript | None = None  # the same as far as it is on disk
        self._failed = ""  # the question whose timed act the engine failed on
        self._number = 0  # of the match in the journal
        self._began_ns = 0  # when it was as old as its record's start
        self._reopened = False  # whether the last act was taken back and none has followed
        self._disk = ThreadPoolExecutor(1, "journal")

    @property
    def record(self) -> Record | None:
        """The record of the match in play."""
        return self._transcript.record if self._transcript else None

    @property
    def lines(self) -> list[tuple[Mapping[str, Any], str]]:
        """The lines of the record after its header, each with who wrote it."""
        return self._transcript.lines if self._transcript else []

    @property
    def done(self) -> list[Done]:
        """Who did each act that stands."""
        return self._transcript.done if self._transcript else []

    @property
    def match(self) -> Match | None:
        """The match in play."""
        return self.record.match if self.record else None

    @property
    def saved(self) -> Transcript | None:
        """The match in play as far as it is on disk."""
        return self._saved

    @property
    def number(self) -> int:
        """The number of the match in play in the journal."""
        return self.journal.row(self._number)

    @property
    def question(self) -> str:
        """Name the question on the table, another with each line of the record; "" where no match is in play."""
        return f"{self._number}.{len(self.lines)}" if self.record else ""

    def resume(self) -> str:
        """Lay the match on the table again that was there when the box went off, or have the last one left at hand.

        Returns why that cannot be, or how far it can; "" where there is nothing to say.
        """
        on, trouble = self.journal.on_table(), ""
        matches = self.journal.matches()[::-1]
        self.table = next(filter(None, map(self._table_of, matches)), None)
        for kept in sorted((each for each in matches if each.open), key=lambda each: each.id != on):
            try:
                take_up = kept.id == on
                self._lay(self._read(kept, take_up), take_up)
                assert self._transcript
                return trouble or self._transcript.differs
            except (Refused, Unreadable) as fault:
                why = fault.args[0]
            except Exception as fault:  # the engine's own code runs while it is read
                log.exception("match %d cannot be resumed", kept.id)
                why = f"{type(fault).__name__}: {fault}"
            trouble = trouble or message("Match {number} cannot be gone on with: {fault}", number=kept.id, fault=why)
        return trouble

    def _table_of(self, kept: Kept) -> TableSetup | None:
        """Read the table of a match, None where its game is not installed."""
        try:
            return TableSetup.of(Header.read(read_line(kept.header.encode()) or {}, self._find))
        except (Refused, Unreadable):
            return None
        except Exception:  # the engine checks its own options
            log.exception("the header of match %d cannot be read", kept.id)
            return None

    async def go_on(self, number: int) -> str:
        """Lay a match of before on the table; returns how far it can be gone on with, "" where wholly.

        Raises Refused where it cannot be at all, with nothing changed.
        """
        if self._transcript and number == self.number:
            await self.write(self.journal.take_up, self._number, len(self.lines))
            self.on = True
            return ""
        if not await self.write(self.journal.save):
            raise Refused(message("Not while something is NOT SAVED: what is on disk may not be all of it."))
        kept = {each.id: each for each in await self.write(self.journal.matches)}
        try:
            if number not in kept:
                raise Refused(message("There is no match {number}.", number=number))
            read: Read = await self.write(self._read, kept[number], True)
        except (Refused, Unreadable) as fault:
            raise Refused(message("It cannot be gone on with: {fault}", fault=fault.args[0])) from None
        self._lay(read, on=True)
        return read.transcript.differs

    def _read(self, kept: Kept, take_up: bool) -> Read:
        """Read a match from the journal; one that today's rules cannot follow to its end continues in a copy.

        Runs on the journal's thread and changes nothing here.
        """
        lines = self.journal.written(kept.id)
        if len(lines) != kept.lines:
            raise Refused(message("its lines cannot be read"))
        transcript = read_transcript(kept, lines, self._find)
        header, differs = transcript.record.header, transcript.differs
        number, later = kept.id, self.journal.noted(kept.id, LATER) or ()
        if take_up and differs:
            note = dump({"note": f"match {kept.id} goes on here. {differs}"})
            begun = [*lines[: len(transcript.lines)], (note, "box", mark_of(transcript.record.match))]
            self.journal.hold()
            try:
                self.journal.close_match(kept.id)
                number = self.journal.begin(header.line(), revision_of(header.game), begun)
            finally:
                self.journal.release()
            transcript.lines.append((read_line(note.encode()) or {}, "box"))
        elif take_up:
            self.journal.take_up(kept.id, len(lines))
        return Read(number, transcript, tuple(_act(line) for line in later) if not differs else ())

    def _lay(self, read: Read, on: bool) -> None:
        """Put a match that was read on the table."""
        transcript = read.transcript
        self._number, self.on, self.table, self.later = (
            read.number,
            on,
            TableSetup.of(transcript.record.header),
            read.later,
        )
        self._began_ns = self._clock() - transcript.record.at_ms * MS
        self._reopened = bool(transcript.lines) and "undo" in transcript.lines[-1][0]
        self._replace(transcript)

    def resumable(self) -> list[ResumableMatch]:
        """List the matches that can be gone on with: those left open, then those that are over, the newest first."""
        at_hand = self.number if self._transcript else None
        matches = [kept for kept in reversed(self.journal.matches()) if kept.id != at_hand]
        listed = sorted(matches, key=lambda kept: not kept.open)[:LISTED]
        tables = ((kept, self._table_of(kept)) for kept in listed)  # umpi history tells of those without
        return [ResumableMatch(kept.id, table.game, table.players, kept.open) for kept, table in tables if table]

    async def begin(self, table: TableSetup, at_ns: int) -> None:
        """Begin a match at a table; raises Refused where its rules cannot set it up."""
        header = table.header()
        transcript = Transcript(header)
        await self.close_if_over()
        self._number = await self.write(self.journal.begin, header.line(), revision_of(header.game))
        self.table, self._began_ns, self._reopened, self.on, self.later = table, at_ns, False, True, ()
        self._replace(transcript)

    async def leave(self) -> None:
        """Leave the match in play: it can be gone on with, unless it is over."""
        if self._transcript and self.on:
            await self.write(self.journal.leave, self._number)
            self.on = False
        await self.close_if_over()

    async def do(self, lines: Sequence[Mapping[str, Any]], at_ns: int, who: str) -> None:
        """Play the lines one answer made, and write them; raises Refused, with nothing changed, where the first is.

        What follows the first may turn out not to be asked for, and is left out.
        """
        assert self._transcript
        transcript, reopened = self._transcript.copy(), self._reopened
        taken: list[Mapping[str, Any]] = []
        marks: list[int | None] = []
        for line in lines:
            stamped = line if "note" in line else {**line, "at": self._age_ms(at_ns)}
            try:
                transcript.take(stamped, who)
            except Refused:
                if not taken:
                    raise
                break
            taken.append(stamped)
            marks.append(mark_of(transcript.record.match))
            reopened = "undo" in line
        outcome = outcome_of(transcript.record.match)
        await self.write(self.journal.append, self._number, taken, who, marks, outcome)
        self._reopened = reopened
        self._replace(transcript)

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
            raise Refused(message("There is no act {number}: {stand} stand.", number=index + 1, stand=len(match.acts)))
        given = {key: value for key, value in line.items() if key not in ("do", "by", "at")}
        copy, lost = match.amended(index, Act(line["do"], given, line.get("by")))
        gone = [at for at, act in enumerate(match.acts) if at > index and any(act is each for each in lost)]
        kept = [replace(act, at=None).line() for act in copy.acts[index:]]
        return [{"undo": len(match.acts) - index}, *kept], gone

    async def go_back(self, index: int, at_ns: int, who: str) -> None:
        """Take back the acts from `index` on, to enter before them what was forgotten; they wait as `later`."""
        assert self.match
        waiting = (*self.match.acts[index:], *self.later)
        async with self._together():
            await self.do([{"undo": len(self.match.acts) - index}], at_ns, who)
            await self._wait(waiting)

    def putting_back(self) -> tuple[list[Mapping[str, Any]], list[Act]]:
        """Make the lines that put `later` back, with the acts of it that hold no more; changes nothing."""
        assert self.match
        acts, lost = self.match.followed(self.later)
        return [replace(act, at=None).line() for act in acts], lost

    async def put_back(self, at_ns: int, who: str) -> None:
        """Put `later` back, but for what holds no more."""
        lines, _ = self.putting_back()
        async with self._together():
            if lines:
                await self.do(lines, at_ns, who)
            await self._wait(())

    @asynccontextmanager
    async def _together(self) -> AsyncIterator[None]:
        """Have what is written inside on disk all or none."""
        self.journal.hold()
        try:
            yield
        finally:
            await self.write(self.journal.release)

    async def _wait(self, later: Sequence[Act]) -> None:
        await self.write(self.journal.note, self._number, LATER, [act.line() for act in later])
        self.later = tuple(later)

    async def rename(self, seat: int, name: str) -> None:
        """Call a seat by another name from here on; the record bears it from its first line."""
        assert self._transcript
        assert self.table
        transcript = self._transcript.copy()
        record = transcript.record
        before = record.match.players
        players = (*before[:seat], name, *before[seat + 1 :])
        record.header = replace(record.header, players=players)
        record.match.players = players
        await self.write(self.journal.rename, self._number, players)
        self.table = replace(self.table, players=players)
        self._replace(transcript)

    async def end(self, note: str) -> None:
        """Be done with a match that cannot go on, and write down why."""
        async with self._together():
            await self.write(self.journal.append, self._number, [{"note": note}], "table")
            await self._close()

    async def close_if_over(self) -> None:
        """Be done with a match that is over."""
        if self.match and not self.match.asks:
            await self._close()

    async def _close(self) -> None:
        await self.write(self.journal.close_match, self._number)
        self._transcript = self._saved = None
        self.on = False

    async def note(self, what: str, value: Any) -> None:
        """Note a value beside the match in play."""
        if self._transcript:
            await self.write(self.journal.note, self._number, what, value)

    def noted(self, what: str) -> Any:
        """Tell what was noted last beside the match in play; None where nothing was."""
        return self.journal.noted(self._number, what) if self._transcript else None

    async def keep_trace(self, lines: Sequence[str]) -> None:
        """Keep the raw edges of an announcement with the match."""
        if self.record:
            await self.write(self.journal.keep_trace, self._number, lines)

    @property
    def timed(self) -> tuple[int, str] | None:
        """When the box acts by itself, and what it does; never to end at once what an undo has reopened.

        None for a timed act that the engine has failed on, until another question is asked.
        """
        if not self.record or self._failed == self.question:
            return None
        match = self.record.match
        for ask in match.asks:
            if ask.after_ms is None:
                continue
            try:
                ends = self._reopened and not match.after(Act(ask.verb))
            except Refused:
                log.exception("%s fails on its timed act %s", match.game.id, ask.verb)
                self.give_up_timed()
                return None
            if not ends:
                return self._began_ns + ask.after_ms * MS, ask.verb
        return None

    def give_up_timed(self) -> None:
        """Do no timed act by itself while the same question is asked: the engine fails on it."""
        self._failed = self.question

    def lit(self) -> set[int]:
        """The lamps of whoever must act, all of the table's where anybody may; once it is over the winners'."""
        if not self.record or not self.table:
            return set()
        match, buttons = self.record.match, self.table.buttons
        if not match.asks:
            outcome = outcome_of(match)
            return {buttons[seat] for seat, place in enumerate(outcome["places"]) if place == 1} if outcome else set()
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
        """Call the journal on its own thread, and return what it returns."""
        done = await asyncio.get_running_loop().run_in_executor(self._disk, call, *values)
        self._number = self.journal.row(self._number)  # another where the match continues in a copy
        self._note_saved()
        return done

    def _replace(self, transcript: Transcript) -> None:
        """Have the match in play stand as `transcript` has it from here on."""
        self._transcript = transcript
        self._note_saved()

    def _note_saved(self) -> None:
        if self.journal.saved:
            self._saved = self._transcript

    def close(self) -> None:
        """Finish what is being written."""
        self._disk.shutdown()
        self.journal.close()

    def _age_ms(self, at_ns: int) -> int:
        assert self.record
        return max(self.record.at_ms, (at_ns - self._began_ns) // MS)


def _by_itself(match: Match, index: int) -> bool:
    """Tell whether the box did this act because the game was old enough."""
    act, ask = match.acts[index], match.asked(index)
    return ask.after_ms is not None and act.at is not None and act.at >= ask.after_ms


def _act(line: Mapping[str, Any]) -> Act:
    """Read an act noted in the journal; its lists are tuples, as those of a record are."""
    read = read_line(dump(line).encode()) or {}
    given = {key: value for key, value in read.items() if key not in ("do", "by", "at")}
    return Act(read["do"], given, read.get("by"))
