"""A game played while the panel's bus fails, hangs or loses power: the game continues, the picture comes back.

The whole service on a virtual chip, with the link of the real driver; time is injected, and passes on the bus as well.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from tests.kit.glass import Clock, SteppedOled, Wire, same
from tests.kit.patience import HELD_S, wait_for
from tests.kit.rig import MS, Rig, Rigs
from tests.kit.sampling import sampled
from umpi.drivers.oled_link import Link
from umpi.drivers.oled_panel import open_panel
from umpi.kernel.nothing import nothing
from umpi.simulator.plugs import VirtualPlugs

RECOVERS_MS = 2000
# Two turns, the second taken back in the menu; the rule, which has two pages; a turn. What is in capitals is held.
STEPS = "red blue yellow red red red back ok OK ok down yellow green yellow down".split()
STATES = list(enumerate(STEPS))


class Driver(SteppedOled):
    """The bus's clock runs ahead of the game's while it sends."""

    def __init__(self, link: Link, bus: Clock, clock: Callable[[], int], on_trouble: Callable[[str], object]) -> None:
        super().__init__(link, clock, on_trouble)
        self._bus = bus

    def step(self) -> int | None:
        self._bus.now_ns = max(self._bus.now_ns, self._clock())
        if not self._frame or self._bus.now_ns > self._clock():
            return self._bus.now_ns if self._frame else None
        due_ns = super().step()
        return self._bus.now_ns if self._bus.now_ns > self._clock() else due_ns


class Bus(Wire):
    """The wire of a box in play: on request it breaks at a byte, or hangs at a time."""

    hangs_ns = (0, 0)

    def __init__(self, glass: Any) -> None:
        super().__init__(glass, clock=Clock(), stuck=self._hangs)

    def _hangs(self) -> bool:
        return self.hangs_ns[0] <= self.clock.now_ns < self.hangs_ns[1]


class WiredPlugs(VirtualPlugs):
    """Virtual plugs whose panel hangs on a bus that can break."""

    def oled(self, pins: Any, on_trouble: Callable[[str], object]) -> Any:
        self.bus = Bus(self.virtual_panel)
        link = Link(lambda: open_panel("ssd1306", self.bus), "ssd1306", self.bus.clock)
        self.driver = Driver(link, self.bus.clock, self._clock, on_trouble)
        return self.driver

    def step(self) -> int | None:
        dues = (super().step(), self.driver.step())
        return min((due for due in dues if due is not None), default=None)


@pytest.fixture
def box(rigs: Rigs, monkeypatch: pytest.MonkeyPatch) -> Rig:
    """A box whose panel hangs on a bus that can break, at "Which game?"."""
    monkeypatch.setattr("umpi.simulator.virtual.VirtualPlugs", WiredPlugs)
    rig = rigs()
    rig.wait_ms(500)
    assert right(rig)
    return rig


def bus(rig: Rig) -> Any:
    return rig.box.plugs.bus


def right(rig: Rig) -> bool:
    """Whether the glass shows what the panel draws."""
    return same(rig.box.picture(), rig.referee.panel.picture())


def press(rig: Rig, step: str) -> None:
    rig.press(step.lower(), ms=1000 if step.isupper() else 100)


def play(rig: Rig, before: Callable[[int], object] = nothing, after: Callable[[int], object] = nothing) -> None:
    """Play a Dodéka; `before` and `after` are called around each step with its number."""
    rig.start("dodeka", "red blue ok ok")
    for index, step in enumerate(STEPS):
        before(index)
        press(rig, step)
        after(index)


@pytest.fixture
def untroubled(rigs: Rigs, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What a play makes without a fault: acts, lines in the journal, bytes over the bus."""
    monkeypatch.setattr("umpi.simulator.virtual.VirtualPlugs", WiredPlugs)
    rig = rigs(journal=tmp_path_factory.mktemp("untroubled") / "games.db")
    play(rig)
    rig.wait_ms(RECOVERS_MS)
    assert right(rig)
    assert rig.acts == ["throw", "stop"] * 2
    return rig.acts, rig.lines, bus(rig).sent


