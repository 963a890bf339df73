"""The identity of a box: made once, the same after a restart, and never a reason not to start."""

from __future__ import annotations

import errno
import json
import os
import re
from pathlib import Path

import pytest

from umpi.box.config_file import read_config
from umpi.box.identity import keep_first, read_identity
from umpi.web.results import Signer


def test_the_id_is_made_once_and_the_name_can_be_set(tmp_path: Path) -> None:
    folder = tmp_path / "none" / "new"
    first = read_identity(folder, "Table 4")
    assert re.fullmatch("[0-9a-f]{12}", first.id)
    assert first.name == "Table 4"
    again = read_identity(folder)
    assert again.id == first.id
    assert again.name, "that of the computer"
    assert read_identity(tmp_path / "other").id != first.id
    assert [path.name for path in folder.iterdir()] == ["box.json"]


@pytest.mark.parametrize("text", ["", "{", '{"id": "../x"}', '{"id": 3}', "[]"])
def test_a_damaged_file_is_replaced(tmp_path: Path, text: str) -> None:
    (tmp_path / "box.json").write_text(text)
    found = read_identity(tmp_path)
    assert json.loads((tmp_path / "box.json").read_text()) == {"id": found.id}


def test_a_folder_that_cannot_be_written_affects_only_the_stored_id(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert read_identity(tmp_path / "file" / "below").id


@pytest.mark.parametrize("fault", [PermissionError, NotImplementedError])
def test_without_hard_links_the_id_is_kept_and_never_replaced(
    fault: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(file: Path, target: Path) -> None:
        raise fault

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    made = read_identity(tmp_path)
    assert read_identity(tmp_path) == made
    assert [file.name for file in tmp_path.iterdir()] == ["box.json"], "the file with the other name is gone"
    keep_first(tmp_path / "box.json", "another")
    assert read_identity(tmp_path) == made


@pytest.mark.parametrize("number", [errno.EIO, errno.EMFILE, errno.EACCES])
def test_a_file_that_cannot_be_read_for_once_keeps_its_id(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    made = read_identity(tmp_path)

    def refuse(file: Path, **_: str) -> str:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_text", refuse)
        meanwhile, signer = read_identity(tmp_path), Signer.of(tmp_path, make=False)
    assert read_identity(tmp_path) == made
    assert re.fullmatch("[0-9a-f]{12}", meanwhile.id), "the box starts"
    assert signer == Signer("", None), "it signs nothing under another id"
    assert os.strerror(number) in caplog.text


def test_an_id_is_on_disk_before_its_file_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(handle: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", refuse)
    assert read_identity(tmp_path).id
    assert list(tmp_path.iterdir()) == []


def test_the_name_is_a_key_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "umpi.toml").write_text('[box]\nname = "Table 4"\n')
    assert read_config(tmp_path / "umpi.toml").name == "Table 4"
