"""Chances to win a match of Dodéka in the last turns of its last round, where points alone do not decide what is best.

Dice that end the match decide it. Of two players, the one who rolls first knows how the other one will answer: by the
best turn for the match, which is computed too. If they tie, a play-off follows, and perhaps another one: some of them
are computed, and after these the chance is between 0 and 1. So it is after a round that ends nothing, and if more
players roll. So each choice has a least and a greatest chance, and the true one is between them.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import ceil, floor
from typing import TYPE_CHECKING

from umpi.games.dodeka.combinations import combination
from umpi.games.dodeka.odds import SIDES, WAYS, Faces
from umpi.kernel import ToWin, replace

if TYPE_CHECKING:
    from umpi.games.dodeka.rules import Dodeka

PLAY_OFFS = 5  # one after the other, that are computed: a fifth of them ends in a tie, so the chance is known to 0.04 %
ONE = 60 * WAYS**3  # a victory as a whole number, which six winners can divide, and so can three rolls of a turn
Sums = dict[Faces, int]
Bounds = tuple[int, int]  # of a chance, in parts of ONE: the least and the most

UNKNOWN: Bounds = 0, ONE


def chances(position: Dodeka) -> dict[Faces | None, ToWin]:
    """Return for the dice of each choice (None: stop) the chance to win the match, if all later choices aim at it.

    It is {} if this turn cannot be the last of the match.

    >>> from umpi.games.dodeka import Dodeka
    >>> game = Dodeka.setup(2, target=100, parts=1).do_throw(0, (), (3, 4, 5)).do_stop(0).do_throw(1, (), (2, 4, 9))
    >>> found = chances(game)
    >>> found[None], found[2, 4] > found[None]
    (ToWin(least=Fraction(0, 1), most=Fraction(0, 1)), True)
    """
    if not _may_be_last(position):
        return {}
    least, most = _turn(_begun(position), _after_tie(position))
    dice, throws = position.dice, position.throws_left
    return {keep: ToWin(one, most.chance(keep, dice, throws)) for keep, one in least.chances(dice, throws).items()}


def _may_be_last(position: Dodeka) -> bool:
    """Check whether dice of this turn can make its round the last of the match, and nobody but one other rolls then."""
    part, last_part = position.part, len(position.grid) + 1 == position.parts
    if position.minutes is not None:
        last_part = position.time_up
    if position.over or not last_part:
        return False
    rolling = part.seats[-1:] if len(part.points) > 2 else part.seats
    reach = part.points[position.turn] + max(position.scale)
    return position.turn in rolling and bool(part.place or part.ends(position.target) or reach >= position.target)


def _begun(position: Dodeka) -> Dodeka:
    """Return the start of the turn of a position, alike for all positions of that turn."""
    return replace(position, dice=(), thrown=0, last=None)


class _Turn:
    """The worth of each choice of a turn, from that of the dice at its end, in whole numbers of which `one` is sure."""

    def __init__(self, ends: Sums, one: int, throws: int) -> None:
        self._ends, self._one = ends, one
        self._hopes: list[Sums] = [ends]  # with so many throws left, for each set of kept dice
        for number in range(1, throws + 1):
            stop, hopes = WAYS ** (number - 1), self._hopes[-1]
            if number == 1:
                best = ends
            else:
                kept, again = _kept(), {keep: hopes[keep] * SIDES ** len(keep) for keep in _thrown()}
                best = {dice: max(worth * stop, *map(again.__getitem__, kept[dice])) for dice, worth in ends.items()}
            self._hopes.append(_sums(best))

    def chances(self, dice: Faces, throws: int) -> dict[Faces | None, Fraction]:
        """Return the chance of each choice."""
        return {keep: self.chance(keep, dice, throws) for keep in self._worths(dice, throws)}

    def chance(self, keep: Faces | None, dice: Faces, throws: int) -> Fraction:
        """Return the chance of one choice."""
        return Fraction(self._worths(dice, throws)[keep], self._one * WAYS**throws)

    def _worths(self, dice: Faces, throws: int) -> dict[Faces | None, int]:
        found: dict[Faces | None, int] = {None: self._ends[dice] * WAYS**throws} if dice else {}
        if throws:
            hopes = self._hopes[throws]
            for size in (2, 1, 0):
                found |= {keep: hopes[keep] * SIDES**size for keep in combinations(dice, size)}
        return found


@lru_cache(maxsize=16)  # a first turn with the answers to it: at most one for each combination
def _turn(start: Dodeka, tied: Bounds) -> tuple[_Turn, _Turn]:
    """Return a turn in which all that is not decided is lost, and one in which it is won.

    `tied` is the chance of the first of two players if the round ends in a play-off.
    """
    kinds: dict[tuple[str, int], Bounds] = {}
    ends: dict[Faces, Bounds] = {}
    for dice in combinations_with_replacement(range(1, SIDES + 1), 3):
        kind = combination(dice, start.scale)
        if kind not in kinds:
            kinds[kind] = _won(start, dice, tied)
        ends[dice] = kinds[kind]
    least, most = (tuple((dice, each[side]) for dice, each in ends.items()) for side in (0, 1))
    return _best(least, start.throws), _best(most, start.throws)


@lru_cache(maxsize=32)  # in many turns of a match, the same dice win
def _best(ends: tuple[tuple[Faces, int], ...], throws: int) -> _Turn:
    """Return the worths of the choices of a turn from those of the dice at its end."""
    return _Turn(dict(ends), ONE, throws)


def _won(start: Dodeka, dice: Faces, tied: Bounds) -> Bounds:
    """Return how much of the victory the seat gets at least and at most with these dice at the end of its turn."""
    after = replace(start, dice=dice).do_stop(start.turn)
    if result := after.result():
        share = ONE // len(result.winners) if start.turn in result.winners else 0
        return share, share
    if len(start.part.points) > 2:
        return UNKNOWN
    if after.turn == start.part.seats[0]:  # a new round
        least, most = tied if after.part.place else UNKNOWN
    else:
        least, most = _bounds(_begun(after), tied)
    return ONE - most, ONE - least  # what the other player does not get


def _bounds(start: Dodeka, tied: Bounds) -> Bounds:
    """Return the chance of the seat before its first throw, rounded so that the true one is between these."""
    least, most = (turn.chance((), (), start.throws) * ONE for turn in _turn(start, tied))
    return floor(least), ceil(most)


def _after_tie(position: Dodeka) -> Bounds:
    """Return the chance of the first of two players if this round ends in a play-off for the first place.

    It is known where this set decides the match. Points only grow in a play-off, so those of a tie are at least those
    of the player who has more now.
    """
    totals, part = position.scores(), position.part
    stake = max(*part.points, 0 if part.place else position.target)
    if len(totals) > 2 or abs(totals[0] - totals[1]) >= 2 * stake:
        return UNKNOWN
    play_off = replace(part, number=1, starter=0, points=(0, 0), seats=(0, 1), pairtraiz=(), place="first")
    alone = replace(
        _begun(position), part=play_off, turn=0, won=(0, 0), grid=(), parts=1, minutes=None, target=700,
        ties="sets", time_up=False,
    )  # fmt: skip
    return _play_offs(alone)


@lru_cache(maxsize=2)  # a play-off is the same in all matches, apart from the scale
def _play_offs(start: Dodeka) -> Bounds:
    """Return the chance of the seat that begins a play-off of two which decides the match."""
    chance = UNKNOWN
    for _ in range(PLAY_OFFS):
        chance = _bounds(start, chance)
    return chance


def _sums(best: Sums) -> Sums:
    """Return for each set of kept dice the sum over all throws of the others."""
    hopes = dict(best)
    for keep, thrown in _thrown().items():
        hopes[keep] = sum([hopes[dice] for dice in thrown])
    return hopes


@lru_cache(maxsize=1)
def _kept() -> dict[Faces, tuple[Faces, ...]]:
    """Return for all dice the sets that may be kept."""
    return {
        dice: tuple({keep for size in (2, 1, 0) for keep in combinations(dice, size)})
        for dice in combinations_with_replacement(range(1, SIDES + 1), 3)
    }


@lru_cache(maxsize=1)
def _thrown() -> dict[Faces, tuple[Faces, ...]]:
    """Return for each set of kept dice, the larger ones first, the sets with one more die of each face."""
    return {
        keep: tuple(tuple(sorted((*keep, face))) for face in range(1, SIDES + 1))
        for size in (2, 1, 0)
        for keep in combinations_with_replacement(range(1, SIDES + 1), size)
    }
