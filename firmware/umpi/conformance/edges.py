"""Edge values: draw the answers that a random game seldom gets, such as the ends of a range and equal dice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from umpi.kernel.fields import Chance, Each, Field, Forms, Number, Pick, Profile, Some, Text, Value
from umpi.kernel.game import Act, Ask
from umpi.kernel.match import refusal
from umpi.kernel.random_games import sample

OFTEN = 0.5  # how often a field gets an edge value in a game of edges


def edge_act(asks: Sequence[Ask], chance: Chance) -> Act:
    """Draw an act of an offer; about half of its answers are edge values.

    Raises NeverEnds if no act can be drawn.
    """
    usual = sample(asks, chance)
    ask = next(ask for ask in asks if ask.verb == usual.verb)
    given: dict[str, Value] = {}
    for field in ask.walk(given):
        edges = [value for value in edge_values(field) if not field.refuse(value)]
        if edges and chance() < OFTEN:
            given[field.name] = edges[int(chance() * len(edges))]
        elif field.name in usual.given:
            given[field.name] = usual.given[field.name]
    return usual if refusal(ask, given) else Act(ask.verb, given)


def edge_values(field: Field) -> Iterator[Value]:
    """Yield the values at the edges of a field: first and last, none and all, all equal.

    >>> list(edge_values(Number("bid", 0, 10)))
    [0, 1, 9, 10]
    """
    match field:
        case Number(_, low, high, null):
            yield from sorted({low, min(low + 1, high), max(high - 1, low), high})
            if null:
                yield None
        case Pick(_, pool) if pool:
            yield from (pool[0], pool[-1])
        case Some(_, pool, least, most):
            for size in sorted({least, most}):
                if field.again and pool:
                    yield from ((face,) * size for face in (pool[0], pool[-1]))
                elif size <= len(pool):
                    yield from (tuple(pool[:size]), tuple(pool[len(pool) - size :]))
        case Each(_, fields):
            ends = [tuple(edge_values(each)) for each in fields]
            if ends and all(ends):
                yield from (tuple(values[0] for values in ends), tuple(values[-1] for values in ends))
        case Text(_, least, most, null):
            yield from ("A" * least, "Z" * most)
            if null:
                yield None
        case Pick() | Profile() | Forms():
            pass  # a pool without values, or objects, which have no edges
