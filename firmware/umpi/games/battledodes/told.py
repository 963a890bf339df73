"""What somebody did in Battledodes, in sentences: the page shows them after "Last:" and in the history."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from umpi.games.battledodes.dodes import Side, label_of, on_board
from umpi.kernel import Act, Who, message
from umpi.kernel.messages import listed, spaced

MISSES = {
    "out": message("the dode is off the board"),
    "far-side": message("the dode stays on the far side"),
    "no-wall": message("the dode does not touch the wall first"),
    "disputed": message("the players do not agree"),
}


def told(act: Act, seat: int, dodes: tuple[Side, ...], hit: tuple[int, ...]) -> str:
    """Return a sentence about an act of a seat; `dodes` and `hit` are as before the act."""
    who, given = Who(seat), dict[str, Any](act.given)
    mine, theirs = dodes[seat], dodes[1 - seat]
    match act.verb:
        case "roll-off":
            first, second = given["faces"]
            return message(
                "{who} rolls {face}, {other} rolls {second}.", who=Who(0), face=first, other=Who(1), second=second
            )
        case "keep" if given["dodes"]:
            return message("{who} keeps {dodes}.", who=who, dodes=_dodes(mine, given["dodes"]))
        case "keep":
            return message("{who} keeps no dode.", who=who)
        case "land":
            text = message("{who} rolls {dode}.", who=who, dode=label_of(given["face"], given["hex"]))
            return spaced((text, *_moved(given.get("moved", ()))))
        case "miss":
            text = message("{who} misses: {why}.", who=who, why=MISSES[given["why"]])
            return spaced((text, *_moved(given.get("moved", ()))))
        case "waive":
            return message("{who} leaves the dode off the board.", who=who)
        case "crash":
            return message("{who} hits own dodes: {dodes}.", who=who, dodes=_dodes(mine, given["hit"]))
        case "clash":
            text = message(
                "{who} hits dodes of {other}: {dodes}.",
                who=who, other=Who(1 - seat), dodes=_dodes(theirs, given["hit"]),
            )  # fmt: skip
            return spaced((text, *_moved(given.get("moved", ()))))
        case "answer":
            template = "{who} puts {dodes} back." if given["choice"] == "replace" else "{who} rolls {dodes} again."
            return message(template, who=who, dodes=_dodes(mine, given.get("dodes") or hit))
        case "attack":
            return message(
                "{who} attacks {dode} with {own}.",
                who=who, dode=on_board(theirs, given["on"]), own=on_board(mine, given["with"]),
            )  # fmt: skip
        case _:
            return message("{who} ends the attacks.", who=who)


def _dodes(side: Side, dodes: Sequence[int]) -> str:
    return listed([on_board(side, number) for number in dodes])


def _moved(moved: Sequence[dict[str, int]]) -> tuple[str, ...]:
    """Return where the roll has moved own dodes to, in a tuple; empty if it moved none."""
    places = [label_of(each["face"], each["hex"]) for each in moved]
    return (message("It moved own dodes, now {dodes}.", dodes=listed(places)),) if places else ()
