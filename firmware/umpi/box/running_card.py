"""The slot of a card that this computer has started from, with the version in it, for a report."""

from __future__ import annotations

import json
from pathlib import Path

from umpi.frozen import frozen

COMMAND_LINE = Path("/proc/cmdline")
ABOUT = Path("/usr/share/umpi/card.json")


@frozen
class RunningCard:
    """A slot, "a" or "b", and what is in it, as in `0.1.0 (31ce06dc4a)`; "" if the card does not say."""

    slot: str
    version: str

    def __str__(self) -> str:
        """Return both for people."""
        return f"slot {self.slot}, version {self.version or 'unknown'}"


def running_card(line: Path = COMMAND_LINE, about: Path = ABOUT) -> RunningCard | None:
    """Return the slot and its version; None on a computer that did not start from a card of Umpi."""
    try:
        words = line.read_text(encoding="utf-8").split()
    except (OSError, ValueError):
        return None
    slot = next((word.removeprefix("umpi.slot=") for word in words if word in ("umpi.slot=a", "umpi.slot=b")), None)
    if slot is None:
        return None
    try:
        given = json.loads(about.read_text(encoding="utf-8"))
        return RunningCard(slot, f"{given['version']} ({given['commit']})")
    except (OSError, ValueError, KeyError, TypeError):
        return RunningCard(slot, "")
