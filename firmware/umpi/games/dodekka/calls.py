"""Calls of Dodekka: a bust, and a card that goes over 12 without a bust."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from umpi.games.dodekka.cards import value_of
from umpi.kernel import Act, Call, Who, message

if TYPE_CHECKING:
    from umpi.games.dodekka.rules import Dodekka


def calls(before: Dodekka, act: Act, after: Dodekka) -> Iterator[Call]:
    """Yield the ruling on a turned card that takes the line over 12."""
    if act.verb != "turn":
        return
    seat, line = before.turn, (*before.line, str(act.given["card"]))
    total = sum(value_of[card] for card in line)
    if after.bust is not None:
        template = "Bust at {total}! {who} takes the line, cards: {cards}"
        text = message(template, total=total, who=Who(seat), cards=len(line))
        yield Call("bust", text, {"seat": seat, "total": total, "cards": len(line)})
    elif total > before.limit:
        value = value_of[line[-1]]
        text = message("No bust at {total}: {who} matches the {value}", total=total, who=Who(seat), value=value)
        yield Call("no-bust", text, {"seat": seat, "total": total, "value": value})
