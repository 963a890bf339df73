"""Checks of speed: count the Python calls of an act, which are equal on every machine; the time is information only."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Iterator
from types import FrameType

from umpi.conformance.flaws import Flaw
from umpi.kernel.fields import Chance
from umpi.kernel.game import Act
from umpi.kernel.match import Match

BOUND = 500  # the most calls per act; the shipped engines make 20 to 90
MANY = 100  # the acts of a game that are counted


class Speed:
    """Count the calls of each game that is checked."""

    def __init__(self) -> None:
        self.calls = self.acts = 0
        self.seconds = 0.0

    def look(self, match: Match, chance: Chance) -> Iterator[Flaw]:
        """Play the first acts of a game again, and check the number of calls per act."""
        acts = match.acts[:MANY]
        if not acts:
            return
        again = Match(match.game, match.players, match.options)
        begun = time.perf_counter()
        for act in acts:
            again.play(act)
        self.seconds += time.perf_counter() - begun
        calls = counted(Match(match.game, match.players, match.options), acts)
        self.calls += calls
        self.acts += len(acts)
        if calls > BOUND * len(acts):
            yield Flaw(f"An act costs {calls // len(acts):,} Python calls; the limit is {BOUND:,}.")


def counted(match: Match, acts: list[Act]) -> int:
    """Play these acts and return the number of Python calls."""
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    before, collecting = sys.getprofile(), gc.isenabled()
    gc.disable()  # else what others do at each collection (`gc.callbacks`) would be counted too
    sys.setprofile(count)
    try:
        for act in acts:
            match.play(act)
    finally:
        enable = getattr(before, "enable", None)  # a cProfile object is not a function for `setprofile`
        if enable:
            enable()
        else:
            sys.setprofile(before)
        if collecting:
            gc.enable()
    return calls
