"""What a seat's cards are worth at the end of a round: the fewest points its left-over dudabs can make of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from umpi.games.dudab_buba.cards import BABY, DUDAB, JUNGLE, SHAMANS, VALUES, value_of

BABIES = (0, -1, -3, -6, -11, -19, -32, -51, -81)  # so many babies together
EACH = 5  # points of a dudab in hand, or of a shaman that nothing cancels


def score(hand: Sequence[str], pile: Sequence[str]) -> int:
    """Score a hand and a pile.

    >>> score(["dudab", "red-club-3"], ["dudab", "blue-hand-4", "shaman-red", "dudab", "green-club-1"])
    5
    """
    cards = [*pile, *(card for card in hand if card != DUDAB)]
    numbers = [value_of[card] for card in cards if card in value_of]
    shamans = sum(card in SHAMANS for card in cards)
    return score_counts(
        hand.count(DUDAB), cards.count(DUDAB), shamans, cards.count(JUNGLE), cards.count(BABY),
        tuple(map(numbers.count, VALUES)),
    )  # fmt: skip


@lru_cache(maxsize=4096)
def score_counts(hand: int, dudabs: int, shamans: int, jungles: int, babies: int, numbers: tuple[int, ...]) -> int:
    """Score so many cards of a kind: `hand` dudabs in hand, all else in the pile, `numbers` of the values 1 to 4.

    Cards of a value are alike to the score, so trying every number of them to negate tries everything.
    """
    left, shamans = max(0, dudabs - shamans), max(0, shamans - dudabs)
    negated = _choices(numbers, min(left, sum(numbers)))
    return hand * EACH + BABIES[babies] + min(_settle(numbers, chosen, shamans, jungles) for chosen in negated)


def _settle(numbers: Sequence[int], negated: Sequence[int], shamans: int, jungles: int) -> int:
    """Score what stays when so many of each value are negated and the jungles have taken the lowest of the others."""
    stays = [count - gone for count, gone in zip(numbers, negated, strict=True)]
    there = [value for value, count in zip(VALUES, stays, strict=True) if count]
    points = sum(value * stays[value - 1] for value in there[jungles:]) - _sum(negated)
    return points if jungles > len(there) else points + shamans * EACH


def _choices(numbers: Sequence[int], left: int) -> Iterator[tuple[int, ...]]:
    """List the ways to take `left` cards of so many of each value."""
    if not numbers:
        if not left:
            yield ()
        return
    for count in range(min(numbers[0], left) + 1):
        for rest in _choices(numbers[1:], left - count):
            yield (count, *rest)


def _sum(counts: Iterable[int]) -> int:
    return sum(value * count for value, count in zip(VALUES, counts, strict=True))
