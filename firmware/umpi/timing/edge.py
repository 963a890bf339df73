"""A change of an input line, stamped."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edge:
    """A change of one input line: `active` as the device means it, `at_ns` monotonic nanoseconds."""

    line: str
    active: bool
    at_ns: int
