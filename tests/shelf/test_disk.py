"""Files that are complete whatever happens: the power may fail at any moment, so the order of the steps counts."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tests.kit.wheels import file_of, wheel
from umpi.shelf.disk import replace_file, sync_folder
from umpi.shelf.wheel import read_wheel

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


def test_all_of_a_package_is_on_disk_before_anybody_hears_that_it_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a power cut leaves files of the right name and length without their content."""
    whole = read_wheel(file_of(), wheel())
    synced = dict[int, int]()

    def sync(descriptor: int) -> None:
        there = os.fstat(descriptor)
        synced[there.st_ino] = there.st_size

    sync_by(monkeypatch, sync)
    whole.unpack(tmp_path)
    made = [tmp_path, *tmp_path.rglob("*")]
    assert len(made) > 5
    for each in made:
        assert each.stat().st_ino in synced, each
        assert each.is_dir() or synced[each.stat().st_ino] == each.stat().st_size, each


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
