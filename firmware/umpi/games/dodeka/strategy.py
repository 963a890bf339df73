"""The best turn of Dodéka, for the laboratory: keep the dice that give the most points on average."""

from __future__ import annotations

from typing import Any, ClassVar

from umpi.games.dodeka.odds import best
from umpi.games.dodeka.rules import Dodeka
from umpi.kernel import Act, Strategy, override
from umpi.kernel.match import Match


class BestTurn(Strategy):
    """Throw and stop for the most points of the turn on average, by the exact odds. The pairtraiz counts nothing."""

    game: ClassVar = "dodeka"

    def __init__(self, chance: object) -> None:
        pass

    @override
    def act(self, match: Match, seat: int, outlook: Any) -> Act:
        """Return the throw with the best dice kept, or stop."""
        position = match.now
        assert isinstance(position, Dodeka)
        keep, _ = best("points", position.dice, position.throws_left, position.scale)
        return Act("stop") if keep is None else Act("throw", {"keep": keep})
