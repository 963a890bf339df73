"""What the devices report beside edges: lost edges, scanned codes, and cubes at the stop of the queue rail."""

from __future__ import annotations

from typing import Literal

from umpi.frozen import frozen

State = Literal["cube", "empty", "moving", "unsure", "out"]


@frozen
class Lost:
    """`count` edges were lost in transmission or in the head."""

    count: int


@frozen
class Until:
    """Every edge stamped before `at_ns` has been reported, or counted as lost."""

    at_ns: int


@frozen
class Scan:
    """A scanned code. Its line was complete at `at_ns` monotonic nanoseconds."""

    code: str
    at_ns: int


@frozen
class QueueDetection:
    """What is at the stop: a "cube" with its `colour`; in every other state `colour` is None and `reason` is a text.

    "empty": nothing is there. "moving": the readings change. "unsure": the colour cannot be identified.
    "out": device error, the sensor does not answer. `at_ns` is when this state was detected.
    """

    state: State
    colour: str | None
    reason: str
    at_ns: int
