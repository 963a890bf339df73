"""The help of `umpi` and of each command: complete, no wider than a terminal, and its examples work as typed."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.patience import run_to_end
from tests.kit.served import served
from umpi.box.config import Config
from umpi.cli import MODULES, build_parser, main
from umpi.cli.parser import GROUPS
from umpi.cli.terminal import INSTALLED
from umpi.journal import Journal
from umpi.kernel.random_games import play_out
from umpi.kernel.record import Header
from umpi.kernel.registry import find
from umpi.recording.report import write_report
from umpi.simulator.script import play_script

ROOT = Path(__file__).parents[2]
PARSER = build_parser()
COMMANDS = PARSER.commands
LONGEST_PURPOSE = 60  # characters: it fits beside the name
RUN = (
    "learn", "games", "new-game", "schema", "rules", "print", "cards", "profile", "history", "stats", "replay", "odds",
    "review", "puzzle", "judge", "play-out", "perft", "report", "replay-session", "https",
)  # fmt: skip
# An example of these lasts, or needs a Pi, a broker, a shelf, a game of one's own or the key of a box
ELSEWHERE = (
    "sim", "run", "doctor", "network", "update", "check", "texts", "lab", "mqtt", "club", "verify", "shelf", "install",
    "publish", "scenario",
)  # fmt: skip
FORM = """\
clues: ?? ABC ?? ABC ?? ABC ??/ABC
rewards: 0 3 3 2 2 1 1 0
start: 1
0: 0 3
1: 1 3
2: 0 0
"""


@pytest.fixture(autouse=True)
def a_terminal_of_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def typed(example: str) -> Iterator[list[str]]:
    """Split an example into the words of each `umpi` in it, as the shell does."""
    words = shlex.shlex(example, posix=True, punctuation_chars="|;<>")
    words.whitespace_split = True
    commands: list[list[str]] = [[]]
    for word in words:
        if word in ("|", ";"):
            commands.append([])
        else:
            commands[-1].append(word)
    for command in commands:
        kept = command[: command.index(">")] if ">" in command else command
        if kept[:3] == ["sudo", "-u", "umpi"]:
            kept = kept[3:]
        if kept[0] == "umpi":
            yield kept[1:]


def test_umpi_lists_each_command_once_with_its_purpose(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--help"])
    assert left.value.code == 0
    shown = capsys.readouterr().out
    listed = re.findall(r"^  ([a-z][a-z-]*) +(\S.*)$", shown.partition("Options:")[0], re.M)
    assert sorted(listed) == sorted((name, command.purpose) for name, command in COMMANDS.items())
    assert unreadable(shown) == []
    assert [line[:-1] for line in shown.splitlines() if line[:-1] in GROUPS] == list(GROUPS)


def test_each_command_is_built_by_its_module_alone() -> None:
    """So `umpi games` imports no other command: on a Pi Zero that saves seconds."""
    for module, names in MODULES.items():
        assert tuple(build_parser([module]).commands) == names


def test_umpi_without_a_command_prints_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for words in ([], ["--help"]):
        with pytest.raises(SystemExit) as left:
            main(words)
        assert left.value.code == 0
        shown.append(capsys.readouterr())
    assert shown[0] == shown[1]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_says_what_it_is_for(name: str) -> None:
    command = COMMANDS[name]
    assert command.group in GROUPS
    assert re.fullmatch(r"[A-Z].*[^.]\.", command.purpose)
    assert len(command.purpose) <= LONGEST_PURPOSE
    assert command.description
    assert re.fullmatch(r"[A-Z].*[^.]\.", command.description)
    assert [
        "/".join(action.option_strings) or action.dest
        for action in command.arguments
        if not (action.help or "").strip()
    ] == []
    assert 1 <= len(command.examples) <= 3
    assert all(text.endswith(".") for text in command.statuses.values())
    assert [each for each in re.split(r"\. ", command.description) if len(each.split()) > 25] == []


def unreadable(shown: str) -> list[str]:
    """Return the lines that are too long for a terminal, or that argparse has not formatted: %% is a percent sign."""
    return [line for line in shown.splitlines() if len(line) > 80 or "%%" in line]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_fits_80_columns_and_ends_with_examples_and_exit_statuses(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([name, "--help"])
    shown = capsys.readouterr().out
    assert unreadable(shown) == []
    assert [example for example in COMMANDS[name].examples if f"  {example}\n" not in shown] == []
    assert ("Exit status:" in shown) == bool(COMMANDS[name].statuses)


EXAMPLES = [(name, example) for name, command in COMMANDS.items() for example in command.examples]
EXAMPLES += [("umpi", example) for example in PARSER.examples]


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_an_example_is_parsed(name: str, example: str) -> None:
    read = list(typed(example))
    assert read
    parsed: list[argparse.Namespace] = [PARSER.parse_args(words) for words in read]
    assert all(callable(options.command) for options in parsed)


def test_the_examples_of_a_command_show_it() -> None:
    for name, command in COMMANDS.items():
        assert any(words[0] == name for example in command.examples for words in typed(example)), name
    assert sorted((*RUN, *ELSEWHERE)) == sorted(COMMANDS), "a new command: say whether its examples are run"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with three matches of Ann and Ben, the third with a toss of cubes, a board, rules and a session."""
    folder = tmp_path_factory.mktemp("home")
    (folder / "ours.txt").write_text(FORM)
    (folder / "umpi.toml").write_text('[rules.short]\ngame = "dodeka"\noptions = { target = 300 }\n')
    game = find("dodeka")
    journal = Journal(folder / "data" / "umpi" / "games.db")
    for seed in range(3):
        match = journal.begin(Header(game, ("Ann", "Ben"), {}).line())
        acts = [act.line() for act in play_out(game, ("Ann", "Ben"), {}, seed).acts]
        journal.append(match, acts, "panel")
    signals = (ROOT / "tests/records/traces/one-lane-clear.jsonl").read_text()
    journal.keep_trace(match, signals.splitlines())
    journal.close()
    (folder / "scenario.txt").write_text("game dodeka\npress red blue ok ok red blue yellow red red red\n")
    play_script(folder / "scenario.txt", Config(journal=folder / "other.db"), folder / "session.jsonl")
    write_report(folder / "data" / "umpi" / "reports", [(folder / "session.jsonl").read_bytes()])
    return folder


