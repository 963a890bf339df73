"""A player of Dodekka for the laboratory, who counts the cards that nobody has seen."""

from __future__ import annotations

from typing import Any, ClassVar

from umpi.games.dodekka.rules import Dodekka
from umpi.kernel import Act, Strategy, override
from umpi.kernel.match import Match


class CardCounter(Strategy):
    """Flip if the exact average of the own score is then at least as high as after taking."""

    game: ClassVar = "dodekka"

    def __init__(self, chance: object) -> None:
        pass

    @override
    def act(self, match: Match, seat: int, outlook: Any) -> Act | None:
        """Return a flip or a take; None at the entry of final hands."""
        position = match.now
        assert isinstance(position, Dodekka)
        if position.phase != "turn":
            return None
        flipped = sum(position.do_turn(seat, card).scores()[seat] for card in position.deck)
        taken = position.do_take(seat).scores()[seat] * len(position.deck)
        return Act("turn" if flipped >= taken else "take")
