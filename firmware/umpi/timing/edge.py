"""The edge: one stamped change of an input line."""

from __future__ import annotations

from umpi.frozen import frozen


@frozen
class Edge:
    """A change of one input line.

    `active` is the logical level, for example a pressed button. `at_ns` is in monotonic nanoseconds.
    """

    line: str
    active: bool
    at_ns: int
