"""A match between two strategies: how much better one is, as a difference of Elo with its interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from umpi.lab.games import Played
from umpi.lab.intervals import wilson


def seats_of(one: str, other: str, seats: int, turn: int) -> tuple[str, ...]:
    """Return who sits where: `one` at seat `turn`, `other` at all other seats.

    >>> seats_of("mcts", "random", 3, 1)
    ('random', 'mcts', 'random')
    """
    return tuple(one if seat == turn else other for seat in range(seats))


def gained(played: Played, seat: int) -> float:
    """Return what a seat gains on average against each other seat: 1 for a better place, 0.5 for the same.

    >>> gained(Played(9, (2, 1, 2), (), (0, 0.0), (0, 0.0)), 0)
    0.25
    """
    others = [place for other, place in enumerate(played.places) if other != seat]
    return sum(1.0 if played.places[seat] < place else 0.5 * (played.places[seat] == place) for place in others) / len(
        others
    )


def comparison(gains: Sequence[float]) -> dict[str, Any]:
    """Return the share that was gained with its interval, and both as a difference of Elo."""
    share = sum(gains) / len(gains) if gains else None
    low, high = wilson(sum(gains), len(gains))
    return {
        "share": share,
        "low": low,
        "high": high,
        "elo": elo(share),
        "elo_low": elo(low),
        "elo_high": elo(high),
    }


def elo(share: float | None) -> float | None:
    """Return the difference of Elo that a share of the points means, None at 0 and 1, where it has no end.

    >>> elo(0.5), round(elo(0.76)), elo(1.0)
    (0.0, 200, None)
    """
    if share is None or not 0 < share < 1:
        return None
    return 400 * math.log10(share / (1 - share))
