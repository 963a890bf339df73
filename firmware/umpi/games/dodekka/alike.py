"""Which positions of Dodekka are alike, for `umpi check dodekka --exhaustive`."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from umpi.games.dodekka.cards import ELEMENTS, element_of, value_of

if TYPE_CHECKING:
    from umpi.games.dodekka.rules import Dodekka


def merged(game: Dodekka) -> Hashable:
    """Return what decides how a match goes on: the elements without their names, and the seats from the next one.

    The order in which a hand got its cards does not matter.
    """
    hands = [game.hands[(game.turn + step) % len(game.hands)] for step in range(len(game.hands))]
    elements = [
        (
            tuple((place, value_of[card]) for place, card in enumerate(game.line) if element_of[card] == element),
            tuple(tuple(sorted(value_of[card] for card in hand if element_of[card] == element)) for hand in hands),
        )
        for element in range(len(ELEMENTS))
    ]
    return tuple(sorted(elements)), game.bust is None
