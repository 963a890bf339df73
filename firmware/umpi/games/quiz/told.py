"""What somebody did in a quiz, in sentences: the page shows them after "Last:" and in the history."""

from __future__ import annotations

from umpi.kernel import Act, Who, message


def told(act: Act, first: int | None, question: int) -> str:
    """Return a sentence about an act; `first` is the first seat in the queue, `question` the number of the next one."""
    seat = act.given.get("seat", first)
    who = Who(seat if isinstance(seat, int) else 0)
    match act.verb:
        case "open":
            return message("Question {number} is open.", number=question)
        case "buzz":
            return message("{who} buzzes.", who=who)
        case "cube" if seat is None:
            return message("A cube falls, and nobody knows whose.")
        case "cube":
            return message("{who}’s cube falls.", who=who)
        case "owner":
            return message("The cube is {who}’s.", who=who)
        case "home":
            return message("The cube goes back to its owner.")
        case "judge":
            return message("{who}’s answer is right." if act.given["right"] else "{who}’s answer is wrong.", who=who)
        case "late":
            return message("{who} gives no answer in time.", who=who)
        case "close":
            return message("Nobody knows the answer.")
        case "leave":
            return message("{who} leaves.", who=who)
        case _:
            return message("The quiz is over.")
