"""The Battledodes wall: in its gluing jig, under the saddle, and on the game's board, for the pictures of the guide."""

from __future__ import annotations

from hardware.guide.shapes import BLUE, METAL, ORANGE, RED, block, line
from hardware.solids.shapes import Colour, Piece, rod
from hardware.wall.numbers import load

WOOD: Colour = (214, 184, 134)
PALE: Colour = (236, 214, 172)


def jig() -> list[Piece]:
    """Return the corner for gluing, with both sides of the wall in it and a caul above."""
    numbers, sheet = load(), load().stock.sheet
    own, wall = numbers.gluing, numbers.wall
    flat = wall.height
    found = [
        block("jig base", WOOD, (0, 0, 0), (own.length, own.width, sheet)),
        block("jig fence", WOOD, (0, own.width - sheet, sheet), (own.length, own.width, sheet + own.fence)),
        block(
            "jig stop",
            WOOD,
            (0, own.width - sheet - 2 - own.stop, sheet),
            (sheet, own.width - sheet - 2, sheet + own.fence),
        ),
    ]
    rear = own.width - sheet
    for number, colour in enumerate((PALE, ORANGE)):
        low = sheet * (number + 1)
        found.append(
            block(f"side {number + 1}", colour, (sheet, rear - flat, low), (sheet + wall.length, rear, low + sheet))
        )
    return found


def saddle() -> list[Piece]:
    """Return the wall upside down, with its pocket and disc, and the saddle lifted above it."""
    numbers, sheet = load(), load().stock.sheet
    own, wall, half = numbers.saddle, numbers.wall, load().wall.length / 2
    found = _sides(sheet, half, 0.0, wall.height)
    top = wall.height
    found.append(Piece("piezo", ORANGE, rod((0, 0), numbers.piezo.disc, top, top + 1)))
    lift = top + 75
    found.append(block("saddle plate", BLUE, (-half, -own.width / 2, lift), (half, own.width / 2, lift + sheet)))
    for front in (-own.width / 2, own.width / 2 - sheet):
        found.append(block("saddle cheek", BLUE, (-half, front, lift - own.cheek), (half, front + sheet, lift)))
    for x, y in numbers.screws.places:
        found.append(Piece("saddle hole", RED, rod((x, y), 5, lift + sheet, lift + sheet + 0.5)))
    return found


def wall() -> list[Piece]:
    """Return the wall on its board, lifted, with the screws below and the lead of the piezo."""
    numbers, sheet = load(), load().stock.sheet
    half, thick = numbers.wall.length / 2, numbers.base.thickness
    lift = 40.0
    found = [
        block("game board", PALE, (-half - 60, -110, -thick), (half + 60, 110, 0)),
        *_sides(sheet, half, lift, numbers.wall.height),
    ]
    for x, y in numbers.screws.places:
        found.append(Piece("screw", ORANGE, rod((x, y), numbers.screws.diameter + 1, 2, lift - 2)))
    found += line("lead", RED, [(0, 0, lift), (0, 0, 0)], numbers.piezo.lead)
    found.append(Piece("lead", METAL, rod((0, 0), numbers.piezo.hole + 3, 0, 0.4)))
    return found


def _sides(sheet: float, half: float, low: float, height: float) -> list[Piece]:
    return [
        block("side 1", WOOD, (-half, -sheet, low), (half, 0, low + height)),
        block("side 2", PALE, (-half, 0, low), (half, sheet, low + height)),
    ]
