"""Checks of an engine's declaration: options and defaults, `longest`, and type hints that fit its acts."""

from __future__ import annotations

import inspect
import json
import typing
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from umpi.conformance import shape
from umpi.conformance.drawing import drawn, unfit
from umpi.conformance.fit import misfit
from umpi.conformance.flaws import Flaw, missing, shown
from umpi.conformance.tables import players, variants
from umpi.kernel.blame import blame
from umpi.kernel.fields import Chance
from umpi.kernel.game import NOT_GIVEN, Act, Ask, Game, act_methods, method, nothing_more, verbs
from umpi.kernel.match import Broken, Match, Refused
from umpi.kernel.options import defaults, set_up
from umpi.kernel.record import check_options, check_players, check_table, dump
from umpi.kernel.registry import flaw
from umpi.kernel.schema import Schema, names_seat, parts_of, schema
from umpi.kernel.scope import Scope
from umpi.rulebook.shelf import Shelf

HINTS = (
    "Hints that do: int, str, bool, None, a union, Literal, a TypedDict, tuple[X, ...] and tuple[X, Y], bounded by "
    "Annotated."
)

PIECES = ("card", "die", "dode")

MEMBERS: tuple[tuple[tuple[str, ...], Any, type, str], ...] = (  # names, type, type of what is in it, and both in words
    (("at_buttons",), Mapping, object, "a dict of values by the names of options"),
    (("option_help",), Mapping, str, "a dict of texts by the names of options"),
    (("pieces",), Mapping, str, 'a dict of "card", "die" or "dode" by the names of fields'),
    (("formerly",), Mapping, Mapping, "a dict of dicts of options by the numbers of older revisions"),
    (("experiments", "cards", "reported", "at_will"), tuple, str, "a tuple of texts"),
    (("scopes",), tuple, Scope, "a tuple of Scope"),
    (("dealer", "worths"), type | None, object, "a class or None"),
    (("rolls_off", "judged"), bool, object, "True or False"),
)


def declared(game: type[Game]) -> Iterator[Flaw]:
    """Check whether the class can be played: it is an engine, and it declares `longest`."""
    if isinstance(game, type) and hasattr(game, "options") and hasattr(game, "setup"):
        for wrong in (*shape.class_methods(game), *shape.methods(game)):
            yield wrong
            return
    if reason := flaw(getattr(game, "id", ""), game):
        yield Flaw(f"{getattr(game, '__name__', game)} cannot be an engine: {reason}.")
        return
    if type(game.longest) is not int or game.longest < 1:
        yield Flaw(f"Its `longest`, the number of acts that no game passes, must be at least 1, not {game.longest!r}.")
    yield from _typed(game)


def _typed(game: type[Game]) -> Iterator[Flaw]:
    """Check whether each member of the class, and all that it contains, has the type of the contract."""
    for names, kind, inner, wanted in MEMBERS:
        for name in names:
            value: object = getattr(game, name)
            within = value.values() if isinstance(value, Mapping) else value if isinstance(value, tuple) else ()
            if not isinstance(value, kind) or not all(isinstance(each, inner) for each in within):
                yield Flaw(f"Its `{name}` must be {wanted}, not {value!r}.")


def described(game: type[Game]) -> Iterator[Flaw]:
    """Check the rest of the class: its names, its docstring, its hints and its options."""
    if not game.id or not game.title.strip():
        yield Flaw("It needs an id and a title.")
    doc = game.__doc__ or ""
    if not doc.strip() or doc.startswith(f"{game.__name__}("):  # the latter is the docstring that a dataclass generates
        yield Flaw(f"The class {game.__name__} has no docstring.")
    yield from _hinted(game)
    for chosen in ({}, *variants(game)):
        for seats in game.seats:
            try:
                check_table(game, seats, chosen)
            except Broken as fault:
                yield Flaw(f"{fault} [{blame(fault, game)}]")
            except Refused:
                continue
    for scope in game.scopes:
        yield from scoped(game, scope)
    known = {option.name: option for option in game.options}
    for name in game.experiments:
        if name not in known:
            yield Flaw(f'Its experiment "{name}" is for an option it has not.')
    yield from _named(game)
    for name in game.option_help:
        if name not in known:
            yield Flaw(f'Its help of "{name}" is for an option it has not.')
    if reason := Shelf([game]).flaw(game):
        yield Flaw(f"Its rules for players cannot be read: {reason}.")
    for what, chosen in (("default", defaults(game)), ("value at buttons", {**game.at_buttons})):
        for name, value in chosen.items():
            if name not in known:
                yield Flaw(f'Its {what} of "{name}" is for an option it has not.')
            elif reason := known[name].refuse(value):
                yield Flaw(f"The {what} of an option is refused: {reason}")


