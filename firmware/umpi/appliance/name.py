"""The name of a box in its network, chosen at its menu. It counts from the next start."""

from __future__ import annotations

import json
from pathlib import Path

from umpi.appliance.card import CardFault
from umpi.appliance.given import HOST
from umpi.kernel.messages import message

KEPT = "box-name"  # beside the configuration, so that copies of the box have it


def read_name(line: bytes) -> str:
    """Read what the service sends: a name of small letters, digits and hyphens. Raises CardFault."""
    try:
        name = json.loads(line)
    except (ValueError, RecursionError):
        name = None
    if isinstance(name, str) and HOST.fullmatch(name):
        return name.lower()
    raise CardFault(message("A name has letters, digits and hyphens, and no hyphen at an end. Nothing has changed."))


def kept_name(folder: Path) -> str:
    """Return the name that somebody has chosen at the box, or nothing."""
    try:
        name = (folder / KEPT).read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""
    return name if HOST.fullmatch(name) else ""


def keep_name(folder: Path, name: str) -> None:
    """Keep the name for the next starts. Raises OSError."""
    (folder / KEPT).write_text(f"{name}\n", encoding="ascii")
