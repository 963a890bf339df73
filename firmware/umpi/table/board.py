"""The board that a game brings as data, for every screen: an engine that fails over it costs only the board."""

from __future__ import annotations

import logging

from umpi.kernel.blame import blame
from umpi.kernel.board import Board, board_of
from umpi.kernel.game import Game
from umpi.kernel.match import Match

log = logging.getLogger(__name__)

_logged = set[tuple[str, str]]()  # games and the lines of code that failed: the screens ask for a board all the time


def board_at(position: Game, match: Match | None) -> Board | None:
    """Return the board of a position, None if its game brings none or if the engine fails over it.

    `match` is the match of the position, None for one of the rules, where nobody hides anything.
    """
    try:
        return board_of(position)
    except Exception as fault:  # the engine's own code runs
        game = type(position)
        where = blame(fault, game)
        if (game.id, where) not in _logged:
            _logged.add((game.id, where))
            fault = match.sayable(fault) if match else fault
            log.error("%s: its board is missing: raised by %s", game.id, where, exc_info=fault)
        return None
