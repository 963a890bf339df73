"""What the commands print is what somebody has read: outputs.txt has each command and all that it prints."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.kit.journals import header
from umpi.cli import main
from umpi.journal import Journal
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find

SEEN = Path(__file__).with_name("outputs.txt")
CHANCE = (  # what differs from run to run
    (re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d[.\d]*(\+00:00|Z)?)?"), "THEN"),
    (re.compile(r"\b[0-9a-f]{32}\b|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"), "UID"),
    (re.compile(r"/\S*/(?=games\.db|game\.jsonl)"), ""),
)
GAMES = ("dodeka", "dodekka", "battledodes", "dudab-buba", "quiz")
COMMANDS = re.findall(r"^\$ umpi (.*)$", SEEN.read_text(encoding="utf-8"), re.M)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a journal of a match of each game, and a record of one that is not over."""
    folder = tmp_path_factory.mktemp("outputs")
    with closing(Journal(folder / "games.db")) as journal:
        for seed, game in enumerate(GAMES):
            match = play_out(find(game), ("Ann", "Ben"), seed=seed)
            uid = journal.begin(header(game, match.players))
            journal.append(uid, [{**act.line(), "at": 1000 * at} for at, act in enumerate(match.acts, 1)], "panel")
            journal.close_match(uid)
    match = play_out(find("dodeka"), ("Ann", "Ben"), seed=7)
    lines = [header("dodeka", match.players), *(act.line() for act in match.acts[:9])]
    (folder / "game.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return folder


def said(command: str, capsys: Any) -> Iterator[str]:
    """Run a command; yield it, its exit status, and all that it prints, without what chance has drawn."""
    needs = () if command.split()[0] not in ("history", "stats") else ("--journal", "games.db")
    try:
        status = main([*command.split(), *needs])
    except SystemExit as left:
        status = int(left.code or 0)
    printed = capsys.readouterr()
    text = f"{printed.out}{printed.err}"
    for pattern, instead in CHANCE:
        text = pattern.sub(instead, text)
    yield f"  status {status}"
    yield from (f"  {line}".rstrip() for line in text.splitlines())


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_prints_what_somebody_has_read(
    command: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """After a change on purpose, and for a new command: read the new lines, and copy them into outputs.txt."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))  # not the shelves of the person who runs the tests
    monkeypatch.setattr("umpi.conformance.command.EVERY_S", float("inf"))  # on a busy computer, it tells its progress
    words, _, people = command.partition("  # ")
    if people:
        monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    now = "\n".join([f"$ umpi {command}", *said(words, capsys)])
    assert f"{now}\n\n" in SEEN.read_text(encoding="utf-8")