def _named(game: type[Game]) -> Iterator[Flaw]:
    """Check whether `formerly`, `pieces` and `at_will` name what the game has."""
    for revision, chosen in game.formerly.items():
        if type(revision) is not int or not 1 <= revision < game.revision:
            own = f"the game has revision {game.revision}, and older ones are whole numbers from 1"
            yield Flaw(f"Its `formerly` names the revision {revision!r}, which is no older one: {own}.")
        try:
            check_options(dict(chosen), game)
        except Refused as refusal:
            yield Flaw(f"Its `formerly` for the revision {revision!r} is refused: {refusal}")
    within = {name: [each for part in parts for each in _names(part)] for name, parts in _fields(game).items()}
    fields = [each for name, inside in within.items() for each in (name, *inside)]
    for name, piece in game.pieces.items():
        if name not in fields:
            yield Flaw(f'Its `pieces` has "{name}", which is a field of no act; the fields: {", ".join(fields)}.')
        if piece not in PIECES:
            yield Flaw(f'Its `pieces` says that "{name}" is "{piece}"; it can be {", ".join(PIECES)}.')
    there = sorted(verbs(game))
    for name in game.at_will:
        if name not in there:
            yield Flaw(f'Its `at_will` has "{name}", which is no act; the acts: {", ".join(there)}.')


def _names(part: Schema) -> Iterator[str]:
    """Yield the names of the fields inside a part of a schema, also of those inside others."""
    yield from part.get("properties", {})
    for each in parts_of(part):
        yield from _names(each)


def scoped(game: type[Game], scope: Scope) -> Iterator[Flaw]:
    """Check whether a scope is of a table of the game, and its `values` of fields that the acts have."""
    where = f"The scope of {scope.seats} seats with the options {scope.options}"
    try:
        if not 1 <= scope.seats < game.seats[0]:  # to be small, a scope may have fewer seats than a match
            check_players(players(scope.seats), game)
        check_table(game, scope.seats, check_options(dict(scope.options), game))
    except Refused as refusal:
        yield Flaw(f"{where} is refused: {refusal}")
    fields = _fields(game)
    for name, values in scope.values.items():
        if name not in fields:
            yield Flaw(f'{where} has values of "{name}", which no act takes; the fields: {", ".join(fields)}.')
        elif isinstance(values, str) or not isinstance(values, Sequence):
            yield Flaw(f'{where} needs a tuple of values of "{name}", not {values!r}: write ({values!r},).')
        else:
            for value in values:
                reasons = [_untyped(value, part) for part in fields[name]]
                if all(reasons):
                    yield Flaw(f'{where} has the value {value!r} of "{name}", which no act takes: {reasons[0]}.')


def _fields(game: type[Game], verb: str = "") -> dict[str, list[Schema]]:
    """Return the fields of all acts, or of one, by their names, with what the schema of each form says of them."""
    found: dict[str, list[Schema]] = {}
    for form in _schema(game)["oneOf"]:
        for name, part in form["properties"].items():
            if name not in NOT_GIVEN and verb in ("", form["properties"]["do"]["const"]):
                found.setdefault(name, []).append(part)
    return found


def _untyped(value: object, part: Schema) -> str:
    """Return why a value that is written in Python does not fit a part of a schema, "" if it does."""
    if part.get("type") == "array" and not isinstance(value, tuple):
        return f"{value!r} is no list; write ({value!r},)"
    try:
        return misfit(json.loads(dump(value)), part)
    except (TypeError, ValueError) as fault:
        return f"{value!r} cannot be written: {fault}"


def _hinted(game: type[Game]) -> Iterator[Flaw]:
    """Check whether the hints of the acts give the type of each field; the schema of the records needs them."""
    for name in act_methods(game):
        for act in typing.get_overloads(getattr(game, name)) or [getattr(game, name)]:
            for parameter in list(inspect.signature(act).parameters.values())[1:]:
                if parameter.annotation is parameter.empty:
                    yield Flaw(f'{name} has no hint for "{parameter.name}": the schema of its records needs it.')
    for action in _schema(game)["oneOf"]:
        for field, part in action["properties"].items():
            if _open(part):
                do = method(action["properties"]["do"]["const"])
                yield Flaw(f'The hint of "{field}" in {do} does not say what it takes. {HINTS}')


def _open(part: Schema) -> bool:
    """Check whether a part of a schema, or a part inside it, accepts any value."""
    return part == {} or any(map(_open, parts_of(part)))


