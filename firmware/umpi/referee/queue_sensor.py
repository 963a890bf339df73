"""The queue sensor: list the cubes that came to the stop of the queue rail since the first one fell."""

from __future__ import annotations

from collections import deque
from itertools import pairwise

from umpi.timing.events import QueueDetection

ROLL_NS = 420_000_000  # the longest time that a cube is seen as moving while it rolls to the stop


class QueueSensor:
    """Match cubes at the stop to fallen cubes, in order, if the stop was empty before the first one fell.

    `see` takes what the sensor reports. `begin` takes the stamp of the first cube that fell, in nanoseconds. `doubt`
    stops the count after an undo, because the cube at the stop is then unknown.
    """

    def __init__(self) -> None:
        self._seen: deque[QueueDetection] = deque(maxlen=32)
        self._fell_ns: int | None = None

    def see(self, seen: QueueDetection) -> None:
        """Record a new state of the stop."""
        self._seen.append(seen)

    def begin(self, fell_ns: int) -> None:
        """Start the count at this stamp."""
        self._fell_ns = fell_ns

    def doubt(self) -> None:
        """Stop the count until the next first cube."""
        self._fell_ns = None

    @property
    def resting(self) -> bool:
        """Whether a cube is at the stop now."""
        return bool(self._seen) and self._seen[-1].state in ("cube", "unsure")

    def come(self) -> list[QueueDetection] | None:
        """List the cubes that have arrived, in order; None if their places are unknown.

        Each colour counts once: a cube whose colour is seen again was only touched. After a cube of unknown colour, the
        next may be the same cube, so the list ends there.

        If the first cube took long to be recognised, or the stop was empty again, a cube may have been removed unseen.
        The places are unknown then. They are also unknown after an error of the sensor.
        """
        fell_ns = self._fell_ns
        before = [seen for seen in self._seen if fell_ns is not None and seen.at_ns <= fell_ns]
        since = [seen for seen in self._seen if fell_ns is not None and seen.at_ns > fell_ns]
        if not before or before[-1].state != "empty" or any(seen.state == "out" for seen in since):
            return None
        come: list[QueueDetection] = []
        for last, seen in pairwise([before[-1], *since]):
            if not come and seen.state != "moving" and (seen.state == "empty" or seen.at_ns - last.at_ns > ROLL_NS):
                return None
            if seen.state == "unsure":
                return [*come, seen]
            if seen.state == "cube" and seen.colour not in [each.colour for each in come]:
                come.append(seen)
        return come
