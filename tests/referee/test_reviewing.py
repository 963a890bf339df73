"""Luck and skill at the box: after a match, the menu has it reviewed by another process, and shows what that finds."""

from __future__ import annotations

import sys
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from tests.kit.journals import leave
from tests.kit.patience import got
from tests.kit.rig import Rig, Rigs
from umpi.kernel.random_games import play_out
from umpi.kernel.record import record_lines
from umpi.kernel.registry import find
from umpi.referee.effects import FindReview
from umpi.referee.events import ReviewFound
from umpi.service.hints import review_finder

MATCH = play_out(find("dodeka"), ("Ann", "Ben"), seed=7)


@pytest.fixture
def rig(rigs: Rigs, tmp_path: Path) -> Rig:
    """The end of a match of Dodéka; `rig.wanted` are the reviews that the box asks for."""
    leave(tmp_path / "games.db", MATCH)
    rig = rigs()
    rig.press("ok")
    wanted: list[FindReview] = []
    rig.wanted = wanted
    rig.loop._find_review = wanted.append
    assert isinstance(rig, Rig)
    return rig


def asks(rig: Any) -> FindReview:
    rig.press("back", ms=1000)
    rig.choose("Luck and skill")
    wanted: FindReview = rig.wanted[-1]
    return wanted


def test_the_menu_after_a_match_shows_its_review_in_pages(rig: Any) -> None:
    wanted = asks(rig)
    assert rig.shows("Reviewing the match"), rig.screen
    assert wanted == FindReview(record_lines(rig.referee.session.match))
    rig.loop.inbox.post(ReviewFound(("turn points", "Ann: 1340. Expected 4889.2, luck -11.3, given away 3537.9")))
    rig.settle()
    assert rig.shows("turn points"), rig.screen
    assert rig.shows("luck -11.3"), rig.screen


def test_a_review_that_fails_says_so(rig: Any) -> None:
    asks(rig)
    rig.loop.inbox.post(ReviewFound())
    rig.settle()
    assert rig.shows("cannot be reviewed"), rig.screen


@pytest.mark.slow
def test_the_process_reviews_the_match_and_one_that_fails_is_said() -> None:
    found: SimpleQueue[ReviewFound] = SimpleQueue()
    review_finder(found.put).find(FindReview(record_lines(MATCH)))
    first, ann, worst, *_ = got(found).lines
    assert first == "turn points"
    assert ann == "Ann: 1340. Expected 4889.2, luck -11.3, given away 3537.9"
    assert worst == "Move 288: stop. Better: roll: keep 5 5. Cost: at least 18.9 % chance to win"
    review_finder(found.put, [sys.executable, "-c", "raise MemoryError"]).find(FindReview(()))
    assert got(found) == ReviewFound()
