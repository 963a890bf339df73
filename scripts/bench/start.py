"""Measure the time from the start of Python to the first picture, the memory, and the start with many matches."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from scripts.bench.full_journal import make_journal

ROUNDS = 7
MATCHES = (0, 100, 1_000, 10_000)  # making the last one takes half a minute
FULL_ROUNDS = 3

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
asyncio.run(box.loop.catch_up())
assert box.box.oled.wait_shown() and box.picture().getbbox()
print(kib(), flush=True)
import os; os._exit(0)
"""
FULL = """
import sys, time, asyncio, pathlib, umpi.web.app
from umpi.box.config import Config
from umpi.simulator.virtual import VirtualBox
begun = time.process_time()
box = VirtualBox(Config(journal=pathlib.Path(sys.argv[1])), time.monotonic_ns)
asyncio.run(box.loop.catch_up())
assert box.box.oled.wait_shown() and box.picture().getbbox()
print(time.process_time() - begun, flush=True)
import os; os._exit(0)
"""
IMPORTS = """
import gpiozero, luma.oled.device, serial
print(kib())
"""


def start() -> None:
    """Print the time to the first picture of the whole box, and its memory, beside bare imports of its libraries."""
    print(f"\nFrom the start of Python, median of {ROUNDS} (least to most)")
    for name, code in (("first picture", FIRST_PICTURE), ("imports alone", IMPORTS)):
        timed(code)
        seconds, memory = zip(*(timed(code) for _ in range(ROUNDS)), strict=True)
        print(
            f"  {name}: {statistics.median(seconds):.2f} s ({min(seconds):.2f} to {max(seconds):.2f}), "
            f"{statistics.median(memory) / 1024:.0f} MiB"
        )
    print(
        f"From the imports to the first picture, by matches in the journal: ms of the processor, of {FULL_ROUNDS} runs"
    )
    for matches in MATCHES:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "games.db"
            make_journal(path, matches)
            spent = [float(_printed(FULL, str(path))) * 1000 for _ in range(FULL_ROUNDS)]
            size = path.stat().st_size / 1e6
        spread = f"{statistics.median(spent):6.0f} ({min(spent):.0f} to {max(spent):.0f})"
        print(f"  {matches:6,} matches, {size:6.1f} MB: {spread}", flush=True)


def timed(code: str) -> tuple[float, int]:
    """Run a program that prints `kib()`; returns its seconds, and its own greatest memory in KiB."""
    begun = time.perf_counter()
    printed = _printed(MEMORY + code)
    return time.perf_counter() - begun, int(printed)


def _printed(code: str, *arguments: str) -> str:
    return subprocess.run([sys.executable, "-c", code, *arguments], check=True, capture_output=True, text=True).stdout
