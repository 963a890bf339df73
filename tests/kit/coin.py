"""A game for the laboratory: the tossing of a coin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

from umpi.kernel import Ask, Game, Number
from umpi.kernel.fields import Field
from umpi.kernel.game import Result


@dataclass(frozen=True)
class Coin(Game):
    """One number from 1 to 1000 decides: seat 0 wins up to `edge`."""

    edge: int
    thrown: int = 0

    id: ClassVar = "coin"
    title: ClassVar = "Coin"
    seats: ClassVar = range(2, 3)
    options: ClassVar[tuple[Field, ...]] = (Number("edge", 0, 1000),)

    @classmethod
    def setup(cls, seats: int, edge: int = 500) -> Self:
        return cls(edge)

    @property
    def phase(self) -> str:
        return "over" if self.thrown else "throw"

    def asks(self) -> tuple[Ask, ...]:
        return () if self.thrown else (Ask("throw", "Throw", (Number("number", 1, 1000),)),)

    def do_throw(self, seat: None, number: int) -> Self:
        if self.edge == 0:
            raise ZeroDivisionError("the edge")
        return type(self)(self.edge, number)

    def scores(self) -> tuple[int, ...]:
        return (1, 0) if 0 < self.thrown <= self.edge else (0, int(self.thrown > 0))

    def result(self) -> Result | None:
        return Result((1, 2) if self.thrown <= self.edge else (2, 1), "the coin") if self.thrown else None

    def facts(self) -> dict[str, Any]:
        return {}
