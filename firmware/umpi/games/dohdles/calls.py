"""Calls of Dohdles!: the verdict on a guess, moves on a measured board, what leaves the game, and why it ended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from umpi.games.dohdles.riddle import named
from umpi.kernel import Act, Call, Who, message

if TYPE_CHECKING:
    from umpi.games.dohdles.rules import Dohdles


def calls(before: Dohdles, act: Act, after: Dohdles) -> Iterator[Call]:
    """Yield what the referee says about an act."""
    match act.verb:
        case "hear":
            name = str(act.given["riddle"])
            owner = before.riddle_called(name).owner
            if owner in before.queue and owner not in after.queue:
                text = message("{who} made {riddle}: take the cube back", who=Who(owner), riddle=named(name))
                yield Call("home", text, {"seat": owner})
        case "guess":
            yield from _judged(before, act, after)
        case "expire":
            text = message("{riddle} leaves the board: show its solution", riddle=named(before.picked))
            yield Call("expired", text, {"riddle": before.picked})


def why(game: Dohdles) -> str:
    """Return why the winners have won, and whether they are tied."""
    if len(game.winners) > 1:
        return message("tied for farthest ahead when no riddle is open")
    if game.no_riddle:
        return message("farthest ahead when no riddle is open")
    return message("first on the final space")


def _judged(before: Dohdles, act: Act, after: Dohdles) -> Iterator[Call]:
    seat, right = before.queue[0], act.given["right"]
    assert seat is not None
    template = "Right! {who} solves {riddle}" if right else "Wrong: {who} does not solve {riddle}"
    text = message(template, who=Who(seat), riddle=named(before.riddle))
    yield Call("guess", text, {"seat": seat, "right": right})
    if before.board is None:
        return  # the players have entered the moves
    for mover in sorted(range(len(before.tokens)), key=lambda own: own != seat):
        if steps := after.tokens[mover] - before.tokens[mover]:
            template = "{who} moves forward, spaces: {steps}" if steps > 0 else "{who} moves back, spaces: {steps}"
            text = message(template, who=Who(mover), steps=abs(steps))
            yield Call("move", text, {"seat": mover, "steps": steps})
