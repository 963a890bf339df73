"""The funnel's beams, edge by edge, to cubes: a gate that judges one announcement after another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from umpi.timing.edge import Edge
from umpi.timing.gate import BeamEdge, Cube, Gate, Settings, Verdict

MS = 1_000_000
LOST_NS = 2000 * MS  # for how long an order may lack what was lost before its first cube
FORGET_NS = 1000 * MS  # after which glitches of which no cube came belong to no announcement


class Funnel:
    """Takes the edges of the lines `lane_1` … and `second_1` …, active while dark, in the order they arrive.

    `tick` tells the cubes that have become certain; `reset` begins the next announcement.
    """

    def __init__(self, lines: Sequence[str], settings: Mapping[str, object] | None = None) -> None:
        self.lines = {name: (int(name.rpartition("_")[2]) - 1, int(name.startswith("second"))) for name in lines}
        beams = 1 + any(beam for _, beam in self.lines.values())
        self.settings = Settings(lanes=len(self.lines) // beams, beams=beams, **(settings or {}))  # type: ignore[arg-type]
        self._gate = Gate(self.settings)
        self._seen = 0
        self._lost = 0  # edges that nobody got since the last one that came
        self._lost_ns = 0  # when that came to light
        self._heard_ns: int | None = None  # up to when a sensor head has told all
        self._dark: set[str] = set()
        self._left_dark: set[str] = set()

    def edge(self, edge: Edge) -> None:
        """Take an edge."""
        if edge.line in self._left_dark:
            self._left_dark.discard(edge.line)
            if not edge.active:  # the end of a darkness that the announcement before has told
                self._dark.discard(edge.line)
                return
        if not self._gate.trace() and edge.at_ns - self._lost_ns > LOST_NS:
            self._lost = 0
        self._seen += 1 + self._lost  # a gap in the numbers, as a trace tells losses
        self._lost = 0
        lane, beam = self.lines[edge.line]
        self._gate.edge(BeamEdge(self._seen, edge.at_ns, lane, beam, edge.active))
        (self._dark.add if edge.active else self._dark.discard)(edge.line)

    def lost(self, count: int, now_ns: int) -> None:
        """Take note of edges that were lost, which may come to light after the last edge that was not.

        A loss while no cube is about, as when a button chatters, is forgotten in time.
        """
        self._lost += count
        self._lost_ns = now_ns

    def heard(self, at_ns: int | None) -> None:
        """Take note that a sensor head has told every edge before `at_ns`; None: it is away, only the clock tells."""
        self._heard_ns = at_ns

    def tick(self, now_ns: int) -> tuple[Cube, ...]:
        """Tell the cubes that have become certain since the last call; stray glitches are forgotten in time."""
        now_ns = now_ns if self._heard_ns is None else min(now_ns, self._heard_ns)
        cubes = self._gate.tick(now_ns)
        edges = self._gate.trace()
        if edges and not self._dark and now_ns - edges[-1].t > FORGET_NS and not self._gate.verdict().cubes:
            self.reset()
        return cubes

    @property
    def due_ns(self) -> int | None:
        """When `tick` next has something to do; None while nothing waits, or where the head is to speak first."""
        due_ns = self._gate.due_ns
        return None if due_ns is not None and self._heard_ns is not None and due_ns > self._heard_ns else due_ns

    @property
    def front_ns(self) -> int | None:
        """The front of the first cube that is not yet certain; None where none is under way."""
        return self._gate.front_ns

    @property
    def verdict(self) -> Verdict:
        """The announcement judged as it is so far."""
        verdict = self._gate.verdict()
        if not self._lost:
            return verdict
        others = [note for note in verdict.notes if not note.startswith("lost")]
        return replace(verdict, clear=False, notes=(f"lost: {self._lost}", *others))

    @property
    def trace(self) -> Sequence[BeamEdge]:
        """The raw edges of the announcement so far."""
        return self._gate.trace()

    def reset(self) -> None:
        """Begin the next announcement; a beam still dark belongs to the one before."""
        self._left_dark = set(self._dark)
        self._lost = 0
        self._gate.reset()
