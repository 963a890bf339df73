"""Throw cubes through the physical model of the tests, judge each announcement, and count wrong verdicts.

Half of the throws are ordinary; the other half are as rough as the settings allow. The exit status is 1 if a clear
verdict was wrong, or if more than 1 in 200 ordinary throws were doubtful.

With `--falls` friction and gravity change the speed of the cubes. With `--mishaps` something goes wrong that the beams
cannot see as such; then clear verdicts may be wrong, and the exit status is 0.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from random import Random

from scripts.verdicts.gate_tables import print_falls, print_mishaps
from tests.kit.chute import Announcement, Chute, configurations
from umpi.timing.gate import Settings, judge
from umpi.timing.traces import write_trace

BATCH = 1000
MOST_DOUBTFUL = 1 / 200
COLUMNS = ("announcements", "clear", "doubtful", "clear but wrong", "ordinary", "doubtful of these")

Result = tuple[Counter[str], list[list[str]]]


def main() -> int:
    """Play as many announcements as asked for through each configuration and print the table."""
    parser = argparse.ArgumentParser(prog="./scripts/dev gate", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("announcements", nargs="?", type=int, default=100_000, help="per configuration (100,000)")
    parser.add_argument("--seed", type=int, default=1, help="another seed throws other cubes (1)")
    other = parser.add_mutually_exclusive_group()
    other.add_argument("--falls", action="store_true", help="cubes that gain and lose speed, in several settings")
    other.add_argument("--mishaps", action="store_true", help="bounces, fingers, sun and other mishaps")
    chosen = parser.parse_args()
    if chosen.mishaps:
        return print_mishaps(chosen.announcements, chosen.seed)
    if chosen.falls:
        return print_falls(chosen.announcements, chosen.seed)
    totals, wrong = _play(list(configurations(Settings())), chosen.announcements, chosen.seed)
    print(f"{'lanes x beams':14}" + "".join(f"{name:>19}" for name in COLUMNS))
    for name, total in totals.items():
        share = f"{total['doubtful of these']} ({total['doubtful of these'] / max(total['ordinary'], 1):.2%})"
        figures = [*(f"{total[column]:,}" for column in COLUMNS[:-1]), share]
        print(f"{name:14}" + "".join(f"{figure:>19}" for figure in figures))
    for trace in wrong[:3]:
        print("\nClear, but wrong:", *trace, sep="\n")
    doubtful = any(total["doubtful of these"] > MOST_DOUBTFUL * total["ordinary"] for total in totals.values())
    return int(bool(wrong) or doubtful)


def _play(gates: list[Settings], announcements: int, seed: int) -> tuple[dict[str, Counter[str]], list[list[str]]]:
    totals = {f"{gate.lanes} x {gate.beams}": Counter[str]() for gate in gates}
    wrong: list[list[str]] = []
    jobs = [
        (gate, min(BATCH, announcements - first), f"{seed}/{name}/{first}")
        for name, gate in zip(totals, gates, strict=True)
        for first in range(0, announcements, BATCH)
    ]
    with ProcessPoolExecutor() as pool:
        for done, ((counts, bad), (gate, *_)) in enumerate(zip(pool.map(_batch, jobs), jobs, strict=True), 1):
            totals[f"{gate.lanes} x {gate.beams}"] += counts
            wrong += bad
            if sys.stderr.isatty():
                print(f"\r{done / len(jobs):4.0%}", end="\r" if done == len(jobs) else "", file=sys.stderr, flush=True)
    return totals, wrong


def _batch(job: tuple[Settings, int, str]) -> Result:
    gate, announcements, seed = job
    counts, wrong = Counter[str](), []
    for ordinary, seen in _throws(Chute(gate, Random(seed)), announcements):
        verdict = judge(seen.edges, gate)
        counts["announcements"] += 1
        counts["clear" if verdict.clear else "doubtful"] += 1
        counts["ordinary"] += ordinary
        counts["doubtful of these"] += ordinary and not verdict.clear
        if verdict.clear and tuple(cube.lane for cube in verdict.cubes) != seen.lanes:
            counts["clear but wrong"] += 1
            wrong.append([f"the lanes were {seen.lanes}", *write_trace(gate, seen.edges)])
    return counts, wrong


def _throws(chute: Chute, announcements: int) -> Iterator[tuple[bool, Announcement]]:
    for number in range(announcements):
        ordinary = number % 2 == 0
        yield ordinary, chute.ordinary() if ordinary else chute.rough()


if __name__ == "__main__":
    sys.exit(main())
