"""Dudab Buba's round score in two more ways: by trying every set of cards, and by walking the values upward."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product

BABIES = (0, 1, 3, 6, 11, 19, 32, 51, 81)


def settled(negated: Sequence[int], kept: Sequence[int], shamans: int, jungles: int) -> int:
    """Count the points of number cards and left-over shamans, jungle by jungle as a table would."""
    remaining = list(kept)
    for _ in range(jungles):
        if remaining:
            lowest = min(remaining)
            remaining = [value for value in remaining if value != lowest]
        else:
            shamans = 0
    return sum(remaining) - sum(negated) + 5 * shamans


def by_trying(values: Sequence[int], dudabs: int, shamans: int, jungles: int) -> int:
    """Try every set of cards that the left-over dudabs could negate."""
    left, shamans = max(0, dudabs - shamans), max(0, shamans - dudabs)
    places = range(len(values))
    return min(
        settled([values[n] for n in chosen], [values[n] for n in places if n not in chosen], shamans, jungles)
        for chosen in map(set, combinations(places, min(left, len(values))))
    )


def by_walking(numbers: Sequence[int], dudabs: int, shamans: int, jungles: int, each: int = 5) -> int:
    """Walk the values upward: a value with a card left costs a jungle or counts; the rest depends on nothing else."""
    left, shamans = max(0, dudabs - shamans), max(0, shamans - dudabs)

    @cache
    def walk(value: int, left: int, jungles: int) -> int:
        if value > 4:
            return 0 if jungles else each * shamans
        there = numbers[value - 1]
        ways = []
        for negated in range(min(left, there) + 1):
            stays = there - negated
            if stays and jungles:
                ways.append(walk(value + 1, left - negated, jungles - 1) - value * negated)
            else:
                ways.append(walk(value + 1, left - negated, jungles) + value * (stays - negated))
        return min(ways)

    return walk(1, left, jungles)


def piles(most: int) -> Iterator[tuple[int, ...]]:
    """List every pile of up to `most` number cards, as how many of each value."""
    return (numbers for numbers in product(range(most + 1), repeat=4) if sum(numbers) <= most)


def cards(numbers: Sequence[int]) -> list[int]:
    """Write a pile as its values, a card each."""
    return [value for value, count in zip((1, 2, 3, 4), numbers, strict=True) for _ in range(count)]
