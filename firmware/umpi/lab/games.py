"""Play one game of an experiment, and measure it."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from hashlib import sha256
from random import Random
from typing import TypeVar, cast

from umpi.frozen import frozen
from umpi.kernel.blame import blame
from umpi.kernel.fields import Chance, Value
from umpi.kernel.game import Act, Ask, Game, Wins, gives
from umpi.kernel.match import Match, Refused
from umpi.kernel.options import set_up
from umpi.kernel.record import Header, dump
from umpi.kernel.registry import find
from umpi.kernel.strategy import Strategy
from umpi.kernel.teams import Teams
from umpi.lab import patience
from umpi.lab.course import Course, Standing, course, standings
from umpi.lab.probe import Probe, Probed
from umpi.lab.strategies import Choice, RandomStrategy
from umpi.lab.world import Outlook, World
from umpi.table.secret import parties, secret_ask

Answer = TypeVar("Answer")


@frozen
class Experiment:
    """What is played: a game, its options with the defaults filled in, and a strategy for each seat."""

    game: str
    options: Mapping[str, Value]
    strategies: tuple[str, ...]
    seed: int
    probe: bool = False  # whether one decision per game is examined; the games stay the same

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players in records."""
        return tuple(f"P{seat + 1}" for seat in range(len(self.strategies)))


@frozen
class Played:
    """One game that was played to its end.

    `high` and `low` measure the lead if high scores win, and if low ones do. `together` is whether the winners are one
    team. If all have lost, no place is 1.
    """

    acts: int
    places: tuple[int, ...]
    scores: tuple[int, ...]
    high: tuple[int, float]
    low: tuple[int, float]
    calls: Mapping[str, int] = field(default_factory=dict)
    course: Course | None = None
    probed: Probed | None = None
    together: bool = False

    @property
    def lost(self) -> bool:
        """Whether all have lost."""
        return 1 not in self.places


def cooperative(played: Sequence[Played]) -> bool:
    """Check whether in these games all win or all lose: some were lost by all, or the seats are one team."""
    alike = all(len({*each.places}) == 1 for each in played)
    return alike and any(each.lost or each.together for each in played)


def win_together(played: Sequence[Played]) -> bool:
    """Check whether seats win together, as a team or as all: then each seat does not win its part of the games."""
    return cooperative(played) or any(each.together for each in played)


def wins_of(played: Sequence[Played], seat: int) -> list[float]:
    """Return how much of each victory a seat has: tied seats share it; a team, or all of a cooperative game, do not."""
    together = cooperative(played)
    return [
        float(each.places[seat] == 1) / (1 if together or each.together else max(1, each.places.count(1)))
        for each in played
    ]


def tied(played: Sequence[Played]) -> list[bool]:
    """Return for each game whether seats share the first place that play against each other."""
    together = cooperative(played)
    return [each.places.count(1) > 1 and not (together or each.together) for each in played]


@frozen
class Failed:
    """A game that could not be played on: its number, why, its record so far, and the traceback."""

    number: int
    seed: int
    why: str
    record: str
    trace: str


def leading(experiment: Experiment) -> Wins | None:
    """Return which scores lead in the games of an experiment, None if nothing ranks the seats before the end."""
    first: Game = set_up(find(experiment.game), len(experiment.strategies), experiment.options)
    return first.wins


def seed_of(experiment: Experiment, number: int) -> int:
    """Return the seed of one game. Games of other experiments' seeds have other seeds."""
    return int.from_bytes(sha256(f"{experiment.seed}:{number}".encode()).digest()[:8], "big")


def play_game(experiment: Experiment, number: int) -> Played | Failed | None:
    """Play one game; return None if it was stopped at its limit."""
    seed = seed_of(experiment, number)
    game = find(experiment.game)
    match = Match(game, experiment.players, experiment.options)
    try:
        return _played(match, experiment, seed)
    except Exception as fault:  # the engine's or the strategy's own code; the record shows where
        lines = [Header(game, match.players, match.options).line(), *(act.line() for act in match.acts)]
        why = str(fault) if isinstance(fault, StrategyFailed) else f"{_fault_text(fault)} ({blame(fault, game)})"
        record = "".join(f"{dump(line)}\n" for line in lines)
        return Failed(number, seed, why, record, "".join(traceback.format_exception(fault)))


class StrategyFailed(Exception):
    """Raised if a strategy fails or takes far too long, or if it answers with an act that is not offered."""


def _played(match: Match, experiment: Experiment, seed: int) -> Played | None:
    chance = Random(seed).random
    choices = [Choice.read(text) for text in experiment.strategies]
    chances = [Random(f"{seed}:{seat}").random for seat in range(len(choices))]
    seats = [choice.make(own) for choice, own in zip(choices, chances, strict=True)]
    dealer = match.game.dealer(chance, match.now) if match.game.dealer else None
    world = World(match, chance, dealer, [choice.barred for choice in choices])
    probe = Probe(seed) if experiment.probe and world.can_imagine else None
    at_random = all(isinstance(strategy, RandomStrategy) for strategy in seats)
    while not world.stopped:
        if (secret := secret_ask(match.asks)) and not world.reported:
            for answer in _secretly(world, secret, seats, chances, experiment.strategies, chance, probe, at_random):
                world.play(answer)
            continue
        if probe and match.seat is not None and not world.reported:
            probe.see(world, match.seat)
        if at_random:
            world.step()
        else:
            act, waiting = _volunteered(world, seats, chances, experiment.strategies, chance)
            if act is None:
                act = world.draw(waiting)
                seat = world.seat_of(act)
                if seat is not None:
                    act = _decided(world, act, seat, seats[seat], chances[seat], experiment.strategies[seat])
            world.play(act)
    return None if match.asks else replace(measured(match), probed=probe.examine() if probe else None)


