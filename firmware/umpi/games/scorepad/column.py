"""The column of a seat on the score pad: its entries, of which positions share all but the last few."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Self

PAGE = 64  # entries; what a position does not share with the one before is no longer


@dataclass(frozen=True, slots=True)
class Column:
    """Entries, the first at the top of the pad.

    A column with one more entry shares the full pages. So a match keeps each entry some times, and not once per act.

    >>> column = Column().added(7).added(-2)
    >>> list(column), len(column), column.total, column.last
    ([7, -2], 2, 5, -2)
    """

    pages: tuple[tuple[int, ...], ...] = ()  # the full ones
    rest: tuple[int, ...] = ()  # the entries after them
    total: int = 0

    def added(self, points: int) -> Self:
        """Return the column with one more entry."""
        pages, rest = ((*self.pages, self.rest), ()) if len(self.rest) == PAGE else (self.pages, self.rest)
        return type(self)(pages, (*rest, points), self.total + points)

    @property
    def last(self) -> int:
        """The newest entry. Raises IndexError if there is none."""
        return self.rest[-1]

    def __len__(self) -> int:
        """Return the number of entries."""
        return PAGE * len(self.pages) + len(self.rest)

    def __iter__(self) -> Iterator[int]:
        """Yield the entries, the first at the top of the pad."""
        return chain(*self.pages, self.rest)
