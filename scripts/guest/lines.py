"""Simulate GPIO lines, and change their levels at exact times."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

SPIN_NS = 1_000_000  # poll the clock for this long before the moment


class Sim:
    """A GPIO chip of the kernel's gpio-sim."""

    def __init__(self, name: str, label: str = "gpio-sim", lines: int = 28) -> None:
        self.config = Path("/sys/kernel/config/gpio-sim", name)
        bank = self.config / "bank0"
        bank.mkdir(parents=True)
        (bank / "num_lines").write_text(str(lines))
        (bank / "label").write_text(label)
        (self.config / "live").write_text("1")
        chip = (bank / "chip_name").read_text().strip()
        self.path, self.number = f"/dev/{chip}", int(chip.removeprefix("gpiochip"))
        self.lines = Path("/sys/devices/platform", (self.config / "dev_name").read_text().strip(), chip)

    def close(self) -> None:
        """Remove the chip; no program may use its lines."""
        (self.config / "live").write_text("0")
        (self.config / "bank0").rmdir()
        self.config.rmdir()

    def pull(self, line: int, level: int) -> None:
        """Set the level of an input line, as a button or beam does."""
        (self.lines / f"sim_gpio{line}" / "pull").write_text("pull-up" if level else "pull-down")

    def level(self, line: int) -> int:
        """Return the level of an output line."""
        return int((self.lines / f"sim_gpio{line}" / "value").read_text())

    def pulled(self, line: int) -> str:
        """Return which way a line is pulled: by its request, or by a later `pull`."""
        return (self.lines / f"sim_gpio{line}" / "pull").read_text().strip()


class Finger:
    """A process that changes lines, so that this takes no time from the process that reads them."""

    def __init__(self, sim: Sim) -> None:
        command = [sys.executable, __file__, str(sim.lines)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def move(self, pause_s: float, moves: Sequence[tuple[int, int]]) -> None:
        """Set each line to its level after a pause; return when all are done."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(f"{pause_s} {' '.join(f'{line}:{level}' for line, level in moves)}\n")
        self.process.stdin.flush()
        self.process.stdout.readline()

    def plan(self, moves: Sequence[tuple[int, int, int]]) -> None:
        """Set lines at these times, in this order, as (time in monotonic nanoseconds, line, level); return at once."""
        assert self.process.stdin
        self.process.stdin.write(f"at {' '.join(f'{line}:{level}:{at_ns}' for at_ns, line, level in moves)}\n")
        self.process.stdin.flush()

    def close(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.wait()


def execute_commands(folder: str) -> None:
    """Read commands on stdin: PAUSE_S LINE:LEVEL ... sets lines after a pause each, then prints an empty line.

    The command `at LINE:LEVEL:NANOSECONDS ...` prints nothing. The first one gives this process real-time priority, so
    that it is on time.
    """
    files: dict[str, int] = {}
    for command in sys.stdin:
        how, *moves = command.split()
        if how == "at":
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))
        fields = [move.split(":") for move in moves]
        for line, *_ in fields:
            if line not in files:
                files[line] = os.open(f"{folder}/sim_gpio{line}/pull", os.O_WRONLY)
        for line, level, *at_ns in fields:
            if at_ns:
                wait_until(int(at_ns[0]))
            elif float(how):
                time.sleep(float(how))
            os.pwrite(files[line], b"pull-up" if level == "1" else b"pull-down", 0)
        if how != "at":
            print(flush=True)


def wait_until(at_ns: int) -> None:
    """Sleep until shortly before a time, then poll the clock."""
    if (left_ns := at_ns - time.monotonic_ns() - SPIN_NS) > 0:
        time.sleep(left_ns / 1e9)
    while time.monotonic_ns() < at_ns:
        pass


if __name__ == "__main__":
    execute_commands(sys.argv[1])
