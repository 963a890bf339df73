"""The cards of Dudab Buba: their kinds, their attributes and their number of copies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property
from typing import Annotated, Any, overload

from umpi.kernel import message

COLOURS = ("blue", "red", "yellow", "green")
SYMBOLS = ("hand", "mammoth", "club", "hide")
VALUES = (1, 2, 3, 4)

DUDAB, JUNGLE, BABY = "dudab", "jungle", "baby"
NUMBERS = tuple(f"{colour}-{symbol}-{value}" for colour in COLOURS for symbol in SYMBOLS for value in VALUES)
SUITS = tuple(f"{colour}-{symbol}" for colour, symbol in zip(COLOURS, SYMBOLS, strict=True))  # one of each
SHAMANS = tuple(f"shaman-{colour}" for colour in COLOURS)
HELD = (*NUMBERS, DUDAB, *SHAMANS)  # the kinds of cards that can be in a hand
SPECIALS = (JUNGLE, BABY)  # laid as soon as they are drawn
KINDS = (*HELD, *SPECIALS)

REQUESTS = (
    *(f"colour:{colour}" for colour in COLOURS),
    *(f"symbol:{symbol}" for symbol in SYMBOLS),
    *(f"value:{value}" for value in VALUES),
)
COPIES = {**dict.fromkeys(NUMBERS, 1), **dict.fromkeys(SHAMANS, 2), DUDAB: 8, JUNGLE: 8, BABY: 8}

Card = Annotated[str, KINDS]
Held = Annotated[str, HELD]

attributes: dict[str, tuple[str, ...]] = {card: tuple(card.split("-")) for card in NUMBERS}  # colour, symbol, value
value_of = {card: int(card[-1]) for card in NUMBERS}
colour_of = {card: card.split("-")[card in SHAMANS] for card in (*NUMBERS, *SHAMANS)}


@cache
def deck(jungle: bool, baby: bool) -> tuple[str, ...]:
    """Return all cards of the game, with the chosen expansions."""
    kinds = HELD + (JUNGLE,) * jungle + (BABY,) * baby
    return tuple(card for kind in kinds for card in [kind] * COPIES[kind])


def is_special(card: object) -> bool:
    """Check whether a card is a jungle or a baby, which nobody holds."""
    return card in SPECIALS


def is_number(card: object) -> bool:
    """Check whether a card is a number card."""
    return card in value_of


def meets(card: str, request: str) -> bool:
    """Check whether a card meets a request; a shaman has a colour only.

    >>> meets("red-club-3", "value:3"), meets("shaman-red", "colour:red"), meets("shaman-red", "value:3")
    (True, True, False)
    """
    kind, _, wanted = request.partition(":")
    if kind == "colour":
        return colour_of.get(card) == wanted
    return card in attributes and wanted in attributes[card]


def without(cards: Iterable[str], gone: Iterable[str]) -> tuple[str, ...]:
    """Return `cards` without one copy of each of `gone`; raises ValueError if one is missing."""
    left = list(cards)
    for card in gone:
        left.remove(card)
    return tuple(left)


def short(card: str) -> str:
    """Return a short form of a card for the small screen.

    >>> short("red-club-3"), short("shaman-red"), short("dudab")
    ('rcl3', 's.re', 'dud')
    """
    first, *rest = card.split("-")
    match rest:
        case [symbol, value]:
            return message("{colour:.1}{symbol:.2}{value}", colour=first, symbol=symbol, value=value)
        case [colour]:
            return message("{shaman:.1}.{colour:.2}", shaman=first, colour=colour)
        case _:
            return message("{word:.3}", word=first)


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
