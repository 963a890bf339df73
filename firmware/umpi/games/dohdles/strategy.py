"""A player of Dohdles! for the laboratory, who reads the arrows of a measured board."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

from umpi.games.dohdles.board import Board
from umpi.games.dohdles.rules import Dohdles
from umpi.kernel import Act, Strategy, override
from umpi.kernel.match import Match


class ArrowReader(Strategy):
    """Guess whenever the green arrows beat the red ones, as if every second guess were right.

    The clue is one for the player who is farthest behind, because the sculptor of a riddle moves too if it is solved.
    """

    game: ClassVar = "dohdles"

    def __init__(self, chance: object) -> None:
        pass

    @override
    def act(self, match: Match, seat: int, outlook: Any) -> Act | None:
        """Return a clue of a measured board, or whether the seat guesses first; otherwise None."""
        position = match.now
        assert isinstance(position, Dohdles)
        if position.phase == "claim":
            return Act("claim", {"take": _gains(position, seat) >= 0})
        if position.phase != "clue" or not position.board:
            return None
        return Act("clue", {"riddle": min(position.pickable(seat), key=partial(_payment, position, position.board))})

    @override
    def volunteers(self, match: Match, seat: int, outlook: Any, act: Act) -> bool:
        """Check whether the seat tosses its cube now."""
        position = match.now
        assert isinstance(position, Dohdles)
        return _gains(position, seat) >= 0


def _gains(position: Dohdles, seat: int) -> int:
    """Return the spaces that two guesses gain, of which one is right; without a board nobody knows, so 0."""
    if not position.board:
        return 0
    place, final = position.tokens[seat], position.board.final
    back, forward = position.board.track[place]
    return final if place + forward >= final else forward - min(back, place)


def _payment(position: Dohdles, board: Board, name: str) -> tuple[int, int]:
    """Return the place of a riddle's sculptor, and the spaces that it moves if the riddle is solved after its clue."""
    riddle = position.riddle_called(name)
    return position.tokens[riddle.owner], board.rewards[riddle.chip + 1]
