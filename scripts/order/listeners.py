"""Report each round of pulls on six lines: with Umpi, with stock gpiozero on lgpio, with a plain gpiod reader."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from queue import Empty, SimpleQueue
from typing import Any, Protocol

from scripts.guest.lines import Sim
from scripts.order.puller import Moment

LINES = (4, 5, 6, 17, 22, 27)  # each is a lane or a player's button
LIMIT_S = 1.5  # limit for the edges of a round; edges that come later are lost
REST_S = 0.02  # between two rounds: longer than the chatter of a button
FLAT = {"speed_mm_s": (350, 900)}  # a cube takes 18 to 65 ms: the emulator may stop for more than 25 ms
WINDOWS: Mapping[str, Mapping[str, object]] = {
    "umpi 2000": FLAT | {"dead_heat_us": 2000},
    "umpi 100": FLAT | {"dead_heat_us": 100},
    "umpi 100 quick": FLAT | {"dead_heat_us": 100, "glitch_us": 100},
}


@dataclass(slots=True)
class Report:
    """The report of a round: the lines in order, each with its time; the doubts; the number of lost edges."""

    order: list[Moment]
    doubts: Sequence[str] = ()
    lost: int = 0


class Listener(Protocol):
    """Receives the edges of all lines. Call `begin` before each round, so that late edges do not count."""

    def begin(self) -> None:
        """Drop the late edges of the round before."""

    def round(self) -> dict[str, Report]:
        """Receive a round to its end; return the reports by the names of the ways to judge it."""


def lost(received: int) -> int:
    """Return the number of lost edges of a round of which so many were received.

    >>> lost(12), lost(10), lost(13)
    (0, 2, 0)
    """
    return max(0, 2 * len(LINES) - received)


def late_doubts(played: Sequence[Moment]) -> Sequence[str]:
    """Return the doubt `late` if a press was played after a later one.

    >>> late_doubts([(4, 1000), (5, 2000)]), late_doubts([(5, 2000), (4, 1000)])
    ((), ('late',))
    """
    return ("late",) if any(after[1] < before[1] for before, after in pairwise(played)) else ()


class UmpiListener:
    """Umpi's pins, beams and buttons, processed as in its loop: the same edges count as cubes and as presses."""

    def __init__(self, sim: Sim) -> None:
        from umpi.drivers.edges import Line
        from umpi.drivers.pin_factory import GpiodFactory
        from umpi.referee.input_queue import LATE_NS, Answer, InputQueue
        from umpi.timing.debounce import Buttons
        from umpi.timing.edge import Edge
        from umpi.timing.funnel import Funnel

        self._inbox: SimpleQueue[Edge] = SimpleQueue()
        self._lost: list[int] = []
        pins = GpiodFactory(sim.path, on_lost=lambda lost: self._lost.append(lost.count))
        self._names = {f"lane_{lane}": line for lane, line in enumerate(LINES, 1)}
        self._beams = [Line(line, name, self._inbox.put, pins) for name, line in self._names.items()]
        self._funnels = {way: Funnel(list(self._names), window) for way, window in WINDOWS.items()}

        def certain_ns(answer: Answer) -> int:
            """Return the time after which no earlier edge can arrive."""
            return answer.at_ns + LATE_NS

        self._make_buttons: Callable[[], tuple[Any, Any]] = lambda: (Buttons(), InputQueue(certain_ns))
        self.begin()

    def begin(self) -> None:
        """Drop the late edges, and the state made from them."""
        while not self._inbox.empty():
            self._inbox.get_nowait()
        self._lost.clear()
        self._buttons, self._answers = self._make_buttons()
        for funnel in self._funnels.values():
            funnel.reset()

    def round(self) -> dict[str, Report]:
        """Process edges as they arrive until the order of all cubes is certain."""
        edges, until_s = 0, time.monotonic() + LIMIT_S
        presses: list[Any] = []
        cubes: dict[str, list[int]] = {way: [] for way in self._funnels}
        in_time = True
        while in_time:  # edges already in the queue count, however late this process is
            in_time = time.monotonic() < until_s
            dues_ns = [funnel.due_ns for funnel in self._funnels.values()] + [self._buttons.due_ns]
            dues_ns.append(self._answers.due_ns)
            waiting = [due_ns for due_ns in dues_ns if due_ns is not None]
            if edges >= 2 * len(LINES) and not waiting:
                break
            fresh, now_ns = self._wait(min([*waiting, round(until_s * 1e9)]))
            edges += len(fresh)
            for funnel in self._funnels.values():
                for edge in fresh:
                    funnel.edge(edge)
            for edge in sorted(fresh, key=lambda edge: edge.at_ns):
                self._answers.take(self._buttons.edge(edge))
            self._answers.take(self._buttons.tick(now_ns))
            presses += self._answers.pop_due(now_ns)
            for way, funnel in self._funnels.items():
                if self._lost:
                    funnel.lost(sum(self._lost), now_ns)
                cubes[way] += [LINES[cube.lane] for cube in funnel.tick(now_ns)]
            self._lost.clear()
        reports = {way: self._verdict(way, cubes[way], lost(edges)) for way in self._funnels}
        played = [(self._names[press.button], press.at_ns) for press in presses]
        return reports | {"umpi presses": Report(played, late_doubts(played), lost(edges))}

    def _wait(self, due_ns: int) -> tuple[list[Any], int]:
        """Sleep until edges come or something is due; return the edges and the time up to which they are complete.

        As in the box's own loop, the clock is read first: if this process stops after that, no earlier edge is missing.
        """
        fresh: list[Any] = []
        with suppress(Empty):
            fresh.append(self._inbox.get(timeout=max(0, due_ns - time.monotonic_ns()) / 1e9))
        now_ns = time.monotonic_ns()
        with suppress(Empty):
            while True:
                fresh.append(self._inbox.get_nowait())
        return fresh, now_ns

    def _verdict(self, way: str, certain: list[int], missing: int) -> Report:
        """Return the cubes in the order in which they became certain, each with its front, and the doubts."""
        funnel = self._funnels[way]
        verdict = funnel.verdict
        fronts = {LINES[cube.lane]: cube.t for cube in verdict.cubes}
        doubts = {doubt for cube in verdict.cubes for doubt in cube.doubts} | set(verdict.notes)
        return Report([(line, fronts.get(line, 0)) for line in certain], sorted(doubts), missing)


