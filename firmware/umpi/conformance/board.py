"""Check of the board: its shape, its keys, that it is the same each time, and that it reveals no secret answer."""

from __future__ import annotations

import json
from collections.abc import Iterator

from umpi.conformance.drawing import drawn
from umpi.conformance.flaws import Flaw, shown
from umpi.kernel.board import Board, board_of
from umpi.kernel.calls import calls_of
from umpi.kernel.fields import Chance
from umpi.kernel.game import Act, Ask, Game, gives
from umpi.kernel.match import Match
from umpi.table.secret import parties, seats_of
from umpi.web.boards import board_json

TRIES = 6  # secret answers that are compared


def boarded(match: Match, chance: Chance) -> Iterator[Flaw]:
    """Check the board of a position, the pieces that the calls of the last act name, and its secret answers."""
    if not gives(type(match.now), Game.shown_board):
        return
    board = board_of(match.now)
    if board_of(match.now) != board:
        yield Flaw("Asked twice, shown_board() returns different boards.")
    if board:
        json.dumps(board_json(board, match.players))
        yield from _named(match, board)
    for ask in match.asks:
        if ask.secret and seats_of(ask):
            yield from _secret(match, ask, chance)


def _named(match: Match, board: Board) -> Iterator[Flaw]:
    """Check whether the pieces that a call names are on the board before or after the act."""
    if not match.acts:
        return
    before = match.position(len(match.acts) - 1)
    there = {piece.key for each in (board_of(before), board) if each for piece in each.pieces()}
    for call in calls_of(before, match.acts[-1], match.now):
        named = call.keys.get("pieces", ())
        if not isinstance(named, tuple):
            yield Flaw(f'The call "{call.kind}" has the pieces {named!r}; expected a tuple of keys.')
        elif unknown := [key for key in named if key not in there]:
            yield Flaw(f'The call "{call.kind}" names the piece {unknown[0]!r}, which is not on the board.')


def _secret(match: Match, ask: Ask, chance: Chance) -> Iterator[Flaw]:
    """Check whether two answers that differ only in a secret lead to the same board while others have not answered."""
    if len(parties(match, ask)) < 2:
        return  # nobody else has to answer: this answer counts at once, and is open
    first: tuple[Act, Board | None] | None = None
    for _ in range(TRIES):
        act = drawn(ask, chance, {"seat": seats_of(ask)[0]})
        if act is None:
            return
        match.play(act)
        open_still = any(other.secret and other.verb == ask.verb for other in match.asks)
        board = board_of(match.now)
        match.undo()
        if not open_still:
            return
        if first is None:
            first = act, board
        elif board != first[1]:
            yield Flaw(f"Its board reveals a secret: it differs after {shown(first[0])} and after {shown(act)}.", act)
            return