@pytest.fixture(scope="module")
def umpi(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with served(tmp_path_factory.mktemp("bin")) as program:
        yield program


@pytest.mark.slow
@pytest.mark.skipif(INSTALLED.exists(), reason="the examples would read the matches of the box that is installed here")
@pytest.mark.parametrize("name", RUN)
def test_the_examples_work_as_typed(name: str, home: Path, umpi: Path) -> None:
    """In a shell, one after the other; those of commands that last or need a Pi are left out."""
    lines = [
        example for example in COMMANDS[name].examples if not any(words[0] in ELSEWHERE for words in typed(example))
    ]
    assert lines
    script = "\n".join(["set -eo pipefail", *lines])
    environment = {**os.environ, "HOME": str(home), "XDG_DATA_HOME": str(home / "data")}
    environment["PATH"] = f"{umpi.parent}{os.pathsep}{os.environ['PATH']}"
    done = run_to_end(["bash", "-c", script], cwd=home, env=environment, text=True)
    progress = "\n".join(line for line in done.stderr.splitlines() if line.endswith(" …"))  # on a busy machine
    assert (done.returncode, done.stderr.rstrip("\n")) == (0, progress)


@pytest.mark.slow
@pytest.mark.skipif(INSTALLED.exists(), reason="the examples would read the matches of the box that is installed here")
@pytest.mark.parametrize("name", RUN)
def test_a_command_whose_reader_has_left_ends_quietly(name: str, home: Path, tmp_path: Path) -> None:
    """As before `| head`, which stops reading soon. Each command is a process that imports what it needs."""
    words = next(words for example in COMMANDS[name].examples for words in typed(example) if words[0] == name)
    reader, writer = os.pipe()
    os.close(reader)
    data = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(home / "data"), "PYTHONUNBUFFERED": "1"}
    for file in (home / "ours.txt", home / "umpi.toml", home / "session.jsonl"):
        shutil.copy(file, tmp_path)
    shutil.copy(ROOT / "tests/records/dodeka/all-six-pairtraiz.jsonl", tmp_path / "game.jsonl")
    shutil.copy(ROOT / "tests/records/traces/one-lane-clear.jsonl", tmp_path / "signals.jsonl")
    done = run_to_end(
        [sys.executable, "-m", "umpi", *words], cwd=tmp_path, env={**os.environ, **data}, stdin=subprocess.DEVNULL,
        stdout=writer, text=True,
    )  # fmt: skip
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")
