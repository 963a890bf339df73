"""Files that are complete whatever happens: the power may fail at any moment, so the order of the steps counts."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from umpi.shelf.disk import replace_file, sync_folder

OLD, NEW = b"old", b"new" * 1000


def sync_by(monkeypatch: pytest.MonkeyPatch, note: Callable[[int], object]) -> None:
    monkeypatch.setattr(os, "fsync", note)


def is_open_at(descriptor: int, path: Path) -> bool:
    return path.exists() and os.path.samestat(os.fstat(descriptor), path.stat())


def test_the_content_is_on_disk_before_the_name_and_the_name_before_it_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, new = tmp_path / "list", tmp_path / "list.new"
    file.write_bytes(OLD)
    synced = []

    def sync(descriptor: int) -> None:
        if is_open_at(descriptor, new):
            synced.append(("content", new.read_bytes(), file.read_bytes()))
        elif is_open_at(descriptor, tmp_path):
            synced.append(("folder", b"", file.read_bytes()))

    sync_by(monkeypatch, sync)
    replace_file(file, NEW)
    assert synced == [("content", NEW, OLD), ("folder", b"", NEW)]
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("fails", [False, True])
def test_a_folder_is_closed_also_when_it_cannot_be_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    opened = []

    def sync(descriptor: int) -> None:
        opened.append(descriptor)
        if fails:
            raise OSError(errno.EIO, "disk")

    sync_by(monkeypatch, sync)
    with suppress(OSError):
        sync_folder(tmp_path)
    (descriptor,) = opened
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(descriptor)


def test_a_disk_that_fails_keeps_the_old_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "list"
    file.write_bytes(OLD)

    def sync(descriptor: int) -> None:
        raise OSError(errno.EIO, "disk")

    sync_by(monkeypatch, sync)
    with pytest.raises(OSError, match="disk"):
        replace_file(file, NEW)
    assert file.read_bytes() == OLD
