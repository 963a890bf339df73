"""What the choices of a turn of Dodéka are worth, exactly: the points of the turn on average."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from umpi.games.dodeka.chances import chances
from umpi.games.dodeka.odds import Faces, averages
from umpi.kernel import Act, Worth, Worths, message, message_n, override

if TYPE_CHECKING:
    from umpi.games.dodeka.rules import Dodeka


class TurnPoints(Worths):
    """Count the points of each turn; the pairtraiz, which wins a set, counts 0 points as in the rules.

    In the last turns of a match, the chance to win it is known too.
    """

    measure: ClassVar = message("turn points")
    throw_all: ClassVar = "throw all three"  # as records say it; players read the act in their language

    @override
    def choices(self, position: Dodeka) -> Sequence[Worth]:
        """Return to stop, and each set of dice to keep, with the points that the turn then gives on average.

        >>> from umpi.games.dodeka import Dodeka
        >>> game = Dodeka.setup(2).do_throw(0, (), (10, 10, 10)).do_throw(0, (10,), (10, 10))
        >>> stop, *_, again = TurnPoints().choices(game)
        >>> stop.words, float(stop.average), again.words, round(float(again.average), 1)
        ('stop', 500.0, 'throw all three', 33.3)
        """
        if position.over:
            return ()
        found = averages("points", position.dice, position.throws_left, position.scale)
        to_win = chances(position)
        return [Worth(*_named(keep), average, to_win.get(keep)) for keep, average in found.items()]

    @override
    def situation(self, position: Dodeka) -> str:
        """Return the dice on the table, and the throws that are left."""
        dice, left = " ".join(map(str, position.dice)), position.throws_left
        return message_n("{dice}, one roll left", "{dice}, {number} rolls left", left, dice=dice)

    @override
    def earned(self, before: Dodeka, position: Dodeka) -> int | None:
        """Return the points of the turn that has ended between two positions, None while it goes on."""
        if position.last is None or position.dice or before.time_up != position.time_up:
            return None
        return position.last[2]


def _named(keep: Faces | None) -> tuple[Act, str]:
    if keep is None:
        return Act("stop"), "stop"
    return Act("throw", {"keep": keep}), f"keep {' '.join(map(str, keep))}" if keep else TurnPoints.throw_all
