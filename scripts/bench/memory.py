"""Measure the memory of a long match, by its number of acts."""

from __future__ import annotations

import gc
import tracemalloc

from umpi.kernel.game import Act
from umpi.kernel.match import Match
from umpi.kernel.registry import find

ACTS = (1_000, 2_000, 4_000, 8_000)


def memory() -> None:
    """Print the memory of a match on the score pad with two players, by its number of acts."""
    print("\nMemory of a match on the score pad, two players")
    for number in ACTS:
        gc.collect()
        tracemalloc.start()
        match = Match(find("scorepad"), ("Ann", "Ben"))
        for act in range(number):
            match.play(Act("score", {"seat": act % 2, "points": act % 40}))
        size, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        print(f"  {number:6,} acts {size / 2**20:7.2f} MiB, {size / number:7,.0f} bytes an act", flush=True)
