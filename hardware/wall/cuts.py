"""Parts placed on their sheets in rows, with a kerf between them: the saw cuts strips first."""

from __future__ import annotations

from dataclasses import dataclass

from hardware.wall.numbers import Numbers


class NoRoom(ValueError):
    """A part does not fit on its sheet."""


@dataclass(frozen=True, slots=True)
class Stock:
    """A sheet or strip as bought, in mm."""

    name: str
    length: float
    width: float
    thickness: float


@dataclass(frozen=True, slots=True)
class Part:
    """A rectangle to saw, in mm; its grain is along `length`."""

    name: str
    length: float
    width: float


@dataclass(frozen=True, slots=True)
class Placed:
    """The place of a part on its sheet: its lower left corner."""

    part: Part
    x: float
    y: float


def parts_of(numbers: Numbers) -> dict[Stock, list[Part]]:
    """Return the parts of each stock, row by row."""
    stock, wall, gluing, saddle = numbers.stock, numbers.wall, numbers.gluing, numbers.saddle
    side = Part("wall, side", wall.length, wall.height)
    cheek = Part("saddle, cheek", wall.length, saddle.cheek)
    sheet = Stock("plywood", stock.sheet_length, stock.sheet_width, stock.sheet)
    offcut = Stock("plywood, offcut", stock.offcut_length, stock.offcut_width, numbers.builds.two_15[0])
    strip = Stock("planed timber", stock.strip_length, wall.height, numbers.builds.timber[0])
    return {
        sheet: [
            Part("square", numbers.square.side, numbers.square.side),
            Part("gluing, base", gluing.length, gluing.width),
            Part("gluing, stop", gluing.stop, gluing.fence),
            Part("saddle, plate", wall.length, saddle.width),
            Part("gluing, fence", gluing.length, gluing.fence),
            side, side,
            *[Part("caul", wall.length, wall.height)] * int(gluing.caul),
            cheek, cheek,
        ],
        offcut: [side, side],
        strip: [Part("wall", wall.length, wall.height)],
    }  # fmt: skip


def laid_out(stock: Stock, parts: list[Part], kerf: float) -> list[Placed]:
    """Place parts in rows as wide as their first, in the given order, the first in the corner of the sheet.

    Raises NoRoom for a part that does not fit.
    """
    placed: list[Placed] = []
    x = y = row = 0.0
    for part in parts:
        if placed and (x + part.length > stock.length or part.width > row):
            x, y = 0, y + row + kerf
            row = part.width
        row = row or part.width
        if x + part.length > stock.length or y + part.width > stock.width:
            raise NoRoom(f"{part.name} does not fit on {stock.name} {stock.length:g} x {stock.width:g}.")
        placed.append(Placed(part, x, y))
        x += part.length + kerf
    return placed
