"""Values: compare, show and write the answers to fields.

Values are JSON values, with tuples for lists. They are compared by type and value: `true` is not 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from umpi.kernel.messages import message

Value = object  # None, bool, int, str, or a tuple of these; a mapping where a record contains an object


def same(one: Value, other: Value) -> bool:
    """Compare two values by type and value.

    >>> same(1, 1), same(True, 1), same((1,), (True,))
    (True, False, False)
    """
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and one == other


def holds(pool: Sequence[Value], value: Value) -> bool:
    """Check whether `value` is in `pool`, by type and value."""
    kind = type(value)
    if kind is str or (kind is int and type(pool) is range):
        return value in pool
    if kind is int or kind is bool:
        for item in pool:  # noqa: SIM110 - a generator costs three times as much, in every act
            if item == value and type(item) is kind:
                return True
        return False
    return any(same(item, value) for item in pool)


def show(value: Value) -> str:
    """Return a value as text for people.

    >>> show(("fire-2", 3)), show(True), show(None)
    ('fire-2 3', 'yes', 'none')
    """
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return " ".join(map(show, value)) or "none"
    return str(value)


def ranged(pool: Sequence[Value]) -> str:
    """Return the values of a pool as text, only some of them if they are many."""
    if isinstance(pool, range):
        return message("{least} to {most}", least=pool[0], most=pool[-1])
    kinds = list(dict.fromkeys(map(written, pool)))
    return ", ".join(kinds) if len(kinds) <= 12 else ", ".join([*kinds[:3], "…", kinds[-1]])


def span(least: int, most: int) -> str:
    """Return a number, or from which number to which."""
    return str(least) if least == most else message("{least} to {most}", least=least, most=most)


def times(number: int) -> str:
    """Return how often, in words if it is seldom."""
    return {1: message("once"), 2: message("twice")}.get(number) or message("{number} times", number=number)


def written(value: Value) -> str:
    """Return a value as a record writes it, so that a wrong type is visible."""
    if isinstance(value, str):
        plain = value.replace("-", "").isalnum() and not value.isdecimal() and value not in ("true", "false", "null")
        return value if plain else f'"{value}"'
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, tuple):
        return message("a list")
    return message("an object") if isinstance(value, Mapping) else str(value)
