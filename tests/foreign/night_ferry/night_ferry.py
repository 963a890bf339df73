"""Night ferry: bring all travellers across before the river floods the landing. All players win, or all lose.

Example of a cooperative game: one team of all seats, and a result without a winner. It brings its board as data.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self

from umpi.kernel import (
    Act,
    Ask,
    Call,
    Dice,
    Field,
    Game,
    Number,
    Result,
    Row,
    Teams,
    View,
    message,
    override,
    replace,
)
from umpi.kernel.board import Board, Line, Space, Token, Track

Face = Annotated[int, range(1, 7)]
Two = Annotated[tuple[Face, ...], range(2, 3)]
One = Annotated[tuple[Face, ...], range(1, 2)]
CARRIES, RISES, HOLDS = 4, 2, 3  # the least face that carries a traveller, the most that raises the river, and a dam

ROW = "Each die of 4 or more brings a traveller across. Each 1 or 2 raises the river by one."
DAM = "A 3 or more lowers the river by two."


@dataclass(frozen=True, slots=True)
class NightFerry(Game):
    """A position of Night ferry.

    >>> NightFerry.setup(2, travellers=2).do_row(0, (4, 6)).result().winners
    (0, 1)
    >>> NightFerry.setup(2, flood=2).do_row(0, (1, 2)).result().winners
    ()
    """

    id: ClassVar = "night-ferry"
    title: ClassVar = "Night ferry"
    umpi_api: ClassVar = 3
    kind: ClassVar = "dice"
    wins: ClassVar = "highest"
    pieces: ClassVar = {"dice": "die"}
    seats: ClassVar = range(1, 7)
    options: ClassVar[tuple[Field, ...]] = (Number("travellers", 1, 30), Number("flood", 1, 20))
    longest: ClassVar = 2_000

    players: int
    travellers: int  # who wait on the near bank at the start
    flood: int  # the level at which the landing floods
    across: int = 0
    level: int = 0
    turn: int = 0

    @classmethod
    @override
    def setup(cls, seats: int, travellers: int = 8, flood: int = 4) -> Self:
        """Return the first position."""
        return cls(seats, travellers, flood)

    @override
    def teams(self) -> Teams:
        """Return one team of all seats: they win or lose together."""
        return (tuple(range(self.players)),)

    @property
    @override
    def phase(self) -> str:
        """Return what the game waits for."""
        return "over" if self.result() else "night"

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Offer to row, and to build a dam if the river has risen."""
        if self.result():
            return ()
        row = Ask("row", "Row across", (Dice("dice", 2, 6),), self.turn, ROW)
        dam = Ask("dam", "Build a dam", (Dice("dice", 1, 6),), self.turn, DAM)
        return (row, dam) if self.level else (row,)

    def do_row(self, seat: int, dice: Two) -> Self:
        """Bring travellers across; the river may rise."""
        across = min(self.travellers, self.across + sum(face >= CARRIES for face in dice))
        level = min(self.flood, self.level + sum(face <= RISES for face in dice))
        return replace(self, across=across, level=level, turn=self._next)

    def do_dam(self, seat: int, dice: One) -> Self:
        """Lower the river, if the dam holds."""
        return replace(self, level=max(0, self.level - 2 * (dice[0] >= HOLDS)), turn=self._next)

    @override
    def scores(self) -> tuple[int, ...]:
        """Return how many travellers are across, the same for all seats."""
        return (self.across,) * self.players

    @override
    def result(self) -> Result | None:
        """Return that all have won once everybody is across, or that all have lost once the landing floods."""
        if self.across == self.travellers:
            return Result((1,) * self.players, message("everybody is across"))
        if self.level == self.flood:
            return Result.lost(message("the river floods the landing"))
        return None

    @override
    def facts(self) -> dict[str, Any]:
        """Return the travellers and the river."""
        return {"across": self.across, "travellers": self.travellers, "level": self.level, "flood": self.flood}

    @override
    def view(self) -> View:
        """Return the level of the river, and how many still wait."""
        waiting = Row(message("waiting"), (str(self.travellers - self.across),))
        return View(message("river {level}/{flood}", level=self.level, flood=self.flood), rows=(waiting,))

    @override
    def shown_board(self) -> Board:
        """Return the travellers on both banks, and the river between them."""
        travellers = tuple(Token(f"traveller-{number}") for number in range(self.travellers))
        water = (Token("water", text="≈"),)
        river = tuple(Space(f"level-{n}", water if n == self.level else (), n) for n in range(self.flood + 1))
        waiting = Line(travellers[self.across :], message("waiting"))
        return Board((Line(travellers[: self.across], message("across")), Track(river, message("river")), waiting))

    @override
    def calls(self, before: Self, act: Act) -> tuple[Call, ...]:
        """Say that the river rises."""
        if self.level <= before.level or self.result():
            return ()
        text = message("The river rises to {level}", level=self.level)
        return (Call("rises", text, {"level": self.level, "pieces": ("water",)}),)

    @override
    def audit(self) -> str:
        """Check that nobody has got lost."""
        return "" if 0 <= self.across <= self.travellers else "travellers are missing"

    @property
    def _next(self) -> int:
        return (self.turn + 1) % self.players
