"""Leaderboards: wins, ratings with their uncertainty by openskill, and who was ahead of whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

from openskill.models import PlackettLuce, PlackettLuceRating

from umpi.club.store import Played
from umpi.frozen import frozen
from umpi.review.without_luck import places

MODEL = PlackettLuce()
STEP = 100  # matches between two saved states of the ratings


@frozen
class Standing:
    """The standing of a player. `rating` is the mean of their skill, `unsure` its standard deviation."""

    name: str
    matches: int
    won: int
    rating: float
    unsure: float

    @property
    def sure(self) -> float:
        """The rating that the player has almost surely: three standard deviations below."""
        return self.rating - 3 * self.unsure


class Ladder:
    """Count the matches of a list. The next list is added to what was counted, from where it differs.

    So a match that has just ended costs one match, and one that is reported late costs those after it at most. The
    result is the same as that of a new ladder.
    """

    def __init__(self) -> None:
        self._played: Sequence[Played] = ()
        self._matches, self._won = Counter[str](), Counter[str]()
        self._ahead = Counter[tuple[str, str]]()
        self._rated = 0  # how many matches the ratings contain
        self._ratings: dict[str, PlackettLuceRating] = {}
        self._saved: list[dict[str, PlackettLuceRating]] = []  # the ratings before every STEP-th match

    def follow(self, played: Sequence[Played]) -> Ladder:
        """Count these matches in place of those before; return the ladder. The list must not change afterwards."""
        same = _common(self._played, played)
        for each in self._played[same:]:
            self._count(each, -1)
        for each in played[same:]:
            self._count(each, 1)
        if same < self._rated:
            self._rated = same - same % STEP
            self._ratings = dict(self._saved[same // STEP])
            del self._saved[same // STEP + 1 :]
        self._played = played
        return self

    def standings(self) -> list[Standing]:
        """Return the standings, best first. The matches should be of one game.

        A match that all have lost changes no rating: it does not show who is better.
        """
        while self._rated < len(self._played):
            if self._rated == STEP * len(self._saved):
                self._saved.append(dict(self._ratings))
            self._rate(self._played[self._rated])
            self._rated += 1
        new, table = MODEL.rating(), []
        for name, matches in self._matches.items():
            if matches:
                of = self._ratings.get(name, new)
                table.append(Standing(name, matches, self._won[name], float(of.mu), float(of.sigma)))
        return sorted(table, key=lambda one: (-one.sure, -one.won, one.name))

    def winners(self) -> list[tuple[str, int, int]]:
        """Return each player with their wins and matches, most wins first."""
        rows = [(name, self._won[name], matches) for name, matches in self._matches.items() if matches]
        return sorted(rows, key=lambda row: (-row[1], row[2], row[0]))

    def ahead(self, one: str, other: str) -> int:
        """Return how often the first of two players was placed ahead of the second."""
        return self._ahead[one, other]

    def _count(self, each: Played, by: int) -> None:
        """Add a match, or take it away."""
        if not counts(each):
            return
        placed = list(zip(each.players, each.places, strict=True))
        for name, place in placed:
            self._matches[name] += by
            self._won[name] += by * (place == 1)
        for (one, place), (other, beaten) in permutations(placed, 2):
            if place < beaten:
                self._ahead[one, other] += by

    def _rate(self, each: Played) -> None:
        if not counts(each) or 1 not in each.places:
            return
        teams = [[self._ratings.get(name) or MODEL.rating()] for name in each.players]
        for name, (rated,) in zip(each.players, MODEL.rate(teams, ranks=list(map(float, each.places))), strict=True):
            self._ratings[name] = rated


def fair(played: Sequence[Played]) -> list[Played]:
    """Return the matches whose luck is known, with the places that the players would have had without it."""
    return [replace(each, places=places(each.without_luck)) for each in played if each.without_luck is not None]


def counts(each: Played) -> bool:
    """Return whether a match counts: it has two players or more, each of whom is another person."""
    return len(each.players) > 1 and len({*each.players}) == len(each.players)


def _common(before: Sequence[Played], after: Sequence[Played]) -> int:
    """Return how many matches at the beginning of two lists are equal."""
    pairs = enumerate(zip(before, after, strict=False))
    return next((at for at, (one, other) in pairs if one is not other and one != other), min(len(before), len(after)))
