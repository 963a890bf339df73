"""The board that a foreign game brings as data, as a document for the screens."""

from __future__ import annotations

from collections.abc import Sequence

from umpi.i18n.translate import tr
from umpi.kernel.board import Board, Card, Counter, Die, Grid, Line, Part, Piece, Pile, Space, Token, Track
from umpi.kernel.game import Game
from umpi.kernel.match import Match
from umpi.table.board import board_at
from umpi.web import documents


def shown_board(position: Game, players: Sequence[str], match: Match | None) -> list[documents.BoardPart] | None:
    """Return the board of a position of a match, None if its game brings none.

    It is None too if the engine fails over it: that costs only the board, and the screens show the rows of the game.
    """
    board = board_at(position, match)
    return board_json(board, players) if board else None


def board_json(board: Board, players: Sequence[str]) -> list[documents.BoardPart]:
    """Return the parts of a board; its texts are in the language of the box, with the players' names."""
    return [_part(part, players) for part in board.parts]


def _part(part: Part, players: Sequence[str]) -> documents.BoardPart:
    label = tr(part.label, players)
    match part:
        case Line():
            return {"kind": "line", "label": label, "pieces": [_piece(each, players) for each in part.pieces]}
        case Track():
            return {"kind": "track", "label": label, "spaces": [_space(each, players) for each in part.spaces]}
        case Grid():
            rows = [[_space(each, players) if each else None for each in row] for row in part.rows]
            return {"kind": "grid", "label": label, "shape": part.shape, "rows": rows}


def _space(space: Space, players: Sequence[str]) -> documents.BoardSpace:
    pieces = [_piece(each, players) for each in space.pieces]
    return {"key": space.key, "text": _face(space.text, players), "pieces": pieces}


def _piece(piece: Piece, players: Sequence[str]) -> documents.BoardPiece:
    key = piece.key
    match piece:
        case Card():
            return {"kind": "card", "key": key, "text": _face(piece.face, players), "ink": piece.ink}
        case Die():
            face = _face(piece.face, players)
            return {"kind": "die", "key": key, "text": face, "sides": piece.sides, "seat": piece.seat}
        case Token():
            return {"kind": "token", "key": key, "text": _face(piece.text, players), "seat": piece.seat}
        case Counter():
            return {"kind": "counter", "key": key, "text": tr(piece.text, players), "number": piece.number}
        case Pile():
            return {"kind": "pile", "key": key, "text": "", "number": piece.number}


def _face(face: int | str, players: Sequence[str]) -> str:
    return tr(face, players) if isinstance(face, str) else str(face)
