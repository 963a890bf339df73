"""On an installed box commands are about that box; umpi.toml says what its games begin with."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path

import pytest

from tests.kit.journals import dodeka_header
from umpi.box.config_file import read_config
from umpi.cli import main
from umpi.cli.terminal import config_of, why_not
from umpi.journal import Journal


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed box with one game in its journal; returns its umpi.toml."""
    journal = Journal(tmp_path / "games.db")
    journal.begin(dodeka_header())
    journal.close()
    file = tmp_path / "umpi.toml"
    file.write_text(f"[box]\njournal = {json.dumps(str(tmp_path / 'games.db'))}\n")
    monkeypatch.setattr("umpi.cli.terminal.INSTALLED", file)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "somebody"))
    return file


def test_its_games_are_listed_without_a_word(installed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["history"]) == 0
    assert "Ann" in capsys.readouterr().out


def test_a_config_that_is_named_goes_before_it(installed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = installed.with_name("other.toml")
    other.write_text(f"[box]\njournal = {json.dumps(str(installed.with_name('other.db')))}\n")
    Journal(installed.with_name("other.db")).close()
    assert main(["history", "--config", str(other)]) == 0
    assert "Ann" not in capsys.readouterr().out


def test_the_virtual_box_never_is_the_installed_one(installed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Trying out a command must not change the games of the table."""
    installed.write_text("[no such section]\n")
    (script := installed.with_name("script.txt")).write_text('expect "Which game?"\n')
    assert main(["sim", "--script", str(script)]) == 0, capsys.readouterr().err


def test_without_permission_the_error_names_the_user_who_may_read(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["umpi", "history", "3"])
    message = why_not(PermissionError(13, "Permission denied", "/var/lib/umpi/games.db"))
    assert message == (
        "/var/lib/umpi/games.db: Permission denied. Run the command as the box's user: sudo -u umpi umpi history 3"
    )
    assert "sudo" not in why_not(FileNotFoundError(2, "No such file", "games.db"))


def test_options_of_games_are_those_that_json_has(tmp_path: Path) -> None:
    (tmp_path / "ours.json").write_text('{"start": 2,\n "clues": ["letter"]}')
    (file := tmp_path / "umpi.toml").write_text('[options]\ntarget = 500\nboard = "@ours.json"\nother = [1, [2]]\n')
    options = read_config(file).options
    assert options == {"target": 500, "board": {"start": 2, "clues": ("letter",)}, "other": (1, (2,))}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('board = "@nowhere.json"', "line 2: [options] board = '@nowhere.json': board=@nowhere.json: nowhere.json: No"),
        ("target = 05:27:00", "line 2: [options] target = 05:27:00: no option of a game can be that."),
        ("target = nan", "line 2: [options] target = nan: no option of a game can be that."),
        ("targte = 500", "line 2: [options] targte: no installed game has such an option. Did you mean target?"),
        ("target = true", "line 2: [options] target: Battledodes refuses it. Option target"),
    ],
)
def test_an_option_that_cannot_be_is_refused_by_its_name(
    installed: Path, capsys: pytest.CaptureFixture[str], text: str, why: str
) -> None:
    installed.write_text(f"[options]\n{text}\n")
    assert main(["history"]) == 2
    assert why in capsys.readouterr().err


def test_the_command_line_goes_before_the_file(tmp_path: Path) -> None:
    (file := tmp_path / "umpi.toml").write_text("[options]\ntarget = 500\nminutes = 20\n")
    config = config_of(Namespace(config=file, option=["target=700"], virtual=False))
    assert config.options == {"target": 700, "minutes": 20}
