"""The puzzle on the page: everybody may read it, a paired phone answers it, and a failure is said."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from tests.kit.at_table import Table
from tests.kit.journals import leave
from tests.kit.rig import Rigs
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find
from umpi.review.searching import SEARCH, alone
from umpi.web.documents import PuzzleDue
from umpi.web.puzzling import NoPuzzle, Puzzles


@pytest.mark.slow
def test_a_paired_phone_answers_the_puzzle_that_everybody_sees(rigs: Rigs) -> None:
    leave(rigs.folder / "games.db", play_out(find("dodeka"), ("Ann", "Ben"), {"parts": 1}, seed=7))
    table = Table(rigs())
    assert table.phone().get("puzzle").json()["puzzle"] is None, "a stranger has nothing searched"
    paired = table.paired()
    while (found := paired.get("puzzle").json())["searching"]:  # which takes longer than 3 s on a busy computer
        assert found["why"].startswith("The box searches your matches")
    puzzle = found["puzzle"]
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


def test_all_who_ask_during_a_search_learn_at_once_how_far_it_is_and_get_its_puzzle(tmp_path: Path) -> None:
    """The search ends when the file appears; no phone starts a second one."""
    run = "import sys, pathlib; open(sys.argv[2] + '.runs', 'a').write('one ')\n"
    run += "while not pathlib.Path(sys.argv[2] + '.found').exists(): pass\n"
    run += 'print(\'{"puzzle": null, "why": "None."}\')'
    puzzles = Puzzles(tmp_path / "games.db", (sys.executable, "-c", run), at_once_s=0.01)

    async def ask() -> list[PuzzleDue]:
        first = await puzzles.due(search=True)
        with alone(tmp_path / SEARCH) as note:
            note(3, 17)
            second = await puzzles.due(search=True)
        (tmp_path / "games.db.found").touch()
        last = second
        while last["searching"]:
            last = await puzzles.due(search=True)
        return [first, second, last]

    first, second, last = asyncio.run(ask())
    assert first["why"] == "The box searches your matches. This may take some minutes."
    assert second["why"] == "The box searches your matches: 3 of 17. This may take some minutes."
    assert last == {"puzzle": None, "why": "None.", "searching": False}
    assert (tmp_path / "games.db.runs").read_text() == "one "
    puzzles.close()
