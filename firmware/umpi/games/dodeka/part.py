"""One part of Dodéka: whole rounds, then play-offs, until one seat is first and one is last."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from umpi.games.dodeka.combinations import PAIRTRAIZ
from umpi.kernel import replace


@dataclass(frozen=True, slots=True)
class DodekaPart:
    """A part in play.

    `seats` are those that play this round, clockwise from the starter: all of them, or the tied ones of a play-off
    for `place`. `pairtraiz` holds the seats that made one, in the order made.
    """

    number: int
    starter: int
    points: tuple[int, ...]
    seats: tuple[int, ...]
    pairtraiz: tuple[int, ...] = ()
    place: Literal["", "first", "last"] = ""
    first: int | None = None
    last: int | None = None
    begun: bool = False

    @classmethod
    def start(cls, number: int, seats: int, starter: int) -> DodekaPart:
        """Begin a part, clockwise from its starter."""
        return cls(number, starter, (0,) * seats, tuple((starter + step) % seats for step in range(seats)))

    @property
    def playoff(self) -> tuple[int, ...] | None:
        """The seats still tied, None while no play-off is on."""
        return self.seats if self.place else None

    def scored(self, seat: int, name: str, points: int) -> DodekaPart:
        """Write down what a seat's turn brought."""
        if name == PAIRTRAIZ:
            return replace(self, pairtraiz=(*self.pairtraiz, seat))
        if not points:
            return self
        return replace(self, points=(*self.points[:seat], self.points[seat] + points, *self.points[seat + 1 :]))

    def after_round(self, target: int) -> DodekaPart:
        """Look at the part once a round is whole: it goes on, a play-off begins or goes on, or it is settled."""
        if not self.place and not self.pairtraiz and max(self.points) < target:
            return self
        if self.place == "last":
            return self._settle_last(self.seats)
        return self._settle_first()

    def _settle_first(self) -> DodekaPart:
        if self.pairtraiz:
            return replace(self, first=self.pairtraiz[0])._find_last()
        best = max(self.points[seat] for seat in self.seats)
        tied = tuple(seat for seat in self.seats if self.points[seat] == best)
        if len(tied) > 1:
            return replace(self, seats=tied, place="first")
        return replace(self, first=tied[0])._find_last()

    def _find_last(self) -> DodekaPart:
        everybody = DodekaPart.start(self.number, len(self.points), self.starter).seats
        return self._settle_last(tuple(seat for seat in everybody if seat != self.first))

    def _settle_last(self, seats: tuple[int, ...]) -> DodekaPart:
        """Find the last among `seats`: a pairtraiz saves, unless all of them made one, then the latest is last."""
        unsaved = tuple(seat for seat in seats if seat not in self.pairtraiz)
        if not unsaved:
            return replace(self, last=self.pairtraiz[-1])
        least = min(self.points[seat] for seat in unsaved)
        tied = tuple(seat for seat in unsaved if self.points[seat] == least)
        if len(tied) > 1:
            return replace(self, seats=tied, place="last")
        return replace(self, last=tied[0])
