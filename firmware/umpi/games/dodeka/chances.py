"""Chances to win a match of Dodéka in the last turn of its last round, where points alone do not decide what is best.

Dice that end the match decide it. What follows other dice, as a play-off or another round, is not computed: the chance
is then between 0 and 1. So each choice has a least and a greatest chance, both exact.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from typing import TYPE_CHECKING

from umpi.games.dodeka.odds import SIDES, WAYS, Faces
from umpi.kernel import ToWin, replace

if TYPE_CHECKING:
    from umpi.games.dodeka.rules import Dodeka

THROWS = 3
SHARES = 60  # a victory as a whole number that up to six winners can divide
Sums = dict[Faces, int]


def chances(position: Dodeka) -> dict[Faces | None, ToWin]:
    """Return for the dice of each choice (None: stop) the chance to win the match, if all later choices aim at it.

    It is {} if this turn cannot be the last of the match.

    >>> from umpi.games.dodeka import Dodeka
    >>> game = Dodeka.setup(2, target=100, parts=1).do_throw(0, (), (3, 4, 5)).do_stop(0).do_throw(1, (), (2, 4, 9))
    >>> found = chances(game)
    >>> found[None], found[2, 4] > found[None]
    (ToWin(least=Fraction(0, 1), most=Fraction(0, 1)), True)
    """
    part, last_part = position.part, len(position.grid) + 1 == position.parts
    if position.minutes is not None:
        last_part = position.time_up
    may_end = part.ends(position.target) or part.points[position.turn] + max(position.scale) >= position.target
    if position.over or not last_part or position.turn != part.seats[-1] or not (part.place or may_end):
        return {}
    least, most = _turn(replace(position, dice=(), throws_left=THROWS, last=None))
    dice, throws = position.dice, position.throws_left
    return {keep: ToWin(one, most.chance(keep, dice, throws)) for keep, one in least.chances(dice, throws).items()}


class _Turn:
    """The worth of each choice of a turn, from that of the dice at its end. All counts are whole numbers."""

    def __init__(self, ends: Sums) -> None:
        self._ends = ends
        self._hopes: list[Sums] = [ends]  # with so many throws left, for each set of kept dice
        for throws in range(1, THROWS + 1):
            best = {dice: max(self._worths(dice, throws - 1).values()) for dice in ends}
            self._hopes.append(_sums(best))

    def chances(self, dice: Faces, throws: int) -> dict[Faces | None, Fraction]:
        """Return the chance of each choice."""
        return {keep: self.chance(keep, dice, throws) for keep in self._worths(dice, throws)}

    def chance(self, keep: Faces | None, dice: Faces, throws: int) -> Fraction:
        """Return the chance of one choice."""
        return Fraction(self._worths(dice, throws)[keep], SHARES * WAYS**throws)

    def _worths(self, dice: Faces, throws: int) -> dict[Faces | None, int]:
        found: dict[Faces | None, int] = {None: self._ends[dice] * WAYS**throws} if dice else {}
        if throws:
            hopes = self._hopes[throws]
            for size in (2, 1, 0):
                found |= {keep: hopes[keep] * SIDES**size for keep in combinations(dice, size)}
        return found


@lru_cache(maxsize=8)
def _turn(start: Dodeka) -> tuple[_Turn, _Turn]:
    """Return a turn in which all that is not decided is lost, and one in which it is won."""
    ends: dict[Faces, int | None] = {}
    for dice in combinations_with_replacement(range(1, SIDES + 1), 3):
        ends[dice] = _won(start, dice)
    least = {dice: won or 0 for dice, won in ends.items()}
    most = {dice: SHARES if won is None else won for dice, won in ends.items()}
    return _Turn(least), _Turn(most)


def _won(start: Dodeka, dice: Faces) -> int | None:
    """Return the share of the victory that the seat gets with these dice at the end of its turn, None if it goes on."""
    result = replace(start, dice=dice).do_stop(start.turn).result()
    if result is None:
        return None
    return SHARES // len(result.winners) if start.turn in result.winners else 0


def _sums(best: Sums) -> Sums:
    """Return for each set of kept dice the sum over all throws of the others."""
    hopes = dict(best)
    for size in (2, 1, 0):
        for kept in combinations_with_replacement(range(1, SIDES + 1), size):
            hopes[kept] = sum(hopes[tuple(sorted((*kept, face)))] for face in range(1, SIDES + 1))
    return hopes
