"""Files that are complete whatever happens: written beside, synced, and put in place in one step."""

from __future__ import annotations

import os
from pathlib import Path


def replace_file(file: Path, content: bytes) -> None:
    """Replace a file by this content in one step, down to the disk. Raises OSError."""
    new = file.with_name(f"{file.name}.new")
    with new.open("wb") as written:
        written.write(content)
        written.flush()
        os.fsync(written.fileno())
    new.replace(file)
    sync_folder(file.parent)


def sync_folder(folder: Path) -> None:
    """Write the names in a folder down to the disk. Raises OSError."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
