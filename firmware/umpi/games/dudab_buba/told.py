"""What somebody did in Dudab Buba, in sentences: the page shows them after "Last:" and in the history."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from umpi.games.dudab_buba.cards import BABY
from umpi.games.dudab_buba.numbers import Numbers
from umpi.games.dudab_buba.scoring import score_counts
from umpi.kernel import Act, Who, message
from umpi.kernel.messages import listed, spaced


def told(act: Act, seat: int, numbers: Numbers) -> str:
    """Return a sentence about an act of `seat`, or of the seat that the act names."""
    given = dict[str, Any](act.given)
    who = Who(given.pop("seat", seat))
    match act.verb:
        case "reveal":
            return message("The columns start with {cards}.", cards=listed(given["cards"]))
        case "play":
            card, column = given["card"], given["column"] + 1
            return message("{who} plays {card} on column {column}.", who=who, card=card, column=column)
        case "draw" | "show":
            return _drawn(given, who)
        case "face":
            return message("{who} turns over {cards}.", who=who, cards=listed(given["turned"]))
        case "shed" if given["to"] == "pile":
            return message("{who} sheds {cards} to their pile.", who=who, cards=listed(given["cards"]))
        case "shed":
            return message("{who} sheds {cards} to the discard pile.", who=who, cards=listed(given["cards"]))
        case "hands":
            return spaced([_held(Who(owner), hand) for owner, hand in enumerate(given["hands"])])
        case "tally":
            pile = given["pile"]
            template = "On the pile: {cards}." if pile else "The pile is empty."
            return spaced((_held(who, given["hand"]), message(template, cards=listed(pile))))
        case _:
            points = score_counts(**given, points=numbers)
            return message("{who} counts {points} points.", who=who, points=points)


def _held(who: Who, cards: Sequence[str]) -> str:
    template = "{who} holds {cards}." if cards else "{who} holds no card."
    return message(template, who=who, cards=listed(cards))


def _drawn(given: dict[str, Any], who: Who) -> str:
    """Return what comes with a draw: the hand shown, the card shed, a jungle or a baby, and what covers it."""
    said = []
    if shown := given.get("shown"):
        said.append(message("{who} shows {cards}.", who=who, cards=listed(shown)))
    if shed := given.get("shed"):
        said.append(message("{who} sheds {cards} to their pile.", who=who, cards=shed))
    card, column = given.get("card"), given.get("column")
    if card is None:
        said.append(message("{who} draws a card.", who=who))
    elif column is None:
        said.append(message("{who} draws a jungle.", who=who))
    else:
        template = "{who} draws a jungle for column {column}."
        if card == BABY:
            template = "{who} draws a baby for column {column}."
        said.append(message(template, who=who, column=column + 1))
    if turned := given.get("turned"):
        said.append(message("Turned over: {cards}.", cards=listed(turned)))
    return spaced(said)
