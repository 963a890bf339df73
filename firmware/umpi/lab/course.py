"""The course of one game, by its scores: comebacks, drama and decisiveness.

Drama and decisiveness follow Cameron Browne, Evolutionary Game Design (2011). The evaluation of a seat is its score,
scaled so that 0 and 1 are the least and the most that any seat had at any time in this game.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Course:
    """How one game went.

    `comeback`: a winner was behind another seat after half of the acts.
    `drama`: the mean root of how far the winner was behind, over the acts after which it was; 0 if it never was.
    `decisive`: the share of the acts after which the winner had more than any other seat ever had in this game.
    """

    comeback: bool
    drama: float
    decisive: float


def course(scores: Sequence[tuple[int, ...]], winners: frozenset[int], wins: str) -> Course | None:
    """Return how a game went; None if everybody won, or if no score ever changed.

    `scores` has one entry more than there are acts. `wins` is "highest" or "lowest".

    >>> course([(0, 0), (0, 4), (4, 4), (16, 4)], frozenset({0}), "highest")
    Course(comeback=True, drama=0.5, decisive=1.0)
    """
    sign = -1 if wins == "lowest" else 1
    least, most = (sign * end(map(end, scores)) for end in ((min, max) if sign > 0 else (max, min)))
    losers = [seat for seat in range(len(scores[0])) if seat not in winners]
    if least == most or not losers or not winners:
        return None
    values: dict[tuple[int, ...], tuple[float, float]] = {}  # of the best winner and loser; most acts change no score
    for each in scores:
        if each not in values:
            scaled = [(sign * score - least) / (most - least) for score in each]
            values[each] = max([scaled[seat] for seat in winners]), max([scaled[seat] for seat in losers])
    ahead, others = zip(*map(values.__getitem__, scores), strict=True)
    behind = [math.sqrt(other - own) for own, other in zip(ahead, others, strict=True) if own < other]
    half = (len(scores) - 1) // 2
    threshold = max(others)
    decided = next((count for count, own in enumerate(ahead) if own > threshold), len(scores) - 1)
    return Course(
        comeback=ahead[half] < others[half],
        drama=sum(behind) / len(behind) if behind else 0.0,
        decisive=decided / (len(scores) - 1),
    )
