"""A goal for a sweep: which setting comes nearest to it, and which settings the games do not tell apart from it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from statistics import fmean, stdev

from umpi.frozen import frozen
from umpi.lab.further import SECONDS
from umpi.lab.games import Played, win_together, wins_of
from umpi.lab.intervals import Z95


@frozen
class Aim:
    """What a setting shall reach: seats that win equally often, or games of so many minutes."""

    minutes: float | None = None

    @classmethod
    def read(cls, text: str) -> Aim:
        """Read `fair` or `minutes=NUMBER`. Raises ValueError if it is something else.

        >>> Aim.read("minutes=30")
        Aim(minutes=30.0)
        """
        if text == "fair":
            return cls()
        number = re.fullmatch(r"minutes=([0-9]{1,4}(?:\.[0-9]+)?)", text)
        minutes = float(number[1]) if number else 0.0
        if not minutes:
            raise ValueError(f"{text} is not fair or minutes=NUMBER")
        return cls(minutes)


@frozen
class Miss:
    """How far a setting is from its aim, and half of the 95 % interval of this distance.

    `unlike` is whether the aim compares seats that win together, so that the distance says nothing.
    """

    setting: str
    far: float
    half: float
    unlike: bool = False


def missed(aim: Aim, setting: str, played: Sequence[Played], seats: int) -> Miss:
    """Return how far the games of a setting are from the aim: in minutes, or as a share of wins."""
    if len(played) < 2:
        return Miss(setting, math.inf, 0.0)
    if aim.minutes is not None:
        minutes = [each.acts * SECONDS / 60 for each in played]
        return Miss(setting, abs(fmean(minutes) - aim.minutes), Z95 * stdev(minutes) / math.sqrt(len(played)))
    if win_together(played):
        return Miss(setting, math.inf, 0.0, unlike=True)
    shares = [wins_of(played, seat) for seat in range(seats)]
    far, worst = max((abs(fmean(share) - 1 / seats), seat) for seat, share in enumerate(shares))
    return Miss(setting, far, Z95 * stdev(shares[worst]) / math.sqrt(len(played)))


def verdict(aim: Aim, misses: Sequence[Miss]) -> Iterator[str]:
    """Yield lines that name the best setting, and the settings that may be as good."""
    if any(miss.unlike for miss in misses):
        yield "Seats of this game win together, so fair cannot compare their wins. Give --aim minutes=NUMBER."
        return
    best = min(misses, key=lambda miss: miss.far, default=None)  # None if a game of each setting failed
    if best is None or best.far == math.inf:
        yield "Too few games ended to compare the settings."
        return
    if aim.minutes is not None:
        yield f"Nearest to {aim.minutes:g} minutes: {best.setting}, {best.far:.1f} ± {best.half:.1f} minutes from it"
    else:
        yield f"Fairest: {best.setting}, a seat is {best.far:.1%} ± {best.half:.1%} from an equal share of wins"
    near = [miss for miss in misses if miss is not best and miss.far - best.far <= math.hypot(miss.half, best.half)]
    if near:
        yield f"These games do not tell it apart from: {', '.join(miss.setting for miss in near)}"
