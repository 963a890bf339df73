"""The whole guide, from the first button to the last knock, as somebody has read it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from workbench import LANES, Workbench

from tests.kit.seen import check_part
from umpi.box.calibration import read_calibration
from umpi.box.config import Config, HeadPlan
from umpi.doctor.steps import STEPS, factory, guide

ALL: dict[str, Any] = {"rail": 1, "scanner": {"port": "/dev/a"}, "head": HeadPlan(lanes=1, beams=2, wall=True)}
PINS: dict[str, Any] = {"beams": LANES, "emitters": 10}
REST = tuple(list(STEPS)[4:])


def idle(bench: Workbench) -> None:
    bench.habits.clear()


def no(bench: Workbench) -> None:
    for question in ("Is the", "Did you hear", "Does the", "contact of the emitters", "in turn"):
        bench.at(question, lambda _: bench.type("n"))


def unplugged(bench: Workbench) -> None:
    for name in ("head", "rail", "scanner"):
        bench.plugs.of(name).pull()


def shaky(bench: Workbench) -> None:
    """Press the next button, skip twice at once, hold what ought to be let go, and leave cubes in."""
    bench.at("Press red", lambda _: bench.press("blue"))
    bench.at("Press blue", lambda _: bench.press("blue", [0, 2500]))
    bench.at("Press green", lambda _: bench.press("green", [0]))
    bench.at("Press white", lambda _: [bench.type(""), bench.type("")])
    bench.at("Block lane_1 alone", lambda _: [bench.beam("lane_1", True), bench.beam("second_1", True)])
    bench.at("Take it out", lambda _: None)


CONVERSATIONS: dict[str, tuple[dict[str, Any], tuple[str, ...], Callable[[Workbench], object]]] = {
    "a box that is well": (ALL, (), lambda bench: None),
    "beams at the pins": (PINS, REST, lambda bench: None),
    "nobody does anything": (PINS, ("buttons", "sounder", "display", *REST), idle),
    "every answer is no": (ALL, ("lamps", "display"), no),
    "nothing is plugged in": (ALL, REST, unplugged),
    "a shaky hand": (PINS, ("buttons", "beams", "cubes", "chute"), shaky),
    "new boards": (ALL, ("boards",), lambda bench: None),
}


def told(name: str, folder: Path) -> str:
    """All that the guide says and finds, and at which second."""
    config, only, habit = CONVERSATIONS[name]
    bench: Any = Workbench(Config(journal=folder / "games.db", **config))
    habit(bench)
    lines: list[str] = []
    say = bench.say

    def noted(text: str, live: bool = False) -> None:
        lines.append(f"{bench.now_ns / 1e9:.3f} {'(live) ' * live}{text}")
        say(text, live)

    bench.say = noted
    steps = factory if only == ("boards",) else partial(guide, only=only)
    for found in steps(bench.config, bench.box, bench):
        do = f" // {found.do}" if found.do else ""
        lines[-1] += f" [{bench.now_ns / 1e9:.3f} {found.device}: {found.status}, {found.what}{do}]"
    kept = re.sub(
        r"\d+\.\d{4,}", lambda number: f"{float(number[0]):.3f}", f"{read_calibration(bench.config.calibration)}"
    )
    return "\n".join([*lines, f"Kept: {kept}"])


LONG = ("a box that is well", "new boards")  # a head in virtual time is slow


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in LONG else name for name in CONVERSATIONS]
)
def test_the_guide_says_what_somebody_has_read(name: str, tmp_path: Path) -> None:
    """After a change on purpose: UMPI_APPROVE=1 writes guide.txt; read what is different."""
    check_part(Path(__file__).with_name("guide.txt"), name, told(name, tmp_path), CONVERSATIONS, "* ")


def test_a_bare_box_is_asked_of_what_it_has_only(tmp_path: Path) -> None:
    bench = Workbench(Config(journal=tmp_path / "games.db"))
    assert len(bench.guide()) == 10 + 6 + 8 + 1


def test_skipping_every_step_leaves_all_unproven_without_a_failure(tmp_path: Path) -> None:
    config = Config(journal=tmp_path / "games.db", beams=LANES, emitters=10, rail=1, scanner={"port": "/dev/ttyACM0"})
    bench = Workbench(config)
    bench.habits[:] = [(".", lambda _: bench.type("s"))]
    assert {finding.status for finding in bench.guide()} == {"not tested"}


def test_only_the_steps_that_were_named_are_done(tmp_path: Path) -> None:
    bench = Workbench(Config(journal=tmp_path / "games.db", beams=LANES))
    assert {finding.device.split()[0] for finding in bench.guide("cubes", "lamps")} == {"cube", "lamp"}
    assert set(STEPS) > {"cubes", "lamps"}
