"""Hidden cards of Dudab Buba: the cards that players have seen in a hand, and the cards that nobody has seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from umpi.games.dudab_buba.cards import BABY, JUNGLE, is_special, without
from umpi.kernel import Who, message

T = TypeVar("T")


class Hidden(NamedTuple):
    """The knowledge about the cards in the deck and in hands.

    `unseen` are the cards that may be in the deck or in any hand. `known` contains one row per seat: the cards that it
    has shown and kept. `hands` is the number of cards in each hand. `deck` is the number of cards left to draw.
    """

    unseen: tuple[str, ...]
    known: tuple[tuple[str, ...], ...]
    hands: tuple[int, ...]
    deck: int

    def places(self, seat: int) -> int:
        """Return the number of unknown cards in a hand."""
        return self.hands[seat] - len(self.known[seat])

    def may_hold(self, seat: int, card: object) -> bool:
        """Check whether a card may be in a hand."""
        if card in self.known[seat]:
            return True
        return card in self.unseen and self.places(seat) > 0 and not is_special(card)

    def fits(self, seat: int, cards: Sequence[str]) -> bool:
        """Check whether a hand has places for all of these cards that are not known to be in it."""
        return len(self._strange(seat, cards)) <= self.places(seat)

    def kept_back(self, seat: int, shown: Sequence[str]) -> str:
        """Return which card known to be in a hand is missing from `shown`, "" if none is."""
        left = list(shown)
        for card in self.known[seat]:
            if card not in left:
                return message("{who} still holds {card}: shown but not played.", who=Who(seat), card=card)
            left.remove(card)
        return ""

    def left(self, seat: int, cards: Sequence[str]) -> Hidden:
        """Return the state after cards leave a hand."""
        known, strange = self.known, self._strange(seat, cards)
        if known[seat]:
            known = put(known, seat, without(known[seat], without(cards, strange)))
        hands = put(self.hands, seat, self.hands[seat] - len(cards))
        return Hidden(without(self.unseen, strange), known, hands, self.deck)

    def shown(self, seat: int, cards: Sequence[str]) -> Hidden:
        """Return the state after a seat shows its whole hand and keeps it."""
        known = put(self.known, seat, tuple(cards))
        return Hidden(without(self.unseen, self._strange(seat, cards)), known, self.hands, self.deck)

    def drawn(self, seat: int) -> Hidden:
        """Return the state after a seat draws a hidden card."""
        return Hidden(self.unseen, self.known, put(self.hands, seat, self.hands[seat] + 1), self.deck - 1)

    def turned(self, cards: Sequence[str]) -> Hidden:
        """Return the state after cards are turned face up from the deck."""
        return Hidden(without(self.unseen, cards), self.known, self.hands, self.deck - len(cards))

    @property
    def specials(self) -> int:
        """Return the number of jungles and babies that are still in the deck."""
        return self.unseen.count(JUNGLE) + self.unseen.count(BABY)

    def _strange(self, seat: int, cards: Sequence[str]) -> Sequence[str]:
        """Return those of the cards that were not known to be in the hand."""
        if not self.known[seat]:
            return cards
        known, strange = list(self.known[seat]), list[str]()
        for card in cards:
            if card in known:
                known.remove(card)
            else:
                strange.append(card)
        return strange


def put(row: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """Return a row with one seat's entry replaced."""
    return (*row[:seat], value, *row[seat + 1 :])
