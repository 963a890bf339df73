"""Pull lines down one after another at exact gaps, release them, and record the true times."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from scripts.guest.lines import wait_until

HELD_NS = 30_000_000  # a cube of 16 mm in a flat chute, at 0.53 m/s, or a short tap; longer than all pulls take
HELD_MOST_NS = 60_000_000  # longer means that the emulator stopped: a real cube is faster
PULL_NS = 30_000  # longest duration of a pull, unless the emulator stops meanwhile

Moment = tuple[int, int]  # a line, and the time of its pull in monotonic nanoseconds
Pull = tuple[int, int, int]  # a line, the time just before its pull, the time after its release


class Puller:
    """Controls a separate process with real-time priority, so that the process that reads the lines loses no time."""

    def __init__(self, lines: Path) -> None:
        command = [sys.executable, __file__, str(lines)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def begin(self, gap_ns: int, order: Sequence[int]) -> None:
        """Pull lines in this order with this gap, then release them; return at once."""
        assert self._process.stdin
        self._process.stdin.write(f"{gap_ns} {' '.join(map(str, order))}\n")
        self._process.stdin.flush()

    def done(self) -> list[Pull]:
        """Wait until all lines are released; return the pulls in order."""
        assert self._process.stdout
        pulls: list[Pull] = json.loads(self._process.stdout.readline())
        return pulls

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()


def steady(pulls: Sequence[Pull]) -> bool:
    """Return whether every line was released as soon as by a cube.

    >>> steady([(4, 0, 30_000_000), (5, 500_000, 31_000_000)]), steady([(4, 0, 70_000_000)])
    (True, False)
    """
    return all(free_ns - at_ns <= HELD_MOST_NS for _, at_ns, free_ns in pulls)


def execute_commands(folder: str) -> None:
    """Read commands GAP_NS LINE ... on stdin; print the pulls of each as JSON."""
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
            # if the emulator stopped during the pull, it may have come at its end: the gap must follow that
            begin_ns = gap_ns + max(pulled_ns[-1], now_ns() - PULL_NS)
        pulls: list[Pull] = []
        for line, at_ns in zip(order, pulled_ns, strict=True):
            wait_until(at_ns + HELD_NS)
            pwrite(files[line], b"pull-up", 0)
            pulls.append((line, at_ns, now_ns()))
        print(json.dumps(pulls), flush=True)


if __name__ == "__main__":
    execute_commands(sys.argv[1])
