"""The sixty cards of Dodekka, and the score of a hand."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import combinations
from typing import Annotated

ELEMENTS = ("fire", "water", "air", "earth", "ether")
VALUES = (0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4)  # the twelve cards of an element
POINTS = sum(VALUES)
LIMIT = 12  # the most that a line may total
MINUS = 1  # the points that each card of another element costs
DECK = tuple(f"{element}-{value}" for element in ELEMENTS for value in VALUES)
KINDS = tuple(dict.fromkeys(DECK))

Card = Annotated[str, KINDS]

value_of = {card: int(card[-1]) for card in KINDS}
SIGNS = dict(zip(ELEMENTS, "🔥💧💨⛰✦", strict=True))
element_of = {card: ELEMENTS.index(card[:-2]) for card in KINDS}


def sign(card: object) -> str:
    """Return the short form of a card.

    >>> sign("fire-2")
    '🔥2'
    """
    element, _, value = str(card).partition("-")
    return f"{SIGNS[element]}{value}"


def sums_of(hand: Iterable[str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the number of cards of each element in a hand, and their sums.

    >>> sums_of(["air-4", "air-3", "fire-0"])
    ((1, 0, 2, 0, 0), (0, 0, 7, 0, 0))
    """
    counts, sums = [0] * 5, [0] * 5
    for card in hand:
        element = element_of[card]
        counts[element] += 1
        sums[element] += value_of[card]
    return tuple(counts), tuple(sums)


@lru_cache(maxsize=1024)
def sums_of_hand(hand: tuple[str, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return `sums_of` a hand, computed once: most acts leave all hands but one as they are."""
    return sums_of(hand)


@lru_cache(maxsize=1024)
def best(counts: tuple[int, ...], sums: tuple[int, ...], minus: int = MINUS) -> tuple[int, str | None]:
    """Return the score of a hand and its best element.

    The score is the sum of the best element, less `minus` for each card of another element.

    >>> best((4, 0, 11, 3, 2), (7, 0, 19, 10, 6))
    (10, 'air')
    """
    cards = sum(counts)
    if not cards:
        return 0, None
    scores = [total - minus * (cards - count) for count, total in zip(counts, sums, strict=True)]
    score = max(scores)
    return score, ELEMENTS[scores.index(score)]


@lru_cache(maxsize=1024)
def score_of_hand(hand: tuple[str, ...], minus: int) -> int:
    """Return the score of a hand, computed once: see `sums_of_hand`."""
    return best(*sums_of_hand(hand), minus)[0]


@cache
def sums_with(count: int) -> tuple[int, ...]:
    """Return the sums that `count` cards of one element can have, ascending.

    >>> sums_with(2)
    (1, 2, 3, 4, 5, 6, 7)
    """
    return tuple(sorted({sum(cards) for cards in combinations(VALUES, count)}))
