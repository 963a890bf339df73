"""The virtual queue rail: fallen cubes that come to rest one behind the other, under the eye of a real `Rail`."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable

from umpi.drivers.colours import NOTHING, ColourProfile
from umpi.drivers.queue_rail import QueueDetection, Rail
from umpi.simulator.tcs34725 import CUBES, Chip, Light, dim, profile

MS = 1_000_000
ROLL_NS = 200 * MS  # from place to place, while nothing lies at the stop
CROOKED = 0.5  # so much of a cube's light reaches the sensor where it came to rest crooked


class Queue:
    """Cubes in the rail, the first at the stop; `light` is what falls on the sensor there. Pure."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[int, Light]] = deque()  # when each has come so far, the first to or towards the stop
        self._lain: deque[tuple[int, int, Light]] = deque(maxlen=8)  # from, until: what lay at the stop before

    def fall(self, at_ns: int, light: Light) -> None:
        """Let a cube come to rest behind the others at `at_ns`."""
        self._waiting.append((at_ns, light))

    def lay(self, now_ns: int, light: Light) -> None:
        """Put a cube to the stop by hand. Raises LookupError where one lies there."""
        if self._waiting and self._waiting[0][0] <= now_ns:
            raise LookupError("a cube lies at the stop already: lift it first")
        self._waiting.appendleft((now_ns, light))

    def lift(self, now_ns: int) -> None:
        """Take the cube at the stop out; the next one rolls down. Raises LookupError where none lies there."""
        if not self._waiting or self._waiting[0][0] > now_ns:
            raise LookupError("no cube lies at the stop")
        self._lain.append((self._waiting[0][0], now_ns, self._waiting.popleft()[1]))
        if self._waiting:
            at_ns, light = self._waiting.popleft()
            self._waiting.appendleft((max(at_ns, now_ns + ROLL_NS), light))

    def light(self, at_s: float) -> Light:
        """What falls on the sensor at a moment of now or lately."""
        at_ns = at_s * 1e9
        if self._waiting and self._waiting[0][0] <= at_ns:
            return self._waiting[0][1]
        return next((light for from_ns, until_ns, light in self._lain if from_ns <= at_ns < until_ns), CUBES[NOTHING])


class VirtualRail:
    """The queue rail, and a `Rail` that is not started but stepped: `step` does what is due on `clock`.

    `rail` is the device; without a `calibration` profile it knows the virtual cubes.
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
        """Let a cube fall into the rail, there at `at_ns`."""
        self.queue.fall(at_ns, dim(CUBES[colour], CROOKED if crooked else 1))

    def lay(self, colour: str, crooked: bool = False) -> None:
        """Put a cube to the stop. Raises LookupError where one lies there."""
        self.queue.lay(self._clock(), dim(CUBES[colour], CROOKED if crooked else 1))

    def lift(self) -> None:
        """Take the cube at the stop out. Raises LookupError where none lies there."""
        self.queue.lift(self._clock())

    def step(self) -> int:
        """Let the sensor look, each time at its moment; returns when it looks again."""
        while self.due_ns <= self._clock():
            self.chip.now_ns = self.due_ns
            self.due_ns += math.ceil(self.rail.step() * 1e9)
        return self.due_ns

    def pull(self) -> None:
        """Pull the sensor's plug."""
        self.chip.pull()

    def plug(self) -> None:
        """Plug the sensor in; it is found at the next attempt."""
        self.chip.plug()
