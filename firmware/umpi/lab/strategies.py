"""Strategies: who decides for a seat. A package may add its own by the entry point `umpi.strategies`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import entry_points
from typing import Protocol

from umpi.kernel.fields import Chance, Value
from umpi.kernel.game import Act
from umpi.kernel.match import Match
from umpi.kernel.random_games import sample

GROUP = "umpi.strategies"
Draw = Callable[[], Act]  # returns a legal act with real odds: a random decision, and what dice and cards then show

CANDIDATES = 40  # acts that the search draws to find the decisions there are
BUDGET = 60  # random games per act of the search, shared by its decisions


class Strategy(Protocol):
    """Decide for one seat in one game."""

    def act(self, match: Match, seat: int, draw: Draw) -> Act:
        """Return the act of `seat`. Leave the match as it was."""
        ...


class RandomStrategy:
    """Decide at random."""

    def __init__(self, chance: Chance) -> None:
        pass

    def act(self, match: Match, seat: int, draw: Draw) -> Act:
        """Return a random act."""
        return draw()


class Search:
    """Flat Monte Carlo: play each decision to the end at random some times, and take the one that wins most often.

    What dice and cards will show is not known to it: it is drawn again after the decision. It cannot play a game with
    a dealer, whose hidden hands it would see.
    """

    def __init__(self, chance: Chance) -> None:
        self._chance = chance

    def act(self, match: Match, seat: int, draw: Draw) -> Act:
        """Return an act with the decision that won most often."""
        found: dict[Decision, list[Act]] = {}
        for _ in range(CANDIDATES):
            act = draw()
            found.setdefault(decision(match, act), []).append(act)
        if len(found) == 1:
            return draw()
        games = max(2, BUDGET // len(found))
        best = max(found, key=lambda each: self._value(match, seat, found[each], games))
        for _ in range(CANDIDATES):
            act = draw()
            if decision(match, act) == best:
                return act
        return found[best][0]

    def _value(self, match: Match, seat: int, acts: list[Act], games: int) -> float:
        """Return how much of the first place the seat wins on average."""
        won = 0.0
        for number in range(games):
            begun = len(match.acts)
            match.play(acts[number % len(acts)])
            while match.asks:
                match.play(sample(match.asks, self._chance))
            result = match.now.result()
            if result and seat in result.winners:
                won += 1 / len(result.winners)
            match.undo(len(match.acts) - begun)
        return won / games


Decision = tuple[str, tuple[tuple[str, Value], ...]]


def decision(match: Match, act: Act) -> Decision:
    """Return what a player decides with an act: its verb, and the fields that are no dice, cards or cubes."""
    ask = next(ask for ask in match.asks if ask.verb == act.verb)
    known: dict[str, Value] = {}
    own: list[tuple[str, Value]] = []
    for field in ask.walk(known):
        if field.name in act.given:
            known[field.name] = act.given[field.name]
            if field.source == "will":
                own.append((field.name, act.given[field.name]))
    return act.verb, tuple(own)


Maker = Callable[[Chance], Strategy]
BUILT_IN: dict[str, Maker] = {"random": RandomStrategy, "search": Search}


@cache
def strategies() -> Mapping[str, Maker]:
    """Return the strategies by name: the built-in ones, then those of other packages.

    Raises ValueError with the package's name if one cannot be loaded.
    """
    found = dict(BUILT_IN)
    for point in entry_points(group=GROUP):
        try:
            found.setdefault(point.name, point.load())
        except Exception as fault:  # a stranger's package
            raise ValueError(f"the strategy {point.name} cannot be loaded: {type(fault).__name__}: {fault}") from fault
    return found
