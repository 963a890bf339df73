"""The dodes of a seat: the place, the face and the worth of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Annotated, Literal, NamedTuple

from umpi.kernel import Who, message

DODES = 4  # of a seat, and the most that the box follows
FACES = range(1, 13)
HEXES = range(6)  # 0 is the dead zone
MULTIPLIERS = tuple(HEXES)  # of each hexagon

Number = Annotated[int, range(1, DODES + 1)]
Face = Annotated[int, FACES]
Hex = Annotated[int, HEXES]
At = Literal["hand", "board", "out", "forfeited"]


class Dode(NamedTuple):
    """The state of a dode; its face and hex are 0 if it is not on the board.

    >>> Dode("board", 8, 3).worth()
    24
    """

    at: At = "hand"
    face: int = 0
    hex: int = 0
    missed: bool = False  # in hand only: whether it has missed since it was taken up

    def worth(self, multipliers: tuple[int, ...] = MULTIPLIERS) -> int:
        """Return the points that it would score now."""
        return self.face * multipliers[self.hex]


IN_HAND, MISSED, OUT, FORFEITED = Dode(), Dode(missed=True), Dode("out"), Dode("forfeited")

Side = tuple[Dode, ...]  # the dodes of a seat, number 1 first


def numbers(side: Sequence[object]) -> range:
    """Return the numbers of the dodes of a seat."""
    return range(1, len(side) + 1)


@lru_cache(maxsize=1024)
def lying(side: Side) -> tuple[int, ...]:
    """Return the numbers of the dodes on the board."""
    return tuple([number for number in numbers(side) if side[number - 1].at == "board"])


def put(side: Side, numbers: Iterable[int], dode: Dode) -> Side:
    """Return the side with each of these numbers replaced by `dode`.

    >>> [dode.at for dode in put((IN_HAND,) * 4, (1, 3), OUT)]
    ['out', 'hand', 'out', 'hand']
    """
    changed = list(side)
    for number in numbers:
        changed[number - 1] = dode
    return tuple(changed)


def worth(side: Side, multipliers: tuple[int, ...] = MULTIPLIERS) -> int:
    """Return the points of all dodes on the board."""
    return sum([dode.worth(multipliers) for dode in side])


def label(side: Side, number: int) -> str:
    """Return the face and hexagon of a dode in short, or where it is if it is not on the board.

    >>> label((Dode("board", 8, 3), IN_HAND), 1), label((Dode("board", 8, 3), IN_HAND), 2)
    ('8x3', 'hand')
    """
    dode = side[number - 1]
    if dode.at == "board":
        return f"{dode.face}x{dode.hex}"
    return message("hand") if dode.at == "hand" else message("out")


def on_board(side: Side, number: int) -> str:
    """Return a message that names a dode on the board as players see it: by its face and its place.

    >>> on_board((Dode("board", 8, 3),), 1), on_board((Dode("board", 8, 0),), 1)
    ('8 on hexagon 3', '8 in the dead zone')
    """
    dode = side[number - 1]
    return label_of(dode.face, dode.hex)


def label_of(face: int, hex: int) -> str:
    """Return a message that names a dode by its face and its place on the board."""
    if hex:
        return message("{face} on hexagon {hex}", face=face, hex=hex)
    return message("{face} in the dead zone", face=face)


def off_board(seat: int, place: At) -> str:
    """Return a message with the place of a seat's dode that is not on the board."""
    if place == "hand":
        return message("it is in hand")
    return message("it is {place} until {who}’s next turn", place=place, who=Who(seat))
