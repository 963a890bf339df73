"""Count the legal lines of a game, to compare with a count by hand or by another program (perft, as chess calls it)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import comb, prod
from types import MappingProxyType

from umpi.kernel.fields import (
    Each,
    Field,
    Forms,
    Given,
    Number,
    Pick,
    Profile,
    Some,
    Text,
    Value,
    no_objection,
    private_to,
    same,
)
from umpi.kernel.game import Act, Ask, nothing_more
from umpi.kernel.match import Broken, Match, Refused, refusal
from umpi.kernel.nothing import nothing


@dataclass(slots=True)
class Count:
    """The lines of `depth` acts: how many end with each verb, and how many shorter ones the game ended.

    `positions` is how many positions were looked at. If it reached the limit, the count is not `complete`.
    """

    depth: int
    verbs: Counter[str] = field(default_factory=Counter)
    over: int = 0
    positions: int = 0
    complete: bool = True

    @property
    def lines(self) -> int:
        """Return how many lines have all their acts."""
        return self.verbs.total()


def perft(match: Match, depth: int, progress: Callable[[str], object] = nothing, limit: int | None = None) -> Count:
    """Count all lines of `depth` legal acts from the current position, and leave the match unchanged.

    Two lines differ if a record would write them differently: each throw of the dice and each card counts. A text
    counts once, whatever its letters, and a hand that the box deals once, whatever the order of its cards. The last
    acts are counted without playing them. The count ends early after `limit` positions. `progress` gets the number of
    lines so far. Raises Broken if the engine fails.
    """
    count = Count(depth)
    _follow(match, depth, count, progress, limit)
    return count


def divide(match: Match, depth: int) -> Iterator[tuple[Act, int]]:
    """Count the lines of `depth` acts behind each first act, and leave the match unchanged."""
    for act in legal(match.asks):
        if _played(match, act):
            yield act, perft(match, depth - 1).lines if depth > 1 else 1
            match.undo()


def _follow(match: Match, left: int, count: Count, progress: Callable[[str], object], limit: int | None) -> None:
    progress(f"{count.lines:,} lines of {count.depth} moves")
    if count.positions == limit:
        count.complete = False
        return
    count.positions += 1
    if not match.asks:
        count.over += 1
        return
    if left == 1:
        for ask in match.asks:
            count.verbs[ask.verb] += answers(ask)
        count.verbs += Counter()  # without the verbs that have no answer
        return
    for act in legal(match.asks):
        if not count.complete:
            return
        if _played(match, act):
            _follow(match, left - 1, count, progress, limit)
            match.undo()


def answers(ask: Ask) -> int:
    """Count the answers to an ask: by combinatorics where its fields do not depend on each other.

    >>> from umpi.kernel import Draw
    >>> answers(Ask("deal", "Deal", (Draw("cards", range(1, 105), 4),)))
    110355024
    """
    if ask.more is not nothing_more or ask.objection is not no_objection:
        return sum(1 for given in _answers(ask, {}, frozenset(), {}) if not refusal(ask, given))
    return prod(_number(field) + field.optional for field in ask.fields)


def _number(field: Field) -> int:
    """Count the values that a field accepts."""
    if isinstance(field, Some) and field.until is None and field.objection is no_objection:
        return sum(_rows(field)[field.least :])
    if isinstance(field, Number):
        return field.high - field.low + 1 + field.null
    return sum(1 for value in values(field) if not field.refuse(value))


def _is_hand(field: Field) -> bool:
    """Check whether a field is a hand that the box deals to one seat: the order of its cards says nothing."""
    return field.source == "box" and private_to(field) is not None


def _rows(field: Some) -> list[int]:
    """Return how many rows of each length a field accepts, from 0 to its longest.

    Copies of a value look alike. One kind of value after the other is added: it takes `used` places of a row. A hand
    has no order.

    >>> from umpi.kernel import Draw
    >>> _rows(Draw("hand", "abcd", 2, source="box", to=0)), _rows(Draw("row", "abcd", 2, source="box"))
    ([1, 4, 6], [1, 4, 12])
    """
    kinds, most = Counter(map(repr, field.pool)), field.most
    if _is_hand(field) and not field.again:
        rows = [1] + [0] * most
        for copies in kinds.values():
            rows = [sum(rows[size - used] for used in range(min(copies, size) + 1)) for size in range(most + 1)]
        return rows
    if field.again:
        return [len(kinds) ** size for size in range(most + 1)]
    rows = [1] + [0] * most
    for copies in kinds.values():
        rows = [
            sum(rows[size - used] * comb(size, used) for used in range(min(copies, size) + 1))
            for size in range(most + 1)
        ]
    return rows


def _played(match: Match, act: Act) -> bool:
    """Play an act; return False if the engine refuses it though it was offered, as an act may depend on all answers."""
    try:
        match.play(act)
    except Broken:
        raise
    except Refused:
        return False
    return True


def legal(asks: Sequence[Ask], instead: Mapping[str, Sequence[Value]] = MappingProxyType({})) -> Iterator[Act]:
    """Yield each act that answers an offer, once. `instead` has the only values to try of a field, by its name."""
    for ask in asks:
        for given in _answers(ask, {}, frozenset(), instead):
            if not refusal(ask, given):
                yield Act(ask.verb, given)


def _answers(
    ask: Ask, given: Given, left_out: frozenset[str], instead: Mapping[str, Sequence[Value]]
) -> Iterator[Given]:
    """Yield all answers that begin with `given`; `left_out` are the optional fields that stay without an answer."""
    open_field = _next(ask, given, left_out)
    if open_field is None:
        yield given
        return
    if open_field.optional:
        yield from _answers(ask, given, left_out | {open_field.name}, instead)
    for value in _tried(open_field, instead):
        yield from _answers(ask, {**given, open_field.name: value}, left_out, instead)


def _tried(field: Field, instead: Mapping[str, Sequence[Value]]) -> Iterator[Value]:
    """Yield the values of a field, or those that stand for them and that it accepts."""
    if field.name in instead:
        return (value for value in instead[field.name] if not field.refuse(value))
    return values(field)


def _next(ask: Ask, given: Given, left_out: frozenset[str]) -> Field | None:
    """Return the next field of an ask that needs an answer, None if it has all."""
    known: dict[str, Value] = {}
    for each in ask.walk(known):
        if each.name in given:
            known[each.name] = given[each.name]
        elif each.name not in left_out:
            return each
    return None


def values(field: Field) -> Iterator[Value]:
    """Yield each value that a field may accept, once; of a text one, of an object that is measured none but null.

    >>> list(values(Some("keep", (3, 3, 9), 1, 2)))
    [(3,), (9,), (3, 3), (3, 9), (9, 3)]
    """
    if isinstance(field, Pick):
        yield from _kinds(field.pool)
    elif isinstance(field, Number):
        yield from range(field.low, field.high + 1)
        if field.null:
            yield None
    elif isinstance(field, Some):
        for size in range(field.least, field.most + 1):
            yield from _lists(field, Counter(map(repr, field.pool)), (), size)
    elif isinstance(field, Each):
        yield from product(*map(values, field.fields))
    elif isinstance(field, Forms):
        for size in range(field.least, field.most + 1):
            yield from _objects(field, (), size)
    elif isinstance(field, Text):
        yield field.sample(lambda: 0.0)
        if field.null:
            yield None
    else:
        assert isinstance(field, Profile)
        yield None


def _kinds(pool: Sequence[Value]) -> list[Value]:
    """List the different values of a pool; they differ by type and value."""
    return list({repr(value): value for value in pool}.values())


def _lists(field: Some, left: Counter[str], begun: tuple[Value, ...], size: int) -> Iterator[Value]:
    if len(begun) == size:
        if not field.refuse(begun):
            yield begun
        return
    kinds = _kinds(field.pool)
    if _is_hand(field) and begun:  # the cards of a hand are listed in the order of the pool
        kinds = kinds[next(at for at, kind in enumerate(kinds) if same(kind, begun[-1])) :]
    for value in kinds:
        if left[repr(value)] or field.again:
            left[repr(value)] -= 1
            yield from _lists(field, left, (*begun, value), size)
            left[repr(value)] += 1


def _objects(field: Forms, begun: tuple[Given, ...], size: int) -> Iterator[Value]:
    if len(begun) == size:
        if not field.refuse(begun):
            yield begun
        return
    names = [each.name for each in field.fields]
    for answers in product(*map(values, field.fields)):
        if all(repr(each[names[0]]) != repr(answers[0]) for each in begun):
            yield from _objects(field, (*begun, dict(zip(names, answers, strict=True))), size)
