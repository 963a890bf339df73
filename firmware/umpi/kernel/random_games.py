"""Random games: dice and cards with real odds. The same seed gives the same game on every machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from umpi.kernel.fields import Chance, Field, Number, Value, how_likely, no_objection
from umpi.kernel.game import Act, Ask, Game, nothing_more
from umpi.kernel.match import Match

Draw = Callable[[Sequence[Ask], Chance], Act]  # draws an act of an offer

USUAL = 0.9  # how often a field with a usual answer gets this answer
BY_THE_CLOCK = 0.02  # the weight of an act at an age of the game, if its engine gives none
TRIES = 100  # draws before giving up, if `objection` or an empty pool refuses each of them


@dataclass(slots=True)
class Stopwatch:
    """The time of the last press that was measured since the last act of the box."""

    ms: int = 0

    def later(self, value: Value, field: Field) -> Value:
        """Return a measured time that is not shorter than the one before, and keep it."""
        if isinstance(value, int) and isinstance(field, Number):
            self.ms = value = max(value, min(self.ms, field.high))
        return value


class NeverEnds(RuntimeError):
    """Report a random game that is longer than its engine's `longest`, or in which no act could be drawn."""


def play_out(
    game: type[Game], players: Sequence[str], options: Mapping[str, Value] | None = None, seed: int = 0
) -> Match:
    """Play a whole game at random and return the match.

    All chance comes from `Random(seed).random()`, called in the order of play.
    Raises NeverEnds if the game is longer than the engine's `longest`, or if no act can be drawn.
    """
    match = Match(game, players, options)
    for _ in play(match, seed, audited=False):
        pass
    return match


def play(match: Match, seed: int, audited: bool = True, draw: Draw | None = None) -> Iterator[str]:
    """Play a match to its end at random, act by act, and yield the result of an audit after each act.

    The audit is the game's, then its dealer's. It is "" if nothing is wrong, or if `audited` is false. `draw` draws an
    act of an offer, `sample` by default; a game with a dealer ignores it.
    Raises NeverEnds as `play_out` does.
    """
    chance, game = Random(seed).random, match.game
    dealer = game.dealer(chance, match.now) if game.dealer else None
    watch = Stopwatch()
    while match.asks:
        if len(match.acts) >= game.longest:
            raise NeverEnds(f"{game.id} did not end within the {game.longest} acts it declares as its longest.")
        asks = match.asks
        match.play(dealer.act(match.now) if dealer else draw(asks, chance) if draw else sample(asks, chance, watch))
        yield (match.now.audit() or (dealer.audit(match.now) if dealer else "")) if audited else ""


def sample(asks: Sequence[Ask], chance: Chance, watch: Stopwatch | None = None) -> Act:
    """Draw one act of an offer: the ask by weight, each field by its odds or with its usual answer.

    With a `watch`, a time that the box measures is not shorter than the one before: presses come one after the other.
    Raises NeverEnds if no act could be drawn in TRIES tries.
    """
    reason = ""
    for _ in range(TRIES):
        ask = _weighted(asks, chance)
        given: dict[str, Value] = {}
        usual = ask.usual
        try:
            for field in ask.fields if ask.more is nothing_more else ask.walk(given):
                if usual and field.name in usual and chance() < USUAL and not field.refuse(usual[field.name]):
                    given[field.name] = usual[field.name]
                elif not field.optional or chance() < how_likely(field):
                    given[field.name] = field.sample(chance)
                    if field.source == "clock" and watch:
                        given[field.name] = watch.later(given[field.name], field)
        except IndexError:  # an empty pool: this ask cannot be answered from here
            continue
        if watch and watch.ms and ask.of_box:
            watch.ms = 0
        if ask.objection is no_objection or not (reason := ask.objection(given)):
            return Act(ask.verb, given)
    verbs = ", ".join(ask.verb for ask in asks)
    why = f"`objection` refused the last with: {reason.rstrip('.')}" if reason else "a pool is empty"
    raise NeverEnds(
        f"no act could be drawn from the offer {verbs} in {TRIES} tries; {why}. "
        "Offer only what can be done: narrow the pools, the least and the most, or leave the Ask out."
    )


def weights_of(asks: Sequence[Ask]) -> list[float]:
    """Return how often random games choose each ask, compared with the others.

    >>> weights_of([Ask("stop", "Stop", at_ms=age_ms) for age_ms in (None, 600_000)])
    [1.0, 0.02]
    """
    return [ask.weight if ask.weight is not None else 1.0 if ask.at_ms is None else BY_THE_CLOCK for ask in asks]


def _weighted(asks: Sequence[Ask], chance: Chance) -> Ask:
    if len(asks) == 1:
        return asks[0]
    weights = weights_of(asks)
    point = chance() * sum(weights)
    for ask, weight in zip(asks, weights, strict=True):
        point -= weight
        if point < 0:
            return ask
    return asks[-1]
