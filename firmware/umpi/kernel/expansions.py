"""Expansions: classes of other packages that extend the class of a game, combined into one class."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from umpi.kernel.game import Game, act_methods
from umpi.kernel.misshapen import Misshapen


def combined(game: type[Game], expansions: Sequence[type[Game]]) -> type[Game]:
    """Return a game with its expansions, of which each extends the class of the game.

    A method of the last one that calls `super()` calls the one before, down to the game. Options, cards and other lists
    have what each expansion adds to those of the game. Raises Misshapen if two of them do not go together.
    """
    _check_own(game, expansions)
    if len(expansions) == 1:
        return expansions[0]
    members = {name: _joined(game, expansions, name) for name in _lists(game)}
    members |= {"__module__": expansions[-1].__module__, "__doc__": game.__doc__}
    try:
        joined = type(game.__name__, tuple(reversed(expansions)), members)
    except TypeError as fault:  # two classes with slots have no layout in common
        why = f"it does not go together with another expansion: {fault}. Write @dataclass(frozen=True), without slots"
        raise Misshapen(why) from None
    both: type[Game] = dataclass(frozen=True)(joined)
    return both


def packages_of(game: type[Game]) -> list[str]:
    """Return the packages with the classes of a game, an expansion before what it extends; a single file has none.

    >>> from umpi.games.dodeka import Dodeka
    >>> packages_of(Dodeka)
    ['umpi.games.dodeka']
    """
    modules = (sys.modules[kind.__module__] for kind in game.__mro__ if kind is not Game and issubclass(kind, Game))
    return list(dict.fromkeys(module.__package__ for module in modules if module.__spec__ and module.__package__))


def _lists(game: type[Game]) -> list[str]:
    """Return the names of the class variables that contain several things."""
    return [name for name in Game.__annotations__ if isinstance(getattr(game, name, None), (tuple, Mapping))]


def _joined(game: type[Game], expansions: Sequence[type[Game]], name: str) -> Any:
    """Return a class variable of the game with what each expansion adds to it."""
    base: Any = getattr(game, name)
    joined: Any = base
    for each in expansions:
        own: Any = getattr(each, name)
        if isinstance(base, Mapping):
            changed = {key: value for key, value in own.items() if key not in base or value != base[key]}
            for key in changed:
                if key in joined and joined[key] not in (changed[key], base.get(key)):
                    raise Misshapen(f"`{name}` of {each.__name__} changes {key}, as another expansion does")
            joined = {**joined, **changed}
        elif own[: len(base)] == base:
            joined += own[len(base) :]
        else:
            raise Misshapen(f"`{name}` of {each.__name__} must begin with those of {game.__name__}")
    return joined


def _check_own(game: type[Game], expansions: Sequence[type[Game]]) -> None:
    """Raise Misshapen if two expansions bring an option or an act of the same name, or an option is a field there."""
    brought: dict[str, str] = {}
    there = {each.name for each in fields(game)} if is_dataclass(game) else set[str]()
    for each in expansions:
        options = {option.name for option in each.options} - {option.name for option in game.options}
        if taken := sorted(options & there):
            raise Misshapen(f"{each.__name__} has an option {taken[0]}, which is a field of {game.__name__}: rename it")
        more = {name for name in act_methods(each) if not hasattr(game, name)}
        for name in sorted(options | more):
            if name in brought:
                raise Misshapen(f"{brought[name]} and {each.__name__} both bring {name}")
            brought[name] = each.__name__
