"""Measured times: how the box measured a reaction, and whether two of them can be told apart."""

from __future__ import annotations

from typing import NamedTuple


class Measured(NamedTuple):
    """A time in whole milliseconds, and by how many it may differ from the press, at most."""

    ms: int = 0
    bound_ms: int = 0


def tied(one: Measured, other: Measured) -> bool:
    """Check whether two times are too close to say which was shorter.

    >>> tied(Measured(312, 1), Measured(315, 3)), tied(Measured(312, 1), Measured(317, 3))
    (True, False)
    """
    return abs(one.ms - other.ms) <= one.bound_ms + other.bound_ms
