"""What the colour sensor sees at the stop of the queue rail, to the cubes that came there since the first one fell."""

from __future__ import annotations

from collections import deque
from itertools import pairwise

from umpi.drivers.queue_rail import QueueDetection

ROLL_NS = 420_000_000  # the longest that a cube which rolls to the stop is seen as something that moves


class QueueSensor:
    """The i-th cube to come to the stop is the i-th that fell, if the stop was empty before.

    `see` takes what the sensor tells, `begin` the stamp of the first cube that fell, `doubt` that the table has taken
    something back, after which nobody can say which cube lies there.
    """

    def __init__(self) -> None:
        self._seen: deque[QueueDetection] = deque(maxlen=32)
        self._fell_ns: int | None = None

    def see(self, seen: QueueDetection) -> None:
        """Take what lies at the stop from now on."""
        self._seen.append(seen)

    def begin(self, fell_ns: int) -> None:
        """Count from here."""
        self._fell_ns = fell_ns

    def doubt(self) -> None:
        """Count no more, until the next first cube."""
        self._fell_ns = None

    @property
    def resting(self) -> bool:
        """Whether a cube lies at the stop now."""
        return bool(self._seen) and self._seen[-1].state in ("cube", "unsure")

    def come(self) -> list[QueueDetection] | None:
        """List the cubes that have come, in order; None where their places cannot be known.

        No two are of one colour: what is seen again has only been touched. After one whose colour cannot be told the
        next may be the same cube, so nothing after it counts. Where the first took long to be told, or nothing lay
        there after all, one may have been taken out before it was seen.
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
