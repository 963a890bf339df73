"""The board of a game as data: `Game.shown_board` returns it, and every screen draws it. No package brings a script.

A board is a few parts one below the other: lines of pieces, tracks and grids of spaces. Each piece and each space has
a key. A call lights up those that its key `pieces` names: `Call("lost", text, {"pieces": ("pot",)})`. A space or piece
whose key is also a value of a field that is asked now, such as a `Pick`, is marked: it can be chosen. A piece that
keeps its key moves to its new place.

Each object checks itself when it is made, and raises Misshapen at the line of the engine that made it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, get_args

from umpi.frozen import frozen
from umpi.kernel.game import COMMA, Game, code_of
from umpi.kernel.misshapen import Misshapen

Ink = Literal["black", "red", "blue", "yellow", "green", "purple", "grey"]
Shape = Literal["squares", "hexagons"]

PARTS = 12
PIECES = 400  # pieces and spaces of a board, together
TOGETHER = 8  # pieces on one space
WIDEST = 20  # spaces of a row of a grid
KEY, FACE, COUNTED, LABEL = 40, 8, 20, 40  # the most letters
HIGHEST = 99_999  # of a number, and of its negative


@frozen
class Card:
    """A card with its `face`, a short text or number, in the colour `ink`; without a face, its back.

    >>> Card("next", "a long sentence")
    Traceback (most recent call last):
    umpi.kernel.misshapen.Misshapen: the face of Card "next" has 15 letters; at most 8 are allowed
    """

    key: str
    face: int | str = ""
    ink: Ink = "black"

    def __post_init__(self) -> None:
        """Raise Misshapen if a value is odd."""
        _check_key(self, self.key)
        _check_face(f'the face of Card "{self.key}"', self.face)
        _check_word(f'the ink of Card "{self.key}"', self.ink, get_args(Ink))


@frozen
class Die:
    """A die with its upper `face`, "" before the roll. A `seat` gives it the colour of that seat."""

    key: str
    face: int | str = ""
    sides: int = 6
    seat: int | None = None

    def __post_init__(self) -> None:
        """Raise Misshapen if a value is odd."""
        _check_key(self, self.key)
        _check_face(f'the face of Die "{self.key}"', self.face)
        _check_number(f'the number of sides of Die "{self.key}"', self.sides)
        _check_seat(f'the seat of Die "{self.key}"', self.seat)


@frozen
class Token:
    """A round stone with the colour and the mark of a `seat`, None for nobody's; a short `text` may stand on it."""

    key: str
    seat: int | None = None
    text: int | str = ""

    def __post_init__(self) -> None:
        """Raise Misshapen if a value is odd."""
        _check_key(self, self.key)
        _check_face(f'the text of Token "{self.key}"', self.text)
        _check_seat(f'the seat of Token "{self.key}"', self.seat)


@frozen
class Counter:
    """A number with a text that says what it counts, such as the points of a pot."""

    key: str
    text: str
    number: int

    def __post_init__(self) -> None:
        """Raise Misshapen if a value is odd."""
        _check_key(self, self.key)
        _check_text(f'the text of Counter "{self.key}"', self.text, COUNTED)
        _check_number(f'the number of Counter "{self.key}"', self.number)


@frozen
class Pile:
    """Cards that lie or are held face down: a deck, or a hand that only its player sees. Only their number is shown."""

    key: str
    number: int

    def __post_init__(self) -> None:
        """Raise Misshapen if a value is odd."""
        _check_key(self, self.key)
        _check_number(f'the number of Pile "{self.key}"', self.number)


Piece = Card | Die | Token | Counter | Pile


@frozen
class Space:
    """A space of a track or a grid with the `pieces` on it. Its `text` is seen while it is empty."""

    key: str
    pieces: tuple[Piece, ...] = ()
    text: int | str = ""

    def __post_init__(self) -> None:
        """Raise Misshapen if a value is odd."""
        _check_key(self, self.key)
        _check_all(f'the pieces of Space "{self.key}"', self.pieces, get_args(Piece), TOGETHER)
        _check_face(f'the text of Space "{self.key}"', self.text)


@frozen
class Line:
    """Pieces beside each other, for example a hand, a market, dice or counters, below their `label`."""

    pieces: tuple[Piece, ...]
    label: str = ""

    def __post_init__(self) -> None:
        """Raise Misshapen if a value is odd."""
        _check_text("the label of a Line", self.label, LABEL)
        _check_all(f'the pieces of Line "{self.label}"', self.pieces, get_args(Piece), PIECES)


@frozen
class Track:
    """Spaces one after the other, from the first to the last; a long track bends."""

    spaces: tuple[Space, ...]
    label: str = ""

    def __post_init__(self) -> None:
        """Raise Misshapen if a value is odd."""
        _check_text("the label of a Track", self.label, LABEL)
        _check_all(f'the spaces of Track "{self.label}"', self.spaces, (Space,), PIECES)


