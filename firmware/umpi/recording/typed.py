"""Check of values against type hints: a session file is from outside, and may contain anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

GREATEST = 2**63 - 1  # of a time in nanoseconds, and of any other whole number


def misfit(value: object, hint: Any) -> str:
    """Return where a value does not have its type, "" if it has. The fields of a dataclass are checked too.

    >>> misfit((1, "two"), tuple[int, ...]), misfit({"a": None}, Mapping[str, int | None])
    ("expected int, got 'two'", '')
    """
    if hint is Any or hint is object:
        return ""
    if isinstance(hint, NewType):
        return misfit(value, hint.__supertype__)
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        found = [misfit(value, each) for each in inner]
        return "" if "" in found else next((each for each in found if each.startswith('"')), found[0])
    if origin is Literal:
        return "" if value in inner else _expected(" or ".join(map(repr, inner)), value)
    if origin is tuple:
        return _of_tuple(value, inner)
    if origin is not None:  # of the others, events only have mappings
        return _of_mapping(value, *inner)
    if not _has_kind(value, hint):
        return _expected(getattr(hint, "__name__", str(hint)), value)
    return _of_fields(value) if is_dataclass(value) else ""


def _has_kind(value: object, kind: type) -> bool:
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= GREATEST
    return isinstance(value, kind)


def _of_tuple(value: object, inner: tuple[Any, ...]) -> str:
    if not isinstance(value, tuple):
        return _expected("a list", value)
    hints = inner[:1] * len(value) if inner[-1] is ... else inner
    if len(hints) != len(value):
        return _expected(f"{len(hints)} values", value)
    return next(filter(None, map(misfit, value, hints)), "")


def _of_mapping(value: object, key: Any, item: Any) -> str:
    if not isinstance(value, Mapping):
        return _expected("an object", value)
    found = (misfit(each, hint) for pair in value.items() for each, hint in zip(pair, (key, item), strict=True))
    return next(filter(None, found), "")


def _of_fields(value: Any) -> str:
    hints = _hints(type(value))  # type: ignore[arg-type]  # mypy takes the hash of a value for that of its class
    for each in fields(value):
        if why := misfit(getattr(value, each.name), hints[each.name]):
            return f'"{each.name}": {why}'
    return ""


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _expected(what: str, value: object) -> str:
    return f"expected {what}, got {str(repr(value))[:40]}"
