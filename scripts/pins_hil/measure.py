"""A pin factory with six inputs to figures: how late edges are, how often it wakes when idle, what is lost."""

from __future__ import annotations

import json
import os
import random
import statistics
import sys
import time
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from gpiozero import DigitalInputDevice
from hil_guest.idle import idle
from hil_guest.lines import Finger, Sim

LINES = (4, 5, 6, 17, 22, 27)  # six inputs, as a box has seats
SINGLES, ROUNDS, FLOOD = 1000, 200, 3000
IDLE_S = 10
ROWS = {
    "median_us": "edge to queue, median",
    "late_us": "edge to queue, 99 %",
    "wakes": "wake-ups per second, idle",
    "cpu": "processor time, idle",
    "arrival": "edges out of place on arrival",
    "sorted": "edges out of place, sorted by stamp",
    "after_fault": "edges received after a handler failed",
    "lost": "edges lost behind a handler that takes 2 s",
    "told": "lost edges that were reported",
}


class Ears:
    """Six inputs whose edges go on a queue, as (stamp, line, level, when it was put there)."""

    def __init__(self, pins: Any) -> None:
        ears = self
        self.heard: SimpleQueue[tuple[int, int, int, int]] = SimpleQueue()
        self.fault: BaseException | None = None
        self.pause_s = 0.0

        class Input(DigitalInputDevice):  # type: ignore[misc]
            """As the box's own `Line`."""

            def _pin_changed(self, ticks: float, state: int) -> None:
                now_ns = time.monotonic_ns()
                ears.heard.put((getattr(ticks, "ns", round(ticks * 1e9)), self.line, state, now_ns))
                if ears.pause_s:
                    pause_s, ears.pause_s = ears.pause_s, 0.0
                    time.sleep(pause_s)
                if ears.fault:
                    fault, ears.fault = ears.fault, None
                    raise fault

            @property
            def line(self) -> int:
                return int(self.pin.info.name.removeprefix("GPIO"))

        self.inputs = [Input(line, pull_up=True, pin_factory=pins) for line in LINES]

    def all(self, least: int, quiet_s: float = 0.2) -> list[tuple[int, int, int, int]]:
        """Take what is heard until nothing more comes; while fewer than `least` came, for three seconds."""
        edges: list[tuple[int, int, int, int]] = []
        while True:
            try:
                edges.append(self.heard.get(timeout=3 if len(edges) < least else quiet_s))
            except Empty:
                return edges


def clockwork(ears: Ears, finger: Finger) -> dict[str, Any]:
    """Measure, best in virtual time, how late edges are and what it costs to wait for them."""
    figures: dict[str, Any] = {**idle(os.getpid(), IDLE_S)}
    lines = [0]
    while len(lines) <= SINGLES:  # no line twice in a row: so quick the kernel here may make one edge of both
        lines.append(random.choice([line for line in LINES if line != lines[-1]]))
    finger.move(0.005, toggles(lines[1:]))
    late_us = sorted((put_ns - at_ns) / 1000 for at_ns, _, _, put_ns in ears.all(SINGLES))
    assert len(late_us) >= 0.99 * SINGLES, len(late_us)
    figures["median_us"] = f"{statistics.median(late_us):.0f} µs"
    figures["late_us"] = f"{late_us[int(len(late_us) * 0.99)]:.0f} µs"
    return figures


def hardship(ears: Ears, finger: Finger, told: list[Any]) -> dict[str, Any]:
    """Measure, on two processors, what goes wrong: the order of arrival, handlers that are slow or fail."""
    figures: dict[str, Any] = {}
    wrong_arrival = wrong_sorted = 0
    for index in range(ROUNDS):
        order = random.sample(LINES, len(LINES))
        finger.move(0, [(line, index % 2) for line in order])
        edges = ears.all(len(LINES), quiet_s=0.01)
        wrong_arrival += misplaced(order, [line for _, line, _, _ in edges])
        wrong_sorted += misplaced(order, [line for _, line, _, _ in sorted(edges)])
    figures["arrival"] = f"{wrong_arrival} of {ROUNDS * len(LINES)}"
    figures["sorted"] = f"{wrong_sorted} of {ROUNDS * len(LINES)}"

    calm(ears, finger)
    told.clear()
    ears.pause_s = 2.0
    finger.move(0, toggles([LINES[index % len(LINES)] for index in range(FLOOD)]))
    figures["lost"] = f"{FLOOD - len(ears.all(FLOOD))} of {FLOOD}"
    figures["told"] = sum(lost.count for lost in told)

    calm(ears, finger)
    ears.fault = ZeroDivisionError("on purpose")
    finger.move(0.02, toggles([LINES[index % len(LINES)] for index in range(101)]))
    figures["after_fault"] = f"{max(0, len(ears.all(101)) - 1)} of 100"
    return figures


def measure(part: str, factory: str, out: str) -> None:
    """Measure one part with one factory, and add the figures to a file."""
    sim, told = Sim(f"{part}-{factory}"), list[Any]()
    if factory == "umpi":
        from umpi.drivers.pin_factory import GpiodFactory

        pins: Any = GpiodFactory(sim.path)
        pins.on_lost = told.append
        pins.on_fault = lambda *_: None
    else:
        from gpiozero.pins.lgpio import LGPIOFactory

        pins = LGPIOFactory(chip=sim.number)
    random.seed(1)
    ears, finger = Ears(pins), Finger(sim)
    calm(ears, finger)
    figures = clockwork(ears, finger) if part == "clockwork" else hardship(ears, finger, told)
    print(f"  measured  {factory}: {figures}", flush=True)
    if factory == "umpi" and part == "hardship":
        assert any(lost.overflow for lost in told), told
        # some more may be told, see LostEdges, but never fewer
        assert figures["told"] >= int(figures["lost"].split()[0]), (figures, told)
        assert figures["sorted"].startswith("0 "), figures
        assert figures["after_fault"] == "100 of 100", figures
    path = Path(out)
    path.write_text(json.dumps((json.loads(path.read_text()) if path.exists() else {}) | figures))
    os._exit(0)  # lgpio's thread may be dead


def calm(ears: Ears, finger: Finger) -> None:
    """Let go of all lines, and hear nothing more."""
    finger.move(0, [(line, 1) for line in LINES])
    ears.all(0)


def toggles(lines: list[int]) -> list[tuple[int, int]]:
    """Move lines that all are up, each the other way at each of its turns."""
    levels = dict.fromkeys(LINES, 1)
    moves = []
    for line in lines:
        levels[line] ^= 1
        moves.append((line, levels[line]))
    return moves


def misplaced(order: list[int], heard: list[int]) -> int:
    """Count the lines that were not heard in their turn."""
    return sum(one != other for one, other in zip(order, heard, strict=False)) + abs(len(order) - len(heard))


def table(umpi: str, lgpio: str) -> None:
    """Print the figures side by side."""
    figures = [json.loads(Path(path).read_text()) for path in (umpi, lgpio)]
    print("| six inputs | `umpi` (gpiod) | `lgpio` |")
    print("|---|---|---|")
    for key, name in ROWS.items():
        print(f"| {name} | " + " | ".join(str(each[key]) for each in figures) + " |")


if __name__ == "__main__":
    if sys.argv[1] == "table":
        table(*sys.argv[2:])
    else:
        measure(*sys.argv[1:])
