"""A part of Dodéka: complete rounds, then play-offs, until one seat is first and one seat is last."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from umpi.games.dodeka.combinations import PAIRTRAIZ
from umpi.kernel import replace


@dataclass(frozen=True, slots=True)
class DodekaPart:
    """The state of one part.

    `seats` are the seats that play this round, clockwise from the starter: all seats, or the tied seats of a play-off
    for `place`. `pairtraiz` contains the seats that have made a pairtraiz, in the order of the throws.
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
        """Return a new part, played clockwise from its starter."""
        return cls(number, starter, (0,) * seats, tuple((starter + step) % seats for step in range(seats)))

    @property
    def playoff(self) -> tuple[int, ...] | None:
        """Return the seats that are still tied, None if there is no play-off."""
        return self.seats if self.place else None

    @property
    def stake(self) -> int:
        """Return the points that the first seat would get if the part ended now: those of the last seat.

        In a play-off for the last place, it is one of the seats that play, even if these have passed others.
        """
        seats = self.seats if self.place == "last" else range(len(self.points))
        unsaved = [self.points[seat] for seat in seats if seat not in self.pairtraiz]
        return min(unsaved or self.points)

    def ends(self, target: int) -> bool:
        """Check whether a seat has reached the target or made a pairtraiz, so that the part ends with the round."""
        return bool(self.pairtraiz) or max(self.points) >= target

    def after_turn(self, seat: int, name: str, points: int, target: int) -> DodekaPart:
        """Return the part after a seat's turn: add its points, or its pairtraiz; the last turn ends the round."""
        part = self
        if name == PAIRTRAIZ:
            part = replace(self, pairtraiz=(*self.pairtraiz, seat))
        elif points:
            part = replace(self, points=(*self.points[:seat], self.points[seat] + points, *self.points[seat + 1 :]))
        return part.after_round(target) if seat == self.seats[-1] else part

    def after_round(self, target: int) -> DodekaPart:
        """Return the part after a complete round: it continues, it enters a play-off, or it is decided."""
        if not self.place and not self.ends(target):
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
        """Return the part with the last of `seats`, or with a play-off for the last place.

        A seat with a pairtraiz is not last. If all of `seats` have one, the seat with the latest is last.
        """
        unsaved = tuple(seat for seat in seats if seat not in self.pairtraiz)
        if not unsaved:
            return replace(self, last=self.pairtraiz[-1])
        least = min(self.points[seat] for seat in unsaved)
        tied = tuple(seat for seat in unsaved if self.points[seat] == least)
        if len(tied) > 1:
            return replace(self, seats=tied, place="last")
        return replace(self, last=tied[0])
