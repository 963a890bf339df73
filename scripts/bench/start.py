"""Measure the processor time from the start of Python to the first picture, the memory, and many matches."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from scripts import REPO
from scripts.bench.full_journal import make_journal

ROUNDS = 7
MATCHES = (0, 100, 1_000, 10_000)  # making the last one takes half a minute
FULL_ROUNDS = 3
BYTECODE = REPO / ".venv" / "bytecode"

# The peak memory of the process itself. getrusage would include its parent's at the fork.
MEMORY = """
def kib():
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
"""
FIRST_PICTURE = """
import tempfile, time, asyncio, pathlib, umpi.service.run, umpi.web.app
from umpi.box.config import Config
from umpi.simulator.virtual import VirtualBox
box = VirtualBox(Config(journal=pathlib.Path(tempfile.mkdtemp()) / "games.db"), time.monotonic_ns)
asyncio.run(box.loop.catch_up())
assert box.box.oled.wait_shown() and box.picture().getbbox()
print(time.process_time(), kib(), flush=True)
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
import time, gpiozero, luma.oled.device, PIL.Image, serial, smbus2, sqlite3, starlette.applications, uvicorn
print(time.process_time(), kib())
"""


def start() -> None:
    """Print the processor time to the first picture, and the memory, beside bare imports of the box's libraries."""
    print(f"\nFrom the start of Python, processor time, median of {ROUNDS} in turn (least to most)")
    kinds = {"first picture": FIRST_PICTURE, "its libraries alone": IMPORTS}
    measured: dict[str, list[tuple[float, int]]] = {name: [] for name in kinds}
    for code in kinds.values():
        timed(code)  # writes the byte code
    for _ in range(ROUNDS):
        for name, code in kinds.items():
            measured[name].append(timed(code))
    for name, each in measured.items():
        seconds, memory = zip(*each, strict=True)
        print(
            f"  {name:20} {statistics.median(seconds) * 1000:4.0f} ms "
            f"({min(seconds) * 1000:.0f} to {max(seconds) * 1000:.0f}), {statistics.median(memory) / 1024:.0f} MiB"
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
    """Run a program that prints its processor time and `kib()`; return the seconds, and its greatest memory in KiB."""
    seconds, memory = _printed(MEMORY + code).split()
    return float(seconds), int(memory)


def _printed(code: str, *arguments: str) -> str:
    """Run a program that may keep its byte code: otherwise, it measures the compiler."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(BYTECODE)}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
