"""Compare lines with a file that somebody has read."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


def check_seen(file: Path, lines: Iterable[str]) -> None:
    """Check that lines are those of a file. After a change on purpose: UMPI_APPROVE=1 writes it; read the difference.

    Trailing spaces do not count.
    """
    now = [line.rstrip() for whole in lines for line in whole.split("\n")]
    if os.environ.get("UMPI_APPROVE"):
        file.write_text("\n".join([*now, ""]), encoding="utf-8")
    assert now == file.read_text(encoding="utf-8").splitlines(), file.name
