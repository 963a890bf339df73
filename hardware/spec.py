"""Read the numbers of a part from its TOML file into frozen dataclasses, one for each table.

A name that is missing or not known and a value of another kind are refused, with their place.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


class BadSpec(ValueError):
    """A fault in a file of numbers, with its place."""


def read(kind: type[T], file: Path) -> T:
    """Read a file. Raises OSError, tomllib.TOMLDecodeError and BadSpec."""
    return typed(kind, tomllib.loads(file.read_text(encoding="utf-8")), f"{file.name}:")


def typed(kind: type[T], table: Mapping[str, Any], place: str) -> T:
    """Make a dataclass of a table, and of the tables in it. Raises BadSpec."""
    made: T = _value(kind, table, place)
    return made


def _value(kind: Any, value: Any, place: str) -> Any:
    if kind is Any:
        return value
    if is_dataclass(kind) and isinstance(kind, type) and isinstance(value, Mapping):
        return _table(kind, value, place)
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):  # X | None: TOML has no None
        return _value(args[0], value, place)
    if origin is tuple and isinstance(value, list | tuple):
        kinds = args[:1] * len(value) if args[-1] is Ellipsis else args
        if len(kinds) == len(value):
            return tuple(_value(each, one, place) for each, one in zip(kinds, value, strict=True))
    elif origin is Mapping and isinstance(value, Mapping):
        return {key: _value(args[1], one, f"{place} [{key}]") for key, one in value.items()}
    elif origin is Literal:
        if value in args:
            return value
    elif kind is float:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return value
    elif isinstance(kind, type) and type(value) is kind:
        return value
    raise BadSpec(f"{place} {value!r} is no {getattr(kind, '__name__', kind) if origin is None else kind}.")


def _table(kind: type[Any], table: Mapping[str, Any], place: str) -> Any:
    known, needed = _names(kind)  # type: ignore[arg-type]
    if odd := (needed - table.keys()) | (table.keys() - known.keys()):
        raise BadSpec(f"{place} {', '.join(sorted(odd))}: missing, or not known.")
    return kind(**{name: _value(known[name], value, f"{place} [{name}]") for name, value in table.items()})


@cache
def _names(kind: type[Any]) -> tuple[dict[str, Any], set[str]]:
    """Return the kind of each field, and the names of those that a table must have."""
    needed = {one.name for one in fields(kind) if one.default is MISSING and one.default_factory is MISSING}
    return get_type_hints(kind), needed
