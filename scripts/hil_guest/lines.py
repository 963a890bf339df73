"""Simulated GPIO lines, and a finger to move them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

SPIN_NS = 1_000_000  # before its moment the clock is looked at all the time


class Sim:
    """A chip of gpio-sim."""

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
        """Take the chip away again; nothing may hold its lines."""
        (self.config / "live").write_text("0")
        (self.config / "bank0").rmdir()
        self.config.rmdir()

    def pull(self, line: int, level: int) -> None:
        """Move a line, as a finger would."""
        (self.lines / f"sim_gpio{line}" / "pull").write_text("pull-up" if level else "pull-down")

    def level(self, line: int) -> int:
        """Tell what an output drives."""
        return int((self.lines / f"sim_gpio{line}" / "value").read_text())

    def pulled(self, line: int) -> str:
        """Tell which way a line is pulled: by its request, or by a finger after it."""
        return (self.lines / f"sim_gpio{line}" / "pull").read_text().strip()


class Finger:
    """The process that moves the lines, so that it takes no time from the one that hears them."""

    def __init__(self, sim: Sim) -> None:
        command = [sys.executable, __file__, str(sim.lines)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def move(self, pause_s: float, moves: Sequence[tuple[int, int]]) -> None:
        """Move lines, each to its level after a pause, and return when all have moved."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(f"{pause_s} {' '.join(f'{line}:{level}' for line, level in moves)}\n")
        self.process.stdin.flush()
        self.process.stdout.readline()

    def plan(self, moves: Sequence[tuple[int, int, int]]) -> None:
        """Let lines be moved each at its moment, in monotonic nanoseconds, in this order, as (moment, line, level)."""
        assert self.process.stdin
        self.process.stdin.write(f"at {' '.join(f'{line}:{level}:{at_ns}' for at_ns, line, level in moves)}\n")
        self.process.stdin.flush()

    def close(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.wait()


def obey(folder: str) -> None:
    """Move lines as told on stdin, and answer when done: seconds of pause before each move, and then LINE:LEVEL ...

    Or, without an answer: at LINE:LEVEL:NANOSECONDS ... From the first such command on nothing goes before this process
    on its processor, so that it is there at the moment.
    """
    files: dict[str, int] = {}
    for command in sys.stdin:
        how, *moves = command.split()
        if how == "at":
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))
        parted = [move.split(":") for move in moves]
        for line, *_ in parted:
            if line not in files:
                files[line] = os.open(f"{folder}/sim_gpio{line}/pull", os.O_WRONLY)
        for line, level, *at_ns in parted:
            if at_ns:
                wait_until(int(at_ns[0]))
            elif float(how):
                time.sleep(float(how))
            os.pwrite(files[line], b"pull-up" if level == "1" else b"pull-down", 0)
        if how != "at":
            print(flush=True)


def wait_until(at_ns: int) -> None:
    """Sleep until shortly before a moment, then look at the clock."""
    if (left_ns := at_ns - time.monotonic_ns() - SPIN_NS) > 0:
        time.sleep(left_ns / 1e9)
    while time.monotonic_ns() < at_ns:
        pass


if __name__ == "__main__":
    obey(sys.argv[1])
