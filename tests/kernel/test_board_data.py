"""The board as data: whatever is odd is refused where it is made, with a sentence that names it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.kit.foreign_boards import BOARDS
from umpi.kernel.board import PARTS, PIECES, Board, Card, Counter, Die, Grid, Line, Pile, Space, Token, Track, board_of
from umpi.kernel.misshapen import Misshapen

A, B = Space("a"), Space("b")

ODD: list[tuple[Callable[[], Any], str]] = [
    (lambda: Card("", 7), "Card has the key ''; expected a text of 1 to 40 letters"),
    (lambda: Card("k" * 41), "expected a text of 1 to 40 letters"),
    (lambda: Card(7), "Card has the key 7"),  # type: ignore[arg-type]
    (lambda: Card("a", 7, "rde"), "the ink of Card \"a\" is 'rde'; there are: black, red, blue"),  # type: ignore[arg-type]
    (lambda: Card("a", None), 'the face of Card "a" is None; expected a text'),  # type: ignore[arg-type]
    (lambda: Card("a", "too many letters"), 'the face of Card "a" has 16 letters; at most 8 are allowed'),
    (lambda: Card("a", True), 'the face of Card "a" is True; expected a whole number'),
    (lambda: Die("a", 1, "six"), "the number of sides of Die \"a\" is 'six'"),  # type: ignore[arg-type]
    (lambda: Token("a", -1), 'the seat of Token "a" is -1; expected the number of a seat, or None'),
    (lambda: Token("a", "red"), "the seat of Token \"a\" is 'red'"),  # type: ignore[arg-type]
    (lambda: Counter("a", "pot", 1.5), 'the number of Counter "a" is 1.5'),  # type: ignore[arg-type]
    (lambda: Counter("a", "pot", 100_000), "expected a whole number of at most 99999"),
    (lambda: Counter("a", "w" * 21, 1), 'the text of Counter "a" has 21 letters; at most 20'),
    (lambda: Pile("a", None), 'the number of Pile "a" is None'),  # type: ignore[arg-type]
    (lambda: Line(Card("a")), 'the pieces of Line "" are a single Card: write (x,) with a comma'),  # type: ignore[arg-type]
    (lambda: Line([Card("a")]), 'the pieces of Line "" are a list, not a tuple of Card or Die'),  # type: ignore[arg-type]
    (lambda: Line((A,)), "contain Space(key='a'"),  # type: ignore[arg-type]
    (lambda: Line((), "l" * 41), "the label of a Line has 41 letters; at most 40 are allowed"),
    (lambda: Space("a", (Pile("b", 1),) * 9), 'the pieces of Space "a" are 9; at most 8 are allowed'),
    (lambda: Track((Card("a"),)), "contain Card(key='a'"),  # type: ignore[arg-type]
    (lambda: Grid(((A, B), (A,))), 'the rows of Grid "" differ: they have [1, 2] spaces; put None in the gaps'),
    (lambda: Grid((A, B)), "the rows of Grid \"\" contain Space(key='a'"),  # type: ignore[arg-type]
    (lambda: Grid(((A,),), shape="hexagon"), "is 'hexagon'; there are: squares, hexagons"),  # type: ignore[arg-type]
    (lambda: Grid(((A,) * 21,)), 'row 1 of Grid "" are 21; at most 20 are allowed'),
    (lambda: Board((Card("a"),)), "the parts of a Board contain Card(key='a'"),  # type: ignore[arg-type]
    (lambda: Board((Line((Card("a"),)), Track((A,)))), 'two pieces of a Board have the key "a"'),
    (lambda: Board((Grid(((Space("b", (Card("b"),)),),)),)), 'two pieces of a Board have the key "b"'),
    (lambda: Board((Line((Card("a"),)),) * (PARTS + 1)), "the parts of a Board are 13; at most 12"),
    (lambda: Board((_cards("a", PIECES), _cards("b", 1))), "a Board has 401 pieces and spaces; at most 400"),
    (lambda: Board(()), "a Board has no pieces: return None if there is nothing to see"),
]


def _cards(key: str, number: int) -> Line:
    return Line(tuple(Card(f"{key}{each}") for each in range(number)))


@pytest.mark.parametrize("number", range(len(ODD)), ids=lambda number: ODD[number][1][:30])
def test_an_odd_piece_is_refused_where_it_is_made(number: int) -> None:
    make, why = ODD[number]
    with pytest.raises(Misshapen, match=re.escape(why)):
        make()


@pytest.mark.parametrize(
    "make", [Card, Die, Token, Space, lambda key: Counter(key, "pot", 1), lambda key: Pile(key, 1)]
)
@pytest.mark.parametrize("key", ["", 7, None, "x" * 100])
def test_no_piece_has_an_odd_key(make: Any, key: Any) -> None:
    with pytest.raises(Misshapen, match="key"):
        make(key)


def test_pieces_are_all_spaces_and_all_that_lies_on_them() -> None:
    keys = [piece.key for piece in BOARDS["hexagons"].pieces()]
    assert len(keys) == len(set(keys)) == 21 + 6 + 2
    assert keys.index("stone-0") == keys.index("2.2") + 1


class Drawn:
    """What `board_of` asks of a position of two seats."""

    def __init__(self, board: object) -> None:
        self._board = board

    def shown_board(self) -> object:
        return self._board

    def scores(self) -> tuple[int, ...]:
        return (0, 0)


@pytest.mark.parametrize(
    ("board", "why"),
    [
        (Board((Line((Token("a", 2),)),)), '"a" has the seat 2; the last seat is 1'),
        (Board((Track((Space("a", (Die("b", 1, seat=3),)),)),)), '"b" has the seat 3'),
        ((Line((Token("a"),)),), "shown_board() returns a tuple, not a Board"),
    ],
)
def test_what_does_not_fit_the_position_is_refused_with_the_line_of_the_engine(board: object, why: str) -> None:
    drawn: Any = Drawn(board)
    with pytest.raises(Misshapen, match=re.escape(why)) as fault:
        board_of(drawn)
    assert fault.value.code is Drawn.shown_board.__code__


def test_a_game_may_draw_nothing() -> None:
    drawn: Any = Drawn(None)
    assert board_of(drawn) is None
