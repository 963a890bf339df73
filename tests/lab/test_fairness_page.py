"""The figures of firmware/docs/is-dodeka-fair.md are those that its commands give: one cheap row of each game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from umpi.cli import main

PAGE = (Path(__file__).parents[2] / "firmware" / "docs" / "is-dodeka-fair.md").read_text(encoding="utf-8")
ROWS = {  # a command of the page, and how the line with its figures begins
    "dodeka --games 100 --match dodeka-turn random": "The player with the best turn gains",
    "dodekka --games 100 --match random~take random": "| a random player who avoids taking",
    "battledodes --games 600": "| Battledodes, 2 players |",
    "dohdles --games 300": "| Dohdles!, 3 players |",
    "dudab-buba --games 200": "| Dudab Buba, 2 players |",
}
SHARE = re.compile(r"^  \S.*? (?:wins|gains) ([\d.]+)%.*?95 % interval ([\d.]+)% to ([\d.]+)%", re.M)  # of the first
OTHERS = re.compile(r"an edge of ([\d.]+)% four times in five|^  comebacks (\d+)%", re.M)


@pytest.mark.slow
@pytest.mark.parametrize("command", ROWS)
def test_a_command_of_the_page_gives_its_figures(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """After a change of the rules or of a strategy, run all commands of the page, and read its sentences again."""
    assert f"    umpi lab {command}\n" in PAGE
    line = next(line for line in PAGE.splitlines() if line.startswith(ROWS[command]))
    assert main(["lab", *command.split(), "--workers", "1"]) == 0
    shown = capsys.readouterr().out
    share = SHARE.search(shown)
    assert share
    figures = [*share.groups(), *(figure for found in OTHERS.findall(shown) for figure in found if figure)]
    assert [figure for figure in figures if figure not in re.findall(r"\d+(?:\.\d+)?", line)] == []
