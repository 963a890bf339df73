"""Six lines to what is told of each round of pulls: by Umpi, by stock gpiozero on lgpio, by a plain gpiod reader."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from queue import Empty, SimpleQueue
from typing import Any, Protocol

from hil_guest.lines import Sim

from hil_order.puller import Moment

LINES = (4, 5, 6, 17, 22, 27)  # a lane each, or a seat
LIMIT_S = 1.5  # for the edges of a round to come; what has not come then is lost
REST_S = 0.02  # between two rounds: longer than the chatter of a button
FLAT = {"speed_mm_s": (350, 900)}  # a cube darkens a beam for 18 to 65 ms: the emulator stands still for longer than 25
WINDOWS: Mapping[str, Mapping[str, object]] = {
    "umpi 2000": FLAT | {"dead_heat_us": 2000},
    "umpi 100": FLAT | {"dead_heat_us": 100},
    "umpi 100 quick": FLAT | {"dead_heat_us": 100, "glitch_us": 100},
}


@dataclass(slots=True)
class Told:
    """What one way tells of a round: the lines in order, each with its moment; what makes it doubtful; edges lost."""

    order: list[Moment]
    doubts: Sequence[str] = ()
    lost: int = 0


class Ears(Protocol):
    """Hears the lines; `round` returns when all of a round is told, by the names of the ways that tell it.

    `begin` goes before the first pull of a round: what comes late of the one before is no part of it.
    """

    def begin(self) -> None:
        """Forget what came late of the round before."""

    def round(self) -> dict[str, Told]:
        """Hear a round to its end."""


def lost(heard: int) -> int:
    """Tell how many edges a round lacks of which so many were heard.

    >>> lost(12), lost(10), lost(13)
    (0, 2, 0)
    """
    return max(0, 2 * len(LINES) - heard)


def late(played: Sequence[Moment]) -> Sequence[str]:
    """Say what the box says of a press that was heard after a younger one had been played.

    >>> late([(4, 1000), (5, 2000)]), late([(5, 2000), (4, 1000)])
    ((), ('late',))
    """
    return ("late",) if any(after[1] < before[1] for before, after in pairwise(played)) else ()


class Umpi:
    """Umpi's own pins, beams and buttons, taken in as its loop does: the same edges once as cubes, once as presses."""

    def __init__(self, sim: Sim) -> None:
        from umpi.drivers.edges import Line
        from umpi.drivers.pin_factory import GpiodFactory
        from umpi.referee.input_queue import LATE_NS, Answer, InputQueue
        from umpi.timing.debounce import Buttons
        from umpi.timing.edge import Edge
        from umpi.timing.funnel import Funnel

        self._inbox: SimpleQueue[Edge] = SimpleQueue()
        pins = GpiodFactory(sim.path)
        pins.on_lost = lambda lost: self._lost.append(lost.count)
        self._lost: list[int] = []
        self._names = {f"lane_{lane}": line for lane, line in enumerate(LINES, 1)}
        self._beams = [Line(line, name, self._inbox.put, pins) for name, line in self._names.items()]
        self._funnels = {way: Funnel(list(self._names), window) for way, window in WINDOWS.items()}

        def sure_ns(answer: Answer) -> int:
            """Tell when no edge that came before can be read any more."""
            return answer.at_ns + LATE_NS

        self._anew: Callable[[], tuple[Any, Any]] = lambda: (Buttons(), InputQueue(sure_ns))
        self.begin()

    def begin(self) -> None:
        """Forget the edges that came late, and what they would have told."""
        while not self._inbox.empty():
            self._inbox.get_nowait()
        self._lost.clear()
        self._buttons, self._answers = self._anew()
        for funnel in self._funnels.values():
            funnel.reset()

    def round(self) -> dict[str, Told]:
        """Let edges in as they come, and time pass, until the order of all cubes is certain."""
        edges, until_s = 0, time.monotonic() + LIMIT_S
        presses: list[Any] = []
        cubes: dict[str, list[int]] = {way: [] for way in self._funnels}
        in_time = True
        while in_time:  # what is in the queue already is taken, however late this process is
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
        told = {way: self._verdict(way, cubes[way], lost(edges)) for way in self._funnels}
        played = [(self._names[press.button], press.at_ns) for press in presses]
        return told | {"umpi presses": Told(played, late(played), lost(edges))}

    def _wait(self, due_ns: int) -> tuple[list[Any], int]:
        """Sleep until edges come or something is due; return what came, and the moment up to which that is all.

        As in the box's own loop the clock is read first: whoever stands still after it has missed nothing before it.
        """
        fresh: list[Any] = []
        with suppress(Empty):
            fresh.append(self._inbox.get(timeout=max(0, due_ns - time.monotonic_ns()) / 1e9))
        now_ns = time.monotonic_ns()
        with suppress(Empty):
            while True:
                fresh.append(self._inbox.get_nowait())
        return fresh, now_ns

    def _verdict(self, way: str, certain: list[int], lacks: int) -> Told:
        """Tell the cubes in the order they became certain, each with its front, and what is not sure."""
        funnel = self._funnels[way]
        verdict = funnel.verdict
        fronts = {LINES[cube.lane]: cube.t for cube in verdict.cubes}
        doubts = {doubt for cube in verdict.cubes for doubt in cube.doubts} | set(verdict.notes)
        return Told([(line, fronts.get(line, 0)) for line in certain], sorted(doubts), lacks)


class Stock:
    """Stock gpiozero Buttons on lgpio: `when_pressed` in arrival order, and by time.monotonic() called in it."""

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
        """Forget what came late."""
        self._all.clear()
        self._pressed.clear()
        self._released.clear()

    def round(self) -> dict[str, Told]:
        """Wait until all are let go of."""
        self._all.wait(LIMIT_S)
        time.sleep(REST_S)
        order, lacks = list(self._pressed), lost(len(self._pressed) + len(self._released))
        by_time = sorted(order, key=lambda moment: moment[1])
        return {"gpiozero": Told(order, lost=lacks), "monotonic": Told(by_time, lost=lacks)}


class Reader:
    """A plain gpiod reader, in the order it reads, by the clock at the time."""

    def __init__(self, sim: Sim) -> None:
        import gpiod
        from gpiod.line import Bias, Edge

        settings = gpiod.LineSettings(edge_detection=Edge.BOTH, bias=Bias.PULL_UP)
        self._request = gpiod.request_lines(sim.path, consumer="reader", config={LINES: settings})

    def begin(self) -> None:
        """Read what came late, for nothing."""
        while self._request.wait_edge_events(0):
            self._request.read_edge_events()

    def round(self) -> dict[str, Told]:
        """Read until all are let go of."""
        order: list[Moment] = []
        edges, until_s = 0, time.monotonic() + LIMIT_S
        while edges < 2 * len(LINES) and self._request.wait_edge_events(max(0, until_s - time.monotonic())):
            for event in self._request.read_edge_events():
                edges += 1
                if event.event_type is event.Type.FALLING_EDGE:
                    order.append((event.line_offset, time.monotonic_ns()))
        time.sleep(REST_S)
        return {"gpiod": Told(order, lost=lost(edges))}


KINDS: Mapping[str, Callable[[Sim], Ears]] = {"umpi": Umpi, "stock": Stock, "reader": Reader}
