"""Two more tables of ./scripts/dev gate: cubes that gain and lose speed, and mishaps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import groupby, product
from operator import itemgetter
from random import Random

from tests.kit.chute import Chute
from tests.kit.mishaps import MISHAPS, Mishaps, at_the_box
from umpi.timing.gate import Settings, Verdict, judge

BATCH = 1000
PRINTED = replace(Settings(), turned=1.12, speed_mm_s=(750, 1600))  # the gate of hardware/gate
SETTINGS = {
    "default": Settings(),
    "printed gate": PRINTED,
    "900 to 2400 mm/s": replace(Settings(), speed_mm_s=(900, 2400)),
    "quick sensors": replace(Settings(), glitch_us=100),
    "modules": replace(PRINTED, glitch_us=2700, dead_heat_us=3100),
}
PULLS = {"9.81": (9810.0, 9810.0), "-4 to 9.81": (-4000.0, 9810.0)}
Job = tuple[str, int, int, str, int, int]  # of a table: settings or mishap, lanes, beams, pull, announcements, seed


def print_falls(announcements: int, seed: int) -> int:
    """Print for two beams how many throws were doubtful, and how many verdicts wrong; return 1 if any was."""
    print("settings; lanes x beams; m/s²; announcements; doubtful of the ordinary half; clear of the rough half; wrong")
    wrong = False
    for (name, lanes, beams, pull), counts in _counted(
        _fallen, _jobs(SETTINGS, tuple(PULLS), (2,), announcements, seed)
    ):
        share = counts["doubtful"] / max(counts["ordinary"], 1)
        print(
            f"{name:17} {lanes} x {beams}  {pull:>10} {counts['all']:>9,} {counts['doubtful']:>7} ({share:.2%})"
            f" {counts['clear']:>7,} {counts['wrong']:>3}",
            flush=True,
        )
        wrong = wrong or counts["wrong"] > 0
    return int(wrong)


def print_mishaps(announcements: int, seed: int) -> int:
    """Print how many verdicts on mishaps were clear, how many of these wrong, and how many in a wrong order."""
    print("mishap; lanes x beams; announcements; clear; wrong of these; wrong in the order of the lanes")
    for (name, lanes, beams, _), counts in _counted(_mishap, _jobs(MISHAPS, ("",), (1, 2), announcements, seed)):
        print(
            f"{name:28} {lanes} x {beams} {counts['all']:>8,} {counts['clear']:>7,} {counts['wrong']:>7,}"
            f" {counts['order']:>7,}",
            flush=True,
        )
    return 0


def _jobs(
    names: Iterable[str], pulls: Sequence[str], beams: Sequence[int], announcements: int, seed: int
) -> Iterator[Job]:
    for name, lanes, each, pull in product(names, (1, 6), beams, pulls):
        for first in range(0, announcements, BATCH):
            yield name, lanes, each, pull, min(BATCH, announcements - first), seed + first


def _counted(
    work: Callable[[Job], Counter[str]], jobs: Iterable[Job]
) -> Iterator[tuple[tuple[str, int, int, str], Counter[str]]]:
    """Yield the sums of each cell of a table."""
    listed = list(jobs)
    with ProcessPoolExecutor() as pool:
        done = ((job[:4], counts) for job, counts in zip(listed, pool.map(work, listed), strict=True))
        for cell, parts in groupby(done, itemgetter(0)):
            yield cell, sum((counts for _, counts in parts), Counter[str]())


def _fallen(job: Job) -> Counter[str]:
    name, lanes, beams, pull, announcements, seed = job
    settings = replace(SETTINGS[name], lanes=lanes, beams=beams)
    chute, counts = Chute(settings, Random(f"{job[:4]}{seed}"), PULLS[pull]), Counter[str]()
    for number in range(announcements):
        ordinary = number % 2 == 0
        seen = chute.ordinary() if ordinary else chute.rough()
        verdict = judge(seen.edges, settings)
        counts["all"] += 1
        counts["ordinary"] += ordinary
        counts["doubtful"] += ordinary and not verdict.clear
        counts["clear"] += not ordinary and verdict.clear
        counts["wrong"] += verdict.clear and _lanes(verdict) != seen.lanes
    return counts


def _mishap(job: Job) -> Counter[str]:
    name, lanes, beams, _, announcements, seed = job
    settings = Settings(lanes=lanes, beams=beams)
    mishaps, counts = Mishaps(settings, Random(f"{job[:4]}{seed}")), Counter[str]()
    for _ in range(announcements):
        seen = MISHAPS[name](mishaps)
        verdict = at_the_box(seen, settings, mishaps.blind)
        counts["all"] += 1
        if verdict.clear:
            counts["clear"] += 1
            counts["wrong"] += _lanes(verdict) != seen.lanes
            counts["order"] += tuple(dict.fromkeys(_lanes(verdict))) != tuple(dict.fromkeys(seen.lanes))
    return counts


def _lanes(verdict: Verdict) -> tuple[int, ...]:
    return tuple(cube.lane for cube in verdict.cubes)
