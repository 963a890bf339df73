"""The funnel's beams, edge by edge, to cubes: a gate that judges one announcement after another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from umpi.devices.edges import Edge
from umpi.devices.gate import BeamEdge, Cube, Gate, Settings, Verdict

MS = 1_000_000
FORGET_NS = 1000 * MS  # after which glitches of which no cube came belong to no announcement


class Funnel:
    """Takes the edges of the lines `lane_1` … and `second_1` …, active while dark, in the order they arrive.

    `tick` tells the cubes that have become certain; `reset` begins the next announcement. A beam still dark after
    `stuck_ms` is named by `stuck`.
    """

    def __init__(self, lines: Sequence[str], settings: Mapping[str, object] | None = None) -> None:
        self.lines = {name: (int(name.rpartition("_")[2]) - 1, int(name.startswith("second"))) for name in lines}
        beams = 1 + any(beam for _, beam in self.lines.values())
        self.settings = Settings(lanes=len(self.lines) // beams, beams=beams, **(settings or {}))  # type: ignore[arg-type]
        self._gate = Gate(self.settings)
        self._seen = 0
        self._dark_since_ns: dict[str, int] = {}
        self._left_dark: set[str] = set()

    def edge(self, edge: Edge) -> None:
        """Take an edge."""
        if edge.line in self._left_dark:
            self._left_dark.discard(edge.line)
            if not edge.active:  # the end of a darkness that the announcement before has told
                self._dark_since_ns.pop(edge.line, None)
                return
        self._seen += 1
        lane, beam = self.lines[edge.line]
        self._gate.edge(BeamEdge(self._seen, edge.at_ns, lane, beam, edge.active))
        if edge.active:
            self._dark_since_ns.setdefault(edge.line, edge.at_ns)
        else:
            self._dark_since_ns.pop(edge.line, None)

    def lost(self, count: int) -> None:
        """Take note of edges that were lost: they leave a gap in the numbers."""
        self._seen += count

    def tick(self, now_ns: int) -> tuple[Cube, ...]:
        """Tell the cubes that have become certain since the last call; stray glitches are forgotten in time."""
        cubes = self._gate.tick(now_ns)
        edges = self._gate.trace()
        if edges and not self._dark_since_ns and now_ns - edges[-1].t > FORGET_NS and not self._gate.verdict().cubes:
            self.reset()
        return cubes

    @property
    def due_ns(self) -> int | None:
        """When `tick` next has something to do; None while nothing waits."""
        return self._gate.due_ns

    @property
    def verdict(self) -> Verdict:
        """The announcement judged as it is so far."""
        return self._gate.verdict()

    @property
    def trace(self) -> Sequence[BeamEdge]:
        """The raw edges of the announcement so far."""
        return self._gate.trace()

    def stuck(self, now_ns: int) -> list[str]:
        """Name the beams that are dark longer than any cube darkens them."""
        return [
            line for line, since_ns in self._dark_since_ns.items() if now_ns - since_ns >= self.settings.stuck_ms * MS
        ]

    def reset(self) -> None:
        """Begin the next announcement; a beam still dark belongs to the one before."""
        self._left_dark = set(self._dark_since_ns)
        self._gate.reset()
