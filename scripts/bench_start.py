"""Measure the time from the start of Python to the first picture of the whole box, and the memory that it needs."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

ROUNDS = 7

# The peak memory of the process itself. getrusage would include its parent's at the fork.
MEMORY = """
def kib():
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
"""
FIRST_PICTURE = """
import tempfile, time, asyncio, pathlib
from umpi.box.config import Config
from umpi.simulator.virtual import VirtualBox
box = VirtualBox(Config(journal=pathlib.Path(tempfile.mkdtemp()) / "games.db"), time.monotonic_ns)
asyncio.run(box.loop.settle())
assert box.box.oled.wait_shown() and box.picture().getbbox()
print(kib(), flush=True)
import os; os._exit(0)
"""
IMPORTS = """
import gpiozero, luma.oled.device, serial
print(kib())
"""


def start() -> None:
    """Start to first picture of the whole box, and memory, in turn with the bare imports of its libraries."""
    print(f"\nFrom the start of Python, median of {ROUNDS} (least to most)")
    for name, code in (("first picture", FIRST_PICTURE), ("imports alone", IMPORTS)):
        timed(code)
        seconds, memory = zip(*(timed(code) for _ in range(ROUNDS)), strict=True)
        print(
            f"  {name}: {statistics.median(seconds):.2f} s ({min(seconds):.2f} to {max(seconds):.2f}), "
            f"{statistics.median(memory) / 1024:.0f} MiB"
        )


def timed(code: str) -> tuple[float, int]:
    """Run a program that prints `kib()`; returns its seconds, and its own greatest memory in KiB."""
    begun = time.perf_counter()
    process = subprocess.run([sys.executable, "-c", MEMORY + code], check=True, capture_output=True, text=True)
    return time.perf_counter() - begun, int(process.stdout)
