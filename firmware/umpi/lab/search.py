"""Strategies that look ahead: greedy by expectation, flat Monte Carlo, and Monte Carlo tree search.

All play on in worlds where hidden cards are drawn again, so none knows more than a player does. A budget is a number of
worlds per decision. So the result does not depend on the speed of the machine.

A search does not play a world to its end if the scores show who leads: some acts later, luck has hidden the decision.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import ClassVar

from umpi.kernel.fields import Chance
from umpi.kernel.game import Act, Game, override
from umpi.kernel.match import Match
from umpi.kernel.strategy import Strategy
from umpi.lab.world import Decision, Outlook, World, decision

DRAWS = 8  # acts drawn at each decision, of which the most promising is tried
CANDIDATES = 30  # acts drawn to see whether there is a choice at all
EXPLORE = 0.7  # the weight of the doubt about a decision that has been tried rarely
AHEAD = 6  # acts per seat that a search plays on, if the lead has changed by then
SOON = 2  # acts per seat that it plays on after an act at will; luck soon hides what the act has changed


@dataclass(eq=False)
class Node:
    """A decision that was tried: how often, how much it won for its seat, and the decisions that followed."""

    visits: int = 0
    won: float = 0.0
    after: dict[Decision, Node] = field(default_factory=dict)
    example: Act | None = None

    def bound(self, key: Decision) -> float:
        """Return how good a decision may be, by the tries so far; infinity for one that has not been tried."""
        child = self.after.get(key)
        if child is None:
            return math.inf
        return child.won / child.visits + EXPLORE * math.sqrt(math.log(self.visits + 1) / child.visits)


class Search(Strategy):
    """Flat Monte Carlo: try the decisions, play on at random, and take the one that was tried most.

    A decision that did better is tried more.
    """

    looks_ahead: ClassVar = True
    deep: ClassVar = False

    def __init__(self, chance: Chance, playouts: int = 60) -> None:
        self._playouts = playouts

    @override
    def act(self, match: Match, seat: int, outlook: Outlook) -> Act | None:
        """Return an example of the best decision, None if there is no choice."""
        if not has_choice(match, seat, outlook):
            return None
        root, judge = Node(), Judge(match.now, seat)
        for _ in range(self._playouts):
            self._try(root, outlook.world(), judge)
        best = max(root.after.values(), key=lambda node: (node.visits, node.won), default=root)
        return best.example

    @override
    def volunteers(self, match: Match, seat: int, outlook: Outlook, act: Act) -> bool:
        """Check whether it does better by an act at will than by waiting: half of the tries each."""
        judge, worth = Judge(match.now, seat), {True: 0.0, False: 0.0}
        end = len(match.acts) + SOON * len(match.players)
        for number in range(2 * math.ceil(self._playouts / 2)):
            world, now = outlook.world(), number % 2 == 0
            if now:
                world.play(act)
            while not world.stopped and len(world.match.acts) < end:
                world.step()
            worth[now] += judge.worth(world.match.now)[seat]
        return worth[True] > worth[False]

    def _try(self, root: Node, world: World, judge: Judge) -> None:
        """Play a world on, by the tree as far as it goes, and note in the tree how it went for each seat."""
        node, path = root, list[tuple[Node, int]]()
        end = len(world.match.acts) + AHEAD * len(world.match.players)
        while not world.stopped:
            whose = None if path else judge.seat  # at first, nobody may act before the own seat decides
            act = world.draw(seat=whose)
            seat = world.seat_of(act)
            if seat is None and path:
                world.play(act)
                continue
            seat = seat if path else judge.seat
            acts = [act, *(world.draw(seat=whose) for _ in range(DRAWS - 1))]
            acts = [each for each in acts if world.seat_of(each) == seat]
            if not acts or seat is None:
                return
            keys = [decision(world.match, each) for each in acts]
            key, act = max(zip(keys, acts, strict=True), key=lambda pair: node.bound(pair[0]))
            node = node.after.setdefault(key, Node(example=act))
            path.append((node, seat))
            world.play(act)
            if not self.deep or not node.visits:
                break
        while not world.stopped and not (len(world.match.acts) >= end and judge.sees_a_change(world.match.now)):
            world.step()
        worth = judge.worth(world.match.now)
        root.visits += 1
        for node, seat in path:
            node.visits += 1
            node.won += worth[seat]


class Judge:
    """Judge for each seat how a world went, compared with the position in which `seat` decides."""

    def __init__(self, position: Game, seat: int) -> None:
        self.seat = seat
        self._ranked = position.wins is not None
        self._before = _margins(position)
        self._squares: list[int] = []  # of how much the lead of `seat` changed in each world

    def sees_a_change(self, position: Game) -> bool:
        """Check whether the lead differs from that before the decision."""
        return self._ranked and _margins(position) != self._before

    def worth(self, position: Game) -> list[float]:
        """Return from 0 to 1 for each seat how good a position is.

        At the end of a game, it is the share of the other seats that a seat beats. It is 0 if all lose, and 1 if all
        win as one team. Before, a lead counts that grew by more than usual.
        """
        if result := position.result():
            seats = len(position.scores())
            if not result.winners or (len(result.winners) == seats and result.winners in position.teams()):
                return [float(bool(result.winners))] * seats
            return [_beaten(result.places, seat) for seat in range(len(result.places))]
        changes = [now - before for now, before in zip(_margins(position), self._before, strict=True)]
        self._squares.append(changes[self.seat] ** 2)
        usual = math.sqrt(fmean(self._squares)) or 1.0
        return [0.5 + 0.5 * math.tanh(change / usual) for change in changes]


class TreeSearch(Search):
    """Monte Carlo tree search: like flat Monte Carlo, but later decisions are also learned."""

    deep: ClassVar = True


class Greedy(Strategy):
    """Take the decision after which the seat is ahead by most on average, at once."""

    looks_ahead: ClassVar = True

    def __init__(self, chance: Chance, playouts: int = 60) -> None:
        self._playouts = playouts

    @override
    def act(self, match: Match, seat: int, outlook: Outlook) -> Act | None:
        """Return an example of the best decision, None if all are equal or there is no choice."""
        found: dict[Decision, list[float]] = defaultdict(list)
        examples: dict[Decision, Act] = {}
        for _ in range(self._playouts):
            world = outlook.world()
            act = world.draw(seat=seat)
            if world.seat_of(act) != seat:
                continue
            key = decision(match, act)
            world.play(act)
            found[key].append(margin(world.match.now, seat))
            examples[key] = act
        means = {key: sum(values) / len(values) for key, values in found.items()}
        if len(set(means.values())) < 2:
            return None
        return examples[max(means, key=lambda key: means[key])]


def has_choice(match: Match, seat: int, outlook: Outlook) -> bool:
    """Check whether a seat can decide in more than one way, by drawing some acts."""
    own = {ask.verb for ask in match.asks if ask.seat == seat or ask.secret}
    keys = (decision(match, act) for _ in range(CANDIDATES) if (act := outlook.draw()).verb in own)
    first = next(keys, None)
    return any(key != first for key in keys)


def margin(position: Game, seat: int) -> int:
    """Return by how much a seat is ahead of the best of the others, negative if it is behind."""
    return _margins(position)[seat]


def _margins(position: Game) -> list[int]:
    """Return for each seat by how much it is ahead of the best of the others."""
    sign = -1 if position.wins == "lowest" else 1
    points = [sign * score for score in position.standing()]
    others = [[each for other, each in enumerate(points) if other != seat] for seat in range(len(points))]
    return [own - max(rest, default=0) for own, rest in zip(points, others, strict=True)]


def _beaten(places: Sequence[int], seat: int) -> float:
    """Return the share of the other seats that a seat beats; a tie counts half."""
    others = [place for other, place in enumerate(places) if other != seat]
    return fmean(1.0 if places[seat] < place else 0.5 * (places[seat] == place) for place in others) if others else 0.5
