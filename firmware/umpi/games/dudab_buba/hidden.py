"""What is known of cards nobody sees: those shown and kept, and those that may still be anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from umpi.games.dudab_buba.cards import BABY, JUNGLE, is_special, without
from umpi.kernel import replace

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Hidden:
    """The cards of a round that lie in the deck or in hands.

    `unseen` may be in the deck or in any hand; `known` have been shown and kept, a row a seat; `hands` is how many
    cards a seat holds, `deck` how many are left to draw.
    """

    unseen: tuple[str, ...]
    known: tuple[tuple[str, ...], ...]
    hands: tuple[int, ...]
    deck: int

    def places(self, seat: int) -> int:
        """How many cards of a hand nobody knows."""
        return self.hands[seat] - len(self.known[seat])

    def may_hold(self, seat: int, card: object) -> bool:
        """Tell whether a card may be in a hand."""
        if card in self.known[seat]:
            return True
        return card in self.unseen and self.places(seat) > 0 and not is_special(card)

    def fits(self, seat: int, cards: Sequence[str]) -> bool:
        """Tell whether so many cards that nobody knew can come from a hand."""
        return len(self._strange(seat, cards)) <= self.places(seat)

    def left(self, seat: int, cards: Sequence[str]) -> Hidden:
        """Take cards out of a hand."""
        known = self.known[seat]
        strange = self._strange(seat, cards)
        kept = without(known, without(cards, strange)) if known else known
        return replace(
            self,
            unseen=without(self.unseen, strange),
            known=put(self.known, seat, kept) if known else self.known,
            hands=put(self.hands, seat, self.hands[seat] - len(cards)),
        )

    def shown(self, seat: int, cards: Sequence[str]) -> Hidden:
        """Show a whole hand and keep it."""
        known = put(self.known, seat, tuple(cards))
        return replace(self, unseen=without(self.unseen, self._strange(seat, cards)), known=known)

    def drawn(self, seat: int) -> Hidden:
        """Draw a card that nobody else sees."""
        return replace(self, hands=put(self.hands, seat, self.hands[seat] + 1), deck=self.deck - 1)

    def turned(self, cards: Sequence[str]) -> Hidden:
        """Turn cards from the deck for all to see."""
        return replace(self, unseen=without(self.unseen, cards), deck=self.deck - len(cards))

    @property
    def specials(self) -> int:
        """How many jungles and babies are still to come; only the deck can hold them."""
        return self.unseen.count(JUNGLE) + self.unseen.count(BABY)

    def _strange(self, seat: int, cards: Sequence[str]) -> list[str]:
        """Tell which of the cards were not known to be in that hand."""
        known, strange = list(self.known[seat]), list[str]()
        for card in cards:
            if card in known:
                known.remove(card)
            else:
                strange.append(card)
        return strange


def put(row: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """Change one seat's entry in a row."""
    return (*row[:seat], value, *row[seat + 1 :])
