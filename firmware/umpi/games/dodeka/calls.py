"""Calls of Dodéka: the result of a turn, the last round, play-offs, the end of a part, and that time is up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from umpi.games.dodeka.combinations import PAIRTRAIZ
from umpi.games.dodeka.part import DodekaPart
from umpi.kernel import Act, Call, Who, message
from umpi.kernel.messages import names_of

if TYPE_CHECKING:
    from umpi.games.dodeka.rules import Dodeka


def calls(before: Dodeka, act: Act, after: Dodeka) -> Iterator[Call]:
    """Yield what the referee says about an act; a throw that does not end the turn needs no call."""
    if act.verb == "time-up":
        if not after.over:
            yield Call("time-up", message("Time is up: this set is the last"))
        return
    if (act.verb == "throw" and before.throws_left > 1) or after.last is None:
        return
    seat, combination, points = after.last
    if combination == PAIRTRAIZ:
        yield Call("pairtraiz", message("Pairtraiz! {who} has 13 with a pair", who=Who(seat)), {"seat": seat})
    else:
        text = message("{who} scores {points}: {combination}", who=Who(seat), points=points, combination=combination)
        yield Call("scored", text, {"seat": seat, "combination": combination, "points": points})
    part = before.part.after_turn(seat, combination, points, before.target)
    if part.first is not None and part.last is not None:
        yield _part_over(part, part.first, part.last)
    elif part.place and (part.place, part.seats) != (before.part.place, before.part.seats):
        yield _playoff(part)
    elif not part.place and part.ends(before.target) and not before.part.ends(before.target):
        yield Call("last-round", message("This round is the last of the set"))


def _playoff(part: DodekaPart) -> Call:
    seats = tuple(sorted(part.seats))
    template = "Play-off for first place: {who}" if part.place == "first" else "Play-off for last place: {who}"
    return Call("play-off", message(template, who=names_of(seats)), {"for": part.place, "seats": seats})


def _part_over(part: DodekaPart, first: int, last: int) -> Call:
    stake = part.points[last]
    text = message(
        "{who} wins set {part}, {payer} pays {stake}", who=Who(first), part=part.number, payer=Who(last), stake=stake
    )
    return Call("part", text, {"part": part.number, "first": first, "last": last, "stake": stake})