@pytest.mark.parametrize("part", sampled(range(40), 4))
def test_a_bus_that_breaks_at_any_byte_costs_no_press(box: Rig, untroubled: Any, part: int) -> None:
    """Each fortieth of all bytes; three transfers on end are lost."""
    acts, lines, sent = untroubled
    wire = bus(box)
    wire.fails_at, wire.failures = max(wire.sent, sent * part // 40), 3
    play(box)
    box.wait_ms(RECOVERS_MS)
    assert wire.failures == 0, "it has broken"
    assert (box.acts, box.lines) == (acts, lines)
    assert right(box), box.screen
    assert "display" not in box.loop.view.broken


@pytest.mark.parametrize("noticed", [True, False], ids=["noticed", "unnoticed"])
@pytest.mark.parametrize("state", STATES, ids=str)
def test_a_panel_power_cycled_in_any_state_shows_it_again(
    box: Rig, untroubled: Any, state: tuple[int, str], noticed: bool
) -> None:
    """Unplugged during the game, or so briefly that no byte is refused; its memory is lost."""

    def pull(index: int) -> None:
        if index == state[0]:
            box.box.pull("panel")
            if not noticed:
                box.box.plug("panel")

    def look(index: int) -> None:
        if index != state[0]:
            return
        if noticed:
            box.wait_ms(3000)
            assert "display" in box.loop.view.broken
            box.box.plug("panel")
        box.wait_ms(RECOVERS_MS)
        assert right(box), box.screen
        assert "display" not in box.loop.view.broken

    play(box, pull, look)
    assert (box.acts, box.lines) == untroubled[:2]


@pytest.mark.parametrize("state", sampled(STATES, 2), ids=str)
def test_a_bus_that_hangs_for_a_second_does_not_delay_the_game(
    box: Rig, untroubled: Any, state: tuple[int, str]
) -> None:
    """The answers of that second are taken within it: what is played does not take longer."""

    def hang(index: int) -> None:
        if index == state[0]:
            bus(box).hangs_ns = box.now_ns, box.now_ns + 1000 * MS

    play(box, hang)
    assert (box.acts, box.lines) == untroubled[:2]
    box.wait_ms(max(0, (bus(box).hangs_ns[1] - box.now_ns) // MS) + RECOVERS_MS)
    assert right(box), box.screen
    assert "display" not in box.loop.view.broken


class Hanging:
    """A bus in real time: from `hang` on a transfer waits until it is set `free`, then fails."""

    def __init__(self, glass: Any) -> None:
        self.glass, self.hang = glass, False
        self.hangs, self.free = threading.Event(), threading.Event()

    def command(self, *payload: int) -> None:
        self._carry()
        self.glass.command(*payload)

    def data(self, payload: list[int]) -> None:
        self._carry()
        self.glass.data(payload)

    def cleanup(self) -> None:
        """Stay."""

    def _carry(self) -> None:
        if self.hang:
            self.hangs.set()
            assert self.free.wait(HELD_S)
            raise TimeoutError(110, "Connection timed out")


class HangingPlugs(VirtualPlugs):
    """Virtual plugs with the real driver and its thread, on a bus that hangs."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.bus = Hanging(self.virtual_panel)


def test_while_a_transfer_hangs_in_the_real_driver_answers_are_taken_and_written(
    rigs: Rigs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("umpi.simulator.virtual.VirtualPlugs", HangingPlugs)
    rig = rigs()
    rig.start("dodeka", "red blue ok ok")
    wire = rig.box.plugs.bus
    wire.hang = True
    for button in ("red", "blue", "yellow"):
        for down in (True, False):
            rig.box.hold(button, down)
            rig.run(rig.loop.catch_up())
            rig.now_ns += 100 * MS
    wait_for(wire.hangs.is_set)
    assert rig.acts == ["throw", "stop"]
    assert rig.lines == 2
    wire.hang = False
    wire.free.set()
    rig.settle()
    assert right(rig), rig.screen
