"""Measure what a toss costs the box while one toss follows the other, eight per second."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path

from umpi.box.config import Config
from umpi.simulator.player import SimulatedPlayer
from umpi.simulator.steps import Steps
from umpi.simulator.virtual import with_lanes

TOSSES, EVERY_MS, PARTS = 120, 125, 4
PRESSES = "red blue yellow ok ok"  # up to the first question, in which the box keeps cubes on hold


def tosses() -> None:
    """Print the processor time of the loop per toss, by quarters of an announcement, for one lane and for six."""
    print(f"\nProcessor time of a toss, ms, by quarters of {TOSSES} tosses: mean, most in one round of the loop")
    for lanes in (1, 6):
        with tempfile.TemporaryDirectory() as folder:
            playing = SimulatedPlayer(with_lanes(Config(journal=Path(folder) / "games.db"), lanes))
            try:
                costs = asyncio.run(_hammer(playing))
            finally:
                playing.close()
        part = len(costs) // PARTS
        parts = [costs[at : at + part] for at in range(0, len(costs), part)]
        row = "  ".join(f"{_mean(each):6.1f} {max(most for _, most in each):6.1f}" for each in parts)
        print(f"  lanes: {lanes}   {row}")


def _mean(costs: list[tuple[float, float]]) -> float:
    return sum(spent for spent, _ in costs) / len(costs)


async def _hammer(playing: SimulatedPlayer) -> list[tuple[float, float]]:
    """Return for each toss the milliseconds of all rounds of the loop until the next, and of the longest one."""
    steps = Steps(playing, Path())
    await steps.take("game", ["dohdles"])
    await steps.take("press", PRESSES.split())
    rounds: list[float] = []
    catch_up = playing.box.loop.catch_up

    async def timed() -> None:
        begun = time.process_time()
        await catch_up()
        rounds.append(1000 * (time.process_time() - begun))

    playing.box.loop.catch_up = timed  # type: ignore[method-assign]
    costs = []
    for number in range(TOSSES):
        rounds.clear()
        playing.box.toss([("red", "blue")[number % 2]])
        await playing.pass_ms(EVERY_MS)
        costs.append((sum(rounds), max(rounds)))
    return costs
