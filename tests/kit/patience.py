"""How long a test waits for what must come from another thread or process: a safety net, never what decides.

Patience is not counted by the clock, but in turns. A turn is a short pause, and of it counts only the share of a
processor that each program that can run gets just then. So a machine with other work makes a wait longer, one that
stands still for a while adds a turn, and neither makes a test fail. What never comes costs PATIENCE_S on an idle
machine.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import time
import traceback
from collections.abc import Awaitable, Callable, Sequence
from io import StringIO
from pathlib import Path
from queue import Empty
from typing import Any, TypeVar

PATIENCE_S = 60.0  # of a processor; what a test waits for takes a second or two of it, a review of a match up to 15
HELD_S = 600.0  # for a thread that a test holds and lets go: longer than the test has patience
TURN_S = 0.05
LOAD = Path("/proc/loadavg")
PROCESSORS = len(os.sched_getaffinity(0)) if LOAD.exists() else os.cpu_count() or 1
TESTS = Path(__file__).parents[1]

T = TypeVar("T")


def share() -> float:
    """Return how much of a processor each program that can run gets now, at most 1.

    It is never so little that what never comes costs more than HELD_S.
    """
    busy = os.getloadavg()[0]
    if LOAD.exists():
        running = int(LOAD.read_text().split()[3].partition("/")[0])
        busy = max(busy, running - 1)  # this thread runs while it looks
    if busy <= PROCESSORS:
        return 1.0
    part = PROCESSORS / busy / 1.25 ** max(0, os.nice(0))  # a program that is nicer gets less than the others
    return max(part, PATIENCE_S / HELD_S)


class Patience:
    """Patience for one wait. `shared` returns how much of a processor each program gets."""

    def __init__(self, seconds: float = PATIENCE_S, shared: Callable[[], float] = share) -> None:
        self.left_s = seconds
        self._shared = shared

    def spend(self, turn_s: float) -> bool:
        """Count a turn, however long it has taken; return whether there is patience left."""
        self.left_s -= turn_s * self._shared()
        return self.left_s > 0


def limit_s() -> float:
    """Return the time for a call that must be given one, such as that of a socket, as the machine is now."""
    return PATIENCE_S / share()


def wait_for(came: Callable[[], T], detail: Callable[[], object] = lambda: "", patience: Patience | None = None) -> T:
    """Wait until `came()` is true, and return it; fails with what `detail()` returns if it never is.

    The longer it takes, the more rarely it looks, so that looking does not hold up what it waits for.
    """
    patience, waited_s = patience or Patience(), 0.0
    while not (found := came()):
        pause_s = min(0.002 + waited_s / 50, 0.2)
        time.sleep(pause_s)
        waited_s += pause_s
        if not patience.spend(pause_s) and not (found := came()):
            raise AssertionError(in_vain(detail()))
    return found


def patiently(
    wait: Callable[[float], T], detail: Callable[[], object] = lambda: "", patience: Patience | None = None
) -> T:
    """Call `wait` with a short time limit until what it waits for has come, and return that.

    It has not come if `wait` returns None or False, or raises Empty or a timeout.
    """
    patience = patience or Patience()
    while True:
        try:
            found = wait(TURN_S)
            if found is not None and found is not False:
                return found
        except (Empty, TimeoutError, subprocess.TimeoutExpired):
            pass
        if not patience.spend(TURN_S):
            raise AssertionError(in_vain(detail()))


def got(queue: Any) -> Any:
    """Wait for the next item of a queue, and return it."""
    return patiently(lambda turn_s: (queue.get(timeout=turn_s),))[0]


async def soon(awaited: Awaitable[T], patience: Patience | None = None) -> T:
    """Await something that must end; fails with where it stands if it does not."""
    task, patience = asyncio.ensure_future(awaited), patience or Patience()
    try:
        while not (await asyncio.wait({task}, timeout=TURN_S))[0]:
            if not patience.spend(TURN_S):
                where = StringIO()
                if isinstance(task, asyncio.Task):
                    task.print_stack(file=where)
                raise AssertionError(in_vain(where.getvalue()))
        return task.result()
    finally:
        task.cancel()
        await asyncio.wait({task}, timeout=1)


def run_to_end(
    command: Sequence[Any], input: Any = None, patience: Patience | None = None, check: bool = False, **settings: Any
) -> subprocess.CompletedProcess[Any]:
    """Run a program to its end as subprocess.run does, and capture its output; fails with that if it never ends."""
    patience, pipe = patience or Patience(), subprocess.PIPE
    settings = {"stdin": None if input is None else pipe, "stdout": pipe, "stderr": pipe, **settings}
    with subprocess.Popen(command, **settings) as program:
        try:
            while program.returncode is None:
                try:
                    output, errors = program.communicate(input, timeout=TURN_S)
                except subprocess.TimeoutExpired as unfinished:
                    input = None  # it has been given
                    if not patience.spend(TURN_S):
                        shown = f"{command}\n{unfinished.stdout!r}\n{unfinished.stderr!r}"
                        raise AssertionError(in_vain(shown)) from None
        finally:
            program.kill()
    done = subprocess.CompletedProcess(command, program.returncode, output, errors)
    if check:
        done.check_returncode()
    return done


def in_vain(detail: object) -> str:
    """Return what a test waits for in vain: its line, and what is there instead."""
    frames = [frame for frame in traceback.extract_stack() if frame.filename.startswith(f"{TESTS}/")]
    tests = [frame for frame in frames if Path(frame.filename).name.startswith("test_")]
    frame = (tests or frames)[-1]
    return f"{Path(frame.filename).name}, line {frame.lineno} waits in vain: {frame.line}\n{detail}"
