"""The bag for two with few stones: what is long for others is short for it."""

from __future__ import annotations

from typing import ClassVar, Self

from planted.bag import Bag
from umpi.kernel import Number


class Small(Bag):
    """The bag for two, with few stones."""

    seats: ClassVar = range(2, 3)
    options: ClassVar = (Number("stones", 3, 5),)

    @classmethod
    def setup(cls, seats: int, stones: int = 4) -> Self:
        """Fill the bag."""
        return cls(((),) * seats, stones, tuple(range(1, stones + 1)))
