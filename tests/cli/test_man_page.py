"""The manual page is made from the parser: up to date, complete, read by troff without a warning."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from scripts.docs.man_page import PAGE, escape, option, page
from umpi.cli import build_parser

PARSER = build_parser()


def plain(text: str) -> str:
    """Take the marks of troff out, and join the lines."""
    for mark, character in {r"\(rs": "\\", r"\-": "-", r"\(aq": "'", r"\(ti": "~", r"\&": ""}.items():
        text = text.replace(mark, character)
    return " ".join(re.sub(r"\\f[BIR]", "", text).split())


def test_it_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(PARSER), "write it again: ./scripts/dev man-page"


@pytest.mark.parametrize("name", PARSER.commands)
def test_a_command_says_there_what_its_help_says(name: str) -> None:
    command, text = PARSER.commands[name], plain(page(PARSER))
    parts = [command.purpose, command.description or "", *command.examples, *command.statuses.values()]
    parts += [" ".join(command.format_usage().split()).removeprefix("usage: ")]
    parts += [(action.help or "") % {**vars(action), "prog": command.prog} for action in command.arguments]
    parts = [" ".join(part.split()) for part in parts]
    assert [part for part in parts if part not in text] == []


def test_each_option_is_described() -> None:
    text = page(PARSER)
    for command in PARSER.commands.values():
        for action in command.arguments:
            assert next(line for line in option(action, command) if line != ".TP") in text


def test_characters_special_to_troff_are_escaped() -> None:
    assert escape(".TP") == r"\&.TP"
    assert escape("'a' \\ b-c ~") == r"\(aqa\(aq \(rs b\-c \(ti"


@pytest.mark.skipif(not shutil.which("groff"), reason="groff is needed")
def test_troff_reads_it_without_a_warning() -> None:
    command = ["groff", "-man", "-Tutf8", "-ww", "-rLL=80n", "-P-cbou", str(PAGE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "umpi new-game snake-eyes" in done.stdout
    assert [line for line in done.stdout.splitlines() if len(line) > 80] == []
