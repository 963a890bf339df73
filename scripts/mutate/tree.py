"""A copy of the repository in which one file at a time is changed: the repository itself stays as it is."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from scripts import REPO

STEP_S = 100  # between the times of a file's versions: what Python has compiled is found by size and time


class Tree:
    """A copy at `root`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._versions = count(1)

    @contextmanager
    def changed(self, file: str, content: bytes) -> Iterator[None]:
        """Put other content into a file of the copy, and put back what was there."""
        place = self.root / file
        before = place.read_bytes()
        self._write(place, content)
        try:
            yield
        finally:
            self._write(place, before)

    def _write(self, place: Path, content: bytes) -> None:
        place.write_bytes(content)
        at = 1_000_000_000 + STEP_S * next(self._versions)
        os.utime(place, (at, at))


@contextmanager
def copied() -> Iterator[Tree]:
    """Copy what Git knows of the repository, and new files, into a temporary folder; .venv is shared."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=REPO, check=True, capture_output=True, text=True,
    )  # fmt: skip
    with TemporaryDirectory(prefix="umpi-mutate-", ignore_cleanup_errors=True) as folder:
        root = Path(folder)
        root.chmod(0o755)  # some tests of root are of another user meanwhile, who reads it too
        for name in filter(None, listed.stdout.split("\0")):
            if (REPO / name).exists():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(REPO / name, root / name, follow_symlinks=False)
        (root / ".venv").symlink_to(REPO / ".venv")
        yield Tree(root)
