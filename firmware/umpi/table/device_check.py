"""Check the devices at the box: each input's state as it changes, and the time from a press to its picture."""

from __future__ import annotations

from umpi.frozen import frozen


@frozen
class DeviceCheck:
    """What the check shows: the box's beams, the buttons that are down and the beams that are dark, and the times.

    `latest_ms` is the time from the last press to its picture, `most_ms` the longest one; None before the first press.
    """

    beams: tuple[str, ...] = ()
    active: frozenset[str] = frozenset()
    latest_ms: int | None = None
    most_ms: int = 0
