"""Which positions of Dodéka are alike, for `umpi check dodeka --exhaustive`."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from umpi.games.dodeka.rules import Dodeka


def merged(game: Dodeka) -> Hashable:
    """Return what decides how a match goes on: the seats from the one that starts the set, and no history.

    How a seat made its points no longer matters, nor which set gave it its total.
    """
    part = game.part
    seats = len(part.points)

    def turned(row: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(row[(part.starter + step) % seats] for step in range(seats))

    def steps(named: tuple[int, ...]) -> tuple[int, ...]:
        return tuple((seat - part.starter) % seats for seat in named)

    return (
        turned(part.points), turned(game.won), turned(game.scores()), len(game.grid), game.over, steps((game.turn,)),
        steps(part.seats), steps(part.pairtraiz), part.place, part.begun, game.dice, game.throws_left,
    )  # fmt: skip
