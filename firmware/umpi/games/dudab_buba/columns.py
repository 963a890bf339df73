"""A column on the table: what may be laid on it, and when it is taken.

A jungle lies crosswise: from then on cards go below it, and the k-th below mirrors the k-th above, counted from it.
"""

from __future__ import annotations

from dataclasses import dataclass

from umpi.games.dudab_buba.cards import (
    BABY,
    DUDAB,
    JUNGLE,
    SHAMANS,
    attributes,
    colour_of,
    is_special,
    meets,
    value_of,
)
from umpi.kernel import replace

FULL = 5  # cards that the sixth takes


@dataclass(frozen=True, slots=True)
class Column:
    """Cards in a column, and the stack under a baby, whose cards no longer count.

    >>> Column(("red-club-3",)).objection("blue-hide-2")
    ''
    >>> Column(("red-club-3",)).objection("blue-hide-3")
    'the value must be one higher or lower'
    """

    above: tuple[str, ...]
    jungle: bool = False
    below: tuple[str, ...] = ()
    stack: tuple[str, ...] = ()

    @property
    def cards(self) -> tuple[str, ...]:
        """All of them, in the order in which they are taken."""
        return self.stack + self.above + (JUNGLE,) * self.jungle + self.below

    @property
    def top(self) -> str:
        """The card that shows last; the jungle where nothing lies below it yet."""
        if self.jungle:
            return self.below[-1] if self.below else JUNGLE
        return self.above[-1] if self.above else BABY

    def objection(self, card: str, request: str | None = None, answering: bool = False) -> str:
        """Say why a card cannot be laid here, "" where it can.

        `request` is what the dudab that lies last asks for, `answering` whether the shaman that lies last waits.
        """
        if card == DUDAB:
            return ""
        if request:
            return "" if meets(card, request) else "it is not what the dudab asks for"
        if not (answering or (self.jungle and not self.below)) and (reason := self._misfit(card)):
            return reason
        if self.jungle and len(self.below) < len(self.above):
            return _mirrors(self.above[-1 - len(self.below)], card)
        return ""

    def laid(self, card: str) -> tuple[Column, tuple[str, ...]]:
        """Lay a card; returns the column and the cards that whoever laid it takes."""
        if self.jungle and len(self.below) < len(self.above):
            return replace(self, below=(*self.below, card)), ()
        if not self.jungle and len(self.above) < FULL:
            return replace(self, above=(*self.above, card)), ()
        return Column((card,)), self.cards

    def covered(self, turned: tuple[str, ...]) -> Column:
        """Lay a baby: all becomes a stack, and the last card turned the new column, unless the deck ran out."""
        covers = turned[-1:] if turned and not is_special(turned[-1]) else ()
        return Column(covers, stack=(*self.cards, BABY, *turned[: len(turned) - len(covers)]))

    def _misfit(self, card: str) -> str:
        """Say why a card cannot follow the one just above it, "" where it can."""
        last = self.top
        if last == DUDAB:
            return "" if card in value_of or self.jungle else "no shaman goes on a dudab that asks for nothing"
        if card in SHAMANS and last in SHAMANS:
            return "the shaman there is settled"
        if card in SHAMANS or last in SHAMANS:
            return "" if colour_of[card] == colour_of[last] else "its colour is not that of the card there"
        if abs(value_of[card] - value_of[last]) != 1:
            return "the value must be one higher or lower"
        (colour, symbol, _), (other, another, _) = attributes[card], attributes[last]
        return "colour and symbol must both differ" if colour == other or symbol == another else ""


def _mirrors(above: str, card: str) -> str:
    """Say why a card cannot lie opposite `above`, "" where it can."""
    if above == DUDAB:
        return "only a dudab mirrors the dudab above the jungle"
    if above in SHAMANS:
        return "" if card in SHAMANS else "only a shaman or a dudab mirrors the shaman above the jungle"
    if card in SHAMANS:
        alike = colour_of[card] == colour_of[above]
    else:
        alike = any(map(str.__eq__, attributes[card], attributes[above]))
    return "" if alike else "it shares nothing with the card it mirrors above the jungle"
