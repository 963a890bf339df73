"""Odds of Dodéka: the best dice to keep, and their expected value. Every possible throw is counted.

All counts are whole numbers, computed backwards from the last throw. A position with n throws left has 1728 ** n
continuations, each equally likely. Its worth is the sum of their values under the best play. Only the result of `best`
is a fraction.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from typing import Literal

from umpi.games.dodeka.combinations import PAIRTRAIZ, SHEET, Scale, combination

SIDES = 12
WAYS = SIDES**3  # the number of throws of three dice

Faces = tuple[int, ...]  # ascending
Aim = Literal["points", "pairtraiz"]


def best(aim: Aim, dice: Faces, throws: int, scale: Scale = SHEET) -> tuple[Faces | None, Fraction]:
    """Return the dice to keep (None: stop) and the average points, or the chance, that this choice gives.

    If choices are equal, stopping is preferred, then keeping more dice, then keeping the lower dice.

    >>> best("points", (3, 12, 12), 1), best("pairtraiz", (1, 1, 5), 1)
    (((12, 12), Fraction(235, 3)), ((1, 1), Fraction(1, 12)))
    """
    keep, worth = max(_choices(aim, dice, throws, scale), key=lambda choice: choice[1])
    return keep, Fraction(worth, WAYS**throws)


def averages(aim: Aim, dice: Faces, throws: int, scale: Scale = SHEET) -> dict[Faces | None, Fraction]:
    """Return for the dice of each choice (None: stop) the average points, or the chance, that it gives."""
    return {keep: Fraction(worth, WAYS**throws) for keep, worth in _choices(aim, dice, throws, scale)}


def _choices(aim: Aim, dice: Faces, throws: int, scale: Scale) -> Iterator[tuple[Faces | None, int]]:
    """Yield each choice and its worth; before the first throw the only choice is to throw."""
    if dice:
        yield None, _prize(aim, dice, scale) * WAYS**throws
    if throws:
        hopes = _hopes(aim, throws, scale)
        for size in (2, 1, 0):
            for keep in combinations(dice, size):
                yield keep, hopes[keep] * SIDES**size  # the factor for the kept dice gives all choices the same scale


@lru_cache(maxsize=24)  # two aims and three throws, in a few scales
def _hopes(aim: Aim, throws: int, scale: Scale) -> dict[Faces, int]:
    """Return, for each set of kept dice, the sum of the values of all throws of the other dice."""
    hopes = {}
    for size in (3, 2, 1, 0):
        for kept in combinations_with_replacement(range(1, SIDES + 1), size):
            if size == 3:
                hopes[kept] = max(worth for _, worth in _choices(aim, kept, throws - 1, scale))
            else:
                hopes[kept] = sum(hopes[tuple(sorted((*kept, face)))] for face in range(1, SIDES + 1))
    return hopes


def _prize(aim: Aim, dice: Faces, scale: Scale) -> int:
    name, points = combination(dice, scale)
    return points if aim == "points" else int(name == PAIRTRAIZ)
