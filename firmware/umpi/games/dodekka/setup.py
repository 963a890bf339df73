"""The set-up of Dodekka: the deck and the first line. With the other tracks, the players enter only the result."""

from __future__ import annotations

from typing import Literal

from umpi.kernel import Who, message

ENTERED = {
    "hands": message("Play to the end. Then enter each player's cards."),
    "sums": message("Play to the end. Then enter count and sum of each element."),
}


def table_setup(seats: int, track: Literal["all", "hands", "sums"], line: int, **_: object) -> tuple[str, ...]:
    """Return how to set the game up."""
    deal = message("Deal a line of {line} face up beside the deck.", line=line)
    first = message("Enter the one nearest the deck first.")
    return (
        message("Shuffle the 60 cards."),
        *((deal, first) if track == "all" else (deal, ENTERED[track])),
        message("Keep your hand hidden."),
        message("{who} begins. The rule sheet does not say who.", who=Who(0)),
    )
