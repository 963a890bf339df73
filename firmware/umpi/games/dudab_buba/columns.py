"""Columns of Dudab Buba: which cards may be laid on a column, and when a player takes it.

If a column has a jungle, further cards go below the jungle. The k-th card below mirrors the k-th card above, counted
from the jungle.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from umpi.games.dudab_buba.cards import (
    BABY,
    DUDAB,
    HELD,
    JUNGLE,
    SHAMANS,
    attributes,
    colour_of,
    is_special,
    meets,
    value_of,
)
from umpi.games.dudab_buba.numbers import SHEET


class Column(NamedTuple):
    """The cards of a column, and the stack under a baby, whose cards no longer affect what may be laid.

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
        """Return all cards of the column, in the order in which they are taken."""
        return self.stack + self.above + (JUNGLE,) * self.jungle + self.below

    @property
    def has_jungle(self) -> bool:
        """Whether a jungle is visible, across the column or as its first card: no other jungle may be laid on it."""
        return self.jungle or JUNGLE in self.above

    @property
    def top(self) -> str:
        """Return the last visible card; the jungle if there is no card below it yet."""
        if self.jungle:
            return self.below[-1] if self.below else JUNGLE
        return self.above[-1] if self.above else BABY

    @property
    def mirrored(self) -> str:
        """Return the card above the jungle that the next card below it must mirror, "" if there is none."""
        return self.above[-1 - len(self.below)] if self.jungle and len(self.below) < len(self.above) else ""

    def objection(self, card: str, request: str | None = None, answering: bool = False) -> str:
        """Return why a card cannot be laid here, "" if it can.

        `request` is the request of the last card, a dudab. `answering` is whether the last card, a shaman, waits.
        """
        return _objection(self.top, self.jungle, self.mirrored, request, answering, card)

    def fitting(self, request: str | None = None, answering: bool = False) -> frozenset[str]:
        """Return the cards of a hand that can be laid here, to which `objection` has no objection."""
        mirrored = self.mirrored if self.jungle else ""
        return _fitting(self.top, self.jungle, mirrored, request, answering)

    def laid(self, card: str, full: int = SHEET.column_length) -> tuple[Column, tuple[str, ...]]:
        """Lay a card, and return the new column and the cards that the player takes, more than `full` in a column."""
        if self.jungle and len(self.below) < len(self.above):
            return self._replace(below=(*self.below, card)), ()
        if not self.jungle and len(self.above) < full:
            return Column((*self.above, card), stack=self.stack), ()
        return Column((card,)), self.cards

    def covered(self, turned: tuple[str, ...], as_is: bool) -> Column:
        """Return the column after a baby: all its cards form a stack, and the last turned card starts the new column.

        If the deck ran out before a card could start it, the column is empty. A jungle or a baby starts it only if
        `as_is` is set.
        """
        covers = turned[-1:] if turned and (as_is or not is_special(turned[-1])) else ()
        return Column(covers, stack=(*self.cards, BABY, *turned[: len(turned) - len(covers)]))


@lru_cache(maxsize=1024)
def _fitting(last: str, jungle: bool, mirrored: str, request: str | None, answering: bool) -> frozenset[str]:
    return frozenset([card for card in HELD if not _objection(last, jungle, mirrored, request, answering, card)])


def _objection(last: str, jungle: bool, mirrored: str, request: str | None, answering: bool, card: str) -> str:
    if card == DUDAB:
        return ""
    if request:
        return "" if meets(card, request) else "it is not what the dudab asks for"
    if answering:
        if card not in SHAMANS:
            return "only a shaman or a dudab answers the shaman"
    elif reason := _misfit(last, card, jungle):
        return reason
    return _mirrors(mirrored, card) if mirrored else ""


def _misfit(last: str, card: str, jungle: bool) -> str:
    """Return why a card cannot follow the last card, "" if it can; `jungle` is whether the column has one."""
    if is_special(last):
        return ""
    if last == DUDAB:
        return "" if card in value_of or jungle else "no shaman goes on a dudab that asks for nothing"
    if card in SHAMANS and last in SHAMANS:
        return "the shaman there is settled"
    if card in SHAMANS or last in SHAMANS:
        return "" if colour_of[card] == colour_of[last] else "its colour is not that of the card there"
    if abs(value_of[card] - value_of[last]) != 1:
        return "the value must be one higher or lower"
    (colour, symbol, _), (other, another, _) = attributes[card], attributes[last]
    return "colour and symbol must both differ" if colour == other or symbol == another else ""


def _mirrors(above: str, card: str) -> str:
    """Return why a card cannot mirror `above`, "" if it can."""
    if is_special(above):
        return ""
    if above == DUDAB:
        return "only a dudab mirrors the dudab above the jungle"
    if above in SHAMANS:
        return "" if card in SHAMANS else "only a shaman or a dudab mirrors the shaman above the jungle"
    if card in SHAMANS:
        alike = colour_of[card] == colour_of[above]
    else:
        alike = any(map(str.__eq__, attributes[card], attributes[above]))
    return "" if alike else "it shares nothing with the card it mirrors above the jungle"
