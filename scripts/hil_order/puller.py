"""Lines pulled down one after the other at true gaps and let go again, each pull with the moments it truly came at."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from hil_guest.lines import wait_until

HELD_NS = 30_000_000  # a cube of 16 mm down a flat chute, at 0.53 m/s, or a short tap; all lines are down by then
HELD_MOST_NS = 60_000_000  # when the emulator stood still, and what was simulated is no cube any more
PULL_NS = 30_000  # what a pull takes at most, unless the emulator stood still in it

Moment = tuple[int, int]  # a line, and when it was pulled, in monotonic nanoseconds
Pull = tuple[int, int, int]  # a line, just before it was pulled, and after it was let go


class Puller:
    """A process of its own, so that it takes no time from the one that hears the lines; nothing goes before it."""

    def __init__(self, lines: Path) -> None:
        command = [sys.executable, __file__, str(lines)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def begin(self, gap_ns: int, order: Sequence[int]) -> None:
        """Pull lines in this order, each so long after the one before it, then let go of them; returns at once."""
        assert self._process.stdin
        self._process.stdin.write(f"{gap_ns} {' '.join(map(str, order))}\n")
        self._process.stdin.flush()

    def done(self) -> list[Pull]:
        """Wait until all are let go; tells the pulls in their order."""
        assert self._process.stdout
        pulls: list[Pull] = json.loads(self._process.stdout.readline())
        return pulls

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()


def steady(pulls: Sequence[Pull]) -> bool:
    """Tell whether no line was held longer than a cube would have.

    >>> steady([(4, 0, 30_000_000), (5, 500_000, 31_000_000)]), steady([(4, 0, 70_000_000)])
    (True, False)
    """
    return all(free_ns - at_ns <= HELD_MOST_NS for _, at_ns, free_ns in pulls)


def obey(folder: str) -> None:
    """Do as told on stdin, GAP_NS LINE ..., and answer with the pulls."""
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))
    files: dict[int, int] = {}
    now_ns, pwrite = time.monotonic_ns, os.pwrite
    for command in sys.stdin:
        gap_ns, *order = map(int, command.split())
        for line in order:
            if line not in files:
                files[line] = os.open(f"{folder}/sim_gpio{line}/pull", os.O_WRONLY)
        pulled_ns: list[int] = []
        begin_ns = 0
        for line in order:
            wait_until(begin_ns)
            pulled_ns.append(now_ns())
            pwrite(files[line], b"pull-down", 0)
            # one in which the emulator stood still may have come at its end: the gap is to be there after it
            begin_ns = gap_ns + max(pulled_ns[-1], now_ns() - PULL_NS)
        pulls: list[Pull] = []
        for line, at_ns in zip(order, pulled_ns, strict=True):
            wait_until(at_ns + HELD_NS)
            pwrite(files[line], b"pull-up", 0)
            pulls.append((line, at_ns, now_ns()))
        print(json.dumps(pulls), flush=True)


if __name__ == "__main__":
    obey(sys.argv[1])
