"""Random games, with dice and cards as the real ones would fall: the same seed, the same game, everywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from umpi.rules.fields import Chance, Value
from umpi.rules.game import Act, Ask, Game
from umpi.rules.match import Match

TRIES = 100  # for an act that the offer's own check or an empty pool turns down


class NeverEnds(RuntimeError):
    """A random game that went on past what its engine declares as the longest, or that could not go on."""


def play_out(
    game: type[Game], players: Sequence[str], options: Mapping[str, Value] | None = None, seed: int = 0
) -> Match:
    """Play a whole game at random and return the match; raises NeverEnds where it passes the engine's `longest`.

    All chance is `Random(seed).random()`, called in the order of play.
    """
    chance = Random(seed).random
    match = Match(game, players, options)
    longest = getattr(game, "longest", 10_000)
    while match.asks:
        if len(match.acts) >= longest:
            raise NeverEnds(f"{game.id} did not end within the {longest} acts it declares as its longest.")
        match.play(sample(match.asks, chance))
    return match


def sample(asks: Sequence[Ask], chance: Chance) -> Act:
    """Draw one act of an offer: the ask by weight, the table's fields by their odds, a will evenly."""
    for _ in range(TRIES):
        ask = _weighted(asks, chance)
        given: dict[str, Value] = {}
        try:
            for field in ask.walk(given):
                if not field.optional or chance() < getattr(field, "likely", 0.5):
                    given[field.name] = field.sample(chance)
        except IndexError:  # an empty pool: this ask cannot be answered from here
            continue
        if not ask.check(given):
            return Act(ask.verb, given)
    raise NeverEnds(f"no act could be drawn from the offer {', '.join(ask.verb for ask in asks)}.")


def _weighted(asks: Sequence[Ask], chance: Chance) -> Ask:
    if len(asks) == 1:
        return asks[0]
    point = chance() * sum(ask.weight for ask in asks)
    for ask in asks:
        point -= ask.weight
        if point < 0:
            return ask
    return asks[-1]
