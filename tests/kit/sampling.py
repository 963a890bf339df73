"""Three tiers of the same tests, named by UMPI_TESTS: `quick` tries a few cases, `full` a fixed share, `soak` all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")
TIERS = ("quick", "full", "soak")
TIER = os.environ.get("UMPI_TESTS", "full")
if TIER not in TIERS:
    raise ValueError(f"UMPI_TESTS is {TIER!r}; expected one of: {', '.join(TIERS)}")
QUICK, SOAK = TIER == "quick", TIER == "soak"
QUICKER = 16  # the quick tier tries one of so many cases of the full tier


def sampled(cases: Iterable[T], share: int) -> list[T]:
    """Return one of every `share` cases on end, the same each time; for a soak all of them."""
    whole, chance, share = list(cases), Random(share), share * (QUICKER if QUICK else 1)
    return whole if SOAK else [chance.choice(whole[at : at + share]) for at in range(0, len(whole), share)]


def fewer(times: int, share: int) -> int:
    """Return how often to do what is done at random; for a soak so many times."""
    return times if SOAK else max(1, times // (share * (QUICKER if QUICK else 1)))


def examples(number: int) -> int:
    """Return how many examples Hypothesis tries, where CI tries so many."""
    return number * 10 if SOAK else max(5, number // QUICKER) if QUICK else number


def some(cases: Sequence[T]) -> Sequence[T]:
    """Return the cases of one test that the quick tier tries: the first of every sixteen."""
    return cases[::QUICKER]
