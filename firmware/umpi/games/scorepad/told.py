"""What somebody did in a score pad, in sentences: the page shows them after "Last:" and in the history."""

from __future__ import annotations

from typing import Any

from umpi.kernel import Act, Who, message, message_n


def told(act: Act) -> str:
    """Return a sentence about an act."""
    given = dict[str, Any](act.given)
    who = Who(given.get("seat", 0))
    match act.verb:
        case "score" if given["points"] < 0:
            return message_n("{who} loses one point.", "{who} loses {number} points.", -given["points"], who=who)
        case "score":
            return message_n("{who} scores one point.", "{who} scores {number} points.", given["points"], who=who)
        case "set":
            return message("{who} now has {points} points.", who=who, points=given["total"])
        case "leave":
            return message("{who} leaves.", who=who)
        case "time-up":
            return message("The time is up.")
        case _:
            return message("The match is over.")
