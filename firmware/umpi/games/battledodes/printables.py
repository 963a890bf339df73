"""What can be printed of Battledodes: a board of our own with the hexagons of both sides, and a score sheet.

The rule sheet gives the size of the board, the wall and the multipliers 0 to 5. The places of the hexagons are ours: on
each side a 5, around it 4 and 3 in turn, and around these 2 and 1.
"""

from __future__ import annotations

from math import cos, pi, sin, sqrt

from umpi.games.battledodes.dodes import HEXES
from umpi.games.battledodes.rules import Battledodes
from umpi.kernel import message
from umpi.kernel.printable import (
    BLACK,
    GREY,
    PALE,
    Label,
    Mark,
    Outline,
    Piece,
    Pieces,
    Point,
    Rows,
    Scores,
    Sheet,
    box,
    polygon,
)

WIDE, HIGH = 1189.0, 841.0  # A0
WALL = (30.0, 260.0)  # its depth and length; it is 40 high
SIDE = 60.0  # of a hexagon
TINTS = ("", "#f7f4ea", "#efe5c4", "#f3d08c", "#eeab6c", "#dd7a56")  # by multiplier
POINT = 25.4 / 72
TURNS = 24


def printables(language: str) -> tuple[Sheet, ...]:
    """Return the sheets of the game."""
    turns = Rows("", tuple(message("Turn {number}", number=number) for number in range(1, 1 + TURNS)))
    target = Battledodes.setup(2).target
    return (
        Pieces("board", message("Board"), (Piece((WIDE, HIGH), board()),)),
        Scores(
            "scores", message("Score sheet"), (turns,), columns=(message("points"), message("total")),
            note=message("Each dode left on the board scores face × hexagon. {target} points win.", target=target),
        ),
    )  # fmt: skip


def board() -> tuple[Mark, ...]:
    """Return the drawing of the board, both sides of the wall."""
    middle = WIDE / 2, HIGH / 2
    depth, length = WALL
    marks: list[Mark] = [
        Outline(f"M {middle[0]} 0 L {middle[0]} {HIGH}", "", GREY, 0.8, dashed=True),
        Outline(box(middle[0] - depth / 2, middle[1] - length / 2, depth, length), PALE, BLACK, 0.6),
        Outline(box(0, 0, WIDE, HIGH), "", BLACK, 1.2),
        _turned(middle, message("Wall 260 × 40 × 30 mm"), 44, 90, 250),
    ]
    for turn, way in ((90, -1), (270, 1)):
        centre = middle[0] + way * (WIDE + depth) / 4, middle[1]
        for at, multiplier in hexagons(centre, way):
            marks.append(Outline(_hexagon(at), TINTS[multiplier], BLACK, 0.9))
            marks.append(_turned(at, str(multiplier), 150, turn))
        for corner in (90, HIGH - 90):
            marks.append(_turned((centre[0], corner), str(HEXES[0]), 150, turn))
    return tuple(marks)


def hexagons(centre: Point, way: int) -> list[tuple[Point, int]]:
    """Return the middle and the multiplier of each hexagon of a side, the greatest first.

    `way` is 1 or -1: the two sides are equal for their players, so one is the other turned round.
    """
    highest = HEXES[-1]
    found = [(centre, highest)]
    for ring in (1, 2):
        for step in range(6 * ring):
            edge, along = divmod(step, ring)
            a, b = _corner(edge), _corner(edge + 1)
            x, y = (ring * a[i] + along * (b[i] - a[i]) for i in (0, 1))
            found.append(((centre[0] + way * x, centre[1] + way * y), highest + 1 - 2 * ring - step % 2))
    return found


def _corner(number: int) -> Point:
    """Return the way from a hexagon to its neighbour."""
    angle = number * pi / 3
    return sqrt(3) * SIDE * cos(angle), sqrt(3) * SIDE * sin(angle)


def _hexagon(at: Point) -> str:
    angles = (pi / 6 + number * pi / 3 for number in range(6))
    return polygon(tuple((at[0] + SIDE * cos(angle), at[1] + SIDE * sin(angle)) for angle in angles))


def _turned(at: Point, text: str, size: float, turn: int, room: float = 0) -> Label:
    """Return a text around `at`, for the player on the left (90) or on the right (270)."""
    down = 0.36 * size * POINT * (-1 if turn == 90 else 1)
    return Label((at[0] + down, at[1]), text, size, room, "centre", bold=True, turn=turn)
