"""Calls of Dudab Buba: a column that is taken, a request or its end, the end of the deck, the points of a round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from umpi.games.dudab_buba.cards import DUDAB
from umpi.kernel import Act, Call, Who, message
from umpi.kernel.messages import listed

if TYPE_CHECKING:
    from umpi.games.dudab_buba.rules import DudabBuba


def calls(before: DudabBuba, act: Act, after: DudabBuba) -> Iterator[Call]:
    """Yield what the referee says about an act."""
    if act.verb == "play":
        yield from _played(before, act, after)
    if _voids(before, act, after):
        text = message("The request no longer applies") if before.request else message("The shaman needs no answer now")
        yield Call("void", text, {"column": before.spot})
    if before.hidden.deck and not after.hidden.deck:
        yield Call("deck-out", message("The deck is empty: the round ends"))
    if len(after.rounds) > len(before.rounds):
        yield _counted(len(after.rounds), after.rounds[-1])


def _played(before: DudabBuba, act: Act, after: DudabBuba) -> Iterator[Call]:
    seat, column = before.turn, cast(int, act.given["column"])
    if cards := len(after.piles[seat]) - len(before.piles[seat]):
        text = message("{who} takes column {column}, cards: {cards}", who=Who(seat), column=column + 1, cards=cards)
        yield Call("taken", text, {"seat": seat, "column": column, "cards": cards})
    if act.given["card"] == DUDAB and after.request:
        kind, _, wanted = after.request.partition(":")
        template = "{who} asks for the value {wanted}"
        if kind == "colour":
            template = "{who} asks for the colour {wanted}"
        elif kind == "symbol":
            template = "{who} asks for the symbol {wanted}"
        yield Call("request", message(template, who=Who(seat), wanted=wanted), {"seat": seat, "ask": after.request})


def _voids(before: DudabBuba, act: Act, after: DudabBuba) -> bool:
    """Check whether an act ends an open request, or a shaman's call for an answer, without meeting it."""
    if act.verb == "draw":
        return before.spot is not None and act.given.get("column") == before.spot
    return act.given.get("card") == DUDAB and before.request is not None and after.request is None


def _counted(number: int, points: tuple[int, ...]) -> Call:
    each = [message("{who} {points}", who=Who(seat), points=own) for seat, own in enumerate(points)]
    text = message("Round {round}: {points}", round=number, points=listed(each))
    return Call("round", text, {"round": number, "points": points})
