"""Check of an expansion: an act that it replaces takes no more than the act of its game, or its report says so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from umpi.conformance.fit import misfit
from umpi.conformance.flaws import Flaw
from umpi.kernel.game import Game, act_methods
from umpi.kernel.schema import Schema, forms, parts_of

FAR = 10**9  # a number beyond every limit
LONG = 1_000  # a length of a text or a list beyond every limit


def limited(game: type[Game]) -> Iterator[Flaw]:
    """Check that a replaced act keeps the limits of its fields: without them the schema of the records takes anything.

    New limits are no flaw, as an expansion may have more cards; `wider_fields` names them.
    """
    for name, kind, base in _replaced(game):
        for field, part, before in _parts(game, name, kind, base):
            more = sorted(set(_limitless(part)) - set(_limitless(before)))
            if more and _wider(part, before):
                yield Flaw(
                    f'The hint of "{field}" in {name} of {kind.__name__} takes {more[0]}, that of {base.__name__} '
                    "has a limit. Repeat that hint, or give it a limit of its own by Annotated."
                )


def wider_fields(game: type[Game]) -> list[str]:
    """Return the fields of replaced acts that take more than those of the class which the game extends."""
    return [
        f"{field} in {name} of {kind.__name__}"
        for name, kind, base in _replaced(game)
        for field, part, before in _parts(game, name, kind, base)
        if _wider(part, before)
    ]


def _replaced(game: type[Game]) -> Iterator[tuple[str, type[Game], type[Game]]]:
    """Yield each act that a class of the game replaces: its name, the class, and the class whose act it replaces."""
    for name in act_methods(game):
        having = [kind for kind in game.__mro__ if name in vars(kind)]
        for kind, base in pairwise(having):
            yield name, kind, base


def _parts(game: type[Game], name: str, kind: type[Game], base: type[Game]) -> Iterator[tuple[str, Schema, Schema]]:
    """Yield each field that an act has in both classes, with its schema there."""
    earlier = [form["properties"] for form in forms(game, name, vars(base)[name])]
    seen = []
    for form in forms(game, name, vars(kind)[name]):
        for field, part in form["properties"].items():
            before = [each[field] for each in earlier if field in each]
            if before and (field, part) not in seen:
                seen.append((field, part))
                yield field, part, {"anyOf": before}


def _wider(part: Schema, before: Schema) -> bool:
    """Check whether one of the outermost values of a part is refused by what stood there before."""
    return any(misfit(value, before) for value in _outermost(part))


def _outermost(part: Schema) -> Iterator[Any]:
    """Yield the least and the greatest values that a part takes; none if it takes anything, which has its own flaw."""
    for each in part.get("anyOf", ()):
        yield from _outermost(each)
    if "const" in part or "enum" in part:
        yield from part.get("enum", [part.get("const")])
        return
    match part.get("type"):
        case "integer":
            yield from (part.get("minimum", -FAR), part.get("maximum", FAR))
        case "string":
            yield from ("x" * part.get("minLength", 0), "x" * part.get("maxLength", LONG))
        case "boolean":
            yield from (False, True)
        case "null":
            yield None
        case "array" if "prefixItems" in part:
            yield from (list(each.values()) for each in _each(dict(enumerate(part["prefixItems"]))))
        case "array":
            items = list(_outermost(part["items"]))
            least, most = part.get("minItems", 0), part.get("maxItems", LONG)
            yield from ([item] * max(least, min(1, most)) for item in items)
            yield from (items[:1] * least, items[:1] * most)
        case "object":
            yield from _each(part["properties"])
        case _:
            return


def _each(parts: Mapping[Any, Schema]) -> Iterator[dict[Any, Any]]:
    """Yield values of several parts: in each, one of them has one of its outermost values."""
    values = {name: list(_outermost(part)) for name, part in parts.items()}
    first = {name: next(iter(found), None) for name, found in values.items()}
    for name, found in values.items():
        yield from ({**first, name: value} for value in found)


def _limitless(part: Schema) -> Iterator[str]:
    """Yield what a part takes without a limit: any number, any text, a list of any length."""
    for each in parts_of(part):
        yield from _limitless(each)
    match part:
        case {"enum": _} | {"const": _}:
            return
        case {"type": "integer"} if not {"minimum", "maximum"} <= part.keys():
            yield "any number"
        case {"type": "string"} if "maxLength" not in part:
            yield "any text"
        case {"type": "array"} if "maxItems" not in part:
            yield "a list of any length"
        case _:
            return
