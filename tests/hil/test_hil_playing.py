"""Whoever plays on a box in the guest passes over nothing: no restless box, no complaint, no fault the service told."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from types import SimpleNamespace

import pytest
from hil_box import faults, part, playing
from hil_box.box import KernelBox
from hil_box.faults import DODEKA, killed, parted, unplugged
from hil_box.part import calm, try_out
from hil_box.playing import LOG, RESTLESS_S, KernelPlaying

from umpi.display import screens
from umpi.display.menu import Choice, Menu
from umpi.games.dodeka import Dodeka
from umpi.kernel.calls import Call
from umpi.kernel.match import Match
from umpi.simulator.steps import StepFault


class Clock:
    """A clock that goes on where somebody sleeps."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def monotonic(self) -> float:
        return self.now_s

    def sleep(self, for_s: float) -> None:
        self.now_s += for_s


class Busy:
    """A service that runs on until a moment."""

    def __init__(self, clock: Clock, until_s: float) -> None:
        self._clock, self._until_s = clock, until_s

    def check(self) -> None: ...

    def used_ns(self) -> int:
        return round(min(self._clock.now_s, self._until_s) * 1e9)


@pytest.fixture
def box(tmp_path: Path) -> Iterator[KernelPlaying]:
    playing = KernelPlaying(Path("umpi"), SimpleNamespace(lines=tmp_path), tmp_path)
    yield playing
    playing._finger.close()


@pytest.mark.parametrize(("until_s", "restless"), [(0, False), (RESTLESS_S / 2, False), (1e9, True)])
def test_a_box_that_never_comes_to_rest_is_told_of(box, monkeypatch, until_s, restless):
    clock = Clock()
    monkeypatch.setattr(playing, "time", clock)
    box.service = Busy(clock, until_s)
    box._box = SimpleNamespace(panel=SimpleNamespace(bytes_taken=0), bus=SimpleNamespace(busy=False))
    if restless:
        with pytest.raises(StepFault, match="has not come to rest for 10 s"):
            box.settle()
    else:
        box.settle()
        assert clock.now_s == pytest.approx(until_s, abs=0.2)


def test_calm_is_who_has_said_nothing_bad_in_any_life_and_whose_devices_do_not_complain(box, tmp_path):
    calm(box)
    box.complaints.append("ValueError: the SSD1306 knows no command 0xee")
    with pytest.raises(AssertionError, match="knows no command 0xee"):
        calm(box)
    box.complaints.clear()
    (tmp_path / LOG).write_text("umpi: up\nTraceback (most recent call last):\n")
    with pytest.raises(AssertionError, match="a fault of its own"):
        calm(box)


@pytest.mark.parametrize(("exact", "took_s", "slow"), [(True, 1.2, False), (True, 2.1, True), (False, 9.0, False)])
def test_in_virtual_time_what_is_looked_for_stands_there_soon(tmp_path, monkeypatch, exact, took_s, slow):
    def scenario(name: str, playing: KernelPlaying) -> str:
        playing.slowest_s = took_s
        return "67 steps"

    monkeypatch.setattr(part, "scenario", scenario)
    monkeypatch.setattr(part, "mkdtemp", lambda **_: str(tmp_path))
    tried = ("dodeka", SimpleNamespace(lines=tmp_path), Path("umpi"), exact)
    if slow:
        with pytest.raises(AssertionError, match=r"shown after 2\.1 s"):
            try_out(*tried)
    else:
        assert try_out(*tried) == f"67 steps; shown within {took_s} s"


def test_the_finger_is_put_away_though_the_box_cannot_be(box):
    def fail() -> None:
        raise OSError("the bus is gone")

    box._box = SimpleNamespace(close=fail)
    with pytest.raises(OSError, match="the bus is gone"):
        box.close()
    assert box._finger.process.returncode is not None


def test_a_new_bus_complains_where_the_one_before_did(monkeypatch):
    class Bus:
        def __init__(self, number: int, devices: object, complaints: list[str]) -> None:
            self.complaints = complaints

    monkeypatch.setattr("hil_box.box.I2cBus", Bus)
    box = KernelBox.__new__(KernelBox)
    box.config, box._devices, box.complaints = SimpleNamespace(display_bus=1), {}, []
    box.give_bus()
    box.bus.complaints.append("ValueError: 0xee")
    box.give_bus()
    with pytest.raises(StepFault, match="0xee"):
        box.picture()


@pytest.mark.parametrize("fault", [killed, unplugged])
def test_what_is_done_fewer_times_than_meant_is_no_success(fault, monkeypatch):
    async def nothing(*_: object) -> None: ...

    hands = dict.fromkeys(("pull", "plug", "answer", "take_bus", "give_bus"), lambda *_: None)
    done = SimpleNamespace(kill=lambda: None, restart=nothing, see=nothing, box=SimpleNamespace(**hands))
    done.said = lambda: "umpi: display: " * 99
    monkeypatch.setattr(faults, "play", lambda *_: None)
    assert fault("", done).startswith({killed: "3 times", unplugged: "6 times"}[fault])
    monkeypatch.setattr(faults, "parted", lambda *_: islice(parted(DODEKA, "lamp", 12), 2))
    with pytest.raises(AssertionError, match=r"2 times, not \d"):
        fault("", done)


def test_a_scenario_is_cut_into_no_more_parts_than_it_has_steps_for():
    assert len(list(parted(DODEKA, "lamp", 12))) == 12
    with pytest.raises(StepFault, match="too few for 1000 parts"):
        list(parted(DODEKA, "lamp", 1000))


def test_the_time_of_a_call_is_not_the_boxs_slowness(box, monkeypatch):
    clock, match = Clock(), Match(Dodeka, ("Red", "Blue"))
    called = screens.call(match, Call("scored", "Red scores 100."), ())
    asked = screens.table(match, Menu("Dice?", (Choice("1", 1), Choice("2", 2))), 0)
    shown = [asked, asked, called, called, called, asked, asked]  # about a second each: two before the call count
    monkeypatch.setattr(playing, "time", clock)
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