class GpiozeroListener:
    """Stock gpiozero Buttons on lgpio: `when_pressed` in order of arrival, and by time.monotonic() in it."""

    def __init__(self, sim: Sim) -> None:
        from gpiozero import Button
        from gpiozero.pins.lgpio import LGPIOFactory

        self._pressed: list[tuple[int, int]] = []
        self._released: list[int] = []
        self._all = threading.Event()
        pins = LGPIOFactory(chip=sim.number)
        self._buttons = [self._button(Button, line, pins) for line in LINES]

    def _button(self, kind: Any, line: int, pins: Any) -> Any:
        button = kind(line, pull_up=True, pin_factory=pins)

        def pressed() -> None:
            self._pressed.append((line, round(time.monotonic() * 1e9)))

        def released() -> None:
            self._released.append(line)
            if len(self._released) >= len(LINES):
                self._all.set()

        button.when_pressed, button.when_released = pressed, released
        return button

    def begin(self) -> None:
        """Drop late edges."""
        self._all.clear()
        self._pressed.clear()
        self._released.clear()

    def round(self) -> dict[str, Report]:
        """Wait until all buttons are released."""
        self._all.wait(LIMIT_S)
        time.sleep(REST_S)
        order, missing = list(self._pressed), lost(len(self._pressed) + len(self._released))
        by_time = sorted(order, key=lambda moment: moment[1])
        return {"gpiozero": Report(order, lost=missing), "monotonic": Report(by_time, lost=missing)}


class GpiodListener:
    """A plain gpiod reader: edges in the order of reading, with the time of reading."""

    def __init__(self, sim: Sim) -> None:
        import gpiod
        from gpiod.line import Bias, Edge

        settings = gpiod.LineSettings(edge_detection=Edge.BOTH, bias=Bias.PULL_UP)
        self._request = gpiod.request_lines(sim.path, consumer="reader", config={LINES: settings})

    def begin(self) -> None:
        """Drop late edges."""
        while self._request.wait_edge_events(0):
            self._request.read_edge_events()

    def round(self) -> dict[str, Report]:
        """Read until all lines are released."""
        order: list[Moment] = []
        edges, until_s = 0, time.monotonic() + LIMIT_S
        while edges < 2 * len(LINES) and self._request.wait_edge_events(max(0, until_s - time.monotonic())):
            for event in self._request.read_edge_events():
                edges += 1
                if event.event_type is event.Type.FALLING_EDGE:
                    order.append((event.line_offset, time.monotonic_ns()))
        time.sleep(REST_S)
        return {"gpiod": Report(order, lost=lost(edges))}


KINDS: Mapping[str, Callable[[Sim], Listener]] = {
    "umpi": UmpiListener,
    "stock": GpiozeroListener,
    "reader": GpiodListener,
}
