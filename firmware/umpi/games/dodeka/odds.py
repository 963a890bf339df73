"""Three dice and the throws left to the dice worth keeping, and what they bring: every way the dice may fall, counted.

All is counted in whole numbers, backwards from the last throw: a position with n throws left has 1728 ** n ways to go
on, each equally likely, and is worth the sum of what they bring under the best play. Only the answer is a fraction.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Literal

from umpi.games.dodeka.combinations import PAIRTRAIZ, combination

SIDES = 12
WAYS = SIDES**3  # in which three dice may fall

Faces = tuple[int, ...]  # ascending
Aim = Literal["points", "pairtraiz"]


def best(aim: Aim, dice: Faces, throws: int) -> tuple[Faces | None, Fraction]:
    """Find the dice to keep (None is to stop) of those that lie, and the points on average, or the chance, they bring.

    Equal choices: stopping is the best of them, then to keep the most dice, then the lower ones.

    >>> best("points", (3, 12, 12), 1), best("pairtraiz", (1, 1, 5), 1)
    (((12, 12), Fraction(235, 3)), ((1, 1), Fraction(1, 12)))
    """
    keep, worth = max(_choices(aim, dice, throws), key=lambda choice: choice[1])
    return keep, Fraction(worth, WAYS**throws)


def _choices(aim: Aim, dice: Faces, throws: int) -> Iterator[tuple[Faces | None, int]]:
    """Tell each choice and its worth; where no dice lie yet, all that can be done is to throw."""
    if dice:
        yield None, _prize(aim, dice) * WAYS**throws
    if throws:
        hopes = _hopes(aim, throws)
        for size in (2, 1, 0):
            for keep in combinations(dice, size):
                yield keep, hopes[keep] * SIDES**size  # so many ways for those that do not roll: all weigh the same


@cache
def _hopes(aim: Aim, throws: int) -> dict[Faces, int]:
    """Sum, for each set of dice kept, what the ways bring in which the others may fall."""
    hopes = {}
    for size in (3, 2, 1, 0):
        for kept in combinations_with_replacement(range(1, SIDES + 1), size):
            if size == 3:
                hopes[kept] = max(worth for _, worth in _choices(aim, kept, throws - 1))
            else:
                hopes[kept] = sum(hopes[tuple(sorted((*kept, face)))] for face in range(1, SIDES + 1))
    return hopes


def _prize(aim: Aim, dice: Faces) -> int:
    name, points = combination(dice)
    return points if aim == "points" else int(name == PAIRTRAIZ)
