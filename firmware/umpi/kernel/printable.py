"""What can be printed of a game: decks, pieces and score sheets, as plain data.

A game's package may contain the module `printables`. Its function `printables(language)` returns a tuple of sheets.

`GAME/NAME` is the stable id of a sheet, such as "dohdles/board", and `GAME/needs/NAME` that of a thing nobody prints.

All lengths are in mm. Points count from the upper left corner of a piece: to the right, and down. Texts are messages or
words, and the printer translates them. Colours are "#rrggbb", or "" for none.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Point = tuple[float, float]

BLACK, WHITE, GREY, PALE = "#1d1f24", "#ffffff", "#8b8d95", "#ebe8df"
RED, BLUE, YELLOW, GREEN, PURPLE = "#c81e3c", "#365ddc", "#fad039", "#55b683", "#7a3fa0"


class Outline(NamedTuple):
    """A shape: a path of M, L, C and Z as in SVG, with spaces between all its parts.

    Its coordinates are multiplied by `scale` and moved to `at`. A part inside another part is a hole.
    """

    path: str
    fill: str = ""
    pen: str = ""  # the colour of the line
    width: float = 0.3
    at: Point = (0, 0)
    scale: float = 1
    dashed: bool = False


class Label(NamedTuple):
    """A line of text; `at` is on its baseline. In a `room` that is too narrow, the letters get smaller."""

    at: Point
    text: str
    size: float = 9  # points
    room: float = 0  # mm, 0 for any
    align: Literal["left", "centre", "right"] = "left"
    bold: bool = False
    ink: str = BLACK
    turn: float = 0  # degrees clockwise


class Paragraph(NamedTuple):
    """Running text in a room of `wide` by `high` mm below `at`. In too small a room, the letters get smaller."""

    at: Point
    text: str
    wide: float
    high: float
    size: float = 9  # points
    turn: float = 0  # degrees clockwise


class SeatMark(NamedTuple):
    """The mark of a seat on its colour, as on its button: a square of `size` whose upper left corner is `at`."""

    seat: int
    at: Point
    size: float


Mark = Outline | Label | Paragraph | SeatMark


class Piece(NamedTuple):
    """Something to cut out, or a board. A piece that is larger than the paper is printed in tiles to join."""

    size: Point
    marks: tuple[Mark, ...]


class Rows(NamedTuple):
    """Rows under one heading: of a score sheet, where a row is its label, or of a text."""

    heading: str
    rows: tuple[str, ...]


class Pieces(NamedTuple):
    """A sheet of pieces that have the same size. `name` is a word for the command line.

    `how` says what to do with the printed pieces, if it is more than cutting or joining. `words` are what the pieces
    say, for large print and braille: each on its own page, () for a drawing.
    """

    name: str
    title: str
    pieces: tuple[Piece, ...]
    how: str = ""
    words: tuple[Rows, ...] = ()


class Face(NamedTuple):
    """The face of a card.

    `corner` is what players see of a card in hand. `symbol` is a path in a square of 100. `name` and `detail` are texts
    below the symbol, and `ink` is the colour of the card.
    """

    corner: str
    symbol: str
    ink: str
    name: str
    detail: str = ""


class Deck(NamedTuple):
    """A sheet of cards to cut out, with every copy."""

    name: str
    title: str
    cards: tuple[Face, ...]


class Scores(NamedTuple):
    """A score sheet with a column for each seat, which `columns` divide; `total` labels the last row, "" for none."""

    name: str
    title: str
    groups: tuple[Rows, ...]
    total: str = ""
    columns: tuple[str, ...] = ()
    note: str = ""


class Thing(NamedTuple):
    """Something that a table needs and nobody prints; `number` is for the most players, 0 if it cannot be counted."""

    name: str
    text: str
    number: int = 0


class Needs(NamedTuple):
    """The first page of a game that is printed whole: its other sheets, and the things to have."""

    name: str
    title: str
    have: tuple[Thing, ...] = ()


Sheet = Pieces | Deck | Scores | Needs


def box(left: float, top: float, wide: float, high: float) -> str:
    """Return the path of a rectangle.

    >>> box(0, 0, 2, 1)
    'M 0 0 L 2 0 L 2 1 L 0 1 Z'
    """
    return polygon(((left, top), (left + wide, top), (left + wide, top + high), (left, top + high)))


def polygon(corners: tuple[Point, ...]) -> str:
    """Return the path of a polygon."""
    return f"{polyline(corners)} Z"


def polyline(points: tuple[Point, ...]) -> str:
    """Return the path of a line through points."""
    return "M " + " L ".join(f"{x:g} {y:g}" for x, y in points)


ROUND = 0.5523  # the control points of a quarter of a circle, in radii


def circle(radius: float) -> str:
    """Return the path of a circle around 0."""
    r, c = radius, ROUND * radius
    return (
        f"M {r} 0 C {r} {c} {c} {r} 0 {r} C {-c} {r} {-r} {c} {-r} 0 "
        f"C {-r} {-c} {-c} {-r} 0 {-r} C {c} {-r} {r} {-c} {r} 0 Z"
    )
