"""A small game that holds in every check: stones are drawn from a bag until it is empty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self

from umpi.kernel import Ask, Field, Game, Number, Pick, Result, Row, View, message, override, placed, replace

MOST = 12  # stones, numbered from 1

Stone = Annotated[int, range(1, MOST + 1)]

DRAW = "Draw a stone from the bag; its number is your points. A stone drawn loudly counts no more."
PASS = "Each seat may pass once."


@dataclass(frozen=True, slots=True)
class Bag(Game):
    """A position of the bag.

    >>> Bag.setup(2, stones=3).do_draw(0, 3).do_pass(1).do_draw(0, 2).scores()
    (5, 0)
    """

    id: ClassVar = "bag"
    umpi_api: ClassVar = 3
    title: ClassVar = "Bag"
    seats: ClassVar = range(2, 5)
    options: ClassVar[tuple[Field, ...]] = (Number("stones", 3, MOST),)
    longest: ClassVar = MOST + 4

    hands: tuple[tuple[int, ...], ...]  # the stones of each seat
    stones: int  # how many there are
    bag: tuple[int, ...]  # those still in the bag
    turn: int = 0
    passed: tuple[int, ...] = ()  # seats that have passed

    @classmethod
    @override
    def setup(cls, seats: int, stones: int = 8) -> Self:
        """Fill the bag."""
        return cls(((),) * seats, stones, tuple(range(1, stones + 1)))

    @property
    @override
    def phase(self) -> str:
        """The step the game waits in."""
        return "turn" if self.bag else "over"

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Offer to draw, and to pass once."""
        if not self.bag:
            return ()
        stone = Pick("stone", self.bag, range(1, self.stones + 1), self._gone, "table")
        loud = Pick("loud", (True, False), optional=True)
        draw = Ask("draw", "Draw", (stone, loud), self.turn, DRAW)
        return (draw,) if self.turn in self.passed else (draw, Ask("pass", "Pass", (), self.turn, PASS, weight=0.3))

    def do_draw(self, seat: int, stone: Stone, loud: bool = False) -> Self:
        """Move a stone from the bag to a hand."""
        hands = tuple((*hand, stone) if own == seat else hand for own, hand in enumerate(self.hands))
        left = tuple(other for other in self.bag if other != stone)
        return replace(self, hands=hands, bag=left, turn=self._next)

    def do_pass(self, seat: int) -> Self:
        """Draw nothing."""
        return replace(self, passed=(*self.passed, seat), turn=self._next)

    @override
    def scores(self) -> tuple[int, ...]:
        """Sum the stones of each hand."""
        return tuple(map(sum, self.hands))

    @override
    def result(self) -> Result | None:
        """Rank by points, ties share."""
        return None if self.bag else Result(placed(self.scores()), message("most points"))

    @override
    def facts(self) -> dict[str, Any]:
        """Tell what is in the bag and in the hands."""
        return {"bag": self.bag, "hands": self.hands}

    @override
    def view(self) -> View:
        """Show how many stones are left, and how many each seat has."""
        rows = (Row(message("left"), tuple(map(str, self.bag[:6]))),)
        return View(message("bag {left}", left=len(self.bag)), tuple(str(len(hand)) for hand in self.hands), rows)

    @override
    def odds(self) -> tuple[Row, ...]:
        """Tell what a stone is worth on average."""
        return (Row(message("a stone"), (f"{sum(self.bag) / len(self.bag):.1f}",)),) if self.bag else ()

    @override
    def audit(self) -> str:
        """Check that each stone is in one place."""
        stones = sorted(sum(self.hands, self.bag))
        return "" if stones == [*range(1, self.stones + 1)] else "the stones are not all there once"

    @property
    def _next(self) -> int:
        return (self.turn + 1) % len(self.hands)

    def _gone(self, stone: object) -> str:
        return message("Stone {stone} has been drawn.", stone=stone)


def changed(asks: tuple[Ask, ...], **changes: Any) -> tuple[Ask, ...]:
    """Change the first question of an offer."""
    return tuple(replace(ask, **changes) if index == 0 else ask for index, ask in enumerate(asks))


def more(asks: tuple[Ask, ...], field: Number) -> tuple[Ask, ...]:
    """Ask the first question of an offer for one thing more."""
    return changed(asks, fields=(*asks[0].fields, field)) if asks else ()
