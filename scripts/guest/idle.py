"""Measure the cost of an idle process."""

from __future__ import annotations

import os
import time
from pathlib import Path


def idle(pid: int, for_s: int) -> dict[str, str]:
    """Return wake-ups per second and processor time of a process; this function's own sleep does not count."""

    def counters() -> tuple[int, int]:
        status = "".join(path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/status"))
        wakes = sum(int(line.split()[1]) for line in status.splitlines() if line.startswith("voluntary_ctxt"))
        return wakes, time.clock_gettime_ns(~pid << 3 | 2)  # the clock of another process, clock_getcpuclockid(3)

    wakes, used_ns = counters()
    time.sleep(for_s)
    wakes_then, used_then_ns = counters()
    woken = wakes_then - wakes - (pid == os.getpid())
    return {"wakes": f"{woken / for_s:.1f}", "cpu": f"{(used_then_ns - used_ns) / for_s / 1e7:.2f} %"}
