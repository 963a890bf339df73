"""Tossed cubes darken the beams as their lane and their way say."""

from __future__ import annotations

import pytest

from umpi.simulator.chute import How, toss
from umpi.timing.gate import Settings

CUBES = ("yellow", "red")


def told(lanes: int, how: How) -> list[str]:
    """Return the beam changes in their order, dark as "-"."""
    flights = sorted(toss(CUBES, Settings(lanes=lanes), 0, how))
    return [f"{line}{'-' if dark else '+'}" for _, line, dark in flights]


@pytest.mark.parametrize(
    ("lanes", "how", "seen"),
    [
        (1, "apart", "1- 1+ 1- 1+"), (1, "touching", "1- 1+"), (1, "stuck", "1- 1-"),
        (6, "apart", "3- 3+ 1- 1+"), (6, "touching", "3- 1- 3+ 1+"), (6, "stuck", "3- 1-"),
    ],
)  # fmt: skip
def test_cubes_that_touch_are_one_in_a_lane_that_they_share(lanes: int, how: How, seen: str) -> None:
    first = [change.removeprefix("lane_") for change in told(lanes, how) if change.startswith("lane")]
    assert " ".join(first) == seen
