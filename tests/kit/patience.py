"""How long a test waits for what must come from another thread or process: a safety net, never what decides."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE_S = 300.0  # far beyond what a loaded machine takes


def wait_for(came: Callable[[], object], detail: Callable[[], object] = str) -> None:
    """Wait until `came()` is true; fails with what `detail()` returns if it never is."""
    until_s = time.monotonic() + PATIENCE_S
    while not came():
        assert time.monotonic() < until_s, detail()
        time.sleep(0.002)
