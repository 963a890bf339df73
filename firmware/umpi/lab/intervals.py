"""Intervals of 95 %."""

from __future__ import annotations

import math

Z95 = 1.959963984540054  # the two-sided 95 % point of the normal distribution


def wilson(wins: float, games: int) -> tuple[float | None, float | None]:
    """Return the 95 % Wilson interval of a share; None for both without games.

    >>> [round(end, 4) for end in wilson(8, 10)]
    [0.4902, 0.9433]
    """
    if not games:
        return None, None
    share, square = wins / games, Z95**2
    middle = share + square / (2 * games)
    half = Z95 * math.sqrt(share * (1 - share) / games + square / (4 * games**2))
    return max(0.0, (middle - half) / (1 + square / games)), min(1.0, (middle + half) / (1 + square / games))
