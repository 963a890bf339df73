"""Advise a player on one question: `python -m umpi.lab.advice` reads a record, and prints the act or why there is none.

The best strategy that knows the game decides, otherwise a tree search. The process ends by itself if it takes too long.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from random import Random
from time import monotonic

from umpi.kernel.fields import Chance
from umpi.kernel.game import Act, Dealer, Game, gives
from umpi.kernel.match import Match
from umpi.kernel.record import Find, dump, replay
from umpi.kernel.registry import find
from umpi.kernel.strategy import Strategy
from umpi.lab.search import TreeSearch
from umpi.lab.strategies import strategies
from umpi.lab.world import Outlook, World, decision

THINK_S = 3.0  # about how long a search may take
LEAST, MOST = 8, 300  # worlds of a search
LONGEST_S = 20.0


class NoAdvice(Exception):
    """Raised if there is no advice; the message is "nothing" if nothing is decided, "hidden" if cards are hidden."""


def advise(match: Match, chance: Chance) -> Act:
    """Return the decision for the seat that must act, without dice and cards. Raises NoAdvice."""
    seat, game = match.seat, match.game
    world = World(match, chance, None, [frozenset()] * len(match.players))
    if seat is None or world.reported:
        raise NoAdvice("nothing")
    dealer = game.dealer
    makers: list[Callable[[Chance], Strategy]] = [*_specialists(game)]
    if dealer and not makers:
        raise NoAdvice("hidden" if gives(dealer, Dealer.redrawn) else "nothing")
    outlook = Outlook(world, seat, chance)
    if not dealer:
        makers.append(lambda chance: TreeSearch(chance, _budget(match, seat, outlook, chance)))
    for maker in makers:
        act = maker(chance).act(match, seat, outlook)
        if act is not None:
            verb, given = decision(match, act)
            return Act(verb, dict(given))
    raise NoAdvice("nothing")


def _specialists(game: type[Game]) -> Iterator[type[Strategy]]:
    """Yield the strategies for one game; those of a game with hidden cards must not look ahead."""
    for maker in strategies().values():
        if maker.game == game.id and not (game.dealer and maker.looks_ahead):
            yield maker


def _budget(match: Match, seat: int, outlook: Outlook, chance: Chance) -> int:
    """Return how many worlds a search may try, by the time that a short search takes here."""
    began_s = monotonic()
    TreeSearch(chance, LEAST).act(match, seat, outlook)
    return max(LEAST, min(MOST, int(THINK_S * LEAST / (monotonic() - began_s))))


def answer(lines: Sequence[bytes], find: Find, chance: Chance) -> dict[str, object]:
    """Return the advice on the last position of a record, as JSON can contain it."""
    *_, step = replay(lines, find)
    if step.record is None or step.error:
        raise ValueError(f"line {step.line}: {step.error}")
    try:
        return {"act": advise(step.record.match, chance).line()}
    except NoAdvice as none:
        return {"why": str(none)}


if __name__ == "__main__":
    from umpi.lab.patience import patience  # here, as a browser has no alarm

    with patience(LONGEST_S):
        print(dump(answer(sys.stdin.buffer.readlines(), find, Random().random)))
