"""Checks of shapes: what an engine's methods take and return, before another check fails over it.

Each mistake has a sentence of its own, which names the method and the cure.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any, get_args

from umpi.conformance.flaws import Flaw, missing
from umpi.conformance.offers import KEPT
from umpi.kernel.fields import Chance, Each, Field, Forms, Number, Pick, Some, Source, Text, Value
from umpi.kernel.game import Ask, Game, act_methods, gives, no_objection, nothing_more
from umpi.kernel.match import Match
from umpi.kernel.misshapen import Misshapen
from umpi.kernel.options import accepted, defaults, unknown
from umpi.kernel.random_games import sample

SELF = (
    Game.asks, Game.scores, Game.result, Game.standing, Game.facts, Game.shown_facts, Game.shown_board, Game.view,
    Game.odds, Game.teams, Game.audit,
)  # fmt: skip
CLASS_METHODS = (Game.setup, Game.objection, Game.table_setup)
FIELDS = "Pick, Number, Some, Dice, Draw, Text, Each or Forms"


def methods(game: type[Game]) -> Iterator[Flaw]:
    """Check whether the methods of a class take what the kernel gives them."""
    for member in SELF:
        if not _takes(getattr(game, name := member.__name__), None):
            yield Flaw(f"{name}() must take the position and nothing else: write `def {name}(self)`.")
    for name in act_methods(game):
        if len(_positional(getattr(game, name))) < 2:
            yield Flaw(f"{name} must begin with `self, seat`: write `def {name}(self, seat: int, …)`.")
    if not _takes(game.own_hand, None, 0):
        yield Flaw("own_hand() must take the position and a seat: write `def own_hand(self, seat)`.")
    if not _takes(game.told, None, None):
        yield Flaw("told() must take the position and the act: write `def told(self, act)`.")
    if not _takes(game.calls, None, None, None):
        yield Flaw("calls() must take the position before and the act: write `def calls(self, before, act)`.")


def class_methods(game: type[Game]) -> Iterator[Flaw]:
    """Check whether `setup`, `objection` and `table_setup` are class methods that take the seats and the options."""
    if not isinstance(game.options, tuple) or not all(isinstance(option, Field) for option in game.options):
        yield Flaw("Its options must be a tuple of fields: write (x,) with a comma for a tuple of one.")
        return
    if len({option.name for option in game.options}) < len(game.options):
        yield Flaw(f"Two of its options have the same name: {', '.join(option.name for option in game.options)}.")
        return
    for member in CLASS_METHODS:
        own = getattr(game, name := member.__name__)
        if not inspect.ismethod(own):
            yield Flaw(f"{name} must be a class method: write @classmethod above `def {name}(cls, seats, …)`.")
        elif not _takes(own, 2, **accepted(own, {option.name: None for option in game.options})):
            options = ", ".join(option.name for option in game.options)
            yield Flaw(f"{name}() takes the number of seats and options: write `(cls, seats, {options})`.")
        elif member != Game.setup and (strange := unknown(own, game)):
            options = ", ".join(option.name for option in game.options) or "none"
            yield Flaw(f"{name}() has a parameter {strange[0]}, which is no option; the options: {options}.")
    for name, value in defaults(game).items() if not _flawed(game) else ():
        if value in (inspect.Parameter.empty, dataclasses.MISSING):
            yield Flaw(f"setup() gives the option {name} no default: write `{name}: … = …`.")


def _flawed(game: type[Game]) -> bool:
    try:
        defaults(game)
    except Misshapen:
        return True  # the registry says so
    return False


def offered(match: Match, chance: Chance) -> Iterator[Flaw]:
    """Check the fields of an offer, and what its functions take and return."""
    for ask in match.asks:
        for what in ("text", "help", "followed_by", "question", "if_refused"):
            if not isinstance(getattr(ask, what), str):
                yield Flaw(f'`{what}` of "{ask.verb}" must be a text, not {getattr(ask, what)!r}.')
        flaws = [flaw for field in ask.fields for flaw in _asked(ask, field)]
        yield from flaws or _followed(ask, chance)
    for ask in match.asks:
        if ask.objection is not no_objection:
            given = sample([ask._replace(objection=no_objection)], chance).given
            yield from _text(f'`objection` of "{ask.verb}"', ask.objection, given)
    yield from _returned(match)


def _returned(match: Match) -> Iterator[Flaw]:
    """Check what the methods of a position return that an engine may leave out, and no other check looks at."""
    now, seats = match.now, len(match.players)
    if gives(match.game, Game.shown_facts) and not isinstance(facts := now.shown_facts(), dict):
        yield Flaw(f"shown_facts() must return a dict, not {missing(facts)}")
    points: object = now.standing() if gives(match.game, Game.standing) else (0,) * seats
    if not isinstance(points, tuple) or len(points) != seats or any(type(each) is not int for each in points):
        yield Flaw(f"standing() must return a whole number a seat, not {missing(points)}")
    for seat in range(seats):
        hand: object = now.own_hand(seat)
        if hand is not None and not (isinstance(hand, tuple) and all(isinstance(text, str) for text in hand)):
            wanted = "a tuple of texts, or None if no hand is known"
            yield Flaw(f"own_hand() must return {wanted}, not {hand!r}: write (x,) with a comma for a tuple of one.")
            return


def _followed(ask: Ask, chance: Chance) -> Iterator[Flaw]:
    """Check the fields that `more` returns for random answers."""
    if ask.more is nothing_more:
        return
    if not _takes(ask.more, {}):
        yield Flaw(f'`more` of "{ask.verb}" must take one value.')
        return
    given: dict[str, Value] = {}
    for number, field in enumerate(ask.walk(given)):
        flaws = [*_asked(ask, field)] if number >= len(ask.fields) else []
        yield from flaws
        if flaws:
            return
        try:
            if not field.optional or chance() < field.likely:
                given[field.name] = field.sample(chance)
        except IndexError:  # an empty pool: nothing follows from it
            return
    names = [field.name for field in ask.more(given)]
    if len(set(names)) < len(names) or set(names) & set(KEPT):
        yield Flaw(f'`more` of "{ask.verb}" returns {names}; the names must differ, and none be {", ".join(KEPT)}.')


def _asked(ask: Ask, field: Field) -> Iterator[Flaw]:
    """Check a field, and who answers it."""
    yield from _field(ask, field)
    if ask.of_box and isinstance(field, Field) and not field.optional and field.source != "box":
        does = f'"{ask.verb}" is done by the box (after_ms)'
        yield Flaw(f'{does}, but nobody answers "{field.name}": give it source="box".')


def _field(ask: Ask, field: Field) -> Iterator[Flaw]:
    if not isinstance(field, Field):
        yield Flaw(f'asks() gives "{ask.verb}" the field {field!r}; it needs {FIELDS}.')
        return
    where = f'the field "{field.name}" of "{ask.verb}"'
    if field.source not in get_args(Source):
        yield Flaw(f"{where} has the source {field.source!r}; there are: {', '.join(get_args(Source))}.")
    if isinstance(field, (Pick, Some)) and not isinstance(field.pool, Sequence):
        yield Flaw(
            f"The pool of {where} is a {type(field.pool).__name__}; it needs a tuple or a range, because the order "
            "must be the same each time. Of a set: tuple(sorted(…))."
        )
    elif not all(isinstance(each, int) for each in _ends(field)):
        least, most = _ends(field)
        yield Flaw(f"{where} goes from {least!r} to {most!r}; it needs whole numbers, such as pot // 2.")
    elif isinstance(field, Number) and field.low > field.high:
        yield Flaw(f"{where} begins at {field.low} and ends at {field.high}: the lower number comes first.")
    elif isinstance(field, (Some, Text, Forms)) and field.least > field.most:
        yield Flaw(f"{where} takes at least {field.least} and at most {field.most}: the lower number comes first.")
    elif isinstance(field, (Each, Forms)):
        for inner in field.fields:
            yield from _field(ask, inner)
    elif isinstance(field, (Pick, Some)):
        for value in list(field.all_values or field.pool)[:1]:
            yield from _text(f"`objection` of {where}", field.objection, value)
            yield from _text(f"`label` of {where}", field.label, value)


def _ends(field: Field) -> tuple[int, ...]:
    """Return the least and the most of a field, or its lowest and its highest number, if it has them."""
    if isinstance(field, (Some, Text, Forms)):
        return field.least, field.most
    return (field.low, field.high) if isinstance(field, Number) else ()


def _text(what: str, function: Callable[[Any], str], given: object) -> Iterator[Flaw]:
    """Check whether a function takes one value and returns a text."""
    if not _takes(function, given):
        yield Flaw(f"{what} must take one value.")
    elif not isinstance(text := function(given), str):
        missing = " (perhaps a `return` is missing)" if text is None else ""
        yield Flaw(f'{what} returns {text!r}{missing}; it needs a text, "" if there is nothing to say.')


def _takes(function: Callable[..., object], *given: object, **named: object) -> bool:
    try:
        inspect.signature(function).bind(*given, **named)
    except TypeError:
        return False
    except ValueError:  # a function in C has no signature
        return True
    return True


def _positional(function: Callable[..., object]) -> list[inspect.Parameter]:
    return [
        each
        for each in inspect.signature(function).parameters.values()
        if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD, each.VAR_POSITIONAL)
        for _ in range(2 if each.kind is each.VAR_POSITIONAL else 1)
    ]
