"""A game for the tests of the kernel: every kind of field, a few acts, and an act that breaks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self

from umpi.kernel import (
    Ask,
    Dice,
    Draw,
    Each,
    Field,
    Game,
    Given,
    NamedSeat,
    Number,
    Pick,
    Result,
    Some,
    override,
    placed,
    replace,
)

CARDS = ("red", "red", "blue")


def more_stakes(given: Given) -> tuple[Field, ...]:
    """Ask the stake of a bet only where one is made, and how sure only where the stake is high."""
    if not given.get("bet"):
        return ()
    stake = Number("stake", 1, 9)
    return (stake, Pick("sure", (True, False))) if given.get("stake", 0) > 5 else (stake,)  # type: ignore[operator]


def not_all_nines(given: Given) -> str:
    """Object to the whole act."""
    return "a bet of nine needs another word" if given.get("stake") == 9 and given.get("with") == "nine" else ""


@dataclass(frozen=True, slots=True)
class Toy(Game):
    """Seats bet in turn until one has ten points; `ring-out` is nobody's, `point-at` names a seat, `crash` breaks."""

    id: ClassVar = "toy"
    title: ClassVar = "Toy"
    seats: ClassVar = range(2, 4)
    options: ClassVar[tuple[Field, ...]] = (Number("goal", 1, 99, null=True), Pick("mood", ("calm", "wild")))
    longest: ClassVar = 400

    points: tuple[int, ...]
    turn: int = 0
    goal: int | None = 10

    @classmethod
    @override
    def setup(cls, seats: int, goal: int | None = 10, mood: str = "calm") -> Self:
        return cls((0,) * seats, goal=goal)

    @property
    @override
    def phase(self) -> str:
        return "over" if self.result() else "say"

    @override
    def asks(self) -> tuple[Ask, ...]:
        if self.result():
            return ()
        with_ = Pick("with", ("nine", "ten", None), optional=True)
        say = Ask("say", "Say", (Pick("bet", (True, False)), with_), self.turn, "", more_stakes, not_all_nines)
        hand = Each("marks", tuple(Number(f"p{seat}", 0, 3) for seat in range(len(self.points))))
        point = Ask("point-at", "Point", (Pick("seat", tuple(range(len(self.points)))), hand))
        roll = Ask("ring-out", "Ring", (Dice("dice", 2, 6), Draw("cards", CARDS, 2), Some("left", CARDS, 0, 2)))
        return (say, point, roll, Ask("crash", "Crash", (), self.turn, weight=0.0, rare=True))

    def do_say(self, seat: int, bet: bool, with_: str | None = None, stake: int = 0, sure: bool = False) -> Self:
        return self._scored(seat, stake)

    def do_point_at(self, seat: NamedSeat, marks: Annotated[tuple[int, ...], range(2, 4)]) -> Self:
        return self._scored(seat, marks[seat])

    def do_ring_out(self, seat: None, dice: tuple[int, int], cards: tuple[str, str], left: tuple[str, ...]) -> Self:
        return self

    def do_crash(self, seat: int) -> Self:
        raise ZeroDivisionError("a bug")

    @override
    def scores(self) -> tuple[int, ...]:
        return self.points

    @override
    def result(self) -> Result | None:
        if max(self.points) < (self.goal or 10):
            return None
        return Result(placed(self.points), "most points")

    @override
    def facts(self) -> dict[str, Any]:
        return {"turn": self.turn}

    def _scored(self, seat: int, points: int) -> Self:
        now = tuple(own + points * (place == seat) for place, own in enumerate(self.points))
        return replace(self, points=now, turn=(self.turn + 1) % len(self.points))
