"""Find puzzles and judge their answers in processes of their own. The file of the puzzles lies beside the journal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from umpi.i18n.translate import current_language
from umpi.kernel.record import dump
from umpi.referee.effects import FindPuzzle, JudgePuzzle
from umpi.referee.events import PuzzleFound, PuzzleJudged
from umpi.service.found_aside import FoundAside
from umpi.table.puzzle import Puzzle

PUZZLE = (sys.executable, "-m", "umpi.review.asking")


def puzzle_finder(
    post: Callable[[PuzzleFound], object], journal: Path, command: Sequence[str] = PUZZLE
) -> FoundAside[FindPuzzle, PuzzleFound]:
    """Return what finds the puzzle that is due, in the language of the box."""
    return FoundAside(
        "puzzle", post, command, _found, lambda: (current_language(), str(journal)), lambda _: dump({"search": True})
    )


def puzzle_judge(
    post: Callable[[PuzzleJudged], object], journal: Path, command: Sequence[str] = PUZZLE
) -> FoundAside[JudgePuzzle, PuzzleJudged]:
    """Return what judges an answer and notes when the puzzle comes again."""
    return FoundAside("verdict", post, command, _judged, lambda: (current_language(), str(journal)), _answer)


def _answer(wanted: JudgePuzzle) -> str:
    return dump({"match": wanted.match, "move": wanted.move, "choice": wanted.choice})


def _found(_: FindPuzzle, found: Mapping[str, Any]) -> PuzzleFound:
    """Return the event of a puzzle as `umpi.review.asking` prints it, of {} if it has failed."""
    if puzzle := found.get("puzzle"):
        return PuzzleFound(Puzzle(**{**puzzle, "options": tuple(puzzle["options"])}))
    return PuzzleFound(why=str(found.get("why", "")))


def _judged(_: JudgePuzzle, found: Mapping[str, Any]) -> PuzzleJudged:
    """Return the event of a verdict as `umpi.review.asking` prints it, of {} if it has failed."""
    return PuzzleJudged(tuple(map(str, found.get("lines", ()))))
