"""The virtual queue rail: cubes that come to rest one behind the other, in front of a real `Rail`."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable

from umpi.drivers.colours import NOTHING, ColourProfile
from umpi.drivers.queue_rail import Rail
from umpi.simulator.tcs34725 import CUBES, Chip, Light, dim, profile
from umpi.timing.events import QueueDetection
from umpi.timing.units import MS

ROLL_NS = 200 * MS  # from place to place, if the stop is free
CROOKED = 0.5  # the fraction of light that the sensor receives of a crooked cube


class Queue:
    """Model the cubes in the rail, the first at the stop. Pure.

    `light` returns the light on the sensor.
    """

    def __init__(self) -> None:
        self._waiting: deque[tuple[int, Light]] = deque()  # time of arrival, light; the first is at or near the stop
        self._lain: deque[tuple[int, int, Light]] = deque(maxlen=8)  # from, until, light of earlier cubes at the stop

    def fall(self, at_ns: int, light: Light) -> None:
        """Add a cube that comes to rest behind the others at `at_ns`."""
        self._waiting.append((at_ns, light))

    def lay(self, now_ns: int, light: Light) -> None:
        """Put a cube at the stop by hand. Raises LookupError if a cube is there."""
        if self._waiting and self._waiting[0][0] <= now_ns:
            raise LookupError("a cube lies at the stop already: lift it first")
        self._waiting.appendleft((now_ns, light))

    def lift(self, now_ns: int) -> None:
        """Remove the cube at the stop, so that the next one rolls down. Raises LookupError if no cube is there."""
        if not self._waiting or self._waiting[0][0] > now_ns:
            raise LookupError("no cube lies at the stop")
        self._lain.append((self._waiting[0][0], now_ns, self._waiting.popleft()[1]))
        if self._waiting:
            at_ns, light = self._waiting.popleft()
            self._waiting.appendleft((max(at_ns, now_ns + ROLL_NS), light))

    def light(self, at_s: float) -> Light:
        """Return the light on the sensor at a present or recent time, in seconds."""
        at_ns = at_s * 1e9
        if self._waiting and self._waiting[0][0] <= at_ns:
            return self._waiting[0][1]
        return next((light for from_ns, until_ns, light in self._lain if from_ns <= at_ns < until_ns), CUBES[NOTHING])


class VirtualRail:
    """Simulate the queue rail with a real `Rail` without its thread: `step` does what is due on `clock`.

    `rail` is the device. Without a `calibration` profile it uses the profile of the virtual cubes.
    """

    def __init__(
        self,
        calibration: ColourProfile | None,
        on_seen: Callable[[QueueDetection], object],
        clock: Callable[[], int],
        on_trouble: Callable[[str], object],
    ) -> None:
        self.queue = Queue()
        self.chip = Chip(self.queue.light)
        self.due_ns = self.chip.now_ns = clock()
        self._clock = clock
        self.rail = Rail(
            lambda: self.chip, calibration or profile(), on_seen, lambda: self.chip.now_ns, on_trouble=on_trouble
        )

    def fall(self, colour: str, at_ns: int, crooked: bool = False) -> None:
        """Let a cube fall into the rail, where it arrives at `at_ns`."""
        self.queue.fall(at_ns, dim(CUBES[colour], CROOKED if crooked else 1))

    def lay(self, colour: str, crooked: bool = False) -> None:
        """Put a cube at the stop. Raises LookupError if a cube is there."""
        self.queue.lay(self._clock(), dim(CUBES[colour], CROOKED if crooked else 1))

    def lift(self) -> None:
        """Remove the cube at the stop. Raises LookupError if no cube is there."""
        self.queue.lift(self._clock())

    def step(self) -> int:
        """Make all readings that are due, each at its own time. Return when the next is due in ns."""
        while self.due_ns <= self._clock():
            self.chip.now_ns = self.due_ns
            self.due_ns += math.ceil(self.rail.step() * 1e9)
        return self.due_ns

    def pull(self) -> None:
        """Unplug the sensor."""
        self.chip.pull()

    def plug(self) -> None:
        """Plug the sensor in. The driver finds it at the next attempt."""
        self.chip.plug()
