"""The box's own answers: complete an act with the values that the box draws or measures."""

from __future__ import annotations

from umpi.kernel.fields import Chance, Field, Given, Number, Value, private_to
from umpi.kernel.game import Ask, nothing_more
from umpi.kernel.measured import Measured

OWN = ("box", "clock", "bound")  # the sources of values that nobody at the table enters


def is_own(field: Field) -> bool:
    """Check whether the box draws or measures a field, so that nobody is asked for it."""
    return field.source in OWN


def own_fields(ask: Ask, given: Given) -> list[Field]:
    """Return the fields of an answer that the box draws or measures, whether they are in `given` or not.

    >>> from umpi.kernel import Dice
    >>> [field.name for field in own_fields(Ask("roll", "Roll", (Dice("dice", 6, 6, source="box"),)), {})]
    ['dice']
    """
    return [field for field in _met(ask, given, first_of_pool) if is_own(field)]


def completed(ask: Ask, given: Given, chance: Chance, measured: Measured | None = None) -> dict[str, Value]:
    """Return an answer with all its fields: the box draws by `chance`, and has `measured` the time of the press.

    A time that the field does not accept stays as it was measured, so that the kernel refuses the press: nobody may get
    another time. A bound that is too large becomes the largest that the field accepts. Without `measured`, for an
    answer that is only looked at, both are the smallest.
    """
    whole = dict(given)
    known: dict[str, Value] = {}
    for field in ask.walk(known):
        if is_own(field) and field.name not in given:
            whole[field.name] = _value(field, chance, measured)
        if field.name in whole:
            if field.refuse(whole[field.name]):
                break  # what follows from a wrong answer is nothing; the kernel will refuse it
            known[field.name] = whole[field.name]
        elif not field.optional:
            break  # the answer is not complete, and the kernel will say so
    return whole


def chosen_alone(ask: Ask, given: Given) -> int | None:
    """Return the seat that alone sees what may be chosen for some field of an answer, None if everybody sees all.

    >>> from umpi.kernel import Pick
    >>> card = Pick("card", (3, 9), to=1)
    >>> chosen_alone(Ask("play", "Play", (card,)), {"card": 9})
    1

    A field counts that follows from the answer; nothing follows from a wrong one:

    >>> ask = Ask("play", "Play", (Pick("where", ("left", "right")),), more=lambda given: (card,))
    >>> chosen_alone(ask, {"where": "left", "card": 9}), chosen_alone(ask, {"where": "up", "card": 9})
    (1, None)
    """
    fields = ask.fields if ask.more is nothing_more else _met(ask, given, first_of_pool)
    seats = (private_to(field) for field in fields if not is_own(field))
    return next((seat for seat in seats if seat is not None), None)


def first_of_pool() -> float:
    """Return 0, by which every field draws its first value: for an answer that is only looked at."""
    return 0.0


def _met(ask: Ask, given: Given, chance: Chance) -> list[Field]:
    known: dict[str, Value] = {}
    met = []
    for field in ask.walk(known):
        met.append(field)
        if field.name in given:
            if field.refuse(given[field.name]):
                break
            known[field.name] = given[field.name]
        elif is_own(field):
            known[field.name] = _value(field, chance, None)
        elif not field.optional:
            break
    return met


def _value(field: Field, chance: Chance, measured: Measured | None) -> Value:
    if field.source in ("clock", "bound") and isinstance(field, Number):
        if measured is None:
            return field.low
        return measured.ms if field.source == "clock" else min(max(measured.bound_ms, field.low), field.high)
    return field.sample(chance)
