"""The set-up of Dudab Buba: the deck with its expansions, the hands and the columns, for each round."""

from __future__ import annotations

from typing import Literal

from umpi.games.dudab_buba.cards import deck
from umpi.kernel import Who, message

ENTERED = {
    "all": message("Enter the open cards, and after a round the hands."),
    "score": message("After each round, enter every hand and pile."),
    "counts": message("After each round, enter how many cards of each kind."),
}


def table_setup(
    seats: int, wide: int, track: Literal["all", "score", "counts"], jungle: bool, baby: bool, **_: object
) -> tuple[str, ...]:
    """Return how to set the game up, with `wide` columns."""
    template = "Shuffle number cards, dudabs, shamans. Cards: {cards}"
    if jungle and baby:
        template = "Shuffle all cards, also jungles and babies. Cards: {cards}"
    elif jungle:
        template = "Shuffle all cards without the babies. Cards: {cards}"
    elif baby:
        template = "Shuffle all cards without the jungles. Cards: {cards}"
    again = (message("Shuffle a jungle or baby back now, and take another card."),)
    return (
        message(template, cards=len(deck(jungle, baby))),
        message("Deal three cards each."),
        message("Open a card for each column. Columns: {columns}", columns=wide),
        *(again if jungle or baby else ()),
        message("The rest is the deck. Leave room for discards and piles."),
        message("Rounds: {rounds}. Shuffle and deal for each.", rounds=seats),
        ENTERED[track],
        message("{who} begins. The rule sheet names the scruffiest hair.", who=Who(0)),
    )
