"""The transcript of a match: its record, who wrote each line, and how to read it from the journal."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any
from zlib import crc32

from umpi.frozen import frozen
from umpi.kernel.game import Act
from umpi.kernel.kept import Kept, KeptLine, Uid
from umpi.kernel.match import Match, Refused
from umpi.kernel.messages import Message, message
from umpi.kernel.record import CHANGED, Find, Header, Record, Unreadable, dump, read_line
from umpi.kernel.seal import closed
from umpi.table.seating import Seating
from umpi.table.telling import entered

log = logging.getLogger(__name__)
ELSEWHERE = message("the result has changed")
HIDDEN = message("Only one player may see that until the match is over. Undo it instead.")
OTHERWISE = "It cannot be resumed as recorded. It stops before line {line}: {fault}"


@frozen
class Done:
    """Who did an act of the match ("panel", "phone:Red", "funnel", "box"), and its seat.

    `by_age` is whether it was the age of the match that asked for it: time was up. `entered_ms` is the age of the match
    when it was entered: a correction writes later acts once more, at its own time, but nobody enters them again.
    """

    who: str
    seat: int | None
    by_age: bool
    entered_ms: int | None


class Transcript:
    """Keep the record of a match, with who wrote each line.

    If today's rules give another result, the record ends before the journal does. `differs` is then the reason.

    `joined` contains the acts that were entered in one answer with the act before, by index.

    `in_time` is how many acts were done before time was up, if it was and that has been undone: it is up again when as
    many are valid.
    """

    def __init__(self, header: Header) -> None:
        self.record = Record(header)
        self.lines: list[tuple[Mapping[str, Any], str]] = []  # after the header, each with who wrote it
        self.done: list[Done] = []  # one for each valid act
        self.joined: frozenset[int] = frozenset()
        self.differs: Message | str = ""
        self.in_time = 0
        self._undone: list[tuple[Act, Done]] = []  # what the last undo has taken back, as far as it is not there again
        self._undone_ms: int | None = None  # the time of that undo

    def copy(self) -> Transcript:
        """Return a copy that changes independently of this transcript."""
        other = copy(self)
        other.record, other.lines, other.done = self.record.copy(), self.lines.copy(), self.done.copy()
        return other

    def shown_lines(self) -> list[Mapping[str, Any]]:
        """Return the lines as everybody may read them: hands are hidden until the match is over."""
        lines = [line for line, _ in self.lines]
        return list(map(closed, lines)) if self.record.match.asks else lines

    def take(self, line: Mapping[str, Any], who: str) -> None:
        """Add a line to the record, with who wrote it. Raises Refused, with nothing changed."""
        record = self.record
        ask = next((ask for ask in record.match.asks if ask.verb == line.get("do")), None)
        before = list(zip(record.match.acts, self.done, strict=True)) if "undo" in line else []
        record.take(line)
        self.lines.append((line, who))
        valid = len(record.match.acts)
        if undone := before[valid:]:
            self._undone, self._undone_ms = undone, line.get("at")
            self.in_time = next((valid + index for index, (_, done) in enumerate(undone) if done.by_age), self.in_time)
            del self.done[valid:]
            self.joined = frozenset(index for index in self.joined if index < valid)
        if ask:
            seat = line.get("seat") if ask.seat is None else ask.seat
            entered_ms = self._entered_ms(record.match.acts[-1])
            if self.done and self.done[-1].entered_ms == entered_ms is not None:
                self.joined |= {len(self.done)}
            by_age = ask.at_ms is not None and (line.get("at") or 0) >= ask.at_ms
            self.done.append(Done(who, seat if isinstance(seat, int) else None, by_age, entered_ms))

    def _entered_ms(self, act: Act) -> int | None:
        """Return when the last act was entered.

        A correction consists of an undo, another act in place of the first one, and the later acts once more.
        """
        if act.at is None or act.at != self._undone_ms:
            return act.at
        instead = "undo" in self.lines[-2][0]
        for number, (undone, done) in enumerate(self._undone):
            if instead or (undone.verb, undone.given) == (act.verb, act.given):
                self._undone = self._undone[number + 1 :]
                return done.entered_ms
        return act.at

    def take_all(
        self, lines: Sequence[Mapping[str, Any]], who: str, ages_ms: Sequence[int]
    ) -> tuple[list[Mapping[str, Any]], list[int | None]]:
        """Take lines, each at an age of the match; return those taken and a mark of each position.

        Raises Refused if the first line is refused. If a later line is refused, that line and those after it are left
        out.
        """
        taken: list[Mapping[str, Any]] = []
        marks: list[int | None] = []
        for line, at_ms in zip(lines, ages_ms, strict=True):
            stamped = line if "note" in line else {**line, "at": at_ms}
            try:
                self.take(stamped, who)
            except Refused:
                if not taken:
                    raise
                break
            taken.append(stamped)
            marks.append(mark_of(self.record.match))
        return taken, marks


@frozen
class Read:
    """A match read from the journal: its uid, its transcript, and the acts that wait to be restored.

    `sealed` contains the secret answers to its last question, if some seats have answered and others have not. `table`
    has only the options that were chosen, so that the next match there has the rules of today.
    """

    uid: Uid
    table: Seating
    transcript: Transcript
    later: tuple[Act, ...] = ()
    sealed: tuple[Act, ...] = ()


def read_header(kept: Kept, find: Find) -> Header:
    """Read the header of a match; its options then name the rules that were in force when it began.

    Raises Refused or Unreadable if the header cannot be used, for example if its game is not installed.
    """
    return _chosen(kept, find).as_then(kept.rules)


def _chosen(kept: Kept, find: Find) -> Header:
    return Header.read(read_line(kept.header.encode()) or {}, find)


def read_transcript(kept: Kept, lines: Sequence[KeptLine], find: Find) -> Transcript:
    """Read a match of the journal, as far as today's rules lead to the same positions as then.

    Raises Refused or Unreadable if its header cannot be used, for example if its game is not installed.
    """
    transcript = Transcript(read_header(kept, find))
    for number, (text, who, mark) in enumerate(lines):
        fault = ""
        try:
            transcript.take(read_line(text.encode()) or {}, who)
            if mark not in (None, mark_of(transcript.record.match)):
                fault = ELSEWHERE
        except (Refused, Unreadable) as refusal:
            fault = refusal.args[0]
        if fault:
            transcript = read_transcript(kept, lines[:number], find)
            transcript.differs = _differs(kept, transcript, number + 2, fault)
            break
    return transcript


def _differs(kept: Kept, transcript: Transcript, line: int, fault: str) -> Message:
    now = transcript.record.header.game.revision
    if kept.rules in (None, now):
        return message(OTHERWISE, line=line, fault=fault)
    return message(CHANGED, then=kept.rules, now=now, line=line, fault=fault)


def mark_of(match: Match) -> int | None:
    """Return the mark of a position: a checksum of what the players see. None if the engine fails."""
    try:
        result = match.result
        places = result.places if result else ()
        seen = {"phase": match.now.phase, "seat": match.seat, "scores": match.now.scores(), "places": places}
        return crc32(dump(seen).encode())
    except Exception as fault:  # the engine's own code; the panel reports its errors elsewhere
        log.error("The rules of %s fail to describe a position", match.game.id, exc_info=match.sayable(fault))
        return None


def outcome_of(match: Match) -> dict[str, Any] | None:
    """Return how a match ended, as `Match.outcome`; also None if the engine fails."""
    try:
        return match.outcome
    except Exception as fault:  # the engine's own code
        what = "The rules of %s fail to say whether the match is over"
        log.error(what, match.game.id, exc_info=match.sayable(fault))
        return None


def undo_line(match: Match, joined: Collection[int], alone: Collection[int] = ()) -> dict[str, Any]:
    """Return the line that undoes the last answer, or all secret answers, and what the box did after it.

    `joined` contains the acts that were entered in one answer with the act before, `alone` those that the box has done
    by itself for its own seats, by index.
    """
    last = len(match.acts) - 1
    while last > 0 and (last in alone or not entered(match, last, joined) or _together(match, last, joined)):
        last -= 1
    return {"undo": len(match.acts) - max(last, 0)}


def _together(match: Match, index: int, joined: Collection[int]) -> bool:
    """Check whether an act was shown together with the one before it: both are answers to a secret question."""
    return index in joined and match.asked(index - 1).secret and match.acts[index - 1].verb == match.acts[index].verb


def act_of(line: Mapping[str, Any]) -> Act:
    """Read an act from a note of the journal, with tuples in place of lists, as in a record."""
    return Act.read(read_line(dump(line).encode()) or {})


def acts_of(lines: object) -> tuple[Act, ...]:
    """Read the acts that a note of the journal contains, none if there is no note."""
    return tuple(act_of(line) for line in lines) if isinstance(lines, Sequence) else ()


def read_table(kept: Kept, find: Find) -> Seating | None:
    """Read the table of a match with the options that were chosen; return None if its game is not installed."""
    try:
        return Seating.of(_chosen(kept, find))
    except (Refused, Unreadable):
        return None
    except Exception:  # the engine checks its own options
        log.exception("the header of match %d cannot be read", kept.id)
        return None


def amendment(match: Match, index: int, line: Mapping[str, Any]) -> tuple[list[Mapping[str, Any]], list[int]]:
    """Return the lines that replace the act at `index`, in the format of a record; change nothing.

    Returns with them the indexes of the later acts that would become invalid. Raises Refused if the act is not allowed
    there, or if there is no act at `index`.
    """
    if not 0 <= index < len(match.acts):
        raise Refused(
            message("There is no move {number}. The last one is {stand}.", number=index + 1, stand=len(match.acts))
        )
    if match.hides(index):
        raise Refused(HIDDEN)
    try:
        act = replace(Act.read(line), at=None)
    except ValueError as fault:
        raise Refused(str(fault)) from None
    copy, lost = match.amended(index, act)
    gone = [at for at, act in enumerate(match.acts) if at > index and any(act is each for each in lost)]
    kept = [replace(act, at=None).line() for act in copy.acts[index:]]
    return [{"undo": len(match.acts) - index}, *kept], gone
