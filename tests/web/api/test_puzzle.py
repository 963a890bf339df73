"""The puzzle on the page: everybody may read it, a paired phone answers it, and a failure is said."""

from __future__ import annotations

import asyncio
import sys

import pytest

from tests.kit.at_table import Table
from tests.kit.journals import leave
from tests.kit.rig import Rigs
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find
from umpi.web.puzzling import NoPuzzle, Puzzles


def test_a_paired_phone_answers_the_puzzle_that_everybody_sees(rigs: Rigs) -> None:
    leave(rigs.folder / "games.db", play_out(find("dodeka"), ("Ann", "Ben"), {"parts": 1}, seed=7))
    table = Table(rigs())
    assert table.phone().get("puzzle").json()["puzzle"] is None, "a stranger has nothing searched"
    puzzle = table.paired().get("puzzle").json()["puzzle"]
    assert table.phone().get("puzzle").json()["puzzle"] == puzzle
    assert len(puzzle["options"]) > 1
    answer = {"match": puzzle["match"], "move": puzzle["move"], "choice": 0}
    assert table.phone().post("puzzle", **answer).status_code == 401
    verdict = table.paired().post("puzzle", **answer).json()
    assert verdict["best"] in range(len(puzzle["options"]))
    assert "The puzzle comes again" in verdict["lines"][-1]
    assert table.phone().get("puzzle").json()["puzzle"]["move"] != puzzle["move"]


def test_puzzles_that_fail_are_said(rigs: Rigs) -> None:
    puzzles = Puzzles(rigs.folder / "games.db", (sys.executable, "-c", "raise MemoryError"))
    with pytest.raises(NoPuzzle):
        asyncio.run(puzzles.due(search=True))
    with pytest.raises(NoPuzzle):
        asyncio.run(puzzles.judge({"match": "", "move": 0, "choice": 0}))