def _secretly(
    world: World, ask: Ask, seats: Sequence[Strategy], chances: Sequence[Chance], names: Sequence[str], chance: Chance,
    probe: Probe | None, at_random: bool,
) -> Iterator[Act]:  # fmt: skip
    """Yield the secret answers in the order of the seats: none is played before all have decided.

    A seat that chance chooses answers for its team.
    """
    match, wishes = world.match, list[Act]()
    for seat in sorted(party[int(chance() * len(party))] for party in parties(match, ask)):
        if probe:
            probe.see(world, seat)
        drawn = world.draw(seat=seat)
        wishes.append(drawn if at_random else _decided(world, drawn, seat, seats[seat], chances[seat], names[seat]))
    for wish in wishes:
        yield world.complete(wish)


def _volunteered(
    world: World, seats: Sequence[Strategy], chances: Sequence[Chance], names: Sequence[str], chance: Chance
) -> tuple[Act | None, list[Act]]:
    """Ask who does an act of their own accord, in an order by chance. Return it or None, and the acts not wanted."""
    waiting = list[Act]()
    for act in sorted(world.at_will(), key=lambda _: chance()):
        seat = cast(int, act.given["seat"])
        if gives(type(strategy := seats[seat]), Strategy.volunteers):
            answer = partial(strategy.volunteers, world.match, seat, Outlook(world, seat, chances[seat]), act)
            if not world.bars(act) and _asked(world, seat, strategy, names[seat], answer):
                return act, []
            waiting.append(act)
    return None, waiting


def _decided(world: World, drawn: Act, seat: int, strategy: Strategy, chance: Chance, name: str) -> Act:
    """Return the act of a strategy, or `drawn` if it decides at random, or if only its own wish has a barred word."""
    match, outlook = world.match, Outlook(world, seat, chance)
    wish = _asked(world, seat, strategy, name, partial(strategy.act, match, seat, outlook))
    if wish is None:
        return drawn
    try:
        if world.bars(wish) and not world.bars(drawn):
            return drawn
        act = world.complete(wish)
        if world.seat_of(act) != seat:
            raise Refused(f'"{act.verb}" is not an act of seat {seat}')
        match.after(act)
        return act
    except Exception as fault:
        raise StrategyFailed(f"{_where(world, seat, name)}: its answer {wish} is not in the offer: {fault}") from fault


def _asked(world: World, seat: int, strategy: Strategy, name: str, answer: Callable[[], Answer]) -> Answer:
    """Return the answer of a strategy. Raises StrategyFailed if it fails, stalls or changes the match."""
    match, where = world.match, _where(world, seat, name)
    before = len(match.acts), match.now
    try:
        with patience.patience(patience.DECISION_S + patience.PLAYOUT_S * (Choice.read(name).playouts or 0)):
            found = answer()
    except (Exception, patience.Stalled) as fault:
        whose = blame(fault, match.game)
        if isinstance(fault, patience.Stalled) or not whose.startswith("the game"):
            whose = blame(fault, type(strategy), "the strategy")
        raise StrategyFailed(f"{where}: {_fault_text(fault)} ({whose})") from fault
    if (len(match.acts), match.now) != before:
        raise StrategyFailed(f"{where}: it changed the match")
    return found


def _where(world: World, seat: int, name: str) -> str:
    return f"strategy {name}, seat {seat}, after {len(world.match.acts)} acts ({world.match.now.phase})"


def _fault_text(fault: BaseException) -> str:
    return f"{type(fault).__name__}: {fault}"


def measured(match: Match) -> Played:
    """Return the measures of a match that is over."""
    result = match.result
    assert result is not None
    acts = len(match.acts)
    stood = standings(tuple(match.position(count).scores()) for count in range(acts + 1))
    winners = frozenset(result.winners)
    return Played(
        acts,
        tuple(result.places),
        stood[-1][1],
        lead(stood, acts, winners, max, match.now.teams()),
        lead(stood, acts, winners, min, match.now.teams()),
        dict(Counter(match.kinds())),
        course(stood, acts, winners, wins) if (wins := match.now.wins) else None,
        together=match.together,
    )


def lead(
    stood: Sequence[Standing],
    acts: int,
    winners: frozenset[int],
    best: Callable[[tuple[int, ...]], int],
    teams: Teams = (),
) -> tuple[int, float]:
    """Return how often the lead changed hands, and the share of the acts after which the winners stayed ahead.

    A seat or a team leads alone or not at all: a tie does not change the lead.

    >>> lead(standings([(0, 0), (5, 0), (5, 9), (12, 9)]), 3, frozenset({0}), max)
    (2, 1.0)
    """
    sides = {frozenset(team) for team in teams}
    leader: frozenset[int] | None = None
    changes = decided = 0
    won = True  # whether exactly the winners lead
    for since, scores in stood:
        if not won:
            decided = since
        top = best(scores)
        ahead = frozenset([seat for seat, score in enumerate(scores) if score == top])
        won = ahead == winners
        if len(ahead) == 1 or ahead in sides:
            changes += leader is not None and ahead != leader
            leader = ahead
    if not won:
        decided = acts
    return changes, decided / acts if acts else 0.0
