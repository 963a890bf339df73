"""The dealer of the score pad: it draws points of a realistic size, because even odds would give thousands."""

from __future__ import annotations

from typing import Any

from umpi.kernel import Act, Dealer, override, replace
from umpi.kernel.fields import Chance
from umpi.kernel.random_games import sample


class ScorePadTable(Dealer):
    """Play random games with -20 to 60 points per entry; all other acts are drawn from the offer."""

    def __init__(self, chance: Chance, position: Any) -> None:
        self._chance = chance

    @override
    def act(self, position: Any) -> Act:
        """Return an act of the offer, with points of a realistic size."""
        act = sample(position.asks(), self._chance)
        field = {"score": "points", "set": "total"}.get(act.verb)
        return replace(act, given={**act.given, field: int(self._chance() * 81) - 20}) if field else act

    @override
    def audit(self, position: Any) -> str:
        """Return "": the dealer has no cards to compare."""
        return ""
