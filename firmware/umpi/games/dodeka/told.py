"""What somebody did in Dodéka, in sentences: the page shows them after "Last:" and in the history."""

from __future__ import annotations

from typing import Any

from umpi.kernel import Act, Who, message, message_n
from umpi.kernel.messages import listed


def told(act: Act, seat: int, dice: tuple[int, ...]) -> str:
    """Return a sentence about an act of a seat; `dice` lie on the table before it."""
    who, given = Who(seat), dict[str, Any](act.given)
    match act.verb:
        case "throw" if given["keep"]:
            kept, thrown = _faces(given["keep"]), _faces(given["dice"])
            return message("{who} keeps {kept} and rolls {dice}.", who=who, kept=kept, dice=thrown)
        case "throw":
            return message("{who} rolls {dice}.", who=who, dice=_faces(given["dice"]))
        case "stop":
            return message("{who} stops with {dice}.", who=who, dice=_faces(dice))
        case _:
            return message("The time is up.")


def decided(act: Act, seat: int, dice: int) -> str:
    """Return which dice a seat keeps, and how many of its `dice` hands roll now."""
    who, kept = Who(seat), dict[str, Any](act.given)["keep"]
    if not kept:
        return message("Roll all {number} dice for {who}.", who=who, number=dice)
    return message_n(
        "{who} keeps {kept}. Roll one die for {who}.", "{who} keeps {kept}. Roll {number} dice for {who}.",
        dice - len(kept), who=who, kept=_faces(kept),
    )  # fmt: skip


def _faces(dice: tuple[int, ...]) -> str:
    return listed(list(map(str, dice)))
