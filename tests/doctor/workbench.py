"""A virtual box on a bench in injected time, and a builder who follows the instructions, or does something else."""

from __future__ import annotations

import heapq
import re
from collections import deque
from collections.abc import Callable, Iterable
from itertools import count
from typing import Any

from umpi.box.box import build
from umpi.box.config import COLOURS, Config
from umpi.doctor.bench import Input, Typed
from umpi.doctor.finding import Finding
from umpi.doctor.plugged import picture
from umpi.doctor.steps import guide
from umpi.referee.events import DeviceEvent
from umpi.simulator.chute import toss
from umpi.simulator.pins import VirtualPin, VirtualPins
from umpi.simulator.plugs import VirtualPlugs

MS, SECOND = 1_000_000, 1_000_000_000
SOON_MS = 400  # what a builder takes to follow an instruction
LANES = {"lane_1": 8, "second_1": 9}


class BoardPin(VirtualPin):
    """A pin with a board on it, whose resistor to 3.3 V is stronger than the pin's own pull."""

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        if self.info.name in self.factory.held_up:
            self.drive_high()


class BoardPins(VirtualPins):
    """Pins of which those in `held_up`, by their names, have such a resistor."""

    def __init__(self, clock: Callable[[], int], on_output: Callable[[], object]) -> None:
        self.held_up: set[str] = set()
        super().__init__(clock, on_output)
        self.pin_class = BoardPin


