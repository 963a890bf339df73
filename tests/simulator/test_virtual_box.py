"""The virtual box with what is plugged into it: wired as the real one, each pulled and plugged in without harm."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from umpi.box.calibration import Calibration, write_calibration
from umpi.box.config import Config
from umpi.drivers.head_protocol import HeadEdge
from umpi.referee.events import DeviceEvent, DeviceStatus
from umpi.service.inbox import Inbox
from umpi.simulator.page import Page
from umpi.simulator.player import NoPicture, SimulatedPlayer
from umpi.simulator.reading import reads
from umpi.simulator.tcs34725 import profile
from umpi.simulator.virtual import with_head, with_lanes, with_rail, with_scanner
from umpi.timing.edge import Edge
from umpi.timing.events import QueueDetection, Scan

MS = 1_000_000


class Table:
    """A box being played on; `events` is all that its devices have reported to the referee."""

    def __init__(self, config: Config) -> None:
        self.events: list[DeviceEvent] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Inbox, "post", self._record)
            self.playing = SimulatedPlayer(config)
        self.box = self.playing.box

    def _record(self, event: DeviceEvent) -> None:
        self.events.append(event)
        Inbox.post(self.box.loop.inbox, event)

    def of(self, kind: Any) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]


def at_table(config: Config, play: Callable[[Table], Awaitable[None]]) -> None:
    async def whole() -> None:
        table = Table(config)
        try:
            await table.playing.pass_ms(500)
            await play(table)
        finally:
            table.playing.close()

    asyncio.run(whole())


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(journal=tmp_path / "games.db")


def test_a_box_without_rail_and_head_has_nothing_to_do_by_itself(config: Config) -> None:
    async def play(table: Table) -> None:
        for each in (None, "toss"):
            if each:
                table.box.toss(["red"])
                assert table.box.fly() is not None
                await table.playing.pass_ms(1000)
            assert table.box.fly() is None
            assert table.box.loop.due_ns is None

    at_table(replace(with_scanner(with_lanes(config, 6)), dim_after_s=0, off_after_s=0), play)


@pytest.mark.parametrize("lanes", [1, 6])
def test_a_toss_gives_the_same_edges_by_the_head_and_by_the_pins(config: Config, lanes: int) -> None:
    by_name: dict[str, list[Edge]] = {}

    def keep(name: str) -> Callable[[Table], Awaitable[None]]:
        async def play(table: Table) -> None:
            table.events.clear()
            table.box.toss(["yellow", "red", "black"], gap_ms=17.3)
            await table.playing.pass_ms(1000)
            by_name[name] = table.of(Edge)

        return play

    at_table(with_lanes(config, lanes), keep("pins"))
    at_table(with_head(config, lanes), keep("head"))
    shape = [(edge.line, edge.active) for edge in by_name["pins"]]
    assert [(edge.line, edge.active) for edge in by_name["head"]] == shape
    first = {name: edges[0].at_ns for name, edges in by_name.items()}
    for pin, head in zip(by_name["pins"], by_name["head"], strict=True):
        assert isinstance(head, HeadEdge)
        assert abs(head.at_ns - pin.at_ns) <= head.off_ns
        assert abs((head.at_ns - first["head"]) - (pin.at_ns - first["pins"])) <= 5_000


def test_cubes_of_a_lane_each_come_to_rest_nowhere(config: Config) -> None:
    """Only a single chute has a queue rail; with lanes, each cube stops in front of its owner."""

    async def play(table: Table) -> None:
        table.box.toss(["green"])
        await table.playing.pass_ms(2000)
        assert [seen.state for seen in table.of(QueueDetection)] == ["empty"]
        table.box.lay("white")
        await table.playing.pass_ms(1000)
        assert table.of(QueueDetection)[-1].colour == "white"

    at_table(with_rail(with_lanes(config, 6)), play)


def test_the_colours_this_box_has_measured_count(config: Config) -> None:
    measured = profile()
    named = {"red": "blue", "blue": "red"}
    colours = [type(each)(named.get(each.name, each.name), each.shade, each.spread) for each in measured.colours]
    write_calibration(config.calibration, Calibration(0, type(measured)(measured.gain, tuple(colours))))

    async def play(table: Table) -> None:
        table.box.lay("red")
        await table.playing.pass_ms(1000)
        assert table.of(QueueDetection)[-1].colour == "blue"

    at_table(with_rail(config), play)


def test_cards_are_scanned_once_and_not_while_the_scanner_is_pulled(config: Config) -> None:
    async def play(table: Table) -> None:
        for code in ("fire-1#1", "fire-1#1", "fire-1#2"):
            table.box.scan(code)
            await table.playing.pass_ms(100)
        assert [scan.code for scan in table.of(Scan)] == ["fire-1#1", "fire-1#2"]
        assert table.of(Scan)[1].at_ns == table.playing.now_ns - 100 * MS
        table.box.pull("scanner")
        table.box.scan("fire-3")
        table.box.plug("scanner")
        table.box.scan("fire-4")
        assert [scan.code for scan in table.of(Scan)][2:] == ["fire-4"]
        reasons = [trouble.reason for trouble in table.of(DeviceStatus) if trouble.device == "scanner"]
        assert reasons == ["Card scanner at /dev/ttyACM0 unplugged: plug it back in.", ""]

    at_table(with_scanner(config), play)


@pytest.mark.parametrize("name", ["head", "rail", "scanner"])
def test_a_missing_device_cannot_be_unplugged(config: Config, name: str) -> None:
    async def play(table: Table) -> None:
        with pytest.raises(LookupError, match="this box has no"):
            table.box.pull(name)
        with pytest.raises(LookupError, match="this box has no"):
            table.box.plug(name)
        with pytest.raises(LookupError, match="no wall"):
            table.box.knock()

    at_table(with_lanes(config, 1), play)


def test_a_pulled_panel_is_dark_and_comes_back_with_what_is_to_be_seen(config: Config) -> None:
    async def play(table: Table) -> None:
        table.box.pull("panel")
        assert table.box.picture().getbbox() is None
        await table.playing.press("red", 100)
        await table.playing.wait_until_shown()
        assert [trouble.device for trouble in table.of(DeviceStatus)] == ["display"]
        assert table.box.picture().getbbox() is None
        table.box.plug("panel")
        await table.playing.pass_ms(100)
        assert reads(table.box.picture(), "Players?")
        assert table.box.box.oled
        assert table.box.box.oled.trouble == ""

    at_table(config, play)


def test_a_failing_panel_that_is_plugged_in_is_reported(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("umpi.simulator.player.PATIENCE_S", 0.05)

    async def play(table: Table) -> None:
        def broken(*codes: int) -> None:
            raise ValueError("out of order")

        monkeypatch.setattr(table.box.chip, "command", broken)
        with pytest.raises(NoPicture, match="the panel does not answer: ValueError: out of order"):
            await table.playing.press("red", 100)

    at_table(config, play)


class FakeLoop:
    """A loop that only notes who wants to be called later."""

    def __init__(self) -> None:
        self.waiting: list[tuple[float, Callable[[], None]]] = []

    def call_later(self, delay_s: float, call: Callable[[], None]) -> FakeLoop.Handle:
        self.waiting.append((delay_s, call))
        return FakeLoop.Handle(self.waiting, self.waiting[-1])

    class Handle:
        def __init__(self, waiting: list[Any], entry: Any) -> None:
            self.waiting, self.entry = waiting, entry

        def cancel(self) -> None:
            if self.entry in self.waiting:
                self.waiting.remove(self.entry)


def test_the_page_comes_back_to_the_devices_once_however_often_cubes_are_tossed(config: Config) -> None:
    page = Page(with_head(config, 6))
    loop: Any = FakeLoop()
    page._loop = loop
    try:
        for _ in range(3):
            page.box.toss(["red"])
            page._fall()
            assert [call for _, call in loop.waiting] == [page._fall]
    finally:
        page._loop = None
        page.box.close()
