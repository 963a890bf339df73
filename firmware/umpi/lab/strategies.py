"""Strategies: who decides for a seat. A package may add its own by the entry point `umpi.strategies`."""

from __future__ import annotations

import inspect
import logging
import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from importlib.metadata import entry_points
from random import Random

from umpi.frozen import frozen
from umpi.kernel.fields import Chance, Pick, Some, Value
from umpi.kernel.game import Dealer, Game, full_title, gives, override
from umpi.kernel.match import Match
from umpi.kernel.strategy import Strategy
from umpi.lab.search import Greedy, Search, TreeSearch
from umpi.lab.world import Outlook, World, words_of

GROUP = "umpi.strategies"
TRIED = 20  # random games in which a word to bar is looked for

log = logging.getLogger(__name__)


class RandomStrategy(Strategy):
    """Decide at random."""

    def __init__(self, chance: Chance) -> None:
        pass

    @override
    def act(self, match: Match, seat: int, outlook: Outlook) -> None:
        """Return None."""


BUILT_IN: dict[str, type[Strategy]] = {"random": RandomStrategy, "greedy": Greedy, "search": Search, "mcts": TreeSearch}


def strategies() -> Mapping[str, type[Strategy]]:
    """Return the strategies by name: the built-in ones, then those of games and other packages.

    One that cannot be loaded is left out; see `not_loaded`.
    """
    return _looked_for()[0]


def not_loaded() -> Mapping[str, str]:
    """Return why strategies of other packages cannot be loaded, by their names."""
    return _looked_for()[1]


@cache
def _looked_for() -> tuple[Mapping[str, type[Strategy]], Mapping[str, str]]:
    found, failed = dict(BUILT_IN), dict[str, str]()
    for point in entry_points(group=GROUP):
        try:
            maker = point.load()
            if not (isinstance(maker, type) and issubclass(maker, Strategy)):
                raise TypeError(f"{point.value} does not extend umpi.kernel.Strategy")
            found.setdefault(point.name, maker)
        except Exception as fault:  # a stranger's package
            log.error("The strategy %s cannot be loaded.", point.name, exc_info=fault)
            failed[point.name] = f"the strategy {point.name} cannot be loaded: {type(fault).__name__}: {fault}"
    return found, failed


def packages_of(names: Collection[str]) -> list[str]:
    """Return the packages of these strategies, with their versions; the built-in strategies have none."""
    points = [point for point in entry_points(group=GROUP) if point.name in names]
    return sorted({f"{point.dist.name} {point.dist.version}" for point in points if point.dist})


def words_said(
    wanted: Collection[str], game: type[Game], seats: int, settings: Sequence[Mapping[str, Value]]
) -> frozenset[str]:
    """Return the words that somebody may bar: the verbs and values of some random games, with each of the settings.

    It stops when it has found all that are wanted, and after a fault of the rules. A rare word may be missing.
    """
    found = set[str]()
    for number in range(max(TRIED, len(settings))):
        if found.issuperset(wanted):
            break
        chance = Random(number).random
        try:
            match = Match(game, [f"P{seat + 1}" for seat in range(seats)], settings[number % len(settings)])
            dealer = game.dealer(chance, match.now) if game.dealer else None
            world = World(match, chance, dealer, [frozenset()] * seats)
            while not world.stopped:
                fields = [field for ask in match.asks for field in ask.fields if field.source == "will"]
                found.update(ask.verb for ask in match.asks)
                found.update(str(value) for field in fields if isinstance(field, Pick | Some) for value in field.pool)
                act = world.draw()
                found.update(words_of(match, act))
                world.play(act)
        except Exception:  # those who play the games report it
            log.warning("The words of a random game of %s are not all known.", game.id, exc_info=True)
            break
    return frozenset(found)


@frozen
class Choice:
    """A strategy as it is written in a command: its name, its budget, and the words that it does not use.

    >>> Choice.read("search:200~take").barred
    frozenset({'take'})
    """

    name: str
    playouts: int | None
    barred: frozenset[str]

    @staticmethod
    @cache
    def read(text: str) -> Choice:
        """Read NAME, NAME:PLAYOUTS, and ~WORD any number of times. Raises ValueError if it is something else."""
        whole = re.fullmatch(r"([^:~]+)(?::([1-9][0-9]{0,6}))?((?:~[^~]+)*)", text)
        if not whole:
            raise ValueError(f"{text} is not NAME, NAME:PLAYOUTS or NAME~WORD")
        name, playouts, words = whole.groups()
        return Choice(name, int(playouts) if playouts else None, frozenset(words.split("~")[1:]))

    def refuse(self, game: type[Game]) -> str:
        """Return why this strategy cannot play a game, "" if it can."""
        known = strategies()
        maker = known.get(self.name)
        if maker is None:
            return not_loaded().get(self.name) or f"there is no strategy {self.name}; there are {', '.join(known)}"
        if missing := sorted(maker.__abstractmethods__):
            return f"{maker.__name__} in {maker.__module__} has no {' and no '.join(f'`{each}`' for each in missing)}"
        if self.playouts and "playouts" not in inspect.signature(maker).parameters:
            return f"{self.name} has no budget"
        if maker.game not in ("", game.id):
            return f"{self.name} plays {maker.game} only"
        if maker.looks_ahead and game.dealer and not gives(game.dealer, Dealer.redrawn):
            return f"{self.name} would see the hidden hands of {full_title(game)}"
        return ""

    def make(self, chance: Chance) -> Strategy:
        """Return the strategy for one seat of one game."""
        maker = strategies()[self.name]
        return maker(chance, **({"playouts": self.playouts} if self.playouts else {}))
