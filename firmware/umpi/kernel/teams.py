"""Teams: seats that share a score."""

from __future__ import annotations

from collections.abc import Sequence

Teams = tuple[tuple[int, ...], ...]
"""The seats of each team, ascending. In a cooperative game one team has all seats."""


def across(seats: int, teams: int) -> Teams:
    """Return teams whose seats take turns around the table.

    >>> across(4, 2), across(6, 3)
    (((0, 2), (1, 3)), ((0, 3), (1, 4), (2, 5)))
    """
    return tuple(tuple(range(first, seats, teams)) for first in range(teams))


def shared(teams: Teams, points: Sequence[int]) -> tuple[int, ...]:
    """Return the score of each seat: the points of all seats of its team.

    >>> shared(((0, 2), (1, 3)), (5, 1, 2, 0))
    (7, 1, 7, 1)
    """
    scores = {seat: sum(points[each] for each in team) for team in teams for seat in team}
    return tuple(scores[seat] for seat in range(len(points)))


def team_of(teams: Teams, seat: int) -> tuple[int, ...]:
    """Return the seats of the team of a seat; the seat alone if it is in none.

    >>> team_of(((0, 2), (1, 3)), 3), team_of((), 3)
    ((1, 3), (3,))
    """
    return next((team for team in teams if seat in team), (seat,))


def split_team(teams: Teams, values: Sequence[int]) -> tuple[int, ...]:
    """Return the first team whose seats do not all have the same value, such as a score or a place; () if none is.

    >>> split_team(((0, 2), (1, 3)), (7, 1, 7, 2))
    (1, 3)
    """
    return next((team for team in teams if len({values[seat] for seat in team}) > 1), ())
