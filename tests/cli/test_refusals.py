"""What a command says to wrong usage, to wrong files and to answers is what somebody has read: refusals.txt has it."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.kit.journals import header, leave
from tests.kit.seen import check_part
from umpi.cli import main
from umpi.journal import Journal
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find

HERE, REPO = Path(__file__).parent, Path(__file__).parents[2]
SEEN = HERE / "refusals.txt"
TRACES = HERE.parent / "traces"
CHANCE = (
    (re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d[.\d]*(\+00:00|Z)?)?"), "THEN"),
    (re.compile(r"  usage: .*?(?=  umpi \S+: error: )", re.S), ""),  # test_options has it
    (re.compile(r"umpi \S+, Python \S+:"), "umpi VERSION, Python VERSION:"),
    (re.compile(r"\b[0-9a-f]{32,64}\b"), "HEX"), (re.compile(r"\b[0-9a-f]{12}\b"), "PICTURE"),
    (re.compile(r"\bline [0-9a-f]{8}\b"), "line HEX"),
)  # fmt: skip
COMMANDS = re.findall(r"^\$ (.*)$", SEEN.read_text(encoding="utf-8"), re.M)
FORM = """\
clues:   ?? abc ?? ABC questions either ??/ABC
rewards: 0 3 3 2 2 1 1 0
start:   1
0: 0 3
1: 1 3
2: 0 0
"""
SCENARIO = "game dodeka\npress red blue\npress red\nchoose 2\npress ok ok\npress red blue yellow\nhold back\n"
TEXTS = {
    "bytes.txt": b"\xff\xfe\n", "empty.jsonl": b"", "letters.db": b"Dear Ann, " * 200, "form.txt": FORM.encode(),
    "short.txt": SCENARIO.encode(), "wrong.txt": f"{SCENARIO}dance\n".encode(),
    "umpi.toml": b'[rules.short]\ngame = "dodeka"\noptions = { target = 50 }\n', "wrong.toml": b"[desk]\nprot = 1\n",
    "preset.toml": b"[options]\ntarget = 0\n",
    "unsigned.jsonl": b'{"umpi": 1, "game": "quiz", "players": ["Ann", "Ben"], "options": {}, "signed": 5}\n',
    "empty.db": b"", "none.jsonl": b'{"umpi-trace": 1, "lanes": 1, "beams": 1}\n',
    "later.jsonl": b'{"umpi-trace": 7}\n', "five.py": b"X = 5\n",
}  # fmt: skip


def kept(file: Path, games: tuple[str, ...]) -> None:
    """Write a journal with a match of each game."""
    with closing(Journal(file)) as journal:
        for seed, game in enumerate(games):
            match = play_out(find(game), ("Ann", "Ben"), seed=seed)
            uid = journal.begin(header(game, match.players))
            journal.append(uid, [{**act.line(), "at": 1000 * at} for at, act in enumerate(match.acts, 1)], "panel")
            journal.close_match(uid)


def record(game: str, number: int | None = None) -> list[str]:
    match = play_out(find(game), ("Ann", "Ben"), seed=7)
    return [json.dumps(line) for line in (header(game, match.players), *(act.line() for act in match.acts[:number]))]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with journals, records and settings, right and wrong ones; each command gets a copy of it."""
    folder = tmp_path_factory.mktemp("refusals")
    for name, content in TEXTS.items():
        (folder / name).write_bytes(content)
    kept(folder / "games.db", ("dodeka", "dodekka", "quiz"))
    leave(folder / "left.db", play_out(find("quiz"), ("Ann", "Ben"), seed=1))
    for name in ("odd", "torn"):
        kept(folder / f"{name}.db", ("quiz", "quiz"))
    for name, change in {
        "odd": """UPDATE match SET header = replace(header, '"quiz"', '"gone"') WHERE id = 2""",
        "torn": "UPDATE match SET header = substr(header, 9), rules = 'club night' WHERE id = 1",
        "foreign": "CREATE TABLE plants (name TEXT)",
    }.items():
        with closing(sqlite3.connect(folder / f"{name}.db")) as file:
            file.executescript(change)
    game = record("dodeka", 9)
    keyless = {**json.loads(game[0]), "signed": {"uid": "u1", "box": "0123456789ab"}}
    for name, lines in {
        "game": game, "refused": [*game[:4], '{"do": "fly"}', *game[4:]], "quiz": record("quiz"),
        "old": [game[0], '{"do": "throw", "keep": [13], "dice": []}'], "keyless": [json.dumps(keyless), *game[1:]],
    }.items():  # fmt: skip
        (folder / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in lines))
    (folder / "cut.jsonl").write_text("\n".join(game)[:-9])
    shutil.copy(TRACES / "free-fall-two-beams.jsonl", folder / "trace.jsonl")
    before = Path.cwd()
    os.chdir(folder)
    try:
        assert main(["sim", "--script", "short.txt", "--session", "session.jsonl"]) == 0
        assert main(["history", "--export", "export.jsonl", "--journal", "games.db"]) == 0
    finally:
        os.chdir(before)
    session = (folder / "session.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "half.jsonl").write_bytes(b"".join([*session[:8], b"{}\n"]))
    for name, number, kept_lines in (("box", 2, session[:1]), ("box", 10, session), ("old", 1, [b"{}\n"])):
        (folder / name / "reports").mkdir(parents=True, exist_ok=True)
        (folder / name / "reports" / f"session-{number}.jsonl").write_bytes(b"".join(kept_lines))
    return folder


def content_of(folder: Path) -> dict[Path, bytes]:
    return {each: each.read_bytes() for each in folder.rglob("*") if each.is_file()}


def said(command: str, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run a command with what is typed behind its <; return its exit status and all that it prints."""
    words, _, typed = command.partition(" <")
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line.strip()}\n" for line in typed.split("|") if typed)))
    try:
        status = main(words.split())
    except SystemExit as left:
        status = int(left.code or 0)
    printed = capsys.readouterr()
    assert status != 2 or printed.err or printed.out.startswith("{"), "what is wrong is no output, but as JSON"
    return f"status {status}\n{printed.out}{printed.err}"


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_says_why_it_cannot(
    line: str, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """To add a command, write it with its $ into refusals.txt, and a line below it.

    Then, and after a change on purpose: set UMPI_APPROVE=1, run this, and read what has changed.
    """
    folder = tmp_path / "here"
    shutil.copytree(made, folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
    monkeypatch.setattr("umpi.conformance.command.EVERY_S", float("inf"))
    before = content_of(folder)
    commands, _, people = line.partition(" # ")
    if people:
        monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    now = "".join(said(command, capsys, monkeypatch) for command in commands.split(" ; "))
    if now.startswith("status 2") and line.split()[0] in ("history", "lab", "run", "stats"):
        assert [each.name for each, content in content_of(folder).items() if before.get(each) != content] == []
    now = now.replace(f"{folder}/", "").replace(f"{REPO}/", "")
    now = "\n".join(f"  {row}".rstrip() for row in now.splitlines()).rstrip()
    for pattern, instead in CHANCE:
        now = pattern.sub(instead, now)
    check_part(SEEN, line, now, COMMANDS, mark="$ ")
