"""Schemas: a game's acts as a JSON Schema (2020-12), made from the type hints of its `do_` methods.

`int`, `str`, `bool`, `None`, unions, `Literal`, a `TypedDict`, `tuple[X, ...]` and `tuple[X, Y]` give the type.
`Annotated` restricts a type:

- a number: `[int, range(1, 13)]`
- a word: `[str, ("fire", "water")]`
- the length of a text: `[str, range(1, 2)]`
- the length of a list: `[tuple[X, ...], range(0, 4)]`

If the fields of an act depend on each other, the act has overloads.
"""

from __future__ import annotations

import inspect
import types
import typing
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from umpi.kernel.fields import Each, Field, Forms, Number, Pick, Profile, Some, Text, Value
from umpi.kernel.game import Game, NamedSeat, act_methods, verb
from umpi.kernel.options import defaults

Schema = dict[str, Any]


def schema(game: type[Game]) -> Schema:
    """Return the schema of the game's action lines: a `oneOf` by `do`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{game.title}: the action lines of a record",
        "oneOf": [form for name in act_methods(game) for form in forms(game, name, getattr(game, name))],
    }


def options_schema(game: type[Game]) -> Schema:
    """Return the schema of each option by name, with its default; an experiment has "experiment": true."""
    given, trial = defaults(game), game.experiments
    return {
        option.name: _option(option)
        | {"default": given[option.name]}
        | ({"experiment": True} if option.name in trial else {})
        for option in game.options
    }


def forms(game: type[Game], name: str, act: Any) -> list[Schema]:
    """Return the schema of each form of an act: its overloads, or the method itself if it has none.

    No action line may match two overloads.
    """
    return [_action(game, name, form) for form in typing.get_overloads(act) or [act]]


def _action(game: type[Game], name: str, act: Any) -> Schema:
    hints = typing.get_type_hints(act, include_extras=True)
    properties: Schema = {"do": {"const": verb(name)}}
    required = ["do"]
    seats = {"type": "integer", "minimum": 0, "maximum": game.seats[-1] - 1}
    for parameter in list(inspect.signature(act).parameters.values())[1:]:
        hint = hints.get(parameter.name, Any)
        if parameter.name == "seat":
            if names_seat(hint):
                properties["seat"] = {"anyOf": [seats, {"type": "null"}]} if _may_be_null(hint) else seats
                required.append("seat")
            if hint is not type(None):
                properties["by"] = seats
            continue
        field = parameter.name.removesuffix("_")
        properties[field] = _typed(hint)
        if parameter.default is parameter.empty:
            required.append(field)
    properties["at"] = {"type": "integer", "minimum": 0}
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def parts_of(part: Schema) -> list[Schema]:
    """List the parts that are directly inside a part of a schema."""
    items = [part["items"]] if "items" in part else []
    return [*items, *part.get("prefixItems", ()), *part.get("anyOf", ()), *part.get("properties", {}).values()]


def names_seat(hint: Any) -> bool:
    """Check whether the hint of `seat` says that the line names the seat."""
    return hint == NamedSeat or NamedSeat in get_args(hint)


def _may_be_null(hint: Any) -> bool:
    return type(None) in get_args(hint)


def _typed(hint: Any) -> Schema:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _typed(arguments[0]) | _narrowed(arguments[0], arguments[1])
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_typed(argument) for argument in arguments]}
    if origin is tuple and arguments[-1] is ...:
        return {"type": "array", "items": _typed(arguments[0])}
    if origin is tuple:
        size = len(arguments)
        return {"type": "array", "prefixItems": list(map(_typed, arguments)), "minItems": size, "maxItems": size}
    if typing.is_typeddict(hint):
        fields = typing.get_type_hints(hint, include_extras=True)
        properties = {name: _typed(field) for name, field in fields.items()}
        return {"type": "object", "properties": properties, "required": list(fields), "additionalProperties": False}
    plain = {int: "integer", str: "string", bool: "boolean", type(None): "null"}
    return {"type": plain[hint]} if hint in plain else {}


def _narrowed(hint: Any, bound: object) -> Schema:
    if isinstance(bound, range):
        low, high = bound[0], bound[-1]
        if get_origin(hint) is tuple:
            return {"minItems": low, "maxItems": high}
        if hint is str:
            return {"minLength": low, "maxLength": high}
        return {"minimum": low, "maximum": high}
    return {"enum": list(bound)} if isinstance(bound, tuple) else {}


def _option(field: Field) -> Schema:
    match field:
        case Number(_, low, high, null):
            return {"type": ["integer", "null"] if null else "integer", "minimum": low, "maximum": high}
        case Pick(_, pool, kinds):
            values: list[Value] = list(kinds or pool)
            return {"enum": values}
        case Text(_, least, most, null):
            return {"type": ["string", "null"] if null else "string", "minLength": least, "maxLength": most}
        case Profile(code=None):
            return {"type": ["object", "null"]}
        case Profile(form=form):
            return {"type": ["object", "string", "null"], "pattern": f"^(?:{form})$"}
        case Some(_, pool, least, most):
            return {"type": "array", "items": {"enum": list(pool)}, "minItems": least, "maxItems": most}
        case Forms():
            return {"type": "array", "items": {"type": "object"}}
        case Each(_, fields):
            return {
                "type": "array",
                "prefixItems": list(map(_option, fields)),
                "minItems": len(fields),
                "maxItems": len(fields),
            }