def _misseated(game: type[Game], ask: Ask) -> str:
    """Return how the hint of `seat` contradicts the seat of the ask, "" if it does not."""
    hint = typing.get_type_hints(getattr(game, method(ask.verb))).get("seat")
    named = any(field.name == "seat" for field in ask.fields) or ask.more is not nothing_more
    if hint is type(None) and ask.seat is not None:
        return f'It asks seat {ask.seat} for "{ask.verb}", but {method(ask.verb)} hints `seat: None`, an act of nobody.'
    if any(field.name == "seat" for field in ask.fields) and (reason := _unnamed(game, ask.verb)):
        return reason
    if hint is int and ask.seat is None and not named:
        return f'It asks nobody for "{ask.verb}", but {method(ask.verb)} hints `seat: int`, an act of somebody.'
    return ""


def _unusual(game: type[Game], ask: Ask) -> str:
    """Return which answer in `usual` is to no field of the act, "" if there is none."""
    if not isinstance(ask.usual, Mapping | None):
        return f'`usual` of "{ask.verb}" must be a dict of answers by the names of fields, not {ask.usual!r}.'
    fields = _fields(game, ask.verb)
    for name in ask.usual or ():
        if name not in fields:
            there = ", ".join(fields) or "none"
            return f'`usual` of "{ask.verb}" has {name!r}, which is no field of the act; its fields: {there}.'
    return ""


def _unnamed(game: type[Game], verb: str) -> str:
    """Return that an act does not take the seat that its line names, "" if it does."""
    do = getattr(game, method(verb))
    hints = [typing.get_type_hints(form, include_extras=True).get("seat") for form in typing.get_overloads(do) or [do]]
    if any(map(names_seat, hints)):
        return ""
    typed = inspect.formatannotation(hints[0])
    return f"{method(verb)} types seat as {typed}; the line names the seat, so write NamedSeat (from umpi.kernel)."


def answered(match: Match, chance: Chance) -> Iterator[Flaw]:
    """Check whether the engine's methods and the schema of its hints accept the acts that it offers."""
    game = match.game
    for ask in match.asks:
        if not hasattr(game, method(ask.verb)):
            yield Flaw(unfit(game, ask.verb, {}))
            continue
        if reason := _misseated(game, ask) or _unusual(game, ask):
            yield Flaw(reason)
        for optional in (True, False):
            act = drawn(ask, chance, optional=optional)
            unnamed = _unnamed(game, act.verb) if act and "seat" in act.given else ""
            if act and (reason := unfit(game, act.verb, act.given) or unnamed or _unwritten(game, act)):
                yield Flaw(reason, act)


def untaken(act: Act, match: Match, chance: Chance) -> Iterator[Flaw]:
    """Check whether this position offers an act that the engine's method cannot take."""
    if any(ask.verb == act.verb for ask in match.asks) and (reason := unfit(match.game, act.verb, act.given)):
        yield Flaw(reason, act)


def json_facts(match: Match, chance: Chance) -> Iterator[Flaw]:
    """Check whether the facts are JSON and have the same keys as in the first position."""
    facts = match.now.facts()
    if not isinstance(facts, dict):
        yield Flaw(f"Its facts must be a dict, not {missing(facts)}")
        return
    if reason := _no_json(facts, "facts"):
        yield Flaw(f"Its facts cannot stand in a record: {reason}.")
        return
    if facts.keys() != (keys := _keys(match.game)):  # type: ignore[arg-type]  # mypy takes the hash of a position for that of its class
        yield Flaw(f"Its facts have other keys than at the beginning: {', '.join(sorted(facts.keys() ^ keys))}.")


def _no_json(value: object, where: str) -> str:
    if value is None or isinstance(value, (str, bool, int)) or (isinstance(value, float) and value - value == 0):
        return ""
    if isinstance(value, (tuple, list)):
        return next(filter(None, (_no_json(item, where) for item in value)), "")
    if isinstance(value, dict):
        if wrong := [key for key in value if not isinstance(key, str)]:
            return f"{where} has the key {wrong[0]!r}, which is no text"
        return next(filter(None, (_no_json(item, f"{where}.{key}") for key, item in value.items())), "")
    return f"{where} has a {type(value).__name__} in it"


def _unwritten(game: type[Game], act: Act) -> str:
    """Return why the schema refuses an act as a record writes it, "" if it accepts it."""
    try:
        line = json.loads(dump(act.line()))
    except (TypeError, ValueError) as fault:
        return f'An act of "{act.verb}" cannot be written: {fault}.'
    if reason := misfit(line, _schema(game)):
        return f"The schema its hints make refuses {shown(act)}: {reason}."
    return ""


def _schema(game: type[Game]) -> Schema:
    """Return the schema of a game's action lines, made once."""
    return _made(game)  # type: ignore[arg-type]  # mypy takes the hash of a position for that of its class


_made = lru_cache(schema)


@lru_cache
def _keys(game: type[Game]) -> Any:
    return set_up(game, game.seats[0], {}).facts().keys()
