"""Validation of lines against a schema; it supports the part of JSON Schema that umpi.kernel.schema writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from umpi.kernel.fields import same

TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list,), "string": (str,), "integer": (int,), "boolean": (bool,),
    "null": (type(None),),
}  # fmt: skip


def misfit(value: Any, schema: Mapping[str, Any]) -> str:
    """Return why `value` does not fit the schema, "" if it does.

    >>> misfit({"do": "throw", "die": 7}, {"properties": {"die": {"type": "integer", "maximum": 6}}})
    'die: 7 is more than 6'
    """
    return next(_misfits(value, schema), "")


def _misfits(value: Any, schema: Mapping[str, Any]) -> Iterator[str]:
    if "oneOf" in schema:
        yield from _one_of(value, schema["oneOf"])
    if "anyOf" in schema and all(misfit(value, each) for each in schema["anyOf"]):
        yield f"{value!r} is none of what may stand there"
    if "const" in schema and not same(value, schema["const"]):
        yield f"{value!r} is not {schema['const']!r}"
    if "enum" in schema and not any(same(value, each) for each in schema["enum"]):
        yield f"{value!r} is not in {', '.join(map(str, schema['enum']))}"
    if "type" in schema and type(value) not in TYPES[schema["type"]]:
        yield f"{value!r} is no {schema['type']}"
    elif isinstance(value, dict):
        yield from _object(value, schema)
    elif isinstance(value, list):
        yield from _array(value, schema)
    elif isinstance(value, str):
        yield from _bounds(len(value), schema, "Length")
    elif type(value) is int:
        yield from _bounds(value, schema, "imum")


def _one_of(line: Any, forms: list[Mapping[str, Any]]) -> Iterator[str]:
    """Yield why a line does not fit exactly one form of its act; if it fits none, the reason of the last form."""
    own = [form for form in forms if form["properties"]["do"]["const"] == line["do"]]
    reasons = [misfit(line, form) for form in own]
    if not own:
        yield f'there is no act "{line["do"]}"'
    elif reasons.count("") > 1:
        yield "it fits several of the act's overloads"
    elif "" not in reasons:
        yield reasons[-1]


def _object(value: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[str]:
    properties = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            yield f'"{name}" is missing'
    for name, item in value.items():
        if name in properties:
            yield from (f"{name}: {reason}" for reason in _misfits(item, properties[name]))
        elif schema.get("additionalProperties") is False:
            yield f'"{name}" is too much'


def _array(value: list[Any], schema: Mapping[str, Any]) -> Iterator[str]:
    yield from _bounds(len(value), schema, "Items")
    firsts = schema.get("prefixItems", [])
    for index, item in enumerate(value):
        form = firsts[index] if index < len(firsts) else schema.get("items", {})
        yield from _misfits(item, form)


def _bounds(size: int, schema: Mapping[str, Any], what: str) -> Iterator[str]:
    low, high = schema.get(f"min{what}"), schema.get(f"max{what}")
    if low is not None and size < low:
        yield f"{size} is less than {low}"
    if high is not None and size > high:
        yield f"{size} is more than {high}"
