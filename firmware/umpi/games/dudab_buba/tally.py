"""Tallies of Dudab Buba: the entries of the seats at the end of a round, if the box does not follow every card."""

from __future__ import annotations

from dataclasses import dataclass

from umpi.kernel import replace

COUNTS = (8, 8, 8, 8, 16, 16, 16, 16)  # dudabs, shamans, jungles, babies, and numbers of each value


@dataclass(frozen=True, slots=True)
class Tally:
    """The seats entered so far with their points, and the cards or the counts that they have entered."""

    entries: tuple[tuple[int, int], ...] = ()
    cards: tuple[str, ...] = ()
    counts: tuple[int, ...] = (0,) * len(COUNTS)

    @property
    def points(self) -> dict[int, int]:
        """Return the points of each seat that has been entered."""
        return dict(self.entries)

    def with_cards(self, seat: int, points: int, cards: tuple[str, ...]) -> Tally:
        """Return the tally with a seat's cards added."""
        return replace(self, entries=(*self.entries, (seat, points)), cards=self.cards + cards)

    def counted(self, seat: int, points: int, counts: tuple[int, ...]) -> Tally:
        """Return the tally with a seat's number of cards of each kind added, in the order of `COUNTS`."""
        total = tuple(map(int.__add__, self.counts, counts))
        return replace(self, entries=(*self.entries, (seat, points)), counts=total)

    def left(self, kind: int) -> int:
        """Return the number of cards of a kind that have not been entered yet."""
        return COUNTS[kind] - self.counts[kind]


NOTHING = Tally()  # no seat has been entered yet
