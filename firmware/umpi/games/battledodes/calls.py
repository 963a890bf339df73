"""Calls of Battledodes: an equal roll-off, a crash, an attack, and the points of a turn, added one turn later."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from umpi.games.battledodes.dodes import label
from umpi.kernel import Act, Call, Who, message

if TYPE_CHECKING:
    from umpi.games.battledodes.rules import Battledodes


def calls(before: Battledodes, act: Act, after: Battledodes) -> Iterator[Call]:
    """Yield what the referee says about an act."""
    if act.verb == "roll-off" and after.phase == "roll-off":
        yield Call("roll-off", message("Equal faces: roll again to see who begins"))
    if act.verb == "crash":
        yield _forfeited(before, act)
    if act.verb == "attack":
        yield _struck(before, act)
    for seat, (total, more) in enumerate(zip(before.totals, after.totals, strict=True)):
        if points := more - total:
            text = message("{who} scores {points}, total: {total}", who=Who(seat), points=points, total=more)
            yield Call("scored", text, {"seat": seat, "points": points})


def _forfeited(before: Battledodes, act: Act) -> Call:
    seat, hit = before.roller, act.given["hit"]
    assert isinstance(hit, tuple)
    lay = ", ".join(label(before.dodes[seat], int(str(number))) for number in hit)
    text = message("Forfeited until {who}'s next turn: the rolled dode, {dodes}", who=Who(seat), dodes=lay)
    return Call("forfeited", text, {"seat": seat})


def _struck(before: Battledodes, act: Act) -> Call:
    seat, by, dode = 1 - before.turn, int(str(act.given["with"])), int(str(act.given["on"]))
    left = max(0, before.dodes[seat][dode - 1].face - before.dodes[1 - seat][by - 1].face)
    template = "Dode {by} strikes {who}'s dode {dode}, face left: {left}"
    if not left:
        template = "Dode {by} strikes {who}'s dode {dode} off the board"
    text = message(template, by=by, who=Who(seat), dode=dode, left=left)
    return Call("struck", text, {"seat": seat, "dode": dode, "by": by, "left": left})
