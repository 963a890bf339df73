"""Boards as foreign games bring them: each part and each piece, few and many, with short and with long texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

from tests.kit.tables import NAMES
from umpi.kernel.board import (
    COUNTED,
    FACE,
    HIGHEST,
    PIECES,
    TOGETHER,
    WIDEST,
    Board,
    Card,
    Counter,
    Die,
    Grid,
    Ink,
    Line,
    Pile,
    Space,
    Token,
    Track,
)
from umpi.kernel.messages import Who, message
from umpi.web.boards import board_json
from umpi.web.shown import players_of

SIX = range(6)
TEAM = tuple(Token(f"stone-{seat}", seat) for seat in SIX)
INKS: tuple[Ink, ...] = get_args(Ink)


def _lake(row: int, column: int) -> Space | None:
    if (row, column) in ((0, 0), (0, 4), (4, 0), (4, 4)):
        return None
    on = {(2, 2): TEAM[:1], (1, 3): TEAM[1:3], (3, 1): TEAM[3:6]}
    return Space(f"{row}.{column}", on.get((row, column), ()), row * column)


def _chess(row: int, column: int) -> Space:
    letter = "RNBQKBNR"[column] if row in (0, 7) else "P"
    own = Token(f"{letter}{row}{column}", int(row > 3), letter)
    return Space(f"{'abcdefgh'[column]}{8 - row}", (own,) if row in (0, 1, 6, 7) else ())


BOARDS = {
    "cards": Board((
        Line(tuple(Card(f"card-{ink}", number, ink) for number, ink in enumerate(INKS)), message("market")),
        Line((Pile("deck", 31), Card("discard", "K♥", "red"), Counter("pot", message("pot"), 120), Card("hidden")), ""),
        *(Line((Pile(f"hand-{seat}", 5),), message("{who}", who=Who(seat))) for seat in range(2)),
    )),
    "dice": Board((
        Line(tuple(Die(f"die-{n}", n) for n in range(1, 7)), message("roll")),
        Line(tuple(Die(f"own-{seat}", seat + 7, 12, seat) for seat in SIX), message("own dice")),
        Line((Die("open"), Die("colour", 4, seat=2), Die("twenty", 20, 20), Die("sign", "★")), ""),
        Line(tuple(Counter(f"points-{seat}", message("{who}", who=Who(seat)), 40 * seat - 20) for seat in SIX)),
    )),
    "track": Board((
        Track(tuple(Space(f"s{n}", TEAM if n == 17 else (), n) for n in range(60)), message("the way to the castle")),
        Line((Token("pawn"), Token("robber", None, "R"), Token("king", 4, "K"), Token("ten", 1, 10)), ""),
    )),
    "chess": Board((Grid(tuple(tuple(_chess(row, column) for column in range(8)) for row in range(8))),)),
    "hexagons": Board((
        Grid(tuple(tuple(_lake(row, column) for column in range(5)) for row in range(5)), message("lake"), "hexagons"),
        Line((Counter("fish", message("fish"), 7), Pile("empty", 0)), ""),
    )),
    "most": Board((
        Grid((tuple(
            Space(f"g{n}", tuple(Card(f"c{n}-{each}", "7" * FACE) for each in range(TOGETHER))) for n in range(WIDEST)
        ),), "a label as long as one may be, or nearly"),
        Line(tuple(Counter(f"n{n}", "w" * COUNTED, -HIGHEST) for n in range(PIECES - 9 * WIDEST)), "many words " * 3),
    )),
    "one": Board((Track((Space("only"),)),)),
    "long": Board((Track(tuple(Space(f"s{n}", (), n) for n in range(PIECES))),)),
}  # fmt: skip


def document(board: Board, players: Sequence[str] = NAMES) -> dict[str, Any]:
    """Return a match as the page gets it, with a board of its own."""
    return {
        "id": 1, "game": "of-a-stranger", "players": players_of(players, range(len(players))), "phase": "turn",
        "turn": 0, "scores": [0] * len(players), "facts": {}, "board": board_json(board, players),
    }  # fmt: skip
