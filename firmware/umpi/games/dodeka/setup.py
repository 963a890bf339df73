"""The set-up of Dodéka: the dice, the length of the match, and who starts."""

from __future__ import annotations

from umpi.kernel import Who, message


def table_setup(seats: int, target: int, parts: int, minutes: int | None, **_: object) -> tuple[str, ...]:
    """Return how to set the game up."""
    if minutes is None:
        length = message("Sets to play: {parts}. Points that end a set: {target}.", parts=parts, target=target)
    else:
        template = "No set begins after {minutes} min. Points that end a set: {target}."
        length = message(template, minutes=minutes, target=target)
    return (
        message("Roll the three twelve-sided dice in the track."),
        message("6 and 9 are underlined."),
        message("You need no chips: the box counts the points."),
        length,
        message("{who} begins. In the rule sheet a die decides.", who=Who(0)),
    )
