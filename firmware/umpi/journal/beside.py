"""The files beside a journal."""

from __future__ import annotations

import os
from pathlib import Path


def beside(path: Path, end: str) -> Path:
    """Return the file beside a journal whose name has this end; "" is the journal itself.

    A link is followed, as SQLite does: its -wal is beside the file, and so is everything else.
    """
    file = Path(os.path.realpath(path))
    return file.with_name(file.name + end)
