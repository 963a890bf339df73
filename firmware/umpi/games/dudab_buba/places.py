"""Places of cards in Dudab Buba: pools of the cards that can come, and reasons why others cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

from umpi.games.dudab_buba.cards import COPIES, deck, is_special
from umpi.kernel import Who, message
from umpi.kernel.messages import listed

if TYPE_CHECKING:
    from umpi.games.dudab_buba.rules import DudabBuba


class Lazy(Sequence[str]):
    """Filter a pool of cards only when an answer needs it; it contains the cards for which `fits` returns true."""

    def __init__(self, cards: Sequence[str], fits: Callable[[Any], bool]) -> None:
        self._from, self._fits = cards, fits

    def __contains__(self, card: object) -> bool:
        return card in self._from and self._fits(card)

    def count(self, value: Any) -> int:
        """Return how many copies of a card the pool contains."""
        return self._from.count(value) if value in self else 0

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        return self._all[index]

    @cached_property
    def _all(self) -> tuple[str, ...]:
        return tuple(filter(self._fits, self._from))


def why_not(game: DudabBuba, seat: int | None, card: object) -> str:
    """Return why a card cannot come from the deck, or from a seat's hand if `seat` is set; "" if it can."""
    hidden = game.hidden
    if is_special(card) and card not in deck(game.jungle, game.baby):
        return message("{card}: this expansion is not in the game.", card=card)
    if seat is not None and card in hidden.unseen:
        if hidden.places(seat):
            return ""
        known = ", ".join(hidden.known[seat])
        return message("{card} cannot be in {who}'s hand, which is {known}.", card=card, who=Who(seat), known=known)
    places: list[str] = []
    for index, column in enumerate(game.columns):
        if card in column.cards:
            places.append(message("on column {number}", number=index + 1))
    places += [message("in {who}'s pile", who=Who(owner)) for owner, pile in enumerate(game.piles) if card in pile]
    places += [message("in {who}'s hand", who=Who(owner)) for owner, known in enumerate(hidden.known) if card in known]
    if card in game.discard:
        places.append(message("on the discard"))
    if not places:
        return ""
    template = "{card} is already {places}."
    if COPIES[str(card)] > 1:
        template = "{card}: all {copies} are used: {places}."
    return message(template, card=card, copies=COPIES[str(card)], places=listed(places))


def kept(game: DudabBuba, seat: int, shown: Sequence[str]) -> str:
    """Return which card known to be in a hand is missing from `shown`, "" if none is."""
    left = list(shown)
    for card in game.hidden.known[seat]:
        if card not in left:
            return message("{who} still holds {card}: shown but not played.", who=Who(seat), card=card)
        left.remove(card)
    return ""
