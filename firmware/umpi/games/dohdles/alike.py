"""Which positions of Dohdles! are alike, for `umpi check dohdles --exhaustive`."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from umpi.games.dohdles.rules import Dohdles


def merged(game: Dohdles) -> Hashable:
    """Return what decides how a match goes on: the riddles without their numbers, the seats from the active one.

    The letters that are known do not matter, nor who solved a riddle, nor how many turns there were, nor the number of
    a cube.
    """
    seats = len(game.tokens)

    def step(seat: int | None) -> int | None:
        return None if seat is None else (seat - game.active) % seats

    names = game.picked, game.moved, game.first_right, game.riddle
    riddles = sorted(
        (step(riddle.owner) or 0, riddle.chip, riddle.state, *(riddle.name == name for name in names))
        for riddle in game.riddles
    )
    turned = [(game.active + own) % seats for own in range(seats)]
    return (
        tuple(riddles), tuple((game.tokens[seat], game.hindmost[seat]) for seat in turned), game.step, game.stage,
        game.clue, tuple(map(step, game.queue)), tuple(map(step, game.guessed)), frozenset(map(step, game.winners)),
    )  # fmt: skip
