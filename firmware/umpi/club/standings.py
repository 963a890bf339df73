"""Leaderboards: wins, ratings with their uncertainty by openskill, and who was ahead of whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations

from openskill.models import PlackettLuce

from umpi.club.store import Played


@dataclass(frozen=True, slots=True)
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


def standings(played: Sequence[Played]) -> list[Standing]:
    """Return the standings of the matches of one game, best first. A match with one player does not count.

    A match that all have lost changes no rating: it does not show who is better.
    """
    model = PlackettLuce()
    ratings = {name: model.rating() for each in played for name in each.players}
    matches, won = Counter[str](), Counter[str]()
    for each in counted(played):
        matches.update(each.players)
        won.update(name for name, place in zip(each.players, each.places, strict=True) if place == 1)
        if 1 not in each.places:
            continue
        teams = [[ratings[name]] for name in each.players]
        for name, (rated,) in zip(each.players, model.rate(teams, ranks=list(map(float, each.places))), strict=True):
            ratings[name] = rated
    table = [
        Standing(name, matches[name], won[name], float(of.mu), float(of.sigma))
        for name, of in ratings.items()
        if matches[name]
    ]
    return sorted(table, key=lambda one: (-one.sure, -one.won, one.name))


def winners(played: Sequence[Played]) -> list[tuple[str, int, int]]:
    """Return each player with their wins and matches in all games, most wins first."""
    matches, won = Counter[str](), Counter[str]()
    for each in counted(played):
        matches.update(each.players)
        won.update(name for name, place in zip(each.players, each.places, strict=True) if place == 1)
    return sorted(((name, won[name], matches[name]) for name in matches), key=lambda row: (-row[1], row[2], row[0]))


def ahead(played: Iterable[Played]) -> dict[tuple[str, str], int]:
    """Return how often the first of two players was placed ahead of the second."""
    found = Counter[tuple[str, str]]()
    for each in counted(played):
        for (one, place), (other, beaten) in permutations(zip(each.players, each.places, strict=True), 2):
            found[one, other] += place < beaten
    return dict(found)


def counted(played: Iterable[Played]) -> list[Played]:
    """Return the matches with two players or more, each of whom is another person."""
    return [each for each in played if len(each.players) > 1 and len({*each.players}) == len(each.players)]
