"""Checks of legality: an engine accepts each offered act; it refuses any other with a sentence, and changes nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from umpi.conformance.drawing import asked, drawn, seat_of, unfit
from umpi.conformance.flaws import Flaw, at_fault, shown
from umpi.conformance.still import traced
from umpi.kernel.blame import blame
from umpi.kernel.fields import Chance, Each, Field, Number, Pick, Some, Value
from umpi.kernel.game import Act, Ask, verbs
from umpi.kernel.match import Broken, Match, Refused, refusal
from umpi.kernel.messages import named

MANY = 20  # at most this many values are tried per pool
TYPES: tuple[Value, ...] = (True, False, "1", "", None, (), {}, -1, 0, 1, 10**9, "?")  # values that are seldom valid


def lawful(match: Match, chance: Chance) -> Iterator[Flaw]:
    """Check whether each value of each pool can be completed to an act that is accepted."""
    for ask in match.asks:
        act = drawn(ask, chance)
        if act is None or unfit(match.game, ask.verb, act.given):
            continue
        yield from accepted(match, act, ask)
        for name, value in _ends(ask):
            whole = drawn(ask, chance, {name: value})
            if whole is None:
                yield Flaw(f'"{ask.verb}" offers {value!r} for {name}, but nothing beside it makes an act.')
            elif not unfit(match.game, ask.verb, whole.given):
                yield from accepted(match, whole, ask)
        for alike in _alike(ask, act):
            yield from accepted(match, alike, ask)


def accepted(match: Match, act: Act, ask: Ask) -> Iterator[Flaw]:
    """Check whether an act is accepted, without `by` and with the seat that must act."""
    for by in dict.fromkeys((None, seat_of(ask, act.given))):
        own = Act(act.verb, act.given, by)
        try:
            match.play(own)
        except Exception as fault:
            yield Flaw(f"{shown(own)} is offered, but not accepted: {_why(fault, match)}", own)
            return
        match.undo()


def broken(act: Act, match: Match, chance: Chance) -> Iterator[Flaw]:
    """Check whether this act, if it is offered here, is accepted."""
    if (ask := next((ask for ask in match.asks if ask.verb == act.verb), None)) and not refusal(ask, act.given):
        yield from accepted(match, act, ask)


def refused(match: Match, chance: Chance) -> Iterator[Flaw]:
    """Check whether acts that are not offered are refused with a sentence, and change nothing."""
    before, acts, tried = traced(match.now), list(match.acts), list[Act]()
    for act, because in _wrong(match, chance):
        tried.append(act)
        if why := _unrefused(match, act, because):
            if traced(match.now) != before:
                break
            yield Flaw(why, act)
    if traced(match.now) != before or match.acts != acts:
        act = _changing(Match(match.game, match.players, match.options), acts, tried)
        yield Flaw(f"{shown(act)} is refused, but changes the position.", act)


def _unrefused(match: Match, act: Act, because: str) -> str:
    """Try an act that is not offered, and return how it is not refused as it must be, "" if it is."""
    try:
        match.play(act)
    except Broken as fault:
        return f"{shown(act)} is not offered, and breaks the rules: {_why(fault, match)}"
    except Refused as fault:
        if reason := no_sentence(str(fault)):
            return f'{shown(act)} is refused with "{fault}", which {reason}.'
        return "" if because in str(fault) else f'{shown(act)} is refused with "{fault}", but the reason is: {because}'
    except Exception as fault:
        return f"{shown(act)} is not offered, and breaks the rules: {_why(fault, match)}"
    match.undo()
    return f"{shown(act)} is accepted, though it is not offered."


def _changing(match: Match, acts: Sequence[Act], tried: Sequence[Act]) -> Act:
    """Play a match to a position, and return the first of the acts tried there that changes it, else the last."""
    for act in acts:
        match.play(act)
    before = traced(match.now)
    for act in tried:
        _unrefused(match, act, "")
        if traced(match.now) != before:
            return act
    return tried[-1]


@lru_cache
def no_sentence(text: str) -> str:
    """Return why a refusal is not a sentence for players, "" if it is one.

    >>> no_sentence("fire-4 lies in Ann's hand."), no_sentence("{card} is gone.")
    ('', 'has an unfilled brace')
    """
    if re.search(r"[{}]", text):
        return "has an unfilled brace"
    if not re.match(r"[\w\"'“‘(]", text):
        return "does not begin like a sentence"
    return "" if re.search(r"\w.*[.!?][\"')”]?$", text) else "does not end like a sentence"


def _why(fault: BaseException, match: Match) -> str:
    if isinstance(fault, Broken):
        return f"{fault} [{blame(fault, match.game)}]"
    return str(fault) if isinstance(fault, Refused) else at_fault(fault, match.game) + "."


def _ends(ask: Ask) -> Iterator[tuple[str, Value]]:
    """Yield the values of each pool and the ends of each range, with the name of the field."""
    for field in ask.fields:
        if isinstance(field, Pick):
            yield from ((field.name, value) for value in list(dict.fromkeys(field.pool))[:MANY])
        elif isinstance(field, Number):
            yield from ((field.name, value) for value in (field.low, field.high))


def _alike(ask: Ask, act: Act) -> Iterator[Act]:
    """Yield acts with equal faces on all dice, because random games rarely have them."""
    for name, field in asked(ask, act.given).items():
        value = act.given.get(name)
        if isinstance(field, Some) and field.again and isinstance(value, tuple) and len(value) > 1:
            for face in list(dict.fromkeys(field.pool))[:MANY]:
                given = {**act.given, name: (face,) * len(value)}
                if not refusal(ask, given):
                    yield Act(act.verb, given)


class Miss(NamedTuple):
    """An act that is not offered, and what its refusal must contain."""

    act: Act
    because: str


def _wrong(match: Match, chance: Chance) -> Iterator[Miss]:
    """Yield acts that are not offered."""
    offered = {ask.verb for ask in match.asks}
    for verb in sorted(verbs(match.game) | {"", "no-such-act", "setup"}):
        if verb not in offered:
            yield Miss(Act(verb), f'"{verb}"' if offered else "over")
    for ask in match.asks:
        act = drawn(ask, chance)
        if act is not None and not unfit(match.game, ask.verb, act.given):
            yield from _beside(match, ask, act)
        yield from _off(match, ask, {} if act is None else act.given)


def _beside(match: Match, ask: Ask, act: Act) -> Iterator[Miss]:
    """Yield copies of a valid act with one error each."""
    seat = seat_of(ask, act.given)
    for by in range(-1, len(match.players) + 1):
        if by != seat:
            yield Miss(Act(act.verb, act.given, by), 'omit "by"' if seat is None else f"not for seat {by}")
    yield Miss(Act(act.verb, {**act.given, "no_such_field": 1}), '"no_such_field"')
    for name, field in asked(ask, act.given).items():
        if name not in act.given:
            continue
        if not field.optional:
            yield Miss(Act(act.verb, {own: value for own, value in act.given.items() if own != name}), f'"{name}"')
        for value in _others(field, act.given[name]):
            if reason := field.refuse(value):
                yield Miss(Act(act.verb, {**act.given, name: value}), named(reason, match.players))


def _off(match: Match, ask: Ask, given: Mapping[str, Value]) -> Iterator[Miss]:
    """Yield acts with a value that a menu shows as unavailable."""
    for field in ask.fields:
        if isinstance(field, (Pick, Some)) and field.all_values:
            for kind in [kind for kind in field.all_values if kind not in field.pool][:MANY]:
                value = (kind,) if isinstance(field, Some) else kind
                act = Act(ask.verb, {**given, field.name: value})
                yield Miss(act, named(field.refuse(value), match.players) if given else "")


def _others(field: Field, value: Value) -> Iterator[Value]:
    """Yield answers that may be wrong: of other types, just out of range, or with one value more or less."""
    yield from TYPES
    if isinstance(field, Number):
        yield from (field.low - 1, field.high + 1)
    if isinstance(value, tuple):
        yield from (value[1:], (*value, *value[:1]), (*value, None))
        inner = field.fields[0] if isinstance(field, Each) and field.fields else None
        for wrong in (*TYPES, *((inner.low - 1, inner.high + 1) if isinstance(inner, Number) else ())):
            yield (wrong, *value[1:])
