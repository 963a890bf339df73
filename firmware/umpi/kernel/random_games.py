"""Random games: dice and cards with real odds. The same seed gives the same game on every machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from umpi.kernel.fields import Chance, Number, Value, no_objection
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

    def sample(self, field: Number, asks: Sequence[Ask], chance: Chance) -> Value:
        """Draw a measured time and keep it: not shorter than the one before, and before the box acts in this offer."""
        waits = [each.after_ms for each in asks if each.after_ms is not None]
        ends = [self.ms + (wait if isinstance(wait, int) else wait[0]) - 1 for wait in waits]
        high = max(field.low, min([field.high, *ends]))
        self.ms = max(field._replace(high=high).sample(chance), min(self.ms, high))
        return self.ms


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
    longest, watch = game.longest, Stopwatch()
    while asks := match.asks:
        if len(match.acts) >= longest:
            raise NeverEnds(f"{game.id} did not end within the {longest} acts it declares as its longest.")
        match.play(dealer.act(match.now) if dealer else draw(asks, chance) if draw else sample(asks, chance, watch))
        yield (match.now.audit() or (dealer.audit(match.now) if dealer else "")) if audited else ""


def sample(asks: Sequence[Ask], chance: Chance, watch: Stopwatch | None = None) -> Act:
    """Draw one act of an offer: the ask by weight, each field by its odds or with its usual answer.

    With a `watch`, a time that the box measures is one that it can measure: presses come one after the other, and
    before the act of the box that ends the waiting.
    Raises NeverEnds if no act could be drawn in TRIES tries.
    """
    reason = ""
    for _ in range(TRIES):
        ask = weighted(asks, chance)
        given: dict[str, Value] = {}
        usual = ask.usual
        try:
            for field in ask.fields if ask.more is nothing_more else ask.walk(given):
                name = field.name
                if usual and name in usual and chance() < USUAL and not field.refuse(usual[name]):
                    given[name] = usual[name]
                elif not field.optional or chance() < field.likely:
                    if watch and field.source == "clock" and isinstance(field, Number):
                        given[name] = watch.sample(field, asks, chance)
                    else:
                        given[name] = field.sample(chance)
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


def weighted(asks: Sequence[Ask], chance: Chance) -> Ask:
    """Draw an ask of an offer by the weights.

    >>> offer = [Ask("stop", "Stop", at_ms=600_000), Ask("go", "Go")]
    >>> [weighted(offer, lambda: drawn).verb for drawn in (0.019, 0.02)]
    ['stop', 'go']
    """
    if len(asks) == 1:
        return asks[0]
    weights = [ask.weight if ask.weight is not None else 1.0 if ask.at_ms is None else BY_THE_CLOCK for ask in asks]
    point = chance() * sum(weights)
    for at, weight in enumerate(weights):
        point -= weight
        if point < 0:
            return asks[at]
    return asks[-1]