@frozen
class Grid:
    """Rows of spaces, the top one first; None where there is no space. Each second row of hexagons lies further right.

    >>> Grid(((Space("a1"), None), (Space("a2"), Space("b2"))), shape="hexagons").label
    ''
    """

    rows: tuple[tuple[Space | None, ...], ...]
    label: str = ""
    shape: Shape = "squares"

    def __post_init__(self) -> None:
        """Raise Misshapen if a value is odd."""
        _check_text("the label of a Grid", self.label, LABEL)
        _check_word(f'the shape of Grid "{self.label}"', self.shape, get_args(Shape))
        _check_all(f'the rows of Grid "{self.label}"', self.rows, (tuple,), PIECES)
        for number, row in enumerate(self.rows, 1):
            _check_all(f'row {number} of Grid "{self.label}"', row, (Space, type(None)), WIDEST)
        if len(widths := sorted({len(row) for row in self.rows})) > 1:
            raise Misshapen(f'the rows of Grid "{self.label}" differ: they have {widths} spaces; put None in the gaps')


Part = Line | Track | Grid


@frozen
class Board:
    """All that everybody at the table sees, as `parts` from top to bottom. No two pieces or spaces share a key.

    >>> Board((Line((Card("a"), Card("a"))),))
    Traceback (most recent call last):
    umpi.kernel.misshapen.Misshapen: two pieces of a Board have the key "a"
    """

    parts: tuple[Part, ...]

    def __post_init__(self) -> None:
        """Raise Misshapen if a value is odd."""
        _check_all("the parts of a Board", self.parts, get_args(Part), PARTS)
        seen: set[str] = set()
        for piece in self.pieces():
            if piece.key in seen:
                raise Misshapen(f'two pieces of a Board have the key "{piece.key}"')
            seen.add(piece.key)
        if len(seen) > PIECES:
            raise Misshapen(f"a Board has {len(seen)} pieces and spaces; at most {PIECES} are allowed")
        if not seen:
            raise Misshapen("a Board has no pieces: return None if there is nothing to see")

    def pieces(self) -> Iterator[Piece | Space]:
        """Yield every space and every piece."""
        for part in self.parts:
            match part:
                case Line(pieces):
                    yield from pieces
                case Track(spaces):
                    yield from _on(spaces)
                case Grid(rows):
                    for row in rows:
                        yield from _on(row)


def board_of(position: Game) -> Board | None:
    """Return what the screens draw of a position, None if its game draws nothing.

    Raises Misshapen if the engine returns no Board, no tuple of scores, or a piece of a seat that is not there.
    """
    board = position.shown_board()
    if board is None:
        return None
    code = code_of(type(position).shown_board)
    if not isinstance(board, Board):
        raise Misshapen(f"shown_board() returns a {type(board).__name__}, not a Board", code)
    scores = position.scores()
    if not isinstance(scores, tuple):
        raise Misshapen(f"scores() returns a {type(scores).__name__}, not a tuple", code_of(type(position).scores))
    seats = len(scores)
    for piece in board.pieces():
        if isinstance(piece, (Die, Token)) and piece.seat is not None and piece.seat >= seats:
            raise Misshapen(f'"{piece.key}" has the seat {piece.seat}; the last seat is {seats - 1}', code)
    return board


def _on(spaces: tuple[Space | None, ...]) -> Iterator[Piece | Space]:
    for space in spaces:
        if space:
            yield space
            yield from space.pieces


def _check_key(owner: object, key: object) -> None:
    if not isinstance(key, str) or not key.strip() or len(key) > KEY:
        raise Misshapen(f"{type(owner).__name__} has the key {key!r}; expected a text of 1 to {KEY} letters")


def _check_text(what: str, text: object, most: int) -> None:
    if not isinstance(text, str):
        raise Misshapen(f"{what} is {text!r}; expected a text")
    if len(text) > most:
        raise Misshapen(f"{what} has {len(text)} letters; at most {most} are allowed")


def _check_face(what: str, face: object) -> None:
    if isinstance(face, int):
        _check_number(what, face)
    else:
        _check_text(what, face, FACE)


def _check_word(what: str, word: object, words: tuple[str, ...]) -> None:
    if word not in words:
        raise Misshapen(f"{what} is {word!r}; there are: {', '.join(words)}")


def _check_number(what: str, number: object) -> None:
    if type(number) is not int or abs(number) > HIGHEST:
        raise Misshapen(f"{what} is {number!r}; expected a whole number of at most {HIGHEST}")


def _check_seat(what: str, seat: object) -> None:
    if seat is not None and (type(seat) is not int or seat < 0):
        raise Misshapen(f"{what} is {seat!r}; expected the number of a seat, or None")


def _check_all(what: str, values: object, kinds: tuple[type, ...], most: int) -> None:
    names = " or ".join("None" if kind is type(None) else kind.__name__ for kind in kinds)
    if isinstance(values, kinds) and not isinstance(values, tuple):
        raise Misshapen(f"{what} are a single {type(values).__name__}: {COMMA}")
    if not isinstance(values, tuple):
        raise Misshapen(f"{what} are a {type(values).__name__}, not a tuple of {names}: write tuple(…) or (…, …)")
    for value in values:
        if not isinstance(value, kinds):
            raise Misshapen(f"{what} contain {value!r}; expected {names}")
    if len(values) > most:
        raise Misshapen(f"{what} are {len(values)}; at most {most} are allowed")
