"""Values of optional fields: further choices in the menu of another question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from umpi.display.menu import KEYS, Choice, Dialogue, Menu, continued
from umpi.i18n.translate import tr
from umpi.kernel.fields import Field, Pick, Value
from umpi.kernel.game import Ask, replace

if TYPE_CHECKING:
    from umpi.display.entering import Asker

KEY = {1: 31, 2: 15, 3: 10}  # letters per key, by the number of choices that share the six keys; 5 if each has its own


class OptionalValue(NamedTuple):
    """A value of an optional field, chosen instead of an answer to the question."""

    name: str
    value: Value


def joined(
    asker: Asker,
    ask: Ask,
    given: dict[str, Value],
    field: Field,
    fields: Sequence[Pick],
    question: Callable[[Field], Dialogue[Value]],
) -> Dialogue[None]:
    """Ask for `field`, with the values of optional `fields` as further choices, and put the answers into `given`.

    After an optional value, the question is asked alone if it still needs an answer.
    """
    left = fields
    while field.name not in given:
        now = next((other for other in (*ask.fields, *ask.more(given)) if other.name == field.name), None)
        if now is None:
            break
        value = yield from _first(asker, question(now), left)
        if isinstance(value, OptionalValue):
            given[value.name] = value.value
            left = []
        else:
            given[field.name] = value


def alone(asker: Asker, given: dict[str, Value], fields: Sequence[Pick], title: str, help: str) -> Dialogue[None]:
    """Ask for optional fields after which no other question follows."""
    choices = (*_choices(asker, fields), Choice(tr("other"), None))
    value = yield Menu(title, choices, help=help, rows=crowded(choices))
    if isinstance(value, OptionalValue):
        given[value.name] = value.value


def crowded(choices: Sequence[Choice]) -> bool:
    """Check whether a label is too long for the keys, so that the choices need rows."""
    room = KEY.get(len(choices), KEYS - 1)
    return any(len((choice.label, *choice.shorter)[-1]) > room for choice in choices)


def _choices(asker: Asker, fields: Sequence[Pick]) -> list[Choice]:
    return [Choice(asker.label(each)(value), OptionalValue(each.name, value)) for each in fields for value in each.pool]


def _first(asker: Asker, dialogue: Dialogue[Value], fields: Sequence[Pick]) -> Dialogue[object]:
    """Ask a question, with the values of optional fields as further choices of its first menu."""
    try:
        menu = next(dialogue)
    except StopIteration as end:  # there is nothing to choose
        return end.value
    choices = (*menu.choices, *_choices(asker, fields))
    picked = yield replace(menu, choices=choices, rows=menu.rows or crowded(choices))
    return picked if isinstance(picked, OptionalValue) else (yield from continued(dialogue, picked))
