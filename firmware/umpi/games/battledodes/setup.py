"""The set-up of Battledodes: the board, the dodes and the roll-off."""

from __future__ import annotations

from umpi.kernel import message


def table_setup(seats: int, target: int, dodes: int, **_: object) -> tuple[str, ...]:
    """Return how to set the game up."""
    return (
        message("Sit on opposite sides, with the wall between you."),
        message("Dodes (twelve-sided dice) for each player: {dodes}", dodes=dodes),
        message("Roll one dode each: the higher face begins."),
        message("Points to win: {target}", target=target),
    )
