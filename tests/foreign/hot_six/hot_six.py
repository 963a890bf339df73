"""Hot six: roll six dice, set scoring dice aside, and roll the others or bank the points. A roll without a score loses.

Example of a game in which the box can roll: only the source of the dice differs.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, Self

from umpi.kernel import (
    Act,
    Ask,
    Call,
    Dice,
    Field,
    Game,
    Given,
    Number,
    Pick,
    Result,
    Row,
    Some,
    View,
    Who,
    message,
    override,
    placed,
    replace,
    rounds_of,
)

DICE = 6
ONE, FIVE = 100, 50  # points of a single 1 and of a single 5
STRAIGHT = 1_500  # 1 to 6

Roller = Literal["table", "box"]
Face = Annotated[int, range(1, 7)]
Faces = Annotated[tuple[Face, ...], range(1, 7)]


def points_of(dice: tuple[int, ...]) -> int:
    """Return the points of dice that all score; 0 if one of them does not.

    >>> points_of((5,)), points_of((1, 1, 1)), points_of((2, 2, 2, 2)), points_of((2, 5))
    (50, 1000, 400, 0)
    """
    if sorted(dice) == [1, 2, 3, 4, 5, 6]:
        return STRAIGHT
    total = 0
    for face, count in Counter(dice).items():
        if count >= 3:
            total += (1_000 if face == 1 else 100 * face) * 2 ** (count - 3)
        elif face in (1, 5):
            total += count * (ONE if face == 1 else FIVE)
        else:
            return 0
    return total


def scoring(dice: tuple[int, ...]) -> tuple[int, ...]:
    """Return the dice of a roll that can score, alone or together."""
    if points_of(dice):
        return dice
    return tuple(face for face in dice if face in (1, 5) or dice.count(face) >= 3)


@dataclass(frozen=True, slots=True)
class HotSix(Game):
    """A position of Hot six.

    >>> game = HotSix.setup(2).do_roll(0, (1, 2, 3, 4, 6, 6)).do_keep(0, (1,)).do_bank(0)
    >>> game.scores(), game.turn
    ((100, 0), 1)
    """

    id: ClassVar = "hot-six"
    title: ClassVar = "Hot six"
    umpi_api: ClassVar = 3
    kind: ClassVar = "dice"
    wins: ClassVar = "highest"
    pieces: ClassVar = {"keep": "die", "dice": "die"}
    seats: ClassVar = range(2, 7)
    options: ClassVar[tuple[Field, ...]] = (Number("goal", 500, 20_000), Pick("dice", ("table", "box")))
    longest: ClassVar = 20_000

    banked: tuple[int, ...]
    goal: int
    roller: Roller
    turn: int = 0
    pot: int = 0  # points of this turn that are not safe
    rolled: tuple[int, ...] = ()  # the dice of the last roll, until some are set aside
    left: int = DICE  # dice that the next roll takes

    @classmethod
    @override
    def setup(cls, seats: int, goal: int = 4_000, dice: Roller = "table", first: int = 0) -> Self:
        """Return the first position; `first` begins. In the cup, that is another seat in each round."""
        return cls((0,) * seats, goal, dice, turn=first)

    @property
    @override
    def phase(self) -> str:
        """Return what the game waits for."""
        return "over" if self.result() else "keep" if self.rolled else "roll"

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Offer a roll; after it, the dice to set aside; then another roll or the bank."""
        if self.result():
            return ()
        if self.rolled:
            pool = scoring(self.rolled)
            keep = Some("keep", pool, 1, len(pool), self.rolled)
            return (Ask("keep", "Set aside", (keep,), self.turn, KEEP, objection=self._all_score),)
        dice = Dice("dice", self.left, 6, source=self.roller)
        roll = Ask("roll", message("Dice to roll: {left}", left=self.left), (dice,), self.turn, ROLL)
        bank = Ask("bank", message("Bank {pot}", pot=self.pot), (), self.turn, BANK)
        return (roll, bank) if self.pot else (roll,)

    def do_roll(self, seat: int, dice: Faces) -> Self:
        """Roll the dice that are left; without a score, the turn and its points are lost."""
        return replace(self, rolled=dice) if scoring(dice) else self._next()

    def do_keep(self, seat: int, keep: Faces) -> Self:
        """Set dice aside; if all six have scored, all six may be rolled again."""
        left = len(self.rolled) - len(keep)
        return replace(self, pot=self.pot + points_of(keep), rolled=(), left=left or DICE)

    def do_bank(self, seat: int) -> Self:
        """Make the points safe, and end the turn."""
        banked = tuple(own + self.pot * (each == seat) for each, own in enumerate(self.banked))
        return replace(self, banked=banked)._next()

    @override
    def scores(self) -> tuple[int, ...]:
        """Return the points that are safe."""
        return self.banked

    @override
    def result(self) -> Result | None:
        """Return the ranking once a seat has reached the goal."""
        if max(self.banked) < self.goal:
            return None
        return Result(placed(self.banked), message("first to {goal}", goal=self.goal))

    @override
    def facts(self) -> dict[str, Any]:
        """Return the turn's points and the dice."""
        return {"pot": self.pot, "rolled": self.rolled, "left": self.left}

    @override
    def view(self) -> View:
        """Return the goal, the points at risk and the dice."""
        rows = (Row(message("pot"), (str(self.pot),)), Row(message("dice"), tuple(map(str, self.rolled))))
        return View(message("to {goal}", goal=self.goal), rows=rows if self.rolled else rows[:1])

    @override
    def calls(self, before: Self, act: Act) -> tuple[Call, ...]:
        """Say what the box has rolled, and that a roll has scored nothing."""
        if act.verb != "roll":
            return ()
        faces = " ".join(map(str, act.given["dice"]))
        if self.turn != before.turn:
            text = message("{dice}: no score. {who} loses: {pot}", dice=faces, who=Who(before.turn), pot=before.pot)
            return (Call("nothing", text, {"seat": before.turn, "pot": before.pot}, sound="bad"),)
        rolled = Call("rolled", message("{who} rolls {dice}", who=Who(self.turn), dice=faces), {"seat": self.turn})
        return (rolled,) if self.roller == "box" else ()

    def _next(self) -> Self:
        return replace(self, turn=(self.turn + 1) % len(self.banked), pot=0, rolled=(), left=DICE)

    def _all_score(self, given: Given) -> str:
        return "" if points_of(given["keep"]) else message("Each die that is set aside must score.")


ROLL = "Roll the dice that are left. If none of them scores, you lose the points of this turn."
KEEP = "A 1 is 100, a 5 is 50, three equal dice 100 times their face (1: 1000), each further one doubles. 1 to 6: 1500."
BANK = "Your points are safe, and the next player rolls."

HotSixCup = rounds_of(HotSix, "hot-six-cup", "Hot six cup")
