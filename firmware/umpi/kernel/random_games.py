"""Random games, with dice and cards as the real ones would fall: the same seed, the same game, everywhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from umpi.kernel.fields import Chance, Value
from umpi.kernel.game import Act, Ask, Dealer, Game, audit, nothing_more
from umpi.kernel.match import Match

USUAL = 0.9  # how often what is usual is answered
TRIES = 100  # for an act that the offer's own check or an empty pool turns down


class NeverEnds(RuntimeError):
    """A random game that went on past what its engine declares as the longest, or that could not go on."""


def play_out(
    game: type[Game], players: Sequence[str], options: Mapping[str, Value] | None = None, seed: int = 0
) -> Match:
    """Play a whole game at random and return the match; raises NeverEnds where it passes the engine's `longest`.

    All chance is `Random(seed).random()`, called in the order of play.
    """
    match = Match(game, players, options)
    for _ in play(match, seed, audited=False):
        pass
    return match


def play(match: Match, seed: int, audited: bool = True) -> Iterator[str]:
    """Play a match to its end at random, act by act.

    Yields after each what its audit, or its dealer's, finds wrong: "" where all is in order, or nothing was `audited`.
    """
    chance, game = Random(seed).random, match.game
    longest = getattr(game, "longest", 10_000)
    dealer: Dealer | None = game.dealer(chance, match.now) if hasattr(game, "dealer") else None
    while match.asks:
        if len(match.acts) >= longest:
            raise NeverEnds(f"{game.id} did not end within the {longest} acts it declares as its longest.")
        match.play(dealer.act(match.now) if dealer else sample(match.asks, chance))
        yield (audit(match.now) or (dealer.audit(match.now) if dealer else "")) if audited else ""


def sample(asks: Sequence[Ask], chance: Chance) -> Act:
    """Draw one act of an offer: the ask by weight, the table's fields by their odds, a will evenly, or as usual."""
    reason = ""
    for _ in range(TRIES):
        ask = _weighted(asks, chance)
        given: dict[str, Value] = {}
        usual = ask.usual
        try:
            for field in ask.fields if ask.more is nothing_more else ask.walk(given):
                if usual and field.name in usual and chance() < USUAL and not field.refuse(usual[field.name]):
                    given[field.name] = usual[field.name]
                elif not field.optional or chance() < getattr(field, "likely", 0.5):
                    given[field.name] = field.sample(chance)
        except IndexError:  # an empty pool: this ask cannot be answered from here
            continue
        if not (reason := ask.check(given)):
            return Act(ask.verb, given)
    verbs = ", ".join(ask.verb for ask in asks)
    why = f"`check` refused the last with: {reason.rstrip('.')}" if reason else "a pool is empty"
    raise NeverEnds(
        f"no act could be drawn from the offer {verbs} in {TRIES} tries; {why}. "
        "Offer only what can be done: narrow the pools, the least and the most, or leave the Ask out."
    )


def _weighted(asks: Sequence[Ask], chance: Chance) -> Ask:
    if len(asks) == 1:
        return asks[0]
    point = chance() * sum(ask.weight for ask in asks)
    for ask in asks:
        point -= ask.weight
        if point < 0:
            return ask
    return asks[-1]
