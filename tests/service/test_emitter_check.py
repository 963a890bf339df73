"""The emitter test on a table of fakes: what it reports, which edges it drops, and that no cube is hidden unsaid."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from umpi.kernel.nothing import nothing
from umpi.referee.events import DeviceStatus
from umpi.service.emitter_check import EACH_NS, MS, QUIET_NS, EmitterCheck, PinSwitch, longest_ns
from umpi.timing.edge import Edge
from umpi.timing.events import Lost
from umpi.timing.gate import Settings


@dataclass
class Lane:
    """A beam with its emitter; `blinded` by the sun, `blocked` by a cube, or both."""

    name: str
    table: Table
    blinded: bool = False
    blocked: bool = False

    @property
    def is_active(self) -> bool:
        return self.blocked or not (self.table.shining or self.blinded)


@dataclass
class Table:
    """Two lanes, their emitters and a clock; `meanwhile` happens while the emitters are off."""

    shining: bool = True
    now_ns: int = 1000 * MS
    slow_ns: int = 0
    cube_mm: float = 16
    meanwhile: Callable[[], Any] = nothing
    lanes: list[Lane] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.lanes = [Lane("lane_1", self), Lane("lane_2", self)]
        settings = Settings(lanes=2, cube_mm=self.cube_mm)
        switch = PinSwitch(self, self.lanes, lambda: self.now_ns, settings, self.rest)
        self.test = EmitterCheck(switch, lambda: self.now_ns)

    def on(self) -> None:
        self.shining = True

    def off(self) -> None:
        self.shining = False

    async def rest(self, ns: int) -> None:
        self.now_ns += ns + self.slow_ns
        if not self.shining:
            self.meanwhile()

    def run(self) -> list[Any]:
        return asyncio.run(self.test.run())


def test_receivers_that_go_dark_are_well_and_the_emitters_shine_again() -> None:
    table = Table()
    assert table.run() == []
    assert table.shining


def test_a_receiver_that_sees_light_without_its_emitter_is_reported_once_until_it_is_well() -> None:
    table = Table()
    table.lanes[1].blinded = True
    assert table.run() == [DeviceStatus("light", "lane_2")]
    assert table.run() == []
    table.lanes[1].blinded = False
    assert table.run() == [DeviceStatus("light", "")]


def test_edges_of_the_test_are_dropped_and_those_of_cubes_and_buttons_are_not() -> None:
    table = Table()
    began_ns = table.now_ns
    table.run()
    assert table.test.own(Edge("lane_1", True, began_ns + MS))
    assert not table.test.own(Edge("lane_1", True, began_ns - 1))
    assert not table.test.own(Edge("lane_1", False, table.now_ns + 1))
    assert not table.test.own(Edge("red", True, began_ns + MS))


def test_a_blocked_beam_is_not_tested() -> None:
    table = Table(meanwhile=lambda: 1 / 0)
    table.lanes[0].blocked = True
    assert table.run() == []


def test_a_cube_that_comes_during_the_test_is_a_lost_edge() -> None:
    table = Table()
    table.meanwhile = lambda: setattr(table.lanes[0], "blocked", True)
    assert table.run() == [Lost(1)]


@pytest.mark.parametrize(("too_long_ns", "news"), [(0, []), (1, [Lost(1)])])
def test_a_test_of_more_than_9_ms_may_have_hidden_a_cube(too_long_ns: int, news: list[Any]) -> None:
    table = Table(slow_ns=3 * MS // 2)  # it rests twice, each time for 3 ms
    table.meanwhile = lambda: setattr(table, "now_ns", table.now_ns + too_long_ns)
    assert table.run() == news


@pytest.mark.parametrize(("cube_mm", "news"), [(16, []), (12, [Lost(1)])])
def test_a_test_of_8_5_ms_may_have_hidden_a_small_cube(cube_mm: float, news: list[Any]) -> None:
    table = Table(cube_mm=cube_mm, slow_ns=5 * MS // 4)  # it rests twice, each time for 3 ms
    assert table.run() == news


@pytest.mark.parametrize(
    ("settings", "ms"),
    [
        (Settings(), 9.0),
        (Settings(cube_mm=16, speed_mm_s=(750, 1600)), 9.0),
        (Settings(cube_mm=12, speed_mm_s=(750, 1600)), 6.75),
        (Settings(cube_mm=12, speed_mm_s=(900, 2400)), 4.5),
        (Settings(beams=2, cube_mm=12, beam_gap_mm=12, speed_mm_s=(900, 2400)), 9.0),
        (Settings(beams=2, cube_mm=12, beam_gap_mm=6, speed_mm_s=(900, 2400)), 6.75),
    ],
)
def test_a_test_is_shorter_than_the_passage_of_the_fastest_cube(settings: Settings, ms: float) -> None:
    assert longest_ns(settings) == ms * MS


def test_it_is_due_after_an_announcement_and_now_and_then() -> None:
    table = Table()
    table.run()
    assert table.test.due_ns == table.now_ns + EACH_NS
    table.test.own(Edge("lane_1", True, table.now_ns + 20 * MS))
    table.test.own(Edge("lane_2", False, table.now_ns + 50 * MS))
    table.test.own(Edge("lane_1", False, table.now_ns + 34 * MS))
    assert table.test.due_ns == table.now_ns + 50 * MS + QUIET_NS


def test_the_emitters_shine_again_if_the_test_fails() -> None:
    table = Table(meanwhile=lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        table.run()
    assert table.shining
