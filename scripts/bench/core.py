"""Measure the core: events per second, the time from an edge to its picture, and a round at rest."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from umpi.box.config import COLOURS, Config
from umpi.kernel.registry import games
from umpi.recording.report import report_lines
from umpi.simulator.player import SimulatedPlayer
from umpi.timing.edge import Edge

MS = 1_000_000
EDGES, FLOODS, PRESSES, RESTS = 2000, 15, 60, 300
GAME = "dodeka"


def core() -> None:
    """Print the processor time of the loop with the recorder: a flood of one button, a press, a round at rest."""
    with tempfile.TemporaryDirectory() as folder:
        playing = SimulatedPlayer(Config(journal=Path(folder) / "games.db"))
        try:
            asyncio.run(_measure(playing))
        finally:
            playing.close()


async def _measure(playing: SimulatedPlayer) -> None:
    page = COLOURS[[game.id for game in games()].index(GAME)]
    for button in (page, "red", "blue", "ok", "ok"):
        await playing.press(button, 100)
        await playing.pass_ms(100)
    floods = [await _flood(playing) for _ in range(FLOODS)]
    presses = [await _press(playing, button) for _ in range(PRESSES) for button in ("red", "back")]
    rests = [await _rest(playing) for _ in range(RESTS)]
    lines = list(report_lines(playing.recorder, "bench", playing.config))
    print("\nThe core, with its recorder")
    print(f"  {EDGES / statistics.median(floods):12,.0f} edges a second, in a flood of one button")
    print(f"  {statistics.median(presses) * 1000:12.2f} ms from a press to its picture, in processor time")
    print(f"  {statistics.median(rests) * 1e6:12.0f} µs for a round at rest")
    print(f"  {len(lines):12,} lines in the session file")


async def _flood(playing: SimulatedPlayer) -> float:
    loop, start_ns = playing.box.loop, playing.now_ns
    for number in range(EDGES):
        loop.inbox.post(Edge("green", number % 2 == 0, start_ns + number * 1000))
    playing.now_ns += EDGES * 1000 + 50 * MS
    taken = await _timed(playing)
    await playing.pass_ms(100)
    return taken


async def _press(playing: SimulatedPlayer, button: str) -> float:
    playing.box.hold(button, True)
    taken = await _timed(playing)
    await playing.pass_ms(60)
    playing.box.hold(button, False)
    await playing.pass_ms(60)
    return taken


async def _rest(playing: SimulatedPlayer) -> float:
    playing.now_ns += MS
    return await _timed(playing)


async def _timed(playing: SimulatedPlayer, clock: Callable[[], float] = time.process_time) -> float:
    begun = clock()
    await playing.box.loop.catch_up()
    return clock() - begun
