"""The set-up of Dohdles!: the board, what each player takes, and the riddles."""

from __future__ import annotations

from umpi.games.dohdles.riddle import riddles_each
from umpi.kernel import Who, message


def table_setup(
    seats: int, riddles: int | None, lone: int | None = None, lone_riddles: int = 2, **_: object
) -> tuple[str, ...]:
    """Return how to set the game up."""
    each = riddles_each(seats, riddles)[0]
    alone = message("{who} has no partner. Riddles: {number}", who=Who((lone or 1) - 1), number=lone_riddles)
    return (
        message("Put the guess funnel in the middle of the board."),
        message("Take in your colour: dough, token, cube and chips."),
        message("Put your cube on a suggestion board."),
        message("Put your token on the start, the large white arrow."),
        message("Sculpt riddles, for each player: {number}", number=each),
        *((alone,) if lone and lone_riddles != each else ()),
        message("Put each on a free circle, with a chip on its start."),
        message("Write its word on a sheet. Slide it face down halfway under the board."),
        message("{who} begins. The rule sheet names the oldest player.", who=Who(0)),
    )
