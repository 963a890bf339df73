"""The table of a random game: points as people score them, where evenly drawn ones would run to thousands."""

from __future__ import annotations

from typing import Any

from umpi.kernel import Act, replace
from umpi.kernel.fields import Chance
from umpi.kernel.random_games import sample


class ScorePadTable:
    """Scores -20 to 60 points at a time; all else as it falls."""

    def __init__(self, chance: Chance, position: Any) -> None:
        self._chance = chance

    def act(self, position: Any) -> Act:
        """Do what is offered, with likelier points."""
        act = sample(position.asks(), self._chance)
        field = {"score": "points", "set": "total"}.get(act.verb)
        return replace(act, given={**act.given, field: int(self._chance() * 81) - 20}) if field else act

    def audit(self, position: Any) -> str:
        """Hold nothing that a position could contradict."""
        return ""
