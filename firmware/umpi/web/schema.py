"""JSON Schemas, derived from the types of the documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

Json = dict[str, Any]
SIMPLE = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}


class AtLeast(NamedTuple):
    """Mark a mapping, in an annotation, that has the keys of a TypedDict and any others."""

    keys: type


class Key(NamedTuple):
    """A key of a TypedDict: the type of its value, and whether it must be there."""

    hint: Any
    required: bool


@cache
def keys_of(document: Any) -> Mapping[str, Key]:
    """Return the keys of a TypedDict."""
    hints = get_type_hints(document, include_extras=True)
    keys = {}
    for name, hint in hints.items():
        optional = get_origin(hint) is NotRequired
        keys[name] = Key(get_args(hint)[0] if optional else hint, not optional)
    return keys


def bare(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return a type without its annotations, and these."""
    if get_origin(hint) is Annotated:
        kind, *notes = get_args(hint)
        return kind, tuple(notes)
    return hint, ()


def is_list(kind: Any) -> bool:
    """Return whether a type is that of a list, which is a tuple once it is read."""
    return get_origin(kind) in (list, tuple, Sequence)


def schema_of(hint: Any, named: Mapping[Any, str], closed: bool = False) -> Json:
    """Return the JSON Schema of a type; one of those in `named` becomes a reference to its name.

    In an annotation, a text is the description, a pair is a keyword of JSON Schema. `closed` objects have no other
    keys.
    """
    if hint in named:
        return {"$ref": f"#/components/schemas/{named[hint]}"}
    return inline_schema(hint, named, closed)


def inline_schema(hint: Any, named: Mapping[Any, str], closed: bool = False) -> Json:
    """Return the JSON Schema of a type; only the types within it may become references."""
    kind, notes = bare(hint)
    rest = next((each.keys for each in notes if isinstance(each, AtLeast)), None)
    schema = {**_object(rest, named, closed), "additionalProperties": True} if rest else _plain(kind, named, closed)
    for note in notes:
        if isinstance(note, str):
            schema["description"] = note
        elif not isinstance(note, AtLeast):
            keyword, value = note
            schema[keyword] = value
    return schema


def _plain(kind: Any, named: Mapping[Any, str], closed: bool) -> Json:
    origin, inner = get_origin(kind), get_args(kind)
    if kind is Any:
        return {}
    if kind in SIMPLE:
        return {"type": SIMPLE[kind]}
    if is_typeddict(kind):
        return _object(kind, named, closed) | ({"additionalProperties": False} if closed else {})
    if origin is Literal:
        return {"type": "string", "enum": list(inner)}
    if is_list(kind):
        return {"type": "array", "items": schema_of(inner[0], named, closed)}
    if origin in (Union, UnionType):
        return {"anyOf": _choices(inner, named, closed)}
    if origin is Mapping:
        values = schema_of(inner[1], named, closed)
        return {"type": "object", "additionalProperties": values or True}
    raise TypeError(f"{kind} has no JSON Schema.")


def _choices(kinds: tuple[Any, ...], named: Mapping[Any, str], closed: bool) -> list[Json]:
    """Return the schemas of a union, null apart from the others."""
    others = [schema_of(kind, named, closed) for kind in kinds if kind is not NoneType]
    if NoneType not in kinds:
        return others
    return [others[0] if len(others) == 1 else {"anyOf": others}, {"type": "null"}]


def _object(document: Any, named: Mapping[Any, str], closed: bool) -> Json:
    keys = keys_of(document)
    return {
        "type": "object",
        "properties": {name: schema_of(key.hint, named, closed) for name, key in keys.items()},
        "required": [name for name, key in keys.items() if key.required],
    }
