"""Puzzles at the box: the start screen offers one, the buttons answer it, and the panel says what was better."""

from __future__ import annotations

from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from tests.kit.journals import leave
from tests.kit.patience import got
from tests.kit.rig import Rig, Rigs
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find
from umpi.referee.effects import FindPuzzle, JudgePuzzle
from umpi.referee.events import PuzzleFound, PuzzleJudged
from umpi.service.puzzles import puzzle_finder, puzzle_judge
from umpi.table.puzzle import Puzzle

PUZZLE = Puzzle("uid", 67, "Dodéka: Ann to move", "10 10 10, one roll left", ("stop", "roll: keep nothing"))


@pytest.fixture
def rig(rigs: Rigs, tmp_path: Path) -> Rig:
    """The start screen after a match; `rig.wanted` is what the box asks other processes for."""
    leave(tmp_path / "games.db", play_out(find("dodeka"), ("Ann", "Ben"), {"parts": 1}, seed=7))
    rig = rigs()
    wanted: list[object] = []
    rig.wanted = wanted
    rig.loop._find_puzzle = wanted.append
    rig.loop._judge_puzzle = wanted.append
    rig.press("ok")
    rig.take("done")
    rig.take("new game")
    rig.take("Puzzle")
    assert isinstance(rig, Rig)
    return rig


def test_a_puzzle_is_asked_and_its_answer_judged(rig: Any) -> None:
    assert rig.shows("Searching your matches"), rig.screen
    assert rig.wanted == [FindPuzzle()]
    rig.loop.inbox.post(PuzzleFound(PUZZLE))
    rig.settle()
    assert rig.shows("10 10 10, one roll left"), rig.screen
    rig.press("ok")
    assert rig.shows("roll: keep nothing"), rig.screen
    rig.press("back")
    assert rig.shows("10 10 10"), rig.screen
    rig.press("ok")
    rig.choose("roll: keep nothing")
    assert rig.wanted[1:] == [JudgePuzzle("uid", 67, 1)]
    rig.loop.inbox.post(PuzzleJudged(("Not the best.", "Better: stop", "Cost: 466.7 (turn points)")))
    rig.settle()
    assert rig.shows("466.7"), rig.screen


def test_a_search_that_fails_says_so(rig: Any) -> None:
    rig.loop.inbox.post(PuzzleFound())
    rig.settle()
    assert rig.shows("No puzzle can be found"), rig.screen


def test_a_puzzle_that_nobody_waits_for_changes_nothing(rig: Any) -> None:
    rig.press("back")
    before = rig.screen
    rig.loop.inbox.post(PuzzleFound(PUZZLE))
    rig.settle()
    assert rig.screen == before


@pytest.mark.slow
def test_the_processes_find_and_judge(tmp_path: Path) -> None:
    journal = tmp_path / "games.db"
    leave(journal, play_out(find("dodeka"), ("Ann", "Ben"), {"parts": 1}, seed=7))
    found: SimpleQueue[PuzzleFound] = SimpleQueue()
    judged: SimpleQueue[PuzzleJudged] = SimpleQueue()
    puzzle_finder(found.put, journal).find(FindPuzzle())
    puzzle = got(found).puzzle
    assert puzzle
    puzzle_judge(judged.put, journal).find(JudgePuzzle(puzzle.match, puzzle.move, 0))
    assert "The puzzle comes again" in got(judged).lines[-1]
    puzzle_judge(judged.put, journal, ("/nothing/here",)).find(JudgePuzzle(puzzle.match, puzzle.move, 0))
    assert got(judged) == PuzzleJudged()
