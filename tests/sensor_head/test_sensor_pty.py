"""The real main.py, on a fake `machine` behind a pty, and the box's head at the other end of it; time is real."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.kit.patience import wait_for
from tests.kit.pico import PicoProcess
from umpi.drivers.head import Head, prove
from umpi.drivers.head_link import HeadReport, HeadState
from umpi.drivers.head_protocol import Coloured, HeadEdge, Lost
from umpi.timing.edge import Edge

LINES = ("lane_1", "lane_2", "second_1", "second_2", "wall")
LANE_1, LANE_2, WALL = 2, 3, 14
MS = 1_000_000


class Cable:
    """A port that a Pico may be plugged into, and the reports of the head there."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.reports: list[Any] = []
        self.states: list[HeadState] = []
        self.pico: PicoProcess | None = None
        self.head = Head(
            str(path),
            LINES,
            report=self._report,
            pause_s=0.005,
        )

    def _report(self, report: HeadReport) -> None:
        match report:
            case HeadState():
                self.states.append(report)
            case Lost(count):
                self.reports.append(f"lost {count}")
            case HeadEdge():
                self.reports.append(report)

    def plug_in(self) -> PicoProcess:
        self.pico = PicoProcess(self.path)
        self.wait(lambda: self.head.state.name == "ready")
        return self.pico

    def pull(self) -> None:
        if self.pico:
            self.pico.pull()

    def wait(self, until: Callable[[], object]) -> None:
        wait_for(until, lambda: (self.states, self.reports))

    @property
    def edges(self) -> list[Edge]:
        return [edge for edge in self.reports if isinstance(edge, Edge)]


@pytest.fixture
def cable(tmp_path: Path) -> Iterator[Cable]:
    cable = Cable(tmp_path / "ttyACM0")
    yield cable
    cable.head.close()
    cable.pull()


def test_edges_come_from_pin_to_box_with_stamps_within_their_bounds(cable: Cable) -> None:
    pico = cable.plug_in()
    before_ns = time.monotonic_ns()
    pico.move((LANE_1, 0), (LANE_2, 0), (WALL, 1), (WALL, 0), (LANE_1, 1))
    cable.wait(lambda: len(cable.edges) == 4)
    after_ns = time.monotonic_ns()
    assert [(edge.line, edge.active) for edge in cable.edges] == [
        ("lane_1", True),
        ("lane_2", True),
        ("wall", True),
        ("lane_1", False),
    ]
    for edge in cable.reports:
        assert before_ns - edge.off_ns <= edge.at_ns <= after_ns + edge.off_ns
    assert cable.head.dark == {"lane_2"}
    assert [edge.at_ns for edge in cable.edges] == sorted(edge.at_ns for edge in cable.edges)


def test_the_colour_sensor_answers_through_the_head_and_one_that_does_not_leaves_the_beams_alone(cable: Cable) -> None:
    pico = cable.plug_in()
    assert cable.head.colour("get b2 2") == Coloured("get b2 2", b"\x44\x44")
    assert cable.head.colour("put 80 1") == Coloured("put 80 1", None)
    pico.move((LANE_1, 0))
    cable.wait(lambda: cable.edges)
    assert [state.name for state in cable.states].count("ready") == 1


@pytest.mark.parametrize("dark", [False, True], ids=["before the cube", "in the midst of the cube"])
def test_an_unplugged_head_is_reported_and_recovers(cable: Cable, dark: bool) -> None:
    pico = cable.plug_in()
    if dark:
        pico.move((LANE_1, 0))
        cable.wait(lambda: cable.edges)
    before = len(cable.edges)
    cable.pull()
    cable.wait(lambda: cable.head.state.name == "gone")
    cable.wait(lambda: "plug it in" in cable.head.state.reason)
    assert cable.head.dark == frozenset()
    pico = cable.plug_in()
    assert cable.reports[before:] == ["lost 1", "lost 1"], "at each end of what nobody saw"
    pico.move((LANE_1, 0), (LANE_1, 1))
    cable.wait(lambda: len(cable.edges) == before + 2)


def test_garbage_to_the_head_does_it_no_harm(cable: Cable) -> None:
    pico = cable.plug_in()
    other = os.open(cable.path, os.O_WRONLY | os.O_NOCTTY)
    for seed in range(10):
        os.write(other, b"\n\x03\x04" + Random(seed).randbytes(300) + b"\n")
    os.close(other)
    pico.move((LANE_1, 0))
    cable.wait(lambda: cable.edges)
    assert cable.head.state.name == "ready"


def test_every_beam_is_proven_by_its_emitter(cable: Cable) -> None:
    pico = cable.plug_in()
    assert prove(cable.head, 2) == dict.fromkeys(LINES[:4], "")
    assert cable.reports == []
    pico.move((LANE_2, 0))
    cable.wait(lambda: cable.edges)
    assert "dark although" in prove(cable.head, 2)["lane_2"]


def test_edges_during_an_emitter_test_are_reported_on_request(cable: Cable) -> None:
    cable.plug_in()
    own = {line for line in LINES[:4] if line.partition("=")[0].endswith("_1")}
    assert cable.head.emit(1, False, mute=False)
    assert {edge.line for edge in cable.edges if edge.active} == {line.partition("=")[0] for line in own}
    cable.head.emit(1, True)
    assert not any(edge.active for edge in cable.edges[len(own) :])


@pytest.mark.slow
def test_a_pico_without_our_program_is_no_head(tmp_path: Path) -> None:
    other = tmp_path / "main.py"
    other.write_text('print("MicroPython v1.27.0; Raspberry Pi Pico with RP2040\\n>>> ")\nimport time\ntime.sleep(9)\n')
    now = [0]

    def hurried() -> int:
        now[0] += 200 * MS  # each look at the clock
        return now[0]

    pico = PicoProcess(tmp_path / "port", main=other)
    head = Head(str(tmp_path / "port"), LINES, report=print, clock=hurried, pause_s=0.01)
    wait_for(lambda: head.state.name == "looking" and head.state.reason, lambda: head.state)
    assert "Pico without firmware/sensor_head" in head.state.reason or "another device" in head.state.reason
    head.close()
    pico.pull()
