"""The identity of a box: made once, the same after a restart, and never a reason not to start."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from umpi.box.config_file import read_config
from umpi.box.identity import keep_first, read_identity


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
    (tmp_path / "new").write_text("another")
    keep_first(tmp_path / "new", tmp_path / "box.json")
    assert read_identity(tmp_path) == made


def test_the_name_is_a_key_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "umpi.toml").write_text('[box]\nname = "Table 4"\n')
    assert read_config(tmp_path / "umpi.toml").name == "Table 4"
