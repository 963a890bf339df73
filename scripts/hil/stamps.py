"""In the guest: measure how late a pin factory stamps edges, and what that does to the margins of near cubes.

Six lines go down one after the other, GAP apart, in a random order, while the process is idle or computes in Python as
the box does when it draws. The result of each is a line of JSON on stdout.
"""

from __future__ import annotations

import json
import os
import random
import sys
import threading
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from queue import Empty, SimpleQueue
from statistics import median

from scripts.order.puller import Puller
from umpi.drivers.edges import Line
from umpi.service.loop import SWITCH_S
from umpi.service.run import pin_factory
from umpi.timing.edge import Edge

LINES = (4, 5, 6, 17, 22, 27)
GAP_NS = 2_000_000  # what the box calls a dead heat
ROUNDS = 50
LIMIT_S = 0.5  # for an edge to arrive


@dataclass(frozen=True, slots=True)
class Measured:
    """How late the stamps were in µs, the median and the worst; the worst error of a margin; rounds out of order."""

    late_us: float
    latest_us: float
    margin_off_us: float
    wrong_order: int
    lost: int


def measure(lines: Path, factory: str) -> Measured:
    """Pull the lines in each round, and compare the edges with the pulls."""
    edges: SimpleQueue[Edge] = SimpleQueue()
    pins = pin_factory(factory)
    opened = [Line(line, str(line), edges.put, pins) for line in LINES]
    puller, chance = Puller(lines), random.Random(1)
    late_us: list[float] = []
    off_us: list[float] = []
    wrong = lost = 0
    puller.begin(GAP_NS, LINES)  # a warm-up round
    puller.done()
    _received(edges)
    for _ in range(ROUNDS):
        puller.begin(GAP_NS, chance.sample(LINES, len(LINES)))
        pulled = {str(line): at_ns for line, at_ns, _ in puller.done()}
        received = _received(edges)
        lost += len(pulled.keys() - received)
        late_us += [(at_ns - pulled[line]) / 1000 for line, at_ns in received.items()]
        order = [line for line in pulled if line in received]
        wrong += sorted(received, key=received.__getitem__) != order
        for before, after in pairwise(order):
            off_us.append(abs(received[after] - received[before] - pulled[after] + pulled[before]) / 1000)
    puller.close()
    time.sleep(0.1)  # RPi.GPIO crashes if a line is closed before the callback of its last edge has returned
    for line in opened:
        line.close()
    return Measured(round(median(late_us)), round(max(late_us)), round(max(off_us)), wrong, lost)


def _received(edges: SimpleQueue[Edge]) -> dict[str, int]:
    """Return the times at which the lines of a round went down, by line."""
    received: dict[str, int] = {}
    with suppress(Empty):
        for _ in range(2 * len(LINES)):
            edge = edges.get(timeout=LIMIT_S)
            if edge.active:
                received[edge.line] = edge.at_ns
    return received


def main() -> None:
    """Measure; the arguments are the folder of the simulated lines, the factory, and how many threads compute."""
    lines, factory, busy = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    sys.setswitchinterval(SWITCH_S)  # as the service does

    def compute() -> None:
        while True:
            sum(range(100))

    for _ in range(busy):
        threading.Thread(target=compute, daemon=True).start()
    print(json.dumps(asdict(measure(lines, factory))), flush=True)
    os._exit(0)  # the threads do not end


if __name__ == "__main__":
    main()
