"""The check of the devices at the box: follows every input, and times the picture after a press."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import attrgetter

from umpi.table.device_check import DeviceCheck
from umpi.table.state import Table
from umpi.timing.edge import Edge
from umpi.timing.lines import BUTTONS
from umpi.timing.units import MS


class InputCheck:
    """Keep the state of each input, and show it on the panel while the check is open.

    A press is timed: the service is asked (`ask`) for the time of its picture, and answers (`shown`). It is asked for
    one picture at a time.
    """

    def __init__(self, table: Table, beams: Sequence[str]) -> None:
        self._table = table
        self._beams = tuple(beams)
        self._active: frozenset[str] = frozenset()
        self._pressed_ns: int | None = None  # a press whose picture has not been timed
        self._asked = False  # whether the service has been asked and has not answered

    def begin(self, active: Iterable[str]) -> None:
        """Take the buttons that are down and the beams that are dark when the box is switched on."""
        self._active = frozenset(active)

    def reset_beams(self, dark: Iterable[str]) -> None:
        """Take the beams that are dark when the sensor head is connected."""
        self._active = self._active.difference(self._beams).union(dark)
        self._show()

    def hear(self, edges: Sequence[Edge]) -> bool:
        """Follow edges; return whether the picture changes."""
        for edge in sorted(edges, key=attrgetter("at_ns")):
            self._active = self._active | {edge.line} if edge.active else self._active - {edge.line}
            if self._table.state.check and edge.active and edge.line in BUTTONS and not self._asked:
                self._pressed_ns = self._pressed_ns or edge.at_ns
        return self._show()

    def open(self) -> None:
        """Show the check."""
        self._pressed_ns = None
        self._put(DeviceCheck(self._beams, self._active))

    def close(self) -> None:
        """End the check."""
        self._pressed_ns = None  # an answer that is still to come does not time a press of the next check
        self._put(None)

    def ask(self) -> bool:
        """Begin to time the picture that is shown now, if a press waits for it; return whether."""
        wanted = self._pressed_ns is not None and not self._asked
        self._asked = self._asked or wanted
        return wanted

    def shown(self, at_ns: int | None) -> bool:
        """Take the time at which the picture of a press was on the display, None if it was not in time.

        Returns whether the time is shown.
        """
        check, pressed_ns = self._table.state.check, self._pressed_ns
        self._pressed_ns, self._asked = None, False
        if not check or pressed_ns is None or at_ns is None:
            return False
        took_ms = -(-(at_ns - pressed_ns) // MS)
        return self._put(replace(check, latest_ms=took_ms, most_ms=max(took_ms, check.most_ms)))

    def _show(self) -> bool:
        check = self._table.state.check
        return check is not None and self._put(replace(check, active=self._active))

    def _put(self, check: DeviceCheck | None) -> bool:
        return self._table.become(replace(self._table.state, check=check))
