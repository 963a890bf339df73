"""Options: their defaults, the first position that they lead to, and which of them a method of the engine takes."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from umpi.kernel.fields import Value
from umpi.kernel.game import Game, code_of
from umpi.kernel.misshapen import Misshapen
from umpi.kernel.replacing import replace

if TYPE_CHECKING:
    from umpi.kernel.worths import Worths

Parameters = Mapping[str, inspect.Parameter]


def defaults(game: type[Game]) -> dict[str, Value]:
    """Return the options' defaults: of the parameters of `setup`, and for an option without one, of the field.

    Raises Misshapen if there is neither.
    """
    parameters, found = _parameters(game.setup), {}
    own = {} if parameters.keys() >= {option.name for option in game.options} else _fields(game)
    for option in game.options:
        name = option.name
        if name in parameters:
            found[name] = parameters[name].default
        elif name in own and own[name].default is not dataclasses.MISSING:
            found[name] = own[name].default
        else:
            why = f"setup() has no parameter {option.name}, and the class no field of that name with a default"
            raise Misshapen(why, code_of(game.setup))
    return found


def set_up(game: type[Game], seats: int, options: Mapping[str, Value]) -> Any:
    """Return what `setup` returns; an option that it has no parameter for becomes the field of that name.

    So an expansion adds an option and need not repeat `setup`.
    """
    if not options:
        return game.setup(seats)
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
    parameters = _parameters(method)
    if any(each.kind is each.VAR_KEYWORD for each in parameters.values()):
        return dict(options)
    return {name: value for name, value in options.items() if name in parameters}


def worths_of(game: type[Game], options: Mapping[str, Value]) -> type[Worths] | None:
    """Return the `worths` of a game, None if it has none, or if a match with these options has other rules.

    The class that names `worths` answers for its own options. It does not know an option that a class adds which
    extends it, so no other value of that option than the default may be chosen.
    """
    if game.worths is None:
        return None
    owner = next(kind for kind in game.__mro__ if issubclass(kind, Game) and "worths" in vars(kind))
    names, usual = {option.name for option in owner.options}, defaults(game)
    same = all(options.get(name, value) == value for name, value in usual.items() if name not in names)
    return game.worths if same else None


def unknown(method: Callable[..., object], game: type[Game]) -> list[str]:
    """Return the parameters of a class method, after the number of seats, that are no options of the game."""
    named = (*(option.name for option in game.options), *_fields(game))
    parameters = list(_parameters(method).values())[1:]
    return [each.name for each in parameters if each.kind not in _STARS and each.name not in named]


def each_own(game: type[Game], member: Callable[..., object]) -> Iterator[Callable[..., Any]]:
    """Yield a class method as the game defines it, and as each class that extends it does, in this order."""
    for kind in reversed(game.__mro__):
        own = vars(kind).get(member.__name__)
        if kind is not Game and isinstance(own, classmethod):
            yield own.__get__(None, game)


_STARS = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


@lru_cache(maxsize=256)
def _parameters(method: Callable[..., object]) -> Parameters:
    """Return the parameters of a method. To read its signature takes longer than most acts."""
    return inspect.signature(method).parameters


def _fields(game: type[Game]) -> dict[str, dataclasses.Field[Any]]:
    return {each.name: each for each in dataclasses.fields(game)} if dataclasses.is_dataclass(game) else {}
