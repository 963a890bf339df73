"""A fixed share of what can be tried at every place: all of it under UMPI_TESTS=full, as the long scripts do."""

from __future__ import annotations

import os
from collections.abc import Iterable
from random import Random
from typing import TypeVar

T = TypeVar("T")
FULL = os.environ.get("UMPI_TESTS") == "full"


def sampled(cases: Iterable[T], share: int) -> list[T]:
    """Return one of every `share` cases on end, the same each time; in the full form all of them."""
    whole, chance = list(cases), Random(share)
    return whole if FULL else [chance.choice(whole[at : at + share]) for at in range(0, len(whole), share)]


def fewer(times: int, share: int) -> int:
    """Return how often to do what is done at random; in the full form so many times."""
    return times if FULL else times // share
