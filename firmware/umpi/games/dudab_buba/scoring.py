"""Scoring of Dudab Buba: the points of a seat's cards at the end of a round.

Left-over dudabs negate the numbers that give the fewest points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from umpi.games.dudab_buba.cards import BABY, DUDAB, JUNGLE, SHAMANS, VALUES, value_of
from umpi.games.dudab_buba.numbers import SHEET, Numbers


def score(hand: Sequence[str], pile: Sequence[str], points: Numbers = SHEET) -> int:
    """Return the points of a hand and a pile.

    >>> score(["dudab", "red-club-3"], ["dudab", "blue-hand-4", "shaman-red", "dudab", "green-club-1"])
    5
    """
    cards = [*pile, *(card for card in hand if card != DUDAB)]
    numbers = [value_of[card] for card in cards if card in value_of]
    shamans = sum(card in SHAMANS for card in cards)
    return score_counts(
        hand.count(DUDAB), cards.count(DUDAB), shamans, cards.count(JUNGLE), cards.count(BABY),
        tuple(map(numbers.count, VALUES)), points,
    )  # fmt: skip


@lru_cache(maxsize=4096)
def score_counts(
    hand: int, dudabs: int, shamans: int, jungles: int, babies: int, numbers: tuple[int, ...], points: Numbers = SHEET
) -> int:
    """Return the points of a seat by the number of its cards of each kind.

    `hand` is the number of dudabs in hand; all other cards are in the pile. `numbers` counts the values 1 to 4.
    Cards of the same value score the same. So it is enough to try each number of negated cards per value.
    """
    left, shamans = max(0, dudabs - shamans), max(0, shamans - dudabs)
    negated = _choices(numbers, min(left, sum(numbers)))
    own = hand * points.dudab_points + (0, *points.baby_points)[babies]
    return own + min(_settle(numbers, chosen, shamans * points.shaman_points, jungles) for chosen in negated)


def _settle(numbers: Sequence[int], negated: Sequence[int], shamans: int, jungles: int) -> int:
    """Return the points after `negated` cards of each value are negated and jungles remove the lowest other values.

    `shamans` are the points of the left-over shamans, which one more jungle removes.
    """
    points = 0
    for value, count, gone in zip(VALUES, numbers, negated, strict=True):
        points -= value * gone
        if count > gone and jungles:
            jungles -= 1
        else:
            points += value * (count - gone)
    return points if jungles else points + shamans


def _choices(numbers: Sequence[int], left: int) -> Iterator[tuple[int, ...]]:
    """Yield each way to take `left` cards from `numbers` cards of each value."""
    if not numbers:
        if not left:
            yield ()
        return
    for count in range(min(numbers[0], left) + 1):
        for rest in _choices(numbers[1:], left - count):
            yield (count, *rest)
