"""A rail over a virtual chip, stepped in injected time; what it reports is kept."""

from __future__ import annotations

import math

from umpi.drivers.queue_rail import Rail
from umpi.simulator.tcs34725 import Chip
from umpi.timing.events import QueueDetection

MS = 1_000_000


class Watched:
    """A rail over a chip, stepped in injected time; `reported` is all that it reported."""

    def __init__(self, chip: Chip, profile: object = None, **settings: object) -> None:
        self.chip = chip
        self.reported: list[QueueDetection] = []
        self.opened = 0
        self.device_errors: list[str] = []
        self.rail = Rail(
            self._open,
            profile,
            self.reported.append,
            lambda: chip.now_ns,
            on_trouble=self.device_errors.append,
            **settings,  # type: ignore[arg-type]
        )

    def _open(self) -> Chip:
        self.opened += 1
        return self.chip

    def look(self, ms: int = 600) -> QueueDetection:
        """Advance the time; return what the sensor sees then."""
        until_ns = self.chip.now_ns + ms * MS
        while self.chip.now_ns < until_ns:
            self.chip.now_ns += math.ceil(self.rail.step() * 1e9)
        return self.rail.seen

    @property
    def states(self) -> list[str]:
        """Return all reports: the colours, and the states without one."""
        return [seen.colour or seen.state for seen in self.reported]
