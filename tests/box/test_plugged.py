"""The box with what `umpi run` plugs in: real drivers and threads, a Pico's program and a reader behind ptys."""

from __future__ import annotations

import asyncio
import os
import time
import tty
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kit.patience import wait_for
from tests.kit.pico import PicoProcess
from tests.kit.rig import keys_of
from umpi.box.config import Config, HeadPlan
from umpi.drivers import head_link, scanner
from umpi.drivers import queue_rail as rail
from umpi.journal import Journal
from umpi.service.inbox import Inbox
from umpi.service.run import RealPlugs
from umpi.service.start import assemble
from umpi.simulator.pins import VirtualPins
from umpi.simulator.reading import drawn, reads

WALL = 14


class Real:
    """A referee on real drivers, its buttons virtual; a port is plugged in by a pty under its name."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.pico, self.reader = folder, None, []
        self.config = Config(
            journal=folder / "games.db",
            setup_card=False,
            display_bus=97,
            head=HeadPlan(str(folder / "head"), wall=True),
            rail=98,
            scanner={"port": str(folder / "scanner"), "again_ms": 0},
        )
        self.runner = asyncio.Runner()
        self.pins = VirtualPins(time.monotonic_ns)
        clock, plugs = time.monotonic_ns, RealPlugs(self.config, time.monotonic_ns)
        service = assemble(self.config, Journal(self.config.journal), Inbox(), self.pins, plugs, clock)
        self.box, self.loop = service.box, service.loop
        self.referee = self.loop.referee

    def until(self, seen: Callable[[], object]) -> None:
        def look() -> object:
            self.runner.run(self._look())
            return seen()

        wait_for(look, lambda: f"{self.loop.view.broken}\n{drawn(self.picture)}")

    async def _look(self) -> None:
        await self.loop.catch_up()
        await asyncio.sleep(0.002)

    @property
    def picture(self) -> Any:
        return self.referee.panel.picture()

    def shows(self, *texts: str) -> bool:
        return all(reads(self.picture, text) for text in texts)

    def press(self, buttons: str) -> None:
        for button in buttons.split():
            pin = self.pins.pin({**self.config.seats, **self.config.navigation}[button])
            self.pins.planned_ns = time.monotonic_ns()
            pin.drive_low()
            pin.drive_high()  # at the same time: however busy the machine is, it is a tap
            self.pins.planned_ns = None
            chatter_s = time.monotonic() + 0.03
            self.until(lambda end=chatter_s: time.monotonic() > end)

    def plug_head(self) -> None:
        self.pico = PicoProcess(self.folder / "head")
        self.until(lambda: self.box.head.state.name == "ready" and "head" not in self.loop.view.broken)

    def plug_scanner(self) -> None:
        master, slave = os.openpty()
        tty.setraw(slave)
        (self.folder / "scanner").symlink_to(os.ttyname(slave))
        self.reader = [master, slave]
        self.until(lambda: not self.box.scanner.trouble and "scanner" not in self.loop.view.broken)

    def pull_scanner(self) -> None:
        (self.folder / "scanner").unlink(missing_ok=True)
        for end in self.reader:
            os.close(end)
        self.reader = []

    def close(self) -> None:
        if self.pico:
            self.pico.pull()
        self.box.close()
        self.pull_scanner()
        self.loop.close()
        self.runner.close()


@pytest.fixture
def real(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Real]:
    for module in (head_link, rail, scanner):
        monkeypatch.setattr(module, "PAUSES_S", (0.01,))
    real = Real(tmp_path)
    yield real
    real.close()


def test_a_box_with_nothing_plugged_in_says_of_each_what_is_missing_and_plays(real: Real) -> None:
    real.until(lambda: len(real.loop.view.broken) == 4)
    assert set(real.loop.view.broken) == {"head", "rail", "scanner", "display"}
    assert "plug it in" in real.loop.view.state.device_errors["Sensor head"]
    real.press(f"{keys_of('dodekka')} red blue ok ok")
    real.until(lambda: real.shows("Card scanner", "Enter cards"))
    real.press("back")
    assert real.referee.session.match


@pytest.mark.slow
def test_head_and_scanner_come_go_and_come_again_in_a_game(real: Real) -> None:
    real.plug_head()
    real.plug_scanner()
    real.press(f"{keys_of('dodekka')} red blue ok ok")
    os.write(real.reader[0], b"umpi:dodekka:air-4#1\r\n")
    real.until(lambda: real.shows("air-4"))
    real.pull_scanner()
    real.until(lambda: real.shows("Card scanner"))
    real.plug_scanner()
    for card in (b"fire-4", b"water-4"):
        os.write(real.reader[0], card + b"\n")
    real.until(lambda: [act.verb for act in real.referee.session.match.acts] == ["deal"])
    assert real.pico
    real.pico.move((WALL, 1), (WALL, 0))
    real.until(lambda: real.shows("Wall hit"))
    real.pico.pull()
    real.until(lambda: "head" in real.loop.view.broken)
    real.plug_head()


def test_beams_of_the_head_reach_the_funnel(real: Real) -> None:
    real.plug_head()
    assert real.pico
    real.press(f"{keys_of('dohdles')} red blue ok ok")
    real.pico.move((2, 0))
    real.until(lambda: "lane_1" in real.box.held())
    real.pico.move((2, 1))
    real.until(lambda: not real.box.held())
    real.until(lambda: real.referee._beams.funnel.trace or real.shows("cube") or real.shows("kept"))
