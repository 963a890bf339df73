"""`./scripts/dev` lists and finds the commands of developers. Nothing that is installed or drawn imports them."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts import REPO
from scripts.__main__ import COMMANDS

SCRIPTS = REPO / "scripts"
NAMES = [command.name for command in COMMANDS]


def dev(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the launcher with this Python."""
    return subprocess.run([sys.executable, SCRIPTS, *words], capture_output=True, text=True)


def imported(file: Path) -> Iterator[str]:
    """Yield the modules that a file imports."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield node.module or ""
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names)


@pytest.mark.parametrize("words", [(), ("--help",)])
def test_each_command_is_listed_with_its_own_line(words: tuple[str, ...]) -> None:
    listed = dict(line.split(maxsplit=1) for line in dev(*words).stdout.splitlines()[2:])
    assert listed == {command.name: command.about for command in COMMANDS}
    assert list(listed) == sorted(listed)


def test_an_unknown_name_gets_the_nearest() -> None:
    asked = dev("long-rum", "--days", "1")
    assert asked.returncode == 2
    assert asked.stderr == "dev: There is no command long-rum. Did you mean long-run? ./scripts/dev lists all.\n"


def test_the_names_in_the_help_are_those_of_the_list() -> None:
    """A module with a parser names its command. A command that the list lacks is found here, too."""
    named = {
        file.relative_to(SCRIPTS).as_posix(): name
        for file in SCRIPTS.rglob("*.py")
        for name in re.findall(r'ArgumentParser\(\s*prog="\./scripts/dev ([\w-]+)"', file.read_text(encoding="utf-8"))
    }
    assert named == {command.file: command.name for command in COMMANDS if command.file.endswith(".py")}


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["firmware", "hardware"])
def test_what_is_installed_or_drawn_imports_no_script_and_no_test(folder: str) -> None:
    files = (REPO / folder).rglob("*.py")
    assert [file for file in files for name in imported(file) if name.split(".")[0] in ("scripts", "tests")] == []


@pytest.mark.slow
def test_scripts_import_of_the_tests_only_their_kit() -> None:
    names = {name for file in SCRIPTS.rglob("*.py") for name in imported(file) if name.split(".")[0] == "tests"}
    assert {name for name in names if not name.startswith("tests.kit.")} == set()
