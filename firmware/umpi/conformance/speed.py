"""How much an act costs: Python calls counted, which is the same on every machine; the clock only for information."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from types import FrameType

from umpi.conformance.flaws import Flaw
from umpi.kernel.fields import Chance
from umpi.kernel.game import Act
from umpi.kernel.match import Match

BOUND = 500  # calls an act; the shipped engines make 20 to 90
MANY = 100  # acts of a game that are counted


class Speed:
    """Counts the calls of each game looked at."""

    def __init__(self) -> None:
        self.calls = self.acts = 0
        self.seconds = 0.0

    def look(self, match: Match, chance: Chance) -> Iterator[Flaw]:
        """Look how many calls the first acts of a game cost, played anew."""
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
            yield Flaw(f"An act costs {calls // len(acts):,} calls, at most {BOUND:,} are borne.")


def counted(match: Match, acts: list[Act]) -> int:
    """Count the Python calls that playing these acts makes."""
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        for act in acts:
            match.play(act)
    finally:
        enable = getattr(before, "enable", None)  # a cProfile is no function that could be set
        if enable:
            enable()
        else:
            sys.setprofile(before)
    return calls
