"""What a panel shows, and what its presses mean."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from umpi.display.panel import Panel
from umpi.simulator.reading import drawn, reads
from umpi.table.commands import Command


@contextmanager
def granting(panel: Panel, command: Command) -> Iterator[None]:
    """Make a panel return this command at each press, whatever its buttons mean there."""
    with patch.object(panel, "press", lambda key, long: command):
        yield


def sees(panel: Panel, *texts: str) -> bool:
    """Return True if a panel shows all these texts; fails with its picture where it does not."""
    picture = panel.picture()
    missing = [text for text in texts if not reads(picture, text)]
    assert not missing, f"{missing} not in\n{drawn(picture)}"
    return True
