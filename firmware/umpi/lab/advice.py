"""Advise a player on one question: `python -m umpi.lab.advice` reads a record, and prints the act or why there is none.

The best strategy that knows the game decides, otherwise a tree search. If the header of the record says that the box
plays the seat, the act is a decision of its level. The process ends by itself if it takes too long.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from umpi.table.seating import Level, Seating

THINK_S = 3.0  # about how long a search may take
LEAST, MOST = 8, 300  # worlds of a search
LONGEST_S = 20.0
DRAWS = 1000  # draws until one is an act of the seat
AT_RANDOM: Mapping[Level, float] = {"easy": 0.5, "medium": 0.2, "strong": 0.0}  # the share of decisions by chance


class NoAdvice(Exception):
    """Raised if there is no advice; the message is "nothing" if nothing is decided, "hidden" if cards are hidden."""


def advise(match: Match, chance: Chance) -> Act:
    """Return the decision for the seat that must act, without dice and cards. Raises NoAdvice."""
    act = _best(match, _world(match, chance), chance)
    if act is None:
        raise NoAdvice("nothing")
    return act


def decide(match: Match, level: Level, chance: Chance) -> Act:
    """Return the decision of a player of this level, also where there is only one. Raises NoAdvice."""
    world = _world(match, chance)
    act = None if chance() < AT_RANDOM[level] else _best(match, world, chance)
    for _ in range(DRAWS):
        if act is not None:
            return act
        drawn = world.draw()
        act = _decided(match, drawn) if world.seat_of(drawn) == match.seat else None
    raise NoAdvice("nothing")


def _world(match: Match, chance: Chance) -> World:
    """Return the world in which the seat decides. Raises NoAdvice if nobody decides, or if cards are hidden."""
    world = World(match, chance, None, [frozenset()] * len(match.players))
    dealer = match.game.dealer
    if match.seat is None or world.reported:
        raise NoAdvice("nothing")
    if dealer and not any(_specialists(match.game)):
        raise NoAdvice("hidden" if gives(dealer, Dealer.redrawn) else "nothing")
    return world


def _best(match: Match, world: World, chance: Chance) -> Act | None:
    """Return the best decision that is found for the seat that must act, None if there is no choice."""
    assert match.seat is not None
    seat, outlook = match.seat, Outlook(world, match.seat, chance)
    makers: list[Callable[[Chance], Strategy]] = [*_specialists(match.game)]
    if not match.game.dealer:
        makers.append(lambda chance: TreeSearch(chance, _budget(match, seat, outlook, chance)))
    acts = (maker(chance).act(match, seat, outlook) for maker in makers)
    return next((_decided(match, act) for act in acts if act is not None), None)


def _decided(match: Match, act: Act) -> Act:
    """Return an act as far as its seat decides it."""
    verb, given = decision(match, act)
    return Act(verb, dict(given))


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
    match, table = step.record.match, Seating.of(step.record.header)
    level = table.level_of(match.seat)
    try:
        return {"act": (decide(match, level, chance) if level else advise(match, chance)).line()}
    except NoAdvice as none:
        return {"why": str(none)}


if __name__ == "__main__":
    from umpi.lab.patience import patience  # here, as a browser has no alarm

    with patience(LONGEST_S):
        print(dump(answer(sys.stdin.buffer.readlines(), find, Random().random)))
