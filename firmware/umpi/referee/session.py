"""The session: the match in play, its record and journal entries, and the lines of undo and corrections."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import groupby
from typing import Any, Concatenate, ParamSpec, TypeVar

from umpi.kernel.calls import Call
from umpi.kernel.drawn import completed, first_of_pool
from umpi.kernel.game import Act, Ask
from umpi.kernel.kept import RACE, Kept, Uid
from umpi.kernel.match import Match, Refused
from umpi.kernel.messages import message
from umpi.kernel.record import Find, Record, Unreadable, dump, read_line
from umpi.kernel.seal import Unsaid
from umpi.referee.effects import JournalCall, answered, value_of
from umpi.referee.events import Answered
from umpi.referee.ports import JournalPort
from umpi.referee.question_clock import QuestionClock, Timed
from umpi.referee.seat_notes import box_plays, person_plays
from umpi.referee.transcript import Done, Read, Transcript, acts_of, mark_of, outcome_of, read_table, read_transcript
from umpi.table.seating import Level, Seating, read_levels
from umpi.table.secret import allowed_first, heard, parties, secret_ask
from umpi.table.sources import Source
from umpi.table.state import ResumableMatch
from umpi.timing.race import Race
from umpi.timing.units import MS

LISTED = 60  # the most past matches in the menu
LATER = "later"  # name of a note in the journal: acts that wait while forgotten ones are entered before them
LEVELS = "levels"  # name of a note in the journal: the levels of the seats that the box plays since they changed
SEALED = "sealed"  # name of a note in the journal: the number of lines, and the secret answers after them

log = logging.getLogger(__name__)
P = ParamSpec("P")
T = TypeVar("T")


class MatchSession:
    """Keep the match in play, if any, and the table it is played at.

    Each change is first written by the journal, then it takes effect here. A change that is still being written is not
    visible here. If it cannot be written, it takes effect all the same, and the journal reports the error as `trouble`.

    `now_ns` returns the stamp of the current event in monotonic nanoseconds. `later` contains the acts that were undone
    so that forgotten ones can be entered before them. `calls` is what the referee says about the last answer, in order.
    It is empty after an undo, a correction or a restart, and once the match is left: a resumed match begins in silence.
    """

    def __init__(self, find: Find, now_ns: Callable[[], int]) -> None:
        self._find, self._now_ns = find, now_ns
        self._disk = Answered(0)  # the journal's last answer
        self._numbers: dict[Uid, int] = {}  # in the lists of the journal: of the match in play
        self.uid = Uid("")  # of the match in play; another one if it continues in a copy
        self.table: Seating | None = None  # of the match in play, or of the last one
        self.on = False  # whether the match is in play and has not been left
        self.later: tuple[Act, ...] = ()
        self._transcript: Transcript | None = None  # never changed, only replaced
        self.saved: Transcript | None = None  # the transcript as far as it is on disk
        self._failed = ""  # the question whose timed act failed in the engine
        self.clock = QuestionClock()
        self._left_ns = 0  # when the match at hand was left, or read without being resumed
        self._sealed: dict[int, Act] = {}  # the answers to the secret question so far, by seat
        self._again: frozenset[int] = frozenset()  # the seats whose last secret answer the rules did not allow
        self._reopened = False  # whether the last line was an undo
        self.calls: tuple[Call, ...] = ()
        self._race: Race | None = None  # as it was kept last
        self._last_race: Race | None = None  # the same, also when the next question is asked

    @property
    def trouble(self) -> str:
        """Why the journal cannot write; "" if everything is on disk."""
        return self._disk.trouble

    @property
    def notice(self) -> str:
        """The journal's message that the players must read, "" if there is none."""
        return self._disk.notice

    @property
    def all_saved(self) -> bool:
        """Whether everything is on disk."""
        return self._disk.saved

    @property
    def reopened(self) -> bool:
        """Whether the last line was an undo."""
        return self._reopened

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
        """Who did each valid act."""
        return self._transcript.done if self._transcript else []

    @property
    def joined(self) -> frozenset[int]:
        """The acts that were entered in one answer with the act before, by index."""
        return self._transcript.joined if self._transcript else frozenset()

    @property
    def match(self) -> Match | None:
        """The match in play."""
        return self.record.match if self.record else None

    @property
    def number(self) -> int:
        """The number of the match in play in the journal's lists; below 0 while it is not on disk."""
        return self._numbers.get(self.uid, 0)

    @property
    def question(self) -> str:
        """The name of the current question; it changes with each line of the record. "" if no match is in play."""
        return f"{self.uid[:8]}.{len(self.lines)}" if self.record else ""

    async def resume(self) -> str:
        """Resume the match that was in play when the box went off, or prepare the last open one.

        Returns why a match cannot be resumed, or how far it can be; "" if nothing needs to be reported.
        """
        on, trouble = await self.write(JournalPort.on_table), ""
        matches = (await self.write(JournalPort.listed, LISTED))[::-1]
        self.table = next(filter(None, (read_table(kept, self._find) for kept in matches)), None)
        for kept in sorted((each for each in matches if each.open), key=lambda each: each.uid != on):
            try:
                take_up = kept.uid == on
                self._lay(await self._read(kept, take_up), take_up, self._now_ns())
                assert self._transcript
                return trouble or self._transcript.differs
            except (Refused, Unreadable) as fault:
                why = fault.args[0]
            except Exception as fault:  # the engine's own code runs during the read
                unsaid = Unsaid.of(fault)  # there is no match yet that knows whether hands are hidden
                log.error("match %d cannot be resumed", kept.id, exc_info=unsaid)
                why = str(unsaid)
            trouble = trouble or message("Match {number} cannot be resumed: {fault}", number=kept.id, fault=why)
        return trouble

    async def go_on(self, number: int, at_ns: int) -> str:
        """Resume an earlier match at a time; return how far it can be resumed, "" if completely.

        Raises Refused if it cannot be resumed. Nothing changes then.
        """
        if self._transcript and number == self.number:
            await self.write(JournalPort.take_up, self.uid, len(self.lines))
            if not self.on:
                self.clock.pause(max(0, at_ns - self._left_ns))
            self.on = True
            return ""
        if not await self.write(JournalPort.save):
            raise Refused(message("Not possible while NOT SAVED is shown: the saved match may be incomplete."))
        kept = await self.write(JournalPort.match, number)
        try:
            if kept is None:
                raise Refused(message("There is no match {number}.", number=number))
            read = await self._read(kept, True)
        except (Refused, Unreadable) as fault:
            raise Refused(message("It cannot be resumed: {fault}", fault=fault.args[0])) from None
        self._lay(read, True, at_ns)
        return read.transcript.differs

    async def _read(self, kept: Kept, take_up: bool) -> Read:
        """Read a match from the journal. If today's rules cannot follow it to its end, continue it in a copy.

        Raises Refused or Unreadable if the match cannot be read.
        """
        lines = await self.write(JournalPort.written, kept.uid)
        if len(lines) != kept.lines:
            raise Refused(message("its record is unreadable"))
        transcript = read_transcript(kept, lines, self._find)
        header, differs = transcript.record.header, transcript.differs
        uid, later = kept.uid, await self.write(JournalPort.noted, kept.uid, LATER)
        sealed = _sealed_after(await self.write(JournalPort.noted, kept.uid, SEALED), len(lines))
        self._numbers[uid] = kept.id
        if take_up and differs:
            note = dump({"note": f"match {kept.id} goes on here. {differs}"})
            begun = [*lines[: len(transcript.lines)], (note, "box", mark_of(transcript.record.match))]
            async with self._together():
                await self.write(JournalPort.close_match, uid)
                transcript.record.header = header = header.today()
                uid = await self.write(JournalPort.begin, header.line(), header.game.revision, begun)
            transcript.lines.append((read_line(note.encode()) or {}, "box"))
        elif take_up:
            await self.write(JournalPort.take_up, uid, len(lines))
        table = read_table(kept, self._find) or Seating.of(header)
        levels = await self.write(JournalPort.noted, kept.uid, LEVELS)
        if isinstance(levels, list | tuple):
            table = replace(table, levels=read_levels(tuple(levels), table.buttons))
            if uid != kept.uid:
                await self.write(JournalPort.note, uid, LEVELS, levels)
        if differs:
            return Read(uid, table, transcript)
        return Read(uid, table, transcript, acts_of(later), acts_of(sealed))

    def _lay(self, read: Read, on: bool, at_ns: int) -> None:
        """Make a match that was read the match in play, from a time on."""
        transcript = read.transcript
        self.uid, self.on, self.later, self._last_race = read.uid, on, read.later, None
        self._forget_numbers()
        self.table = read.table
        self._left_ns = at_ns
        self.clock.began_ns = at_ns - transcript.record.at_ms * MS
        self._reopened = bool(transcript.lines) and "undo" in transcript.lines[-1][0]
        self._replace(transcript)
        self._ask()
        self._sealed = {act.given["seat"]: act for act in read.sealed}

    async def resumable(self) -> list[ResumableMatch]:
        """List the matches that can be resumed: first the open ones, then the finished ones, the newest first."""
        at_hand = self.uid if self._transcript else None
        matches = [kept for kept in (await self.write(JournalPort.listed, LISTED + 1))[::-1] if kept.uid != at_hand]
        listed = sorted(matches, key=lambda kept: not kept.open)[:LISTED]
        tables = ((kept, read_table(kept, self._find)) for kept in listed)  # `umpi history` lists those without a table
        return [ResumableMatch(kept.id, table.game, table.players, kept.open) for kept, table in tables if table]

    async def begin(self, table: Seating, at_ns: int) -> None:
        """Begin a match at a table. Raises Refused if its rules cannot set it up."""
        header = table.header().today()
        transcript = Transcript(header)
        await self.close_if_over()
        self.uid = await self.write(JournalPort.begin, header.line(), header.game.revision)
        self._forget_numbers()
        self.table, self._reopened, self.on, self.later, self._last_race = table, False, True, (), None
        self.clock.began_ns = at_ns
        self._replace(transcript)
        self._ask()

    async def leave(self, at_ns: int) -> None:
        """Leave the match in play at a time. It can be resumed, unless it is over."""
        if self._transcript and self.on:
            await self.write(JournalPort.leave, self.uid)
            self.calls, self.on, self._left_ns = (), False, at_ns
        await self.close_if_over()

    async def do(
        self, lines: Sequence[Mapping[str, Any]], at_ns: int, source: Source, after_ms: Sequence[int] = ()
    ) -> None:
        """Play and write the lines of one answer. Raises Refused, with nothing changed, if the first line is refused.

        If a later line is refused, that line and those after it are left out. If the box acts at once after an answer,
        nobody has read or heard the calls of that answer: they remain, before the new ones. `after_ms` is how much
        later than `at_ns` each line is, if they are several answers.
        """
        assert self._transcript
        unread = self.calls if self.match and any(ask.after_ms == 0 for ask in self.match.asks) else ()
        transcript = self._transcript.copy()
        age_ms = self._age_ms(at_ns)
        taken, marks = transcript.take_all(lines, str(source), [age_ms + ms for ms in after_ms or [0] * len(lines)])
        outcome = outcome_of(transcript.record.match)
        secret = secret_ask(self.match.asks) if self.match else None
        again = frozenset(line["seat"] for line in lines[len(taken) :] if secret and line.get("do") == secret.verb)
        await self.write(JournalPort.append, self.uid, taken, str(source), marks, outcome)
        undone = any("undo" in line for line in taken)
        first = len(transcript.record.match.acts) if undone or not self.match else len(self.match.acts)
        self._reopened = "undo" in taken[-1] if taken else self._reopened
        answering = self._answering(lines)
        self._replace(transcript)
        if not answering or self._answering(lines) != answering:
            self._ask(source == "box")
        self._again = again
        acts = range(first, len(transcript.record.match.acts))
        calls = tuple(call for index in acts for call in transcript.record.match.calls(index))
        self.calls = calls if undone else (*unread, *calls)

    @property
    def sealed(self) -> frozenset[int]:
        """The seats that have answered the secret question in play, or whose team has."""
        return self._parties_of(self._sealed)

    @property
    def again(self) -> frozenset[int]:
        """The seats that must answer a secret question again: the rules did not allow theirs beside the others."""
        return self._parties_of(self._again) - self.sealed

    def _parties_of(self, seats: Collection[int]) -> frozenset[int]:
        """Return some seats that the secret question in play waits for, with those of their teams."""
        ask = secret_ask(self.match.asks) if self.match and seats else None
        if ask is None:
            return frozenset()
        assert self.match
        return frozenset(seat for party in heard(parties(self.match, ask), seats) for seat in party)

    async def seal(self, ask: Ask, act: Act) -> list[Mapping[str, Any]]:
        """Keep a secret answer, and return the lines of all answers if it was the last, in the order of the seats.

        The lines that the rules do not allow beside the others come last. The answers are part of no record, list or
        screen before. The journal keeps them in a note, so that a power cut loses none. Raises Refused if the answer is
        not allowed.
        """
        assert self.match
        self.match.after(act)
        seat, waiting = act.given["seat"], parties(self.match, ask)
        party = next(each for each in waiting if seat in each)
        sealed = {other: kept for other, kept in self._sealed.items() if other not in party} | {seat: act}
        acts = [sealed[seat] for seat in sorted(sealed)]
        all_there = heard(waiting, sealed) == waiting
        if all_there:
            acts = allowed_first(self.match, acts)
        else:
            await self.write(JournalPort.note, self.uid, SEALED, [len(self.lines), [act.line() for act in acts]])
        self._sealed = sealed
        return [act.line() for act in acts] if all_there else []

    async def go_back(self, index: int, at_ns: int, source: Source) -> None:
        """Undo the acts from `index` on, so that forgotten ones can be entered; keep the undone acts in `later`."""
        assert self.match
        undone = zip(self.match.acts[index:], self.done[index:], strict=True)
        waiting = (*(replace(act, at=done.entered_ms) for act, done in undone), *self.later)
        async with self._together():
            await self.do([{"undo": len(self.match.acts) - index}], at_ns, source)
            await self._wait(waiting)

    async def put_back(self, at_ns: int, source: Source) -> None:
        """Restore the acts of `later` that are still valid.

        Each answer gets a time of its own, a millisecond after the one before, so that an undo takes back one of them.
        """
        assert self.match
        acts, _ = self.match.followed(self.later)
        lines = [replace(act, at=None).line() for act in acts]
        answers = enumerate(groupby(acts, key=lambda act: act.at))
        after_ms = [number for number, (_, answer) in answers for _ in answer]
        async with self._together():
            if lines:
                await self.do(lines, at_ns, source, after_ms)
            await self._wait(())

    @asynccontextmanager
    async def _together(self) -> AsyncIterator[None]:
        """Write what is written inside to disk as one unit: all of it or nothing."""
        await self.write(JournalPort.hold)
        try:
            yield
        finally:
            await self.write(JournalPort.release)

    async def _wait(self, later: Sequence[Act]) -> None:
        await self.write(JournalPort.note, self.uid, LATER, [act.line() for act in later])
        self.later = tuple(later)

    async def rename(self, seat: int, name: str) -> None:
        """Rename a seat, in the match, in the table and in the header of the record."""
        assert self._transcript
        assert self.table
        transcript = self._transcript.copy()
        record = transcript.record
        before = record.match.players
        players = (*before[:seat], name, *before[seat + 1 :])
        record.header = replace(record.header, players=players)
        record.match.players = players
        await self.write(JournalPort.rename, self.uid, players)
        self.table = replace(self.table, players=players)
        self._replace(transcript)

    async def occupy(self, seat: int, name: str, level: Level | None, at_ns: int, source: Source) -> None:
        """Let the box play a seat at a level from now on, or a person if it is None; the record says so."""
        assert self.table
        table = self.table.occupied(seat, name, level)
        note = box_plays(name) if level else person_plays(name)
        async with self._together():
            await self.rename(seat, name)
            await self.note(LEVELS, table.levels_line)
            await self.do([{"note": note}], at_ns, source)
        self.table = table

    async def end(self, note: str) -> None:
        """End a match that cannot continue, and write down why."""
        async with self._together():
            await self.write(JournalPort.append, self.uid, [{"note": note}], "table")
            await self._close()

    async def close_if_over(self) -> None:
        """Close the match if it is over."""
        if self.match and not self.match.asks:
            await self._close()

    async def _close(self) -> None:
        await self.write(JournalPort.close_match, self.uid)
        self._transcript = self.saved = None
        self.calls, self.on = (), False

    async def note(self, what: str, value: object) -> None:
        """Write a value to the journal as a note of the match in play."""
        if self._transcript:
            await self.write(JournalPort.note, self.uid, what, value)

    async def keep_race(self, race: Race | None) -> None:
        """Keep a race with the match if it has changed."""
        if race and race != self._race:
            await self.note(RACE, race.line())
        self._race, self._last_race = race, race or self._last_race

    @property
    def last_race(self) -> Race | None:
        """The last race since the match began or was resumed, None if there is none or an undo has taken it back."""
        race = self._last_race
        return race if race and self.match and race.before < len(self.match.acts) else None

    async def noted(self, what: str) -> object:
        """Return the value that was noted last for the match in play; None if there is none."""
        return await self.write(JournalPort.noted, self.uid, what) if self._transcript else None

    async def keep_trace(self, lines: Sequence[str]) -> None:
        """Keep the raw edges of an announcement with the match."""
        if self.record:
            await self.write(JournalPort.keep_trace, self.uid, lines)

    @property
    def wait_open(self) -> bool:
        """Whether the box waits for a time that is not drawn yet."""
        return self.clock.waits(self.match.asks if self.match and self.on else ())

    @property
    def timed(self) -> Timed | None:
        """The act that the box does without an input; None if there is none, or its time is not drawn yet.

        Right after acts were put on hold in `later`, there is none: it would come before them, and make them invalid.
        After an undo, time is up again only when no act is on hold, and as many are valid as when it was up before:
        they were all done in time. A timed act that would end the game again right after an undo is left out. A timed
        act that failed in the engine is left out until the question changes.
        """
        if not self._transcript or self._failed == self.question or (self.later and self._reopened):
            return None
        match, in_time = self._transcript.record.match, self._transcript.in_time
        up = not self.later and len(match.acts) >= in_time
        asks = (ask for ask in match.asks if ask.at_ms is None or up)
        timed = [due for ask in asks if (due := self.clock.due(ask))]
        for due in sorted(timed):
            try:
                ends = self._reopened and not match.after(_sample_act(match, due.verb))
            except Refused as fault:
                log.error("%s fails on its timed act %s", match.game.id, due.verb, exc_info=match.sayable(fault))
                self.give_up_timed()
                return None
            if not ends:
                return due
        return None

    def give_up_timed(self) -> None:
        """Skip the timed act while the question is the same, because the engine fails on it."""
        self._failed = self.question

    async def write(self, method: Callable[Concatenate[JournalPort, P], T], *values: P.args, **named: P.kwargs) -> T:
        """Call the journal, and return its result once it is on disk, or once it is certain that it cannot be."""
        call: JournalCall[T] = JournalCall(method, values, named)
        answer = await answered(call)
        self._disk = answer
        self._numbers.update(answer.news.numbers)
        self.uid = answer.news.copies.get(self.uid, self.uid)
        self.saved = self._transcript if answer.saved else self.saved
        return value_of(call, answer)

    def _forget_numbers(self) -> None:
        """Forget the numbers of all matches but the one in play."""
        self._numbers = {uid: number for uid, number in self._numbers.items() if uid == self.uid}

    def _replace(self, transcript: Transcript) -> None:
        """Replace the transcript of the match in play."""
        self._transcript, self.calls = transcript, ()
        self.saved = transcript if self.all_saved else self.saved

    def _ask(self, signal: bool = True) -> None:
        """Begin the question: its deadline counts from now. After a `signal` of the box, a reaction does too."""
        self.clock.ask(self._now_ns(), signal)
        self._sealed, self._again = {}, frozenset()

    def _answering(self, lines: Sequence[Mapping[str, Any]]) -> list[tuple[str, int]]:
        """List who has a limited time to answer now, by verb and seat; nobody unless all `lines` are presses of a race.

        Others who press meanwhile do not give that seat more time.
        """
        asks = self.match.asks if self.match else ()
        races = {ask.verb for ask in asks if ask.fields and ask.fields[0].source in ("buzz", "cube")}
        if not all(line.get("do") in races for line in lines):
            return []
        return [(ask.verb, ask.seat) for ask in asks if isinstance(ask.after_ms, int) and ask.seat is not None]

    def _age_ms(self, at_ns: int) -> int:
        assert self.record
        return max(self.record.at_ms, self.clock.age_ms(at_ns))


def _sealed_after(noted: object, lines: int) -> object:
    """Return the secret answers of a note, None if the match has gone on since: it has not so many lines."""
    return noted[1] if isinstance(noted, Sequence) and len(noted) == 2 and noted[0] == lines else None


def _sample_act(match: Match, verb: str) -> Act:
    """Return an act of the box, with the first value of each field that it would draw."""
    ask = next(ask for ask in match.asks if ask.verb == verb)
    return Act(verb, completed(ask, {}, first_of_pool))
