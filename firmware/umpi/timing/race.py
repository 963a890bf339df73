"""Who was first among presses whose times are known as intervals: by button, by cube and by phone in one order."""

from __future__ import annotations

from collections.abc import Sequence

Span = tuple[int, int]  # not before the first time, not after the second; equal for a button or a cube


def too_close(spans: Sequence[Span]) -> frozenset[int]:
    """Return which presses may have come before one that is placed before them, or after one placed after them.

    >>> sorted(too_close([(0, 10), (12, 12), (5, 20), (30, 40)]))
    [0, 1, 2]
    """
    return frozenset(
        one
        for one, (earliest, latest) in enumerate(spans)
        for other, (earliest_other, latest_other) in enumerate(spans)
        if one != other and earliest < latest_other and earliest_other < latest
    )
