"""The sampled review: the laboratory plays each decision on at random, and counts who wins.

A decision is judged in two steps. First, some worlds for each candidate find the one that seems best; the worse half
drops out twice. Then fresh worlds, which did not choose it, estimate how much the player's own choice falls short of
it. So the estimate does not favour the candidate that was lucky. The chance of each world comes from the number of its
act, so the same record gives the same figures on any number of processes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, chain, islice
from random import Random
from statistics import fmean, variance
from typing import NamedTuple, Protocol, TypeVar

from umpi.frozen import frozen
from umpi.kernel.fields import Value
from umpi.kernel.game import Act
from umpi.kernel.match import Broken, Match, Refused
from umpi.kernel.messages import message
from umpi.kernel.nothing import nothing
from umpi.kernel.registry import find
from umpi.lab.intervals import Z95
from umpi.lab.world import Decision, World, decision
from umpi.review.split import About, Mistake, Review, Share, Step, Words, words_of
from umpi.table.secret import secret_ask

DRAWS = 40  # acts drawn to find the candidates of a decision
CANDIDATES = 8  # the most that are tried, beside the player's own choice
FIRST = (10, 20, 40)  # worlds for a candidate in the first step; after the first two, the better half goes on
WORLDS = 250  # pairs of worlds in the second step
ENDS = 1600  # worlds for the chances at the start, and at the end of an unfinished match
CHUNKS = 16  # parts of these, one for a process at a time
SURE = 3.5  # standard errors by which a loss must exceed 0; a choice that costs nothing does so once in 4,300 times
FEWEST = 20  # pairs of worlds without which no loss is sure: a few may all end alike, which looks like no error at all
MEASURE = message("chance to win in percent, if all play on at random")

T = TypeVar("T")
Chances = tuple[float, ...]  # of each seat to win, in percent


@frozen
class Played:
    """A match as processes hand it over."""

    game: str
    players: tuple[str, ...]
    options: Mapping[str, Value]
    acts: tuple[Act, ...]

    def positions(self) -> Iterator[Match]:
        """Yield the match before each act, and after the last. It is one object, which plays on."""
        match = Match(find(self.game), self.players, self.options)
        yield match
        for act in self.acts:
            match.play(act)
            yield match


@frozen
class Judged:
    """A decision: what its player chose, what seems best, and how the choice changed each seat's chances, with errors.

    The changes are differences to the best choice, means of so many `pairs`; they are empty if the player chose it.
    """

    index: int
    seat: int
    chosen: Words
    best: Words
    changes: Chances = ()
    errors: Chances = ()
    pairs: int = 0

    @property
    def loss(self) -> float:
        """Return by how much the choice of the seat lowers its own chances, in percent."""
        return -self.changes[self.seat] if self.changes else 0.0

    @property
    def sure(self) -> bool:
        """Check whether the whole interval of the loss is above 0, even if it were as wide as SURE says."""
        return self.pairs >= FEWEST and self.loss > SURE * self.errors[self.seat]


class Spread(Protocol):
    """Call a function for each of many ranges, in their order, as `map` does: perhaps on several processes."""

    def __call__(self, work: Callable[[range], list[T]], parts: Sequence[range], /) -> Iterable[list[T]]:
        """Return or yield what the function returns for each range."""


def sampled(
    match: Match, lines: Sequence[int], worlds: int = WORLDS, spread: Spread = map,
    progress: Callable[[int, int], object] = nothing,
) -> Review:  # fmt: skip
    """Return the review of a match whose acts stand in these `lines` of its record: without players if nobody decided.

    `progress` is called with the number of acts so far, and of all.
    """
    played = Played(match.game.id, match.players, match.options, tuple(match.acts))
    seats = range(len(match.players))
    judged = list(_judged(played, worlds, spread, progress))
    if not judged:  # the chances would take seconds
        return Review(match.game.id, "sampled", MEASURE, ())
    start, start_errors = _chances_of(played, 0, spread)
    points, point_errors = _chances_of(played, len(match.acts), spread)
    players = []
    for seat in seats:
        own = [each for each in judged if each.seat == seat]
        others = [each for each in judged if each.seat != seat and each.changes]
        given_away = -sum(each.changes[seat] for each in own if each.changes)
        given_error = math.hypot(*(each.errors[seat] for each in own if each.changes))
        expected = start[seat] + sum(each.changes[seat] for each in others)
        expected_error = math.hypot(start_errors[seat], *(each.errors[seat] for each in others))
        luck = points[seat] - expected + given_away
        luck_error = math.hypot(point_errors[seat], expected_error, given_error)
        players.append(
            Share(
                seat, match.players[seat], points[seat], About(expected, Z95 * expected_error),
                About(luck, Z95 * luck_error), About(given_away, Z95 * given_error), len(own),
                [_mistake(each, lines) for each in own if each.sure], _course(own),
            )
        )  # fmt: skip
    why = "" if match.result else message("The match is not over: its points are the chances at that moment.")
    return Review(match.game.id, "sampled", MEASURE, players, why)


def _course(own: Sequence[Judged]) -> list[Step]:
    """Return what the choices of a seat have cost so far, after each of them."""
    costs = accumulate(each.loss for each in own)
    return [Step(each.index + 1, None, None, cost) for each, cost in zip(own, costs, strict=True)]


def _mistake(judged: Judged, lines: Sequence[int]) -> Mistake:
    loss = About(judged.loss, Z95 * judged.errors[judged.seat])
    return Mistake(judged.index + 1, lines[judged.index], judged.chosen, judged.best, loss)


def _judged(
    played: Played, worlds: int, spread: Spread, progress: Callable[[int, int], object]
) -> Iterator[Judged]:  # fmt: skip
    """Yield the decisions of a match, judged a few acts at a time."""
    whole = len(played.acts)
    chunks = [range(first, min(first + 4, whole)) for first in range(0, whole, 4)]
    for chunk, found in zip(chunks, spread(partial(judge_chunk, played, worlds), chunks), strict=True):
        yield from found
        progress(chunk.stop, whole)


def judge_chunk(played: Played, worlds: int, indices: range) -> list[Judged]:
    """Return the decisions among the acts of these indices."""
    found = []
    for index, match in enumerate(played.positions()):
        if index in indices and (judged := judge_act(match, played.acts[index], index, worlds)):
            found.append(judged)
        if index == indices.stop - 1:
            break
    return found


def judge_act(match: Match, act: Act, index: int, worlds: int) -> Judged | None:
    """Judge the decision of an act that is about to be played. None if nobody decides, or if there is no choice.

    A secret answer is not judged: its player did not know the answers before it in the record.
    """
    found = choice_of(match, act, index)
    return compared(match, found, index, worlds) if found else None


class Comparison(NamedTuple):
    """A decision of a seat, and the candidate that seems best: they are equal if nothing seems better."""

    seat: int
    own: Decision
    best: Decision


def choice_of(match: Match, act: Act, index: int) -> Comparison | None:
    """Return with what the decision of an act is to be compared: the first step of `judge_act`."""
    if secret_ask(match.asks):
        return None
    seat = _world(match, f"{index}").seat_of(act)
    if seat is None:
        return None
    candidates = _candidates(match, act, seat, f"{index} candidates")
    if len(candidates) < 2:
        return None
    own = decision(match, act)
    return Comparison(seat, own, _seems_best(match, candidates, own, seat, index))


def compared(match: Match, choice: Comparison, index: int, worlds: int) -> Judged | None:
    """Return what a decision costs, by so many pairs of worlds: the second step of `judge_act`.

    `index` decides which worlds these are. Returns None if fewer than two pairs can be played.
    """
    seat, own, best = choice
    if best == own:
        return Judged(index, seat, words_of(own), words_of(best))
    pairs = [
        (one, other)
        for number in range(worlds)
        if (one := _outcome(match, _wish(own), f"{index} pair {number}"))
        and (other := _outcome(match, _wish(best), f"{index} pair {number}"))
    ]
    changes = [tuple(mine - theirs for mine, theirs in zip(*pair, strict=True)) for pair in pairs]
    each_seat = list(zip(*changes, strict=True))
    if len(changes) < 2:
        return None
    errors = tuple(math.sqrt(variance(some) / len(some)) for some in each_seat)
    means = tuple(fmean(some) for some in each_seat)
    return Judged(index, seat, words_of(own), words_of(best), means, errors, len(changes))


def _seems_best(match: Match, candidates: Mapping[Decision, Act], own: Decision, seat: int, index: int) -> Decision:
    """Return the candidate that does best in some worlds; of equal ones `own`. It goes on with the better half."""
    trials: dict[Decision, list[float]] = {key: [] for key in candidates}
    many = 0
    for goal in FIRST:
        for key, won in trials.items():
            found = (_outcome(match, candidates[key], f"{index} first {number}") for number in range(many, goal))
            won += [each[seat] for each in found if each]
        many = goal
        ranked = sorted(
            (key for key, won in trials.items() if won), key=lambda key: (fmean(trials[key]), key == own), reverse=True
        )
        trials = {key: trials[key] for key in ranked[: max(2, (len(ranked) + 1) // 2)]}
    return next(iter(trials), own)


def _candidates(match: Match, act: Act, seat: int, seed: str) -> dict[Decision, Act]:
    """Return some decisions that the seat could have taken, its own first."""
    world = _world(match, seed)
    found = {decision(match, act): _wish(decision(match, act))}
    for _ in range(DRAWS):
        drawn = world.draw()
        if world.seat_of(drawn) == seat:
            key = decision(match, drawn)
            found.setdefault(key, _wish(key))
        if len(found) > CANDIDATES:
            break
    return found


def rivals(match: Match, act: Act, seat: int, index: int) -> list[Act]:
    """Return the other decisions that `judge_act` compares with that of an act."""
    return [
        wish
        for key, wish in _candidates(match, act, seat, f"{index} candidates").items()
        if key != decision(match, act)
    ]


def _wish(key: Decision) -> Act:
    verb, given = key
    return Act(verb, dict(given))


def _outcome(match: Match, wish: Act, seed: str) -> Chances | None:
    """Return who wins a world that starts with a decision; None if these rules allow no dice or cards for it.

    Raises Broken if the engine fails.
    """
    world = _world(match.copy(), seed)
    try:
        world.play(world.complete(wish))
    except Broken:
        raise
    except Refused:
        return None
    return _won(world)


def _won(world: World) -> Chances:
    """Play a world to its end, and return 100 for its winner; winners share, except if they win as one team."""
    world.play_out()
    result, seats = world.match.result, range(len(world.match.players))
    if result is None:  # longer than any game may be
        return tuple(100 / len(seats) for _ in seats)
    each = 100.0 if world.match.together else 100 / max(1, len(result.winners))
    return tuple(each if seat in result.winners else 0.0 for seat in seats)


def _chances_of(played: Played, acts: int, spread: Spread) -> tuple[Chances, Chances]:
    """Return each seat's chances after some acts of a match, and their standard errors."""
    chunks = [range(first, first + ENDS // CHUNKS) for first in range(0, ENDS, ENDS // CHUNKS)]
    found = list(chain.from_iterable(spread(partial(outcomes, played, acts), chunks)))
    each_seat = list(zip(*found, strict=True))
    errors = tuple(math.sqrt(variance(some) / len(some)) for some in each_seat)
    return tuple(fmean(some) for some in each_seat), errors


def outcomes(played: Played, acts: int, numbers: range) -> list[Chances]:
    """Return who wins each of these worlds, which start after some acts of a match."""
    match = next(islice(played.positions(), acts, None))
    if match.result:
        return [_won(_world(match, "end"))] * len(numbers)
    return [_won(_world(match.copy(), f"after {acts} {number}")) for number in numbers]


def _world(match: Match, seed: str) -> World:
    return World(match, Random(seed).random, None, [frozenset()] * len(match.players))
