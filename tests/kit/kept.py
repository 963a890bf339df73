"""The made files that git keeps: a fresh clone has these and no others."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def kept() -> list[Path]:
    """The files of hardware/ that git has, or would take."""
    words = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "hardware"]
    listed = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return [path for path in (ROOT / line for line in listed) if path.exists()]
