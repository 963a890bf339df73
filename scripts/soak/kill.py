"""Kill boxes during play, cut their power and damage their files; check that everything they showed is saved.

Stops with a traceback if an act that was shown is missing or incomplete, or if the journal cannot be used.
"""

from __future__ import annotations

import argparse
import logging
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.kit.books import a_play
from tests.kit.deaths import kill_and_look
from tests.kit.faulty import FAULTS, LASTING, Disk, Unreachable
from tests.kit.file_faults import all_is_written_later, none_by_half
from tests.kit.power_cuts import cuts, play

STEPS = 40


def main() -> int:
    """Repeat each kind that many times and print the results."""
    parser = argparse.ArgumentParser(prog="./scripts/dev kill", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("times", nargs="?", type=int, default=1000, help="kills, power cuts and faults (1,000 each)")
    parser.add_argument("--seed", type=int, default=1, help="another seed kills at other times (1)")
    chosen = parser.parse_args()
    logging.disable(logging.ERROR)  # the boxes log NOT SAVED thousands of times, as they should
    with _timed(), TemporaryDirectory() as folder:
        found = kill_and_look(Path(folder), chosen.times, STEPS, chosen.seed)
        print(
            f"{chosen.times:,} boxes killed with -9: {found.shown:,} steps shown, each complete on disk; "
            f"{found.ahead:,} boxes had one more step on disk, {found.before:,} had shown nothing yet; all resumed"
        )
    try:
        disk = Disk()
    except Unreachable as fault:
        print(f"power cuts and faults: {fault}")
        return 0
    with disk.in_use(), disk.checkpoints(4):
        for each in (_power_cuts, _torn, _faults):
            with _timed(), TemporaryDirectory() as folder:
                each(disk, Path(folder), chosen.times, chosen.seed)
    return 0


def _power_cuts(disk: Disk, folder: Path, times: int, seed: int) -> None:
    done, ahead = 0, 0
    while done < times:
        (folder / str(seed)).mkdir()
        played = play(disk, folder / str(seed) / "games.db", seed, STEPS)
        for number, _, found in cuts(disk, played, folder / "found", Random(seed)):
            done += 1
            ahead += found != played.books[number][0]
        seed += 1
    print(f"{done:,} power cuts: each step shown was on disk; {ahead:,} times the act in progress was there, too")


def _torn(disk: Disk, folder: Path, times: int, seed: int) -> None:
    done = 0
    while done < times:
        done += none_by_half(disk, folder, a_play(seed, STEPS))
        seed += 1
    print(f"{done:,} torn writes with nothing written after them: no act is incomplete")


def _faults(disk: Disk, folder: Path, times: int, seed: int) -> None:
    faults = [fault for fault in FAULTS.values() if not fault.torn]
    done = 0
    while done < times:
        for fault in faults:
            for lasts in (1, Random(seed).randint(2, 20), LASTING):
                done += all_is_written_later(disk, folder, a_play(seed, STEPS), fault, lasts)
        seed += 1
    print(f"{done:,} faults ({', '.join(fault.name for fault in faults)}): everything was on disk once they were over")


@contextmanager
def _timed() -> Iterator[None]:
    began = time.monotonic()
    yield
    print(f"  {time.monotonic() - began:.1f} s")


if __name__ == "__main__":
    sys.exit(main())
