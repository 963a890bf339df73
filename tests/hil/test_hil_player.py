"""Playing on a box in the guest fails if the box never becomes idle, or a device or the service reports an error."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from types import SimpleNamespace

import pytest

from scripts.hil import faults, part, player
from scripts.hil.box import KernelBox
from scripts.hil.faults import DODEKA, cut_into_parts, panel_unplugged, service_killed
from scripts.hil.part import check_quiet, run_one
from scripts.hil.player import IDLE_LIMIT_S, LOG, KernelPlayer
from umpi.display import screens
from umpi.display.menu import Choice, Menu
from umpi.games.dodeka import Dodeka
from umpi.kernel.calls import Call
from umpi.kernel.match import Match
from umpi.simulator.reading import image_of
from umpi.simulator.steps import StepFault


class Clock:
    """A clock that advances by sleeping."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def monotonic(self) -> float:
        return self.now_s

    def sleep(self, for_s: float) -> None:
        self.now_s += for_s


class Busy:
    """A service that uses the processor until a given time."""

    def __init__(self, clock: Clock, until_s: float) -> None:
        self._clock, self._until_s = clock, until_s

    def check(self) -> None: ...

    def used_ns(self) -> int:
        return round(min(self._clock.now_s, self._until_s) * 1e9)


@pytest.fixture
def box(tmp_path: Path) -> Iterator[KernelPlayer]:
    player = KernelPlayer(Path("umpi"), SimpleNamespace(lines=tmp_path), tmp_path)
    yield player
    player._finger.close()


@pytest.mark.parametrize(("until_s", "never_idle"), [(0, False), (IDLE_LIMIT_S / 2, False), (1e9, True)])
def test_a_box_that_never_becomes_idle_is_an_error(box, monkeypatch, until_s, never_idle):
    clock = Clock()
    monkeypatch.setattr(player, "time", clock)
    box.service = Busy(clock, until_s)
    box._box = SimpleNamespace(panel=SimpleNamespace(bytes_taken=0), bus=SimpleNamespace(busy=False))
    if never_idle:
        with pytest.raises(StepFault, match="was not idle within 10 s"):
            box.settle()
    else:
        box.settle()
        assert clock.now_s == pytest.approx(until_s, abs=0.2)


def test_errors_of_devices_and_of_any_run_of_the_service_are_found(box, tmp_path):
    check_quiet(box)
    box.complaints.append("ValueError: the SSD1306 knows no command 0xee")
    with pytest.raises(AssertionError, match="knows no command 0xee"):
        check_quiet(box)
    box.complaints.clear()
    (tmp_path / LOG).write_text("umpi: up\nTraceback (most recent call last):\n")
    with pytest.raises(AssertionError, match="an uncaught exception"):
        check_quiet(box)


@pytest.mark.parametrize(("exact", "took_s", "slow"), [(True, 1.2, False), (True, 2.1, True), (False, 9.0, False)])
def test_in_virtual_time_a_slow_screen_is_an_error(tmp_path, monkeypatch, exact, took_s, slow):
    def scenario(name: str, player: KernelPlayer) -> str:
        player.slowest_s = took_s
        return "67 steps"

    monkeypatch.setattr(part, "scenario", scenario)
    monkeypatch.setattr(part, "mkdtemp", lambda **_: str(tmp_path))
    tried = ("dodeka", SimpleNamespace(lines=tmp_path), Path("umpi"), exact)
    if slow:
        with pytest.raises(AssertionError, match=r"shown after 2\.1 s"):
            run_one(*tried)
    else:
        assert run_one(*tried) == f"67 steps; shown within {took_s} s"


def test_the_finger_process_ends_even_if_the_box_cannot_be_removed(box):
    def fail() -> None:
        raise OSError("the bus is gone")

    box._box = SimpleNamespace(close=fail)
    with pytest.raises(OSError, match="the bus is gone"):
        box.close()
    assert box._finger.process.returncode is not None


def test_a_new_bus_reports_errors_to_the_same_list(monkeypatch):
    class Bus:
        def __init__(self, number: int, devices: object, complaints: list[str]) -> None:
            self.complaints = complaints

    monkeypatch.setattr("scripts.hil.box.I2cBus", Bus)
    box = KernelBox.__new__(KernelBox)
    box.config, box._devices, box.complaints = SimpleNamespace(display_bus=1), {}, []
    box.add_bus()
    box.bus.complaints.append("ValueError: 0xee")
    box.add_bus()
    with pytest.raises(StepFault, match="0xee"):
        box.picture()


@pytest.mark.parametrize("fault", [service_killed, panel_unplugged])
def test_a_fault_caused_fewer_times_than_planned_is_an_error(fault, monkeypatch):
    async def nothing(*_: object) -> None: ...

    hands = dict.fromkeys(("pull", "plug", "fail_bus", "remove_bus", "add_bus"), lambda *_: None)
    done = SimpleNamespace(kill=lambda: None, restart=nothing, see=nothing, box=SimpleNamespace(**hands))
    done.output = lambda: "umpi: display: " * 99
    monkeypatch.setattr(faults, "play", lambda *_: None)
    assert fault("", done).startswith({service_killed: "3 times", panel_unplugged: "6 times"}[fault])
    monkeypatch.setattr(faults, "cut_into_parts", lambda *_: islice(cut_into_parts(DODEKA, "lamp", 12), 2))
    with pytest.raises(AssertionError, match=r"2 times, not \d"):
        fault("", done)


def test_a_scenario_with_too_few_steps_cannot_be_cut():
    assert len(list(cut_into_parts(DODEKA, "lamp", 12))) == 12
    with pytest.raises(StepFault, match="too few for 1000 parts"):
        list(cut_into_parts(DODEKA, "lamp", 1000))


def test_the_time_of_a_call_does_not_count_as_a_slow_screen(box, monkeypatch):
    clock, match = Clock(), Match(Dodeka, ("Red", "Blue"))
    called = image_of(screens.call(match, Call("scored", "Red scores 100."), ()))
    asked = image_of(screens.table(match, Menu("Dice?", (Choice("1", 1), Choice("2", 2))), 0))
    shown = [asked, asked, called, called, called, asked, asked]  # about a second each: two before the call count
    monkeypatch.setattr(player, "time", clock)
    box.settle = lambda: clock.sleep(1)
    box.service = object()
    box._box = SimpleNamespace(picture=lambda: shown[0])

    def look() -> None:
        shown.pop(0)
        if len(shown) > 1:
            raise StepFault("not yet", 1)

    asyncio.run(box.see(look))
    assert 3 <= box.slowest_s < 3.5
    box.service = None
