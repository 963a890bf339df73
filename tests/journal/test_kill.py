"""Killed between any two accepted lines, the box has lost none that it has shown, and has none by half."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from plays import ANSWERS, TABLE, play

from tests.kit.journals import first_on_disk
from tests.kit.patience import run_to_end
from tests.kit.rig import Rig, Rigs
from umpi.display.modes import draw
from umpi.simulator.reading import drawn

TESTS = Path(__file__).parent
DEATHS = [f"sql-{at}" for at in range(1, 24)] + [f"bus-{at}" for at in (1, 20, 40, 55, 56, 70, 90, 120)]
GOES_ON = "sql-8"  # after the first throw


@dataclass
class Life:
    """The question on a box after each answer, by the number of lines in its journal."""

    screens: dict[int, str]
    lines: list[Any]


def question(rig: Rig) -> str:
    """The screen without the referee's call, which passes over the question and is not repeated after a restart."""
    rig.settle()
    return drawn(draw(replace(rig.referee.panel.screen(), call=None)))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Life:
    """The same game on a box that is not killed."""
    from umpi.box.config import Config

    path = tmp_path_factory.mktemp("whole") / "games.db"
    rig = Rig(Config(journal=path))
    rig.start("dodeka", TABLE)
    screens = {0: question(rig)}
    play(rig, ANSWERS, lambda: screens.update({rig.lines: question(rig)}))
    rig.close()
    return Life(screens, first_on_disk(path))


def looked_at(items: Sequence[Any]) -> list[str]:
    """The deaths that the chosen tests look at; one test looks at all."""
    here = [item for item in items if item.path == Path(__file__)]
    if any(item.function is test_the_deaths_fall_before_and_after_each_commit for item in here):
        return DEATHS
    return sorted({GOES_ON, *(item.callspec.params["death"] for item in here if hasattr(item, "callspec"))})


@pytest.fixture(scope="module")
def killed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, int]]:
    """The journals of boxes that were killed, and how many lines each had shown."""
    folder, deaths = tmp_path_factory.mktemp("killed"), looked_at(request.session.items)
    command = [sys.executable, str(TESTS / "plays.py"), str(folder), *deaths]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    output = run_to_end(command, stderr=None, text=True, env=environment, check=True).stdout
    shown, ended = {}, {}
    for death, what, number in map(str.split, output.splitlines()):
        (shown if what == "shown" else ended)[death] = int(number)
    assert ended == dict.fromkeys(deaths, -signal.SIGKILL), "each dies before the end of its game"
    return {death: (folder / f"{death}.db", shown[death]) for death in deaths}


@pytest.mark.slow
@pytest.mark.parametrize("death", DEATHS)
def test_shown_acts_are_on_disk_and_none_is_incomplete(killed: Any, whole: Life, rigs: Rigs, death: str) -> None:
    """A kill −9 between any two accepted lines loses none."""
    path, shown = killed[death]
    lines = first_on_disk(path)
    assert lines == whole.lines[: len(lines)]
    assert len(lines) >= shown
    assert len(lines) in whole.screens, "no answer of a throw and its stop is there by half"

    rig = rigs(journal=path)
    assert rig.shows("Resuming", "Red", "Blue"), rig.screen
    rig.press("ok")
    assert rig.screen == whole.screens[len(lines)], "a box that resumes shows the question itself"
    assert rig.loop.journal.trouble == ""


@pytest.mark.slow
def test_the_deaths_fall_before_and_after_each_commit(killed: Any, whole: Life) -> None:
    """The points of death are worth something: at some the line was on disk and not yet shown, at some it was not."""
    ahead = {len(first_on_disk(path)) - shown for path, shown in killed.values()}
    assert ahead > {0}
    assert {len(first_on_disk(path)) for path, _ in killed.values()} >= {0, 2, 4, 5}


def test_a_game_continues_to_the_same_end_after_a_power_failure(killed: Any, whole: Life, rigs: Rigs) -> None:
    path, shown = killed[GOES_ON]
    assert shown == 2
    rig = rigs(journal=path)
    rig.press("ok")
    play(rig, ANSWERS[1:], lambda: None)
    assert question(rig) == whole.screens[len(whole.lines)]
    on_paper = [{key: line[key] for key in line if key != "at"} for line in first_on_disk(path)]
    assert on_paper == [{key: line[key] for key in line if key != "at"} for line in whole.lines]
    rig.press("back", ms=1000)
    rig.press("ok")
    assert not rig.shows("1 1 1"), "what was done before the plug was pulled can be taken back too"
