"""Immutability: check whether a position can change, and take snapshots of positions and offers."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from enum import Enum
from functools import cache
from operator import attrgetter
from typing import Any

from umpi.kernel.fields import Each, Field, Forms, Value
from umpi.kernel.game import Ask, Game

PLAIN = (str, int, bool, type(None), float, bytes, range)
STILL = (*PLAIN, Enum)


def movable(value: object, options: Mapping[str, Value], where: str = "the position") -> str:
    """Return what in a position could be changed, "" if nothing could; an option's value may be an object."""
    if isinstance(value, STILL):
        return ""
    if isinstance(value, (tuple, frozenset)):
        return next(filter(None, (movable(item, options, f"an item of {where}") for item in value)), "")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        if not value.__dataclass_params__.frozen:  # type: ignore[attr-defined]
            return f"{where} is a {type(value).__name__}, a dataclass that is not frozen"
        names = [field.name for field in dataclasses.fields(value)]
        return next(filter(None, (movable(getattr(value, name), options, f'"{name}"') for name in names)), "")
    if isinstance(value, Mapping) and any(value == chosen for chosen in options.values()):
        return ""
    instead = {"list": "; use a tuple", "set": "; use a frozenset", "dict": "; use a tuple of pairs"}
    return f"{where} is a {type(value).__name__}{instead.get(type(value).__name__, '')}"


def traced(value: Any) -> Hashable:
    """Return a snapshot of a value that can be compared; it ignores the value's own `__eq__`."""
    kind: type = type(value)
    if kind in PLAIN:  # these two are by far the most
        return kind, value
    if kind is tuple:
        return kind, _each_traced(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return kind, _each_traced(_fields(kind)(value))
    if isinstance(value, (tuple, list)):
        return kind, _each_traced(value)
    if isinstance(value, (set, frozenset)):
        return kind, frozenset(map(traced, value))
    if isinstance(value, Mapping):
        return kind, tuple((key, traced(item)) for key, item in value.items())
    return kind, value if isinstance(value, STILL) else repr(value)


def _each_traced(values: Iterable[Any]) -> tuple[Hashable, ...]:
    """Return the snapshots of values; most are plain, and a call for each of these would take most of the time."""
    return tuple([(type(value), value) if type(value) in PLAIN else traced(value) for value in values])


@cache
def _fields(dataclass: type) -> Callable[[object], tuple[object, ...]]:
    """Return what reads all fields of a dataclass."""
    names = [field.name for field in dataclasses.fields(dataclass)]
    return attrgetter(*names) if len(names) > 1 else lambda value: tuple(getattr(value, name) for name in names)


def behaviour(position: Game, asks: tuple[Ask, ...]) -> Hashable:
    """Return a snapshot of a position, of its phase, scores, result and facts, and of its offer."""
    state = position.phase, position.scores(), position.result(), position.facts()
    return traced(position), traced(state), offer(asks)


def offer(asks: tuple[Ask, ...]) -> Hashable:
    """Return a snapshot of an offer that can be compared: all its parts except functions."""
    return tuple(
        (ask.verb, str(ask.text), ask.seat, str(ask.help), ask.followed_by, traced(ask.usual), ask.weight, ask.at_ms,
         ask.after_ms, ask.if_refused, str(ask.question), str(ask.note_if_no_hit), ask.secret, ask.as_team, ask.rare,
         tuple(map(_field, ask.fields)))
        for ask in asks
    )  # fmt: skip


def _field(field: Field) -> Hashable:
    return type(field), tuple(_parts(field))


def _parts(field: Field) -> Iterator[Hashable]:
    parts: dict[str, Any] = field._asdict()
    for name, value in parts.items():
        if name == "fields" and isinstance(field, (Each, Forms)):
            yield tuple(map(_field, value))
        elif name in ("pool", "all_values"):
            yield _each_traced(value)
        elif not callable(value):
            yield traced(value)
