"""Options: their defaults, the first position that they lead to, and which of them a method of the engine takes."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from umpi.kernel.fields import Value
from umpi.kernel.game import Game, code_of
from umpi.kernel.misshapen import Misshapen
from umpi.kernel.replacing import replace

Parameters = Mapping[str, inspect.Parameter]


def defaults(game: type[Game]) -> dict[str, Value]:
    """Return the options' defaults: of the parameters of `setup`, and for an option without one, of the field.

    Raises Misshapen if there is neither.
    """
    parameters, own = inspect.signature(game.setup).parameters, _fields(game)
    found = {}
    for option in game.options:
        if option.name in parameters:
            found[option.name] = parameters[option.name].default
        elif option.name in own and own[option.name].default is not dataclasses.MISSING:
            found[option.name] = own[option.name].default
        else:
            why = f"setup() has no parameter {option.name}, and the class no field of that name with a default"
            raise Misshapen(why, code_of(game.setup))
    return found


def set_up(game: type[Game], seats: int, options: Mapping[str, Value]) -> Any:
    """Return what `setup` returns; an option that it has no parameter for becomes the field of that name.

    So an expansion adds an option and need not repeat `setup`.
    """
    given = accepted(game.setup, options)
    position = game.setup(seats, **given)
    fields = {name: value for name, value in options.items() if name not in given}
    return replace(position, **fields) if fields else position


def accepted(method: Callable[..., object], options: Mapping[str, Value]) -> dict[str, Value]:
    """Return the options that a method has a parameter for: all of them if it ends with `**`.

    >>> def objection(seats: int, partners: bool) -> str: ...
    >>> accepted(objection, {"rounds": 3, "partners": True})
    {'partners': True}
    """
    parameters = inspect.signature(method).parameters
    if any(each.kind is each.VAR_KEYWORD for each in parameters.values()):
        return dict(options)
    return {name: value for name, value in options.items() if name in parameters}


def unknown(method: Callable[..., object], game: type[Game]) -> list[str]:
    """Return the parameters of a class method, after the number of seats, that are no options of the game."""
    named = (*(option.name for option in game.options), *_fields(game))
    parameters = list(inspect.signature(method).parameters.values())[1:]
    return [each.name for each in parameters if each.kind not in _STARS and each.name not in named]


def each_own(game: type[Game], member: Callable[..., object]) -> Iterator[Callable[..., Any]]:
    """Yield a class method as the game defines it, and as each class that extends it does, in this order."""
    for kind in reversed(game.__mro__):
        own = vars(kind).get(member.__name__)
        if kind is not Game and isinstance(own, classmethod):
            yield own.__get__(None, game)


_STARS = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def _fields(game: type[Game]) -> dict[str, dataclasses.Field[Any]]:
    return {each.name: each for each in dataclasses.fields(game)} if dataclasses.is_dataclass(game) else {}
