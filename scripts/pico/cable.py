"""A cable between an emulated Pico and the box's own driver of the sensor head: a pty, and time in step."""

from __future__ import annotations

import os
import re
import select
import threading
import time
import tty
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from scripts.pico.emulated import MS, EmulatedPico
from umpi.drivers.head import Head
from umpi.drivers.head_link import HeadReport, HeadState
from umpi.drivers.head_protocol import HeadEdge
from umpi.timing.events import Lost, Until

STEP_NS = MS
FIRST_EMITTER = 16
T = TypeVar("T")
LINES = tuple(f"{beam}_{lane}" for beam in ("lane", "second") for lane in range(1, 7))
PINS = {line: 2 + number for number, line in enumerate(LINES)} | {"wall": 14}
CHANGE = re.compile(r"(\d+) (dark|light|hit) (\w+) (\d+) \*[0-9a-f]{8}")


@dataclass(frozen=True, slots=True)
class Change:
    """A change in a line of the head, at `us` on the head's clock."""

    number: int
    line: str
    dark: bool
    us: int


@dataclass
class Received:
    """What was received during a trial, from the cable and from the driver."""

    changes: list[Change] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    edges: list[HeadEdge] = field(default_factory=list)
    lost: int = 0
    states: list[HeadState] = field(default_factory=list)


class Cable:
    """Connect a Pico with a `Head`; pins change only in `play`, and time passes only there."""

    def __init__(self, pico: EmulatedPico, folder: Path, lines: tuple[str, ...] = (*LINES, "wall")) -> None:
        self.pico = pico
        self.received = Received()
        self._level = dict.fromkeys(PINS.values(), False)
        self._partial = ""
        self._lock = threading.Lock()
        self._box, slave = os.openpty()
        tty.setraw(slave)
        self._slave = slave
        path = folder / "ttyACM0"
        path.symlink_to(os.ttyname(slave))
        self.plan: list[tuple[int, str, bool]] = []
        self.sunny: set[str] | None = None  # if set, the other receivers follow the emitters of their lane
        self._drive([(0, line, True) for line in LINES])
        self.head = Head(
            str(path), lines, report=self._report, clock=lambda: self.pico.now_ns, pause_s=0.05
        )  # fmt: skip
        self._wait()

    def play(self, plan: list[tuple[int, str, bool]], tail_ms: int = 60) -> Received:
        """Set lines at times from now on, in nanoseconds, and return what came. A beam is dark while its pin is low."""
        self._wait()
        self.received = Received()
        start_ns = self.pico.now_ns + MS
        self._drive([(start_ns + at_ns, line, high) for at_ns, line, high in sorted(plan)])
        end_ns = start_ns + max(at_ns for at_ns, _, _ in plan) + tail_ms * MS
        while self.pico.now_ns < end_ns:
            self._step()
        return self.received

    def say(self, text: str) -> None:
        """Send a command beside those of the driver."""
        self.pico.send(text.encode() + b"\n")

    def during(self, call: Callable[[], T], tail_ms: int = 200, plan: Sequence[tuple[int, str, bool]] = ()) -> T:
        """Let time pass while the driver does something on another thread, and a little longer; return its result.

        Meanwhile lines change as in `play`.
        """
        self._wait()
        self.received = Received()
        self._drive([(self.pico.now_ns + MS + at_ns, line, high) for at_ns, line, high in sorted(plan)])
        with ThreadPoolExecutor(1) as pool:
            result = pool.submit(call)
            while not result.done():
                self._step()
                time.sleep(0.003)  # the driver's thread has its turn before more time passes
            for _ in range(tail_ms):
                self._step()
            return result.result()

    def close(self) -> None:
        """End driver and emulator."""
        self.head.close()
        self.pico.close()
        os.close(self._box)
        os.close(self._slave)

    def _wait(self) -> None:
        until_ns = self.pico.now_ns + 20_000 * MS
        while self.head.state.name != "ready":
            if self.pico.now_ns > until_ns:
                raise TimeoutError(f"the head is not ready: {self.head.state.reason}")
            self._step()

    def _drive(self, plan: list[tuple[int, str, bool]]) -> None:
        self.plan = []
        for at_ns, line, high in plan:
            if self._level[PINS[line]] != high:
                self._level[PINS[line]] = high
                self.plan.append((at_ns, line, high))
                self.pico.drive(at_ns, PINS[line], high)

    def _follow(self) -> None:
        """Switch the receivers as their emitters were switched."""
        switched, self.pico.emitters = self.pico.emitters, []
        if (sunny := self.sunny) is None:
            return
        for pin, on in switched:
            lines = [line for line in LINES if line[-1] == str(pin - FIRST_EMITTER + 1) and line not in sunny]
            self._drive([(self.pico.now_ns, line, on) for line in lines])

    def _step(self) -> None:
        while select.select([self._box], [], [], 0)[0]:
            self.pico.send(os.read(self._box, 4096))
        output = self.pico.run(self.pico.now_ns + STEP_NS)
        self._follow()
        for _, data in output:
            os.write(self._box, data)
            *lines, self._partial = (self._partial + data.decode("ascii", "replace")).split("\n")
            self.received.text += lines
            for line in lines:
                if found := CHANGE.match(line):
                    number, what, name, us = found.groups()
                    self.received.changes.append(Change(int(number), name, what != "light", int(us)))

    def _report(self, report: HeadReport) -> None:
        match report:
            case HeadEdge():
                self.received.edges.append(report)
            case Lost(count):
                self.received.lost += count
            case HeadState():
                self.received.states.append(report)
            case Until():
                pass  # that nothing has come so far says nothing about the changes
