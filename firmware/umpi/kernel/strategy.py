"""The contract of a strategy, which decides for a seat in the laboratory and gives hints at the box."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from umpi.kernel.fields import Chance
from umpi.kernel.game import Act
from umpi.kernel.match import Match


class Strategy(ABC):
    """Decide for one seat in one game. A member that you leave out has the value or the behaviour shown here."""

    game: ClassVar[str] = ""
    """The id of the only game that it can play; "" for every game."""
    looks_ahead: ClassVar[bool] = False
    """Whether it plays on in worlds of the outlook."""

    @abstractmethod
    def __init__(self, chance: Chance) -> None: ...

    @abstractmethod
    def act(self, match: Match, seat: int, outlook: Any) -> Act | None:
        """Return an act with the decision of `seat`, None to decide at random. Leave the match as it was.

        Only what the seat decides counts: dice and cards of the act are drawn afterwards.
        """

    def volunteers(self, match: Match, seat: int, outlook: Any, act: Act) -> bool | None:
        """Return whether `seat` does `act` now, an act that nobody asks for; None to decide at random.

        Leave the match as it was.
        """
        return None
