"""What the seats have counted so far at the end of a round, where only that is entered."""

from __future__ import annotations

from dataclasses import dataclass

from umpi.kernel import replace

COUNTS = (8, 8, 8, 8, 16, 16, 16, 16)  # dudabs, shamans, jungles, babies, and numbers of each value


@dataclass(frozen=True, slots=True)
class Tally:
    """The seats told so far with their points, and the cards or the counts they have entered."""

    entries: tuple[tuple[int, int], ...] = ()
    cards: tuple[str, ...] = ()
    counts: tuple[int, ...] = (0,) * len(COUNTS)

    @property
    def points(self) -> dict[int, int]:
        """The points of each seat told."""
        return dict(self.entries)

    def told(self, seat: int, points: int, cards: tuple[str, ...]) -> Tally:
        """Enter a seat's cards."""
        return replace(self, entries=(*self.entries, (seat, points)), cards=self.cards + cards)

    def counted(self, seat: int, points: int, counts: tuple[int, ...]) -> Tally:
        """Enter how many cards of each kind a seat has, in the order of `COUNTS`."""
        total = tuple(map(int.__add__, self.counts, counts))
        return replace(self, entries=(*self.entries, (seat, points)), counts=total)

    def left(self, kind: int) -> int:
        """How many cards of a kind nobody has entered yet."""
        return COUNTS[kind] - self.counts[kind]


NOTHING = Tally()  # nobody has been told yet
