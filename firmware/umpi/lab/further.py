"""Further measures of an experiment, for people: first seat, comebacks, drama, decisiveness, choices, minutes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist, fmean
from typing import Any

from umpi.lab.games import Played, cooperative, wins_of
from umpi.lab.intervals import Z95, wilson
from umpi.lab.measures import LEAST

SECONDS = 10  # per act at a real table: an assumption, which --journal replaces by the pace of real matches
FOUND = 0.8  # how often an edge that is said to be visible is found


def further(played: Sequence[Played], seats: int, seconds: float = SECONDS) -> dict[str, Any]:
    """Return the measures that the report for people adds to those of the contract; null where nothing is known."""
    courses = [each.course for each in played if each.course]
    probes = [each.probed for each in played if each.probed]
    same = [probe.same for probe in probes if probe.same is not None]
    return {
        "first_seat": _first_seat(played, seats),
        "minutes": fmean(each.acts for each in played) * seconds / 60 if played else None,
        "comebacks": _part([each.comeback for each in courses]),
        "drama": fmean(each.drama for each in courses) if courses else None,
        "decisiveness": fmean(each.decisive for each in courses) if courses else None,
        "choices": fmean(each.choices for each in probes) if probes else None,
        "decisions": len(probes),
        "no_difference": _part(same),
    }


def _first_seat(played: Sequence[Played], seats: int) -> dict[str, float | None] | None:
    if cooperative(played) or any(each.together for each in played):
        return None
    return first_seat(sum(wins_of(played, 0)), len(played), seats)


def first_seat(wins: float, games: int, seats: int) -> dict[str, float | None] | None:
    """Return the edge of the first seat over an equal share, its interval and p-value, and the edge that is visible.

    None if fewer than 5 wins are expected. `visible` is the edge that so many games would find four times in five.
    """
    if seats < 2 or games / seats < LEAST:
        return None
    equal = 1 / seats
    low, high = wilson(wins, games)
    assert low is not None
    assert high is not None
    spread = math.sqrt(equal * (1 - equal) / games)
    edge = wins / games - equal
    return {
        "edge": edge,
        "low": low - equal,
        "high": high - equal,
        "p": math.erfc(abs(edge) / spread / math.sqrt(2)),
        "visible": (Z95 + NormalDist().inv_cdf(FOUND)) * spread,
    }


def _part(flags: Sequence[bool]) -> dict[str, float | None]:
    low, high = wilson(sum(flags), len(flags))
    return {"share": sum(flags) / len(flags) if flags else None, "low": low, "high": high}
