"""Check the devices at the box: each input's state as it changes, and the time from a press to its picture."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CheckDevices:
    """Show the state of each input."""


@dataclass(frozen=True, slots=True)
class EndCheck:
    """Return to the start screen."""


@dataclass(frozen=True, slots=True)
class DeviceCheck:
    """What the check shows: the box's beams, the buttons that are down and the beams that are dark, and the times.

    `latest_ms` is the time from the last press to its picture, `most_ms` the longest one; None before the first press.
    """

    beams: tuple[str, ...] = ()
    active: frozenset[str] = frozenset()
    latest_ms: int | None = None
    most_ms: int = 0
