"""Random acts: draw acts that answer an ask, and check whether the engine's methods can take them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from umpi.kernel.fields import Chance, Field, Given, Value
from umpi.kernel.game import Act, Ask, Game, method, parameter
from umpi.kernel.match import refusal

TRIES = 100  # draws before giving up, if a refusal or an empty pool rejects each of them
NOTHING: Given = MappingProxyType({})


def drawn(ask: Ask, chance: Chance, fixed: Given = NOTHING, optional: bool | None = None) -> Act | None:
    """Draw an act that answers `ask` with the `fixed` answers; return None if TRIES draws find none.

    `optional` decides whether all optional fields are answered (True) or none (False). If it is None, each is drawn.
    """
    for _ in range(TRIES):
        given: dict[str, Value] = {}
        try:
            for field in ask.walk(given):
                if field.name in fixed:
                    given[field.name] = fixed[field.name]
                elif not field.optional or (chance() < 0.5 if optional is None else optional):
                    given[field.name] = field.sample(chance)
        except IndexError:  # an empty pool
            continue
        if not refusal(ask, given):
            return Act(ask.verb, given)
    return None


def asked(ask: Ask, given: Given) -> dict[str, Field]:
    """Return the fields that an answer meets, by name."""
    known: dict[str, Value] = {}
    met: dict[str, Field] = {}
    for field in ask.walk(known):
        met[field.name] = field
        if field.name in given:
            known[field.name] = given[field.name]
    return met


def seat_of(ask: Ask, given: Given) -> Any:
    """Return the seat of an act: the seat that it names, or else the seat of the ask."""
    return given.get("seat", ask.seat)


def unfit(game: type[Game], verb: str, given: Mapping[str, Value]) -> str:
    """Return why the engine's method cannot take these answers, "" if it can."""
    do: Callable[..., Any] | None = getattr(game, method(verb), None)
    if do is None:
        return f'It asks "{verb}", but has no {method(verb)}.'
    arguments = {parameter(name): value for name, value in given.items() if name != "seat"}
    try:
        inspect.signature(do).bind(None, None, **arguments)
    except TypeError as fault:
        fields = ", ".join(given) or "no field"
        return f'It asks "{verb}" with {fields}, which {method(verb)} does not take: {fault}.'
    return ""
