"""The course of one game, by its scores: comebacks, drama and decisiveness.

Drama and decisiveness follow Cameron Browne, Evolutionary Game Design (2011). The evaluation of a seat is its score,
scaled so that 0 and 1 are the least and the most that any seat had at any time in this game.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from umpi.frozen import frozen

Standing = tuple[int, tuple[int, ...]]  # after how many acts these scores came


@frozen
class Course:
    """How one game went.

    `comeback`: a winner was behind another seat after half of the acts.
    `drama`: the mean root of how far the winner was behind, over the acts after which it was; 0 if it never was.
    `decisive`: the share of the acts after which the winner had more than any other seat ever had in this game.
    """

    comeback: bool
    drama: float
    decisive: float


def standings(scores: Iterable[tuple[int, ...]]) -> list[Standing]:
    """Return the scores that differ from those before: `scores` has one entry more than there are acts.

    >>> standings([(0, 0), (0, 0), (0, 4)])
    [(0, (0, 0)), (2, (0, 4))]
    """
    found, before = list[Standing](), None
    for count, each in enumerate(scores):
        if each != before:
            found.append((count, each))
            before = each
    return found


def course(stood: Sequence[Standing], acts: int, winners: frozenset[int], wins: str) -> Course | None:
    """Return how a game of so many acts went; None if everybody won, or if no score ever changed.

    `wins` is "highest" or "lowest".

    >>> course(standings([(0, 0), (0, 4), (4, 4), (16, 4)]), 3, frozenset({0}), "highest")
    Course(comeback=True, drama=0.5, decisive=1.0)
    """
    losers = [seat for seat in range(len(stood[0][1])) if seat not in winners]
    sign = -1 if wins == "lowest" else 1
    every = [sign * score for _, scores in stood for score in scores]
    least, most = min(every), max(every)
    if least == most or not losers or not winners:
        return None
    ends = [count for count, _ in stood[1:]] + [acts + 1]
    behind, weight, highest, comeback = 0.0, 0, 0.0, False
    best = list[float]()  # of the winners
    for (since, scores), end in zip(stood, ends, strict=True):
        scaled = [(sign * score - least) / (most - least) for score in scores]
        own, other = max([scaled[seat] for seat in winners]), max([scaled[seat] for seat in losers])
        best.append(own)
        highest = max(highest, other)
        if own < other:
            behind += (end - since) * math.sqrt(other - own)
            weight += end - since
            comeback = comeback or since <= acts // 2 < end
    decided = next((since for (since, _), own in zip(stood, best, strict=True) if own > highest), acts)
    return Course(comeback, behind / weight if weight else 0.0, decided / acts)
