"""Find a position of which changed rules say something else, and ask the author what is right there."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from umpi.conformance.drawing import drawn
from umpi.conformance.edges import edge_values
from umpi.conformance.flaws import Flaw
from umpi.conformance.mutation.lines import Ran
from umpi.conformance.shortest import shortest
from umpi.frozen import frozen
from umpi.kernel.fields import Chance, Field, Number, Pick, Some, Value, show
from umpi.kernel.game import Act, Ask, Game
from umpi.kernel.match import Broken, Match, Refused
from umpi.kernel.record import Header, dump, replay
from umpi.table.telling import act_text

DRAWN = 2  # acts of each ask that are tried in a position
VALUES = 4  # values of a field that are tried: those at its edges, and those just outside
TOLD = ("scores", "winners", "seat", "phase")  # parts of a state, in the order in which they are compared
AT, THEN, SO = "At this position ", "Now ", ": is that so?"
NAME = 40  # letters of the name of a file
SHOWN = 100  # letters of a fact


class Verdict(NamedTuple):
    """What the rules say of an act: why they refuse it, "" if they allow it."""

    act: Act
    reason: str


class Said(NamedTuple):
    """What the rules say in a position: its state, and verdicts on some acts."""

    state: Mapping[str, Any]
    verdicts: tuple[Verdict, ...]


class Played(NamedTuple):
    """A match, what the rules say in each of its positions, and the lines of the engine that ran for it."""

    header: Header
    acts: Sequence[Act]
    said: Sequence[Said]
    ran: Ran


@frozen
class Question:
    """A question to the author, and the record that says what the rules say today."""

    text: str
    lines: tuple[str, ...]
    acts: int = 0  # from the start to its position

    @property
    def name(self) -> str:
        """The name of a file for the record.

        >>> Question("At this position Red: Roll 7 is refused (“die: 7 is not in 1 to 6.”): is that so?", ()).name
        'red-roll-7-is-refused'
        """
        sentence = re.sub(r" \(“.*”\)", "", self.text).removeprefix(AT).removeprefix(THEN).removesuffix(SO)
        return "-".join(re.findall(r"[a-z0-9]+", sentence.lower()))[:NAME].strip("-")


def said(match: Match, chance: Chance, played: Act | None) -> Said:
    """Return what the rules say in the current position; `played` is the act that follows in the match."""
    acts = [*([played] if played else ()), *_tried(match.asks, chance)]
    return Said(_state(match), tuple(Verdict(act, _reason(match, act)) for act in acts))


def first_difference(played: Played, changed: type[Game], most: int, seed: int) -> Question | None:
    """Return a question about the first position of a match, with at most so many acts, where changed rules differ.

    Raises what the changed rules raise, and Broken if they fail.
    """
    here, there = played.header.match(), Match(changed, played.header.players, played.header.options)
    chance = Random(seed).random
    for index, known in zip(range(most + 1), played.said, strict=False):
        if question := _difference(here, there, known, chance):
            return question
        if index < len(played.acts):
            here.play(played.acts[index])
            there.play(played.acts[index])
    return None


def shortened(question: Question, game: type[Game], changed: type[Game], seed: int) -> Question:
    """Return a question about a position with fewer acts, if leaving out some of them leads to one."""
    best = question

    def look(match: Match, chance: Chance) -> Iterator[Flaw]:
        """Look whether the changed rules differ in the current position, and not earlier."""
        nonlocal best
        with suppress(Exception):  # a fault is no difference to ask about
            there = Match(changed, match.players, match.options)
            for act in match.acts:
                there.play(act)
            if nearer := _difference(match, there, said(match, chance, None), chance):
                best = nearer
                yield Flaw(nearer.text)

    *_, last = replay((line.encode() for line in question.lines[: question.acts + 1]), lambda _: game)
    assert last.record is not None
    match = last.record.match
    shortest(Header(game, match.players, match.options), match.acts, Flaw(question.text), look, seed)
    return best


def _difference(here: Match, there: Match, known: Said, chance: Chance) -> Question | None:
    """Compare what the rules say in a position with what changed rules say; None if there is no difference."""
    if question := _state_differs(here, known, _state(there)):
        return question
    for act, reason in known.verdicts:
        if bool(_reason(there, act)) is not bool(reason):
            return _verdict_differs(here, act, reason)
    for ask in there.asks:
        if (other := _drawn(ask, chance)) and (reason := _reason(here, other)):
            return _verdict_differs(here, other, reason)
    return None


def _state(match: Match) -> dict[str, Any]:
    state: dict[str, Any] = json.loads(dump(match.state()))
    return state


def _reason(match: Match, act: Act) -> str:
    """Return why the rules refuse an act, "" if they allow it; raises Broken if they fail."""
    try:
        match.play(act)
    except Broken:
        raise
    except Refused as refusal:
        return str(refusal)
    match.undo()
    return ""


def _tried(asks: Sequence[Ask], chance: Chance) -> Iterator[Act]:
    """Yield acts that answer an offer, and some that nearly do."""
    for ask in asks:
        for _ in range(DRAWN):
            if act := _drawn(ask, chance):
                yield act
        for field in ask.fields:
            for value in islice((each for each in edge_values(field) if not field.refuse(each)), VALUES):
                if edge := _drawn(ask, chance, {field.name: value}):
                    yield edge
            for value in islice(_outside(field), VALUES):
                if act:
                    yield Act(ask.verb, {**act.given, field.name: value}, ask.seat)


def _drawn(ask: Ask, chance: Chance, fixed: Mapping[str, Value] | None = None) -> Act | None:
    act = drawn(ask, chance, fixed or {})
    return Act(act.verb, act.given, ask.seat) if act else None


def _outside(field: Field) -> Iterator[Value]:
    """Yield values just outside a field."""
    match field:
        case Number(_, low, high):
            yield from (low - 1, high + 1)
        case Pick():
            yield from (value for value in field.all_values if value not in field.pool)
        case Some():
            yield from ((value,) for value in field.all_values if value not in field.pool)
            if field.pool:
                yield from ((field.pool[0],) * size for size in (field.least - 1, field.most + 1) if size >= 0)
        case _:
            pass


def _verdict_differs(here: Match, act: Act, reason: str) -> Question:
    """Ask whether an act is allowed, or refused."""
    text = act_text(here, act, act.by)
    if reason:
        refused = {"refuse": act.line(), "why": reason}
        return _question(here, f"{AT}{text} is refused (“{reason}”){SO}", [refused])
    return _question(here, f"{AT}{text} is allowed{SO}", [act.line()])


def _state_differs(here: Match, known: Said, there: Mapping[str, Any]) -> Question | None:
    """Ask about the first part of a state that differs; None if none does."""
    state = known.state
    for key in TOLD:
        if state[key] != there.get(key):
            return _expected(here, {key: state[key]}, _sentence(here, key, state[key]))
    for name, value in state["facts"].items():
        if name not in there["facts"] or there["facts"][name] != value:
            fact = textwrap.shorten(dump(value), SHOWN, placeholder=" …")
            return _expected(here, {"facts": state["facts"]}, f"the fact “{name}” is {fact}")
    return None


def _sentence(match: Match, key: str, value: Any) -> str:
    players = match.players
    match key:
        case "scores":
            return f"the totals are {show(tuple(value))}"
        case "winners":
            return f"the winner is {' and '.join(players[seat] for seat in value)}" if value else "nobody has won"
        case "seat":
            return "no player must act" if value is None else f"{players[value]} must act"
        case _:
            return f"the phase is “{value}”"


def _expected(here: Match, expect: Mapping[str, Any], sentence: str) -> Question:
    return _question(here, f"{THEN}{sentence}{SO}", [], expect=expect)


def _question(here: Match, text: str, last: Sequence[Mapping[str, Any]], **tags: Value) -> Question:
    """Return a question with its record: the acts to its position, and the last lines."""
    first = Header(here.game, here.players, here.options, {"about": f"{text.removesuffix(SO)}.", **tags})
    lines = (first.line(), *(act.line() for act in here.acts), *last)
    return Question(text, tuple(map(dump, lines)), len(here.acts))