class Workbench:
    """The bench; `messages` is what it got. What is done at "Press red." and the like is in `habits`; the first fits.

    `fronts_us` moves the stamps of beams that go dark with their emitters, `torn` beams never do, and
    `stuck` ones never become light.
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self.now_ns = SECOND
        self.messages: list[str] = []
        self.live: list[str] = []
        self.sounds = 0
        self.fronts_us: dict[str, int] = {}
        self.torn: set[str] = set()
        self.stuck: set[str] = set()
        self._inputs: deque[Input] = deque()
        self._todo: list[tuple[int, int, Callable[[], object]]] = []
        self._numbers = count()
        self._emitting = True
        self.pins = BoardPins(self.clock, self._outputs)
        self.plugs: Any = VirtualPlugs(config, self.clock)
        self.box = build(config, self.pins, self.plugs, self.post)
        self.habits: list[tuple[str, Callable[[re.Match[str]], object]]] = [
            (r"Press (\w+)\.$", lambda found: self.press(found[1])),
            (r"Is the \w+ lamp lit", lambda _: self.press(self.lit()[0] if len(self.lit()) == 1 else "back")),
            ("Listen", lambda _: setattr(self, "sounds", 0)),
            ("Did you hear", lambda _: self.press("ok" if self.sounds else "back")),
            ("Does the display", lambda _: self.press("ok" if self.shows() else "back")),
            (r"Block (\w+) alone", lambda found: self.beam(found[1], True)),
            (r"Hold a \w+ cube into (\w+)", lambda found: self.beam(found[1], True)),
            ("Take it out", lambda _: [self.beam(line, False) for line in config.beam_lines if line not in self.stuck]),
            (r"Drop a cube(?: into lane_(\d))?", lambda found: self.drop(COLOURS[int(found[1] or 1) - 1])),
            ("Leave the stop empty", lambda _: self.type("")),
            (r"Put a (\w+) cube", lambda found: self.lay(found[1])),
            ("Scan any", lambda _: self.after(SOON_MS, lambda: self.plugs.of("scanner").scan("fire-4"))),
            (r"Touch the contact (\w+) with", lambda found: self.touch(found[1])),
            (r"each lamp in turn.*at (\w+) alone", lambda found: self.type("y" if self.lit() == [found[1]] else "n")),
            (r"contact of the emitters", lambda _: self.type("y")),
            ("Knock", lambda _: self.after(SOON_MS, self.plugs.of("head").hit)),
        ]

    def clock(self) -> int:
        return self.now_ns

    def say(self, text: str, live: bool = False) -> None:
        (self.live if live else self.messages).append(text)
        for pattern, habit in self.habits:
            if found := re.search(pattern, text):
                habit(found)
                return

    def post(self, event: DeviceEvent) -> None:
        self._inputs.append(event)

    def wait(self, seconds: float) -> Input | None:
        until_ns = self.now_ns + round(seconds * SECOND)
        while True:
            assert self.now_ns < 36_000 * SECOND, f"nobody goes on after: {self.messages[-3:]}"
            while self._todo and self._todo[0][0] <= self.now_ns:
                heapq.heappop(self._todo)[2]()
            due_ns = self.plugs.step()
            if self._inputs:
                return self._inputs.popleft()
            if self.now_ns >= until_ns:
                return None
            dues = [until_ns, *([due_ns] if due_ns is not None else []), *(todo[0] for todo in self._todo[:1])]
            self.now_ns = max(self.now_ns, min(dues))

    def guide(self, *only: str) -> list[Finding]:
        """Walk through these steps, or all."""
        return list(guide(self.config, self.box, self, only))

    def at(self, pattern: str, habit: Callable[[re.Match[str]], object]) -> None:
        """Do something else after this instruction."""
        self.habits.insert(0, (pattern, habit))

    def after(self, ms: float, act: Callable[[], object]) -> None:
        heapq.heappush(self._todo, (self.now_ns + round(ms * MS), next(self._numbers), act))

    def type(self, text: str, ms: float = SOON_MS) -> None:
        self.after(ms, lambda: self._inputs.append(Typed(text)))

    def press(self, name: str, edges_ms: Iterable[float] = (0, 100)) -> None:
        """Press a button, its line changing at these moments, down first."""
        self.pulse(self.config.buttons[name], edges_ms)

    def pulse(self, gpio: int, edges_ms: Iterable[float] = (0, 100)) -> None:
        pin = self.pins.pin(gpio)
        for number, ms in enumerate(edges_ms):
            self.after(SOON_MS + ms, pin.drive_high if number % 2 else pin.drive_low)

    def touch(self, contact: str) -> None:
        """Join a contact to ground for a moment."""
        if contact in self.config.buttons:
            self.press(contact)
        else:
            self.beam(contact, True)
            self.beam(contact, False, SOON_MS + 100)

    def beam(self, line: str, dark: bool, ms: float = SOON_MS) -> None:
        self.after(ms, lambda: self.set_beam(line, dark))

    def set_beam(self, line: str, dark: bool) -> None:
        if self.config.head:
            self.plugs.of("head").beam(line, dark)
            return
        pin = self.pins.pin(self.config.beams[line])
        (pin.drive_low if dark == self.config.dark_low else pin.drive_high)()

    def drop(self, colour: str) -> None:
        assert self.box.funnel
        for at_ns, line, dark in toss([colour], self.box.funnel.settings, self.now_ns):
            self.beam(line, dark, SOON_MS + (at_ns - self.now_ns) / MS)

    def lay(self, colour: str) -> None:
        rail = self.plugs.of("rail")

        def swap() -> None:
            if rail.queue._waiting:
                rail.lift()
            rail.lay(colour)
            self.type("", ms=0)  # before the sensor has looked

        self.after(SOON_MS, swap)

    def lit(self) -> list[str]:
        return [colour for colour in COLOURS if self.pins.pin(self.config.lamps[colour]).state]

    def shows(self) -> bool:
        return self.plugs.virtual_panel.picture().tobytes() == picture().tobytes()

    def _outputs(self) -> None:
        if not self.config.silent and self.pins.pin(self.config.sounder).state:
            self.sounds += 1
        if self.config.emitters is None or (pin := self.pins.pin(self.config.emitters)).function != "output":
            return
        if bool(pin.state) != self._emitting:
            self._emitting = bool(pin.state)
            for line in self.config.beams.keys() - self.torn:
                self.pins.planned_ns = self.now_ns + self.fronts_us.get(line, 0) * 1000
                self.set_beam(line, not self._emitting)
            self.pins.planned_ns = None
