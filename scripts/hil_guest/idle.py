"""A process to what it costs while nothing happens."""

from __future__ import annotations

import os
import time
from pathlib import Path


def idle(pid: int, for_s: int) -> dict[str, str]:
    """Count how often a process wakes in so many seconds, and how long it runs; its own sleep here does not count."""

    def look() -> tuple[int, int]:
        status = "".join(path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/status"))
        wakes = sum(int(line.split()[1]) for line in status.splitlines() if line.startswith("voluntary_ctxt"))
        return wakes, time.clock_gettime_ns(~pid << 3 | 2)  # the clock of another process, clock_getcpuclockid(3)

    wakes, used_ns = look()
    time.sleep(for_s)
    wakes_then, used_then_ns = look()
    woken = wakes_then - wakes - (pid == os.getpid())
    return {"wakes": f"{woken / for_s:.1f}", "cpu": f"{(used_then_ns - used_ns) / for_s / 1e7:.2f} %"}
