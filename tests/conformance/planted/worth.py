"""The bag with what its choices are worth, and with one fault planted in that."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

from planted.bag import Bag
from umpi.kernel import Act, Worth, Worths, message, override


class Stones(Worths):
    """Count what each turn gives: a stone from the bag, or nothing."""

    measure: ClassVar = message("points of a turn")
    more: ClassVar = Fraction(0)

    @override
    def choices(self, position: Bag) -> Sequence[Worth]:
        """Return to draw, and to pass if the seat may."""
        if not position.bag:
            return ()
        draw = Worth(Act("draw"), "draw", Fraction(sum(position.bag), len(position.bag)) + self.more)
        return [draw] if position.turn in position.passed else [draw, Worth(Act("pass"), "pass", Fraction(0))]

    @override
    def situation(self, position: Bag) -> str:
        """Return how many stones are left."""
        return message("{left} stones", left=len(position.bag))

    @override
    def earned(self, before: Bag, position: Bag) -> int | None:
        """Return the stone of the turn, 0 if there is none."""
        return sum(position.hands[before.turn]) - sum(before.hands[before.turn])


class Hopeful(Stones):
    """Takes the average of the bag for one more than it is."""

    more: ClassVar = Fraction(1)


class Unending(Stones):
    """Finds no end of a turn."""

    @override
    def earned(self, before: Bag, position: Bag) -> int | None:
        """Return that the turn goes on."""
        return None


class Rounded(Stones):
    """Rounds what a stone gives."""

    @override
    def choices(self, position: Bag) -> Sequence[Worth]:
        """Return the choices with floating point numbers."""
        return [each._replace(average=float(each.average)) for each in super().choices(position)]


class Weighed(Bag):
    """Knows what its choices are worth."""

    worths: ClassVar = Stones


class Generous(Bag):
    """Promises one point more than a stone gives."""

    worths: ClassVar = Hopeful


class Lasting(Bag):
    """Has turns that never end."""

    worths: ClassVar = Unending


class Inexact(Bag):
    """Has averages that are no fractions."""

    worths: ClassVar = Rounded
