"""The wall's sensor: it proposes that a roll has missed the wall, and never decides."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from umpi.kernel.match import Match
from umpi.referee.health import DeviceHealth
from umpi.timing.edge import Edge
from umpi.timing.lines import WALL
from umpi.timing.units import MS

LONGEST_NS, SHORTEST_NS = 2000 * MS, 30 * MS  # from the wall until players begin and end the entry of the roll
KEPT = 16  # hits; a dode makes a few


class WallSensor:
    """Remember the hits. `there` is whether the box has the sensor, which is on the sensor head."""

    def __init__(self, there: bool, health: DeviceHealth) -> None:
        self._there, self._health = there, health
        self._hits_ns: deque[int] = deque(maxlen=KEPT)
        self._began_ns = 0  # when the current entry began

    def hear(self, edges: Iterable[Edge]) -> bool:
        """Remember the hits among edges; return whether there are any."""
        hits = [edge.at_ns for edge in edges if edge.active and edge.line == WALL]
        self._hits_ns.extend(hits)
        return bool(hits)

    def press(self, at_ns: int, entering: bool) -> None:
        """Note a press; if nothing has been entered before it, it begins an entry."""
        if not entering:
            self._began_ns = at_ns

    def proposal(self, match: Match, lines: Sequence[Mapping[str, Any]], at_ns: int) -> str:
        """Return what to ask about an answer entered at `at_ns`, "" if the wall was hit or does not matter."""
        verb = lines[0].get("do") if lines else None
        ask = next((ask for ask in match.asks if ask.verb == verb), None)
        if not (ask and ask.note_if_no_hit and self._there and "head" not in self._health.broken):
            return ""
        first_ns = min(self._began_ns, at_ns) - LONGEST_NS
        hit = any(first_ns <= hit_ns <= at_ns - SHORTEST_NS for hit_ns in self._hits_ns)
        return "" if hit else ask.note_if_no_hit
