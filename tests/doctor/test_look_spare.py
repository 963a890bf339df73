"""What the doctor says of beam boards: clear, dirty, too much light."""

from __future__ import annotations

from dataclasses import replace
from math import log
from typing import Any

import pytest

from hardware.beam.margin import beam
from hardware.beam.numbers import load
from umpi.box.config import Config
from umpi.doctor.spare import BRIGHT_US, TAU_US, WEAK_US, spare
from umpi.simulator.virtual import with_head

PLAN = with_head(Config(), 2).head
assert PLAN
BOARDS = replace(PLAN, boards=True, beams=2)
BEAM = beam(load())


def test_the_constants_are_those_of_the_circuit() -> None:
    """The head adds at most 1 µs to a stamp, and the driver of the emitters 1 µs."""
    assert pytest.approx(BEAM.tau_us[1], abs=0.1) == TAU_US
    assert BEAM.dark_us[2] + 2 < BRIGHT_US, "the brightest beam is clear"
    weakest_us = BEAM.tau_us[0] * log(BEAM.drop[0] / BEAM.to_dark)
    assert weakest_us - 1 > WEAK_US, "the weakest new beam is clear"
    assert BEAM.dark_us[0] < WEAK_US, "a beam that is barely light is dirty"


@pytest.mark.parametrize(
    ("delays", "says"),
    [
        ({"lane_1": 77, "second_1": 31}, ["ok clear: lane_1 21, second_1 3.4 times the light that is needed"]),
        ({"lane_1": 5, "second_1": 77}, ["warning dirty: lane_1 1.2 times", "ok clear: second_1"]),
        ({"lane_1": 130}, ["warning too much light: lane_1 became dark late"]),
        ({"lane_1": None}, ["failed lane_1 stayed light without an emitter"]),
        ({"lane_1": 0}, []),
    ],
)
def test_each_beam_is_clear_dirty_or_sees_too_much_light(delays: dict[str, int | None], says: list[str]) -> None:
    found = [f"{finding.status} {finding.what}" for finding in spare(delays)]
    assert len(found) == len(says)
    assert all(one.startswith(start) for one, start in zip(found, says, strict=True))
    assert all(finding.do for finding in spare(delays) if finding.status != "ok")


def test_a_box_with_boards_shows_the_light_that_they_have_to_spare(ward: Any) -> None:
    found = ward(head=BOARDS).finding("light to spare")
    assert found.status == "ok"
    assert found.what == "clear: lane_1 21, second_1 21, lane_2 21, second_2 21 times the light that is needed"


def test_a_box_with_modules_says_nothing_of_it(ward: Any) -> None:
    assert not [
        found for found in ward(head=replace(BOARDS, boards=False)).findings() if found.device == "light to spare"
    ]


def test_an_older_head_is_not_asked(ward: Any) -> None:
    patient = ward(head=BOARDS)
    patient.settle()
    patient.plugs.of("head")._link.talk.who["firmware"] = "2.1"
    found = patient.finding("light to spare")
    assert (found.status, found.do) == ("not tested", "Copy firmware/sensor_head to it again.")
