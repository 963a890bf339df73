"""A small game with a rule of each kind that `umpi check --mutate` changes, and texts that it leaves alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self

from umpi.kernel import Ask, Field, Game, Number, Result, message, override, placed, replace

STEP = 2
Up = Annotated[int, range(1, 3)]


@dataclass(frozen=True, slots=True)
class Rungs(Game):
    """Seats climb in turn by one or two rungs; who reaches the top first wins, and a seat at rung 3 slips to 1."""

    id: ClassVar = "rungs"
    title: ClassVar = "Rungs"
    umpi_api: ClassVar = 3
    wins: ClassVar = "highest"
    seats: ClassVar = range(2, 3)
    longest: ClassVar = 200
    options: ClassVar[tuple[Field, ...]] = (Number("top", 4, 6),)

    rungs: tuple[int, ...]
    top: int = 5
    turn: int = 0

    @classmethod
    @override
    def setup(cls, seats: int, top: int = 5) -> Self:
        """Return the first position."""
        return cls((0,) * seats, top)

    @property
    @override
    def phase(self) -> str:
        """Return the phase."""
        return "over" if self.result() else "climb"

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Ask the seat whose turn it is."""
        if self.result():
            return ()
        return (Ask("climb", "How many rungs?", (Number("up", 1, STEP),), self.turn, "Rung 3 is loose.", weight=1.5),)

    def do_climb(self, seat: int, up: Up) -> Self:
        """Climb rung by rung."""
        at, left = self.rungs[seat], up
        while left > 0:
            at, left = at + 1, left - 1
        at = 1 if at == 3 else min(at, self.top)
        rungs = tuple(at if own == seat else other for own, other in enumerate(self.rungs))
        return replace(self, rungs=rungs, turn=1 - seat)

    @override
    def scores(self) -> tuple[int, ...]:
        """Return the rungs."""
        return self.rungs

    @override
    def result(self) -> Result | None:
        """Return the result once a seat is at the top."""
        if max(self.rungs) < self.top:
            return None
        return Result(placed(self.rungs), message("rung {top} of {top}", top=self.top + 0))

    @override
    def facts(self) -> dict[str, Any]:
        """Return nothing more."""
        return {}
