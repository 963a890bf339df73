"""What somebody did in Dodekka, in sentences: the page shows them after "Last:" and in the history."""

from __future__ import annotations

from typing import Any

from umpi.games.dodekka.cards import ELEMENTS
from umpi.kernel import Act, Who, message
from umpi.kernel.messages import Parts, listed


def told(act: Act, seat: int, line: tuple[str, ...]) -> str:
    """Return a sentence about an act of `seat`, or of the seat that it names; `line` is on the table before it."""
    given = dict[str, Any](act.given)
    who = Who(given.get("seat", seat))
    match act.verb:
        case "deal":
            return message("The line starts with {cards}.", cards=listed(given["cards"]))
        case "turn":
            return message("{who} flips {card}.", who=who, card=given["card"])
        case "take":
            return message("{who} takes {card}.", who=who, card=line[0])
        case "hand" if given["cards"]:
            return message("{who} ends with {cards}.", who=who, cards=listed(given["cards"]))
        case "sums" if any(given["counts"]):
            each = zip(ELEMENTS, given["counts"], given["sums"], strict=True)
            points = [message("{element} {points}", element=name, points=total) for name, count, total in each if count]
            return message("{who} ends with these points: {points}.", who=who, points=Parts(points))
        case _:
            return message("{who} ends without a card.", who=who)


def decided(seat: int) -> str:
    """Return what hands do for a seat that flips."""
    return message("Flip the top card of the deck for {who}.", who=Who(seat))
