"""The contract of exact worths: what each choice gives on average, for games whose rules can compute it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

if TYPE_CHECKING:
    from umpi.kernel.game import Act


class ToWin(NamedTuple):
    """The least and the greatest chance to win the match: the true one is between them, even if it is not computed."""

    least: Fraction
    most: Fraction


class Worth(NamedTuple):
    """A choice: the act without its dice and cards, its name in a report, and what it gives on average.

    `chance` is that to win the match, where it can differ from what is counted and the rules can compute it.
    """

    act: Act
    words: str
    average: Fraction
    chance: ToWin | None = None


class Worths(ABC):
    """Compute what choices are worth, turn by turn, for `umpi review`. A game names its class as `worths`."""

    measure: ClassVar[str]
    """What is counted, as a message: "turn points"."""

    @abstractmethod
    def choices(self, position: Any) -> Sequence[Worth]:
        """Return each choice of the seat that must act, and what the turn gives if all later choices are the best.

        Return a single one if there is nothing to choose, and () if no turn is in play.
        """

    @abstractmethod
    def situation(self, position: Any) -> str:
        """Return in a few words what the seat that must act sees: "10 10 10, one roll left". It is a message."""

    @abstractmethod
    def earned(self, before: Any, position: Any) -> int | None:
        """Return what the turn gave that ended between two positions, None while it goes on."""
