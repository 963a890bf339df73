"""What a panel without a box shows."""

from __future__ import annotations

from umpi.display.panel import Panel
from umpi.simulator.reading import drawn, reads


def sees(panel: Panel, *texts: str) -> bool:
    """Return True if a panel shows all these texts; fails with its picture where it does not."""
    picture = panel.picture()
    missing = [text for text in texts if not reads(picture, text)]
    assert not missing, f"{missing} not in\n{drawn(picture)}"
    return True
