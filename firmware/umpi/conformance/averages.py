"""Check the worths of a game: play each choice on by real chance, and compare what the turn gives with its average."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from statistics import fmean, pstdev

from umpi.conformance.flaws import Flaw
from umpi.kernel.fields import Chance
from umpi.kernel.game import Act
from umpi.kernel.match import Match
from umpi.kernel.options import worths_of
from umpi.kernel.record import Header
from umpi.kernel.worths import Worth
from umpi.lab.world import completed

DRAWS = 20  # of each choice in a position
LEAST = 200  # draws of a verb before its average is judged
SURE = 6.0  # standard errors: chance alone goes so far once in a billion verbs


@dataclass(slots=True)
class _Sum:
    """How far what a verb gave was from its averages, and the position where the draws differ most from them."""

    differences: list[float] = field(default_factory=list)
    farthest: float = 0.0
    where: tuple[Header, Sequence[Act]] | None = None


class Averages:
    """Sum up the differences of all positions that are examined, by the verb of the choice."""

    def __init__(self) -> None:
        self._sums = defaultdict[str, _Sum](_Sum)
        self.draws = 0

    def look(self, match: Match, chance: Chance) -> Iterator[Flaw]:
        """Play each choice of the position some times, and take it back."""
        kind = worths_of(match.game, match.options)
        if kind is None:
            return
        worths, before = kind(), match.now
        own = Random(str(self.draws)).random  # `chance` gives the same dice in each position
        for each in worths.choices(before):
            if not isinstance(each, Worth) or not isinstance(each.average, (Fraction, int)):
                yield Flaw(f"`choices` returns {each!r}, expected Worth with a Fraction.")
                return
            differences = []
            for _ in range(DRAWS):
                match.play(completed(match, each.act, own))
                earned = worths.earned(before, match.now)
                going = () if earned is not None else worths.choices(match.now)
                if earned is None and not going:
                    yield Flaw(f"After {each.words} the turn goes on, and `choices` has none.")
                    return
                value = earned if earned is not None else max(next.average for next in going)
                differences.append(float(value - each.average))
                match.undo(1)
            self._add(each.act.verb, differences, match)

    def _add(self, verb: str, differences: Sequence[float], match: Match) -> None:
        sums, total = self._sums[verb], sum(differences)
        self.draws += len(differences)
        sums.differences += differences
        if abs(total) >= sums.farthest:
            sums.farthest = abs(total)
            sums.where = Header(match.game, match.players, match.options), list(match.acts)

    def flaw(self) -> tuple[Flaw, Header, Sequence[Act]] | None:
        """Return the flaw if a verb gives something else than `choices` says, and the position that shows it best."""
        for verb, sums in self._sums.items():
            draws = len(sums.differences)
            mean = fmean(sums.differences)
            error = pstdev(sums.differences) / math.sqrt(draws)
            if draws >= LEAST and sums.where and abs(mean) > SURE * error and abs(mean) > 1e-9:
                way = "more" if mean > 0 else "less"
                why = f'On average "{verb}" gives {abs(mean):.1f} {way} than `choices` says ({draws:,} draws).'
                return Flaw(why), *sums.where
        return None
