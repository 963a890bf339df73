"""Whole games on the virtual box, from power-on to a winner, in injected time."""

from pathlib import Path

import pytest

from umpi.cli import main

FILES = sorted((Path(__file__).parents[1] / "scenarios").glob("*.txt"))


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_scenario_plays_as_written(file, capsys):
    assert main(["sim", "--script", str(file)]) == 0, capsys.readouterr().err


@pytest.mark.parametrize("game", ["dodeka", "dodekka"])
def test_each_game_is_played_to_a_winner(game):
    lines = (Path(__file__).parents[1] / "scenarios" / f"{game}.txt").read_text().splitlines()
    assert any("win" in line for line in lines[-4:])
