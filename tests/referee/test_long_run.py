"""The long run in short: games one after another, phones at the table, devices that fail, and nothing that grows."""

from __future__ import annotations

import gc
from typing import Any

import pytest

from scripts.soak.growth import LIMITS, Growth, lengths
from scripts.soak.long_run import Plan, run
from tests.kit.rig import Rigs
from umpi.box.config import Config
from umpi.simulator.player import SimulatedPlayer

GAMES = 8


def grown(change: Any, root: object = ()) -> list[str]:
    """What grows where `change` is done before each of so many looks, counted from 0.

    A look need not walk over what the tests before have left.
    """
    growth = Growth()
    gc.collect()
    gc.freeze()
    try:
        for number in range(GAMES):
            change(number)
            growth.look(root)
    finally:
        gc.unfreeze()
    return growth.faults()


@pytest.fixture(scope="module")
def faults() -> list[str]:
    """What is wrong after two days of a few games each; the same days before that fill what is made once only."""
    plan = Plan(days=2, seconds=600, games=5)
    run(plan)
    return run(plan)


@pytest.mark.slow
def test_games_on_end_make_nothing_grow(faults: list[str]) -> None:
    """Memory, files, threads and handles do not grow."""
    assert faults == []


@pytest.mark.slow
def test_a_match_that_is_over_leaves_nothing_behind_in_the_box(rigs: Rigs) -> None:
    rig = rigs(options={"questions": 1})
    rig.start("quiz", "red blue ok ok")

    def match(number: int) -> None:
        rig.press("ok ok")  # the question is opened, and nobody knows
        assert rig.referee.session.match.now.over
        rig.wait_ms(1000)  # a button that was a seat's own just before does not count
        rig.press("yellow")  # rematch

    assert grown(match, rig.box) == []


def test_back_in_a_correction_leads_to_the_question_before(rigs: Rigs) -> None:
    """Found by a long run: menu.py has a dialogue ask the same after the same taps."""
    rig = rigs(options={"questions": 3})
    rig.start("quiz", "red blue ok ok")
    rig.press("ok red")
    rig.press("back", ms=1000)
    rig.take("Correct a move")
    rig.press("red")  # the first, which is the buzz
    rig.take("edit")
    rig.take("buzz")
    before = rig.screen
    rig.press("blue")
    assert rig.shows("Sure?"), rig.screen
    rig.press("back")
    assert rig.screen == before


@pytest.mark.slow
def test_a_list_of_the_box_that_grows_is_named_by_the_way_to_it(rigs: Rigs) -> None:
    box = rigs().box
    box.referee.session.seen = []
    (fault,) = grown(box.referee.session.seen.append, box)
    assert fault.startswith("virtualbox.referee.session.seen: more and more")


@pytest.mark.slow
def test_a_limited_container_may_fill_up_to_its_limit(rigs: Rigs) -> None:
    box = rigs().box
    box.referee._resumable = []
    assert grown(box.referee._resumable.append, box) == []
    box.referee._resumable = [*range(LIMITS["_resumable"])]
    assert grown(box.referee._resumable.append, box)


def test_all_that_hangs_on_a_box_is_found(tmp_path: Any) -> None:
    playing = SimulatedPlayer(Config(journal=tmp_path / "games.db"))
    found = lengths(playing.box)
    playing.close()
    assert {
        "virtualbox.loop.inbox._events",
        "virtualbox.box.lines",
        "virtualbox.referee.phones._replies",
    } <= found.keys()
