"""How long a test waits for what must come from another thread or process: a safety net, never what decides."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE_S = 300.0  # far beyond what a loaded machine takes


def wait_for(came: Callable[[], object], detail: Callable[[], object] = str) -> None:
    """Wait until `came()` is true; fails with what `detail()` returns if it never is.

    The longer it takes, the more rarely it looks, so that looking does not hold up what it waits for.
    """
    began_s = time.monotonic()
    while not came():
        waited_s = time.monotonic() - began_s
        assert waited_s < PATIENCE_S, detail()
        time.sleep(min(0.002 + waited_s / 50, 0.2))
