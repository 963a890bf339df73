"""What the six keys offer for a field: its values, those that are off, groups of words, and fields that are skipped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from umpi.display.menu import KEYS
from umpi.frozen import frozen
from umpi.kernel.drawn import is_own
from umpi.kernel.fields import Field, Forms, Given, Pick, Some, Value, holds, same
from umpi.kernel.game import Ask
from umpi.kernel.match import refusal
from umpi.table.seats import COLOURS

PAGES = 2  # of single numbers; more are divided into ranges


def usual_fields(ask: Ask) -> Given:
    """Return the usual values of an ask's fields; none if they would answer it completely."""
    return ask.usual if ask.usual and refusal(ask, ask.usual) else {}


def shortened(ask: Ask) -> bool:
    """Return whether buttons skip some fields of an ask, unless all fields are asked for."""
    return bool(usual_fields(ask)) or any(map(in_menu, ask.fields))


def toggled(field: Some) -> bool:
    """Return whether players answer a list by marking items of a small pool; the list is then in the pool's order."""
    return field.source == "will" and field.least < len(field.pool) <= KEYS and not field.again and not field.until


def kinds_of(field: Pick | Some) -> list[Value]:
    """List all kinds of a field, and the further items of its pool; kinds differ by type and value."""
    return list({repr(kind): kind for kind in (*field.all_values, *field.pool)}.values())


def places_of(field: Some) -> list[tuple[Value, int | None, str]]:
    """Return the items for the keys, each with its index in the pool; add the kinds that are off if all have room."""
    resumable: list[tuple[Value, int | None, str]] = [(item, index, "") for index, item in enumerate(field.pool)]
    kinds = kinds_of(field)
    if len(resumable) + sum(not holds(field.pool, kind) for kind in kinds) > KEYS:
        return resumable
    there = [[place for place in resumable if same(place[0], kind)] for kind in kinds]
    return [
        place
        for kind, places in zip(kinds, there, strict=True)
        for place in places or [(kind, None, field.refuse((kind,)))]
    ]


def has_choice(field: Field) -> bool:
    """Return whether a field has a choice."""
    return not (is_own(field) or (isinstance(field, Some) and field.most == 0))


def in_menu(field: Field) -> bool:
    """Return whether the menu asks for a field, and the buttons skip it."""
    return field.optional and isinstance(field, (Pick, Some, Forms)) and field.in_menu


class InputPart(str):
    """A part of a word, still to be completed."""


def branches_of(kinds: Sequence[Value], stem: str) -> dict[str, list[Value]] | None:
    """Group words like fire-2 by the part after `stem`; None if six keys are enough or no groups form."""
    if len(kinds) <= 6 or not all(isinstance(kind, str) for kind in kinds):
        return None
    branches: dict[str, list[Value]] = {}
    for kind in kinds:
        branches.setdefault(str(kind).removeprefix(stem).partition("-")[0], []).append(kind)
    return branches if len(branches) < len(kinds) else None


@frozen
class InputRange:
    """Some numbers of a pool, ascending, still to be narrowed down."""

    numbers: tuple[Value, ...]

    def __str__(self) -> str:
        return f"{self.numbers[0]}…{self.numbers[-1]}"


def ranges_of(kinds: Sequence[Value]) -> list[InputRange]:
    """Divide many numbers into one range per key, of about equal size; return none if a few pages of keys are enough.

    So one of 104 numbers takes three presses.

    >>> " ".join(map(str, ranges_of(range(1, 105))))
    '1…18 19…36 37…53 54…70 71…87 88…104'
    """
    numbers = sorted(kind for kind in kinds if type(kind) is int)
    if len(numbers) < len(kinds) or len(numbers) <= PAGES * KEYS:
        return []
    size, longer = divmod(len(numbers), KEYS)
    starts = [index * size + min(index, longer) for index in range(KEYS + 1)]
    return [InputRange(tuple(numbers[start:end])) for start, end in pairwise(starts)]


def button_called(word: str) -> int | None:
    """Return the seat button of a colour, as in "blue" or "colour:blue"; None if the word names no colour."""
    colour = word.rpartition(":")[2].capitalize()
    return COLOURS.index(colour) if colour in COLOURS else None


def why_off(field: Pick, kind: Value) -> str:
    """Return why a value cannot be chosen, "" if it can."""
    return "" if holds(field.pool, kind) else field.refuse(kind)


def remaining(pool: Sequence[Value], taken: Sequence[Value]) -> tuple[Value, ...]:
    """Return the items of a pool that are not taken yet, each as often as it is left.

    >>> remaining(("b", "a", "b", "b", "c"), ("b", "c", "b"))
    ('a', 'b')
    """
    gone = Counter(map(repr, taken))
    left: list[Value] = []
    for item in pool:
        if gone[repr(item)]:
            gone[repr(item)] -= 1
        else:
            left.append(item)
    return tuple(left)
