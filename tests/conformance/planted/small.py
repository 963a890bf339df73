"""The bag for two with few stones: what is long for others is short for it."""

from __future__ import annotations

from typing import ClassVar, Self

from planted.bag import Bag, Stone
from umpi.kernel import Act, Ask, Number, replace
from umpi.kernel.fields import Chance
from umpi.kernel.game import Game
from umpi.kernel.random_games import sample


class Small(Bag):
    """The bag for two, with few stones."""

    seats: ClassVar = range(2, 3)
    options: ClassVar = (Number("stones", 3, 5),)

    @classmethod
    def setup(cls, seats: int, stones: int = 4) -> Self:
        """Fill the bag."""
        return cls(((),) * seats, stones, tuple(range(1, stones + 1)))


class Endless(Small):
    """Goes on for ever with five stones."""

    longest: ClassVar = 50

    def do_draw(self, seat: int, stone: Stone, loud: bool = False) -> Self:
        """Keep the last stone in the bag."""
        return replace(self, turn=self._next) if self._ever else Bag.do_draw(self, seat, stone, loud)

    @property
    def _ever(self) -> bool:
        return self.stones == 5


class Forever(Endless):
    """Goes on for ever with any number of stones."""

    @property
    def _ever(self) -> bool:
        return True


class Dealer:
    """Deals as random players would, and finds a fault at last."""

    def __init__(self, chance: Chance, position: Game) -> None:
        self._chance = chance

    def act(self, position: Bag) -> Act:
        """Draw an act."""
        if len(position.bag) == position.stones - 3:
            raise LookupError("no stone")
        return sample(position.asks(), self._chance)

    def audit(self, position: Bag) -> str:
        """Find a fault."""
        return "a stone is marked" if len(position.bag) == 1 else ""


class Dealt(Small):
    """Is dealt."""

    dealer: ClassVar = Dealer


class Timed(Small):
    """Is ended by the box."""

    def asks(self) -> tuple[Ask, ...]:
        """Ask for a stone, or for none when the time has come."""
        asks = super().asks()
        return (*asks, Ask("end", "End", after_ms=0, weight=9)) if len(self.bag) == 2 else asks

    def do_end(self, seat: None) -> Self:
        """Empty the bag."""
        return replace(self, bag=(), hands=((*self.hands[0], *self.bag), *self.hands[1:]))
