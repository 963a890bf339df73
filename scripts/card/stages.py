"""Stages of a build: each result is kept under the hash of everything that it was made from."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import time
from collections.abc import Callable, Iterable
from pathlib import Path

KEPT = 3  # results of each stage
_WHOLE = re.compile(r"[a-z]+-[0-9a-f]{16}")  # the name of a result: what has another name was not finished


def cache_folder() -> Path:
    """Return the folder for the results, outside the repository."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "umpi" / "card"


class Stages:
    """The stages of one build, numbered in the lines that say how far it is."""

    def __init__(self, cache: Path, number: int, say: Callable[[str], object] = print) -> None:
        self._cache, self._number, self._say, self._at = cache, number, say, 0
        cache.mkdir(parents=True, exist_ok=True)

    def make(self, name: str, about: str, inputs: Iterable[bytes], action: Callable[[Path], object]) -> Path:
        """Return the file or folder that `action` writes, from the cache if one with these inputs is there."""
        self._at += 1
        key = hashlib.sha256(name.encode())
        for each in inputs:
            key.update(hashlib.sha256(each).digest())
        result = self._cache / f"{name}-{key.hexdigest()[:16]}"
        for left in self._left_over(name):
            remove(left)
        head = f"{self._at}/{self._number} {about}"
        if result.exists():
            os.utime(result)
            self._say(f"{head}: as before")
            return result
        self._say(f"{head} …")
        began = time.monotonic()
        new = result.with_name(f"{result.name}.new")
        try:
            action(new)
        except BaseException:
            remove(new)
            raise
        new.rename(result)
        self._say(f"{head}: {time.monotonic() - began:.0f} s, {size_of(result) / 1e6:.1f} MB")
        self._drop_old(name)
        return result

    def newest(self, name: str) -> Path | None:
        """Return the newest result of a stage, whatever it was made from."""
        return max(self._results(name), key=lambda each: each.stat().st_mtime, default=None)

    def _results(self, name: str) -> list[Path]:
        return [each for each in self._cache.glob(f"{name}-*") if _WHOLE.fullmatch(each.name)]

    def _left_over(self, name: str) -> list[Path]:
        """Return what a build that was ended in the middle of a stage has left."""
        return [each for each in self._cache.glob(f"{name}-*") if not _WHOLE.fullmatch(each.name)]

    def _drop_old(self, name: str) -> None:
        for each in sorted(self._results(name), key=lambda each: -each.stat().st_mtime)[KEPT:]:
            remove(each)


def remove(path: Path) -> None:
    """Remove a file or a folder, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def size_of(path: Path) -> int:
    """Return the bytes of a file, or of all files of a folder."""
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(each.lstat().st_size for each in files if each.is_file() or each.is_symlink())


def contents(files: Iterable[Path], below: Path) -> list[bytes]:
    """Return the names, modes and bytes of files, to be hashed as inputs."""
    return [
        f"{each.relative_to(below)} {each.stat().st_mode:o}\n".encode() + each.read_bytes()
        for each in sorted(files)
        if each.is_file()
    ]
