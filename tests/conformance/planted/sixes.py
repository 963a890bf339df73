"""A dice game with a last round, and ten mistakes of authors planted in it: each class has one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self

from umpi.kernel import Ask, Dice, Field, Game, Number, Result, message, override, placed, replace

Face = Annotated[int, range(1, 7)]
Six = tuple[Face, Face, Face, Face, Face, Face]
ROLL = "Roll six dice. Ones 100, fives 50, three of a kind a hundred times the face, three ones 1000."


@dataclass(frozen=True, slots=True)
class Sixes(Game):
    """Roll six dice as often as you dare; who reaches the goal gives each other seat one more turn.

    >>> Sixes.setup(2).do_roll(0, (1, 5, 2, 3, 4, 6)).do_bank(0).scores()
    (150, 0)
    """

    id: ClassVar = "sixes"
    umpi_api: ClassVar = 3
    title: ClassVar = "Sixes"
    wins: ClassVar = "highest"
    seats: ClassVar = range(2, 4)
    options: ClassVar[tuple[Field, ...]] = (Number("goal", 100, 9000),)
    longest: ClassVar = 2_000

    totals: tuple[int, ...]
    goal: int
    turn: int = 0
    pot: int = 0
    left: int | None = None  # turns of the last round that are left; None before a seat reaches the goal

    @classmethod
    @override
    def setup(cls, seats: int, goal: int = 1000) -> Self:
        """Begin with nothing."""
        return cls((0,) * seats, goal)

    @property
    @override
    def phase(self) -> str:
        """The step the game waits in."""
        return "over" if self.left == 0 else "turn"

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Offer to roll, and to bank what was rolled."""
        if self.left == 0:
            return ()
        roll = Ask("roll", "Roll", (Dice("dice", 6, 6),), self.turn, ROLL)
        bank = Ask("bank", "Bank", (), self.turn, "The pot is safe.")
        return (bank, roll) if self.pot else (roll,)

    def do_roll(self, seat: int, dice: Six) -> Self:
        """Add the dice to the pot; dice without points lose it and the turn."""
        won = self.points(dice)
        return replace(self, pot=self.pot + won) if won else self.passed(self.totals)

    def do_bank(self, seat: int) -> Self:
        """Make the pot safe."""
        return self.passed(tuple(own + self.pot * (number == seat) for number, own in enumerate(self.totals)))

    def passed(self, totals: tuple[int, ...]) -> Self:
        """End the turn; the first seat at the goal begins the last round."""
        left = self.left - 1 if self.left is not None else None
        if left is None and max(totals) >= self.goal:
            left = self.last_turns
        return replace(self, totals=totals, turn=self.next, pot=0, left=left)

    @property
    def next(self) -> int:
        """The seat whose turn is next."""
        return (self.turn + 1) % len(self.totals)

    @property
    def last_turns(self) -> int:
        """How many turns the last round has."""
        return len(self.totals) - 1

    def points(self, dice: tuple[int, ...]) -> int:
        """Return what six dice bring."""
        counts = Counter(dice)
        threes = sum({1: 1000}.get(face, face * 100) * (count // 3) for face, count in counts.items())
        return threes + 100 * (counts[1] % 3) + 50 * (counts[5] % 3)

    @override
    def scores(self) -> tuple[int, ...]:
        """Count what is banked."""
        return self.totals

    @override
    def result(self) -> Result | None:
        """Rank by points."""
        return Result(placed(self.totals), message("most points")) if self.left == 0 else None

    @override
    def facts(self) -> dict[str, Any]:
        """Tell the pot."""
        return {"pot": self.pot}


RECORD = b"""\
{"umpi": 1, "game": "sixes", "players": ["Ann", "Ben"], "options": {"goal": 1000}, \
"totals": [[0, 0], [150, 0], null, [150, 0], [150, 0], [1150, 0], [1150, 0], [1150, 100]], "expect": {"winners": [0]}}
{"do": "roll", "dice": [1, 5, 2, 3, 4, 6], "by": 0}
{"do": "bank", "by": 0}
{"refuse": {"do": "bank"}}
{"do": "roll", "dice": [1, 2, 2, 3, 3, 4], "by": 1}
{"do": "roll", "dice": [2, 2, 3, 3, 4, 6], "by": 1}
{"do": "roll", "dice": [1, 1, 1, 2, 3, 4], "by": 0}
{"do": "bank", "by": 0}
{"do": "roll", "dice": [1, 2, 2, 3, 3, 4], "by": 1}
{"do": "bank", "by": 1}
"""


class WrongScore(Sixes):
    """Counts three ones as three hundred."""

    def points(self, dice: tuple[int, ...]) -> int:
        """Forget that three ones are special."""
        return sum({1: 100, 5: 50}.get(face, 0) for face in dice)


class SkippedSeat(Sixes):
    """Leaves a seat out after each turn."""

    @property
    def next(self) -> int:
        """Skip a seat."""
        return (self.turn + 2) % len(self.totals)


class IllegalOffer(Sixes):
    """Lets a seat bank before it has rolled."""

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Offer to bank always."""
        return (Ask("bank", "Bank", (), self.turn, "?"), *Sixes.asks(self)[-1:]) if self.left != 0 else ()


class NoLastRound(Sixes):
    """Ends as soon as a seat reaches the goal."""

    @property
    def last_turns(self) -> int:
        """Play no last round."""
        return 0


class NoHints(Sixes):
    """Does not say what dice are."""

    def do_roll(self, seat, dice):  # type: ignore[no-untyped-def]
        """Roll."""
        return Sixes.do_roll(self, seat, dice)


class ListHint(Sixes):
    """Says that dice are a list."""

    def do_roll(self, seat: int, dice: list[int]) -> Self:  # type: ignore[override]
        """Roll."""
        return Sixes.do_roll(self, seat, tuple(dice))  # type: ignore[arg-type]


class WrongSeat(Sixes):
    """Asks the neighbour to roll, and lets the points go to the seat whose turn it is."""

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Ask the next seat."""
        return tuple(replace(ask, seat=(self.turn + 1) % len(self.totals)) for ask in Sixes.asks(self))

    def do_bank(self, seat: int) -> Self:
        """Make the pot safe."""
        return Sixes.do_bank(self, self.turn)


class SixOfAKind(Sixes):
    """Fails at six equal dice."""

    def points(self, dice: tuple[int, ...]) -> int:
        """Look at the second face."""
        first, second, *_ = Counter(dice).most_common()
        return Sixes.points(self, dice) + 0 * (first[1] - second[1])


class WrongWinner(Sixes):
    """Gives the first place to the fewest points."""

    @override
    def result(self) -> Result | None:
        """Rank the wrong way round."""
        return Result(placed(tuple(-own for own in self.totals)), "fewest") if self.left == 0 else None


class KeptPot(Sixes):
    """Keeps the pot after dice without points, so that the next seat gets it."""

    def passed(self, totals: tuple[int, ...]) -> Self:
        """End the turn with the pot."""
        return replace(Sixes.passed(self, totals), pot=0 if totals != self.totals else self.pot)


BUGS: Mapping[type[Sixes], tuple[str, ...]] = {  # what catches each bug: a check, the written record or the snapshot
    WrongScore: ("records", "snapshot"),
    SkippedSeat: ("turns", "records", "snapshot"),
    IllegalOffer: ("records", "snapshot"),
    NoLastRound: ("records", "snapshot"),
    NoHints: ("declaration",),
    ListHint: ("declaration",),
    WrongSeat: ("records", "snapshot"),
    SixOfAKind: ("legality",),
    WrongWinner: ("records", "snapshot"),
    KeptPot: ("records",),
}
