"""The funnel: cubes from the edges of its beams, for one announcement after another."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from umpi.timing.edge import Edge
from umpi.timing.gate import BeamEdge, Cube, Gate, Settings, Verdict
from umpi.timing.units import MS

LOST_NS = 2000 * MS  # for how long lost edges make the next announcement doubtful
FORGET_NS = 1000 * MS  # after this time without a cube, glitches are discarded


class Funnel:
    """Convert edges of the lines `lane_1` … and `second_1` … to cubes. A line is active while its beam is dark.

    Pass the edges in order of arrival. `tick` returns the cubes that are final; `reset` starts the next announcement.
    """

    def __init__(self, lines: Sequence[str], settings: Mapping[str, object] | None = None) -> None:
        self.lines = {name: (int(name.rpartition("_")[2]) - 1, int(name.startswith("second"))) for name in lines}
        beams = 1 + any(beam for _, beam in self.lines.values())
        self.settings = Settings(lanes=len(self.lines) // beams, beams=beams, **(settings or {}))  # type: ignore[arg-type]
        self._gate = Gate(self.settings)
        self._seen = 0
        self._lost = 0  # edges lost since the last one received
        self._lost_ns = 0  # when the loss was detected
        self._reported_ns: int | None = None  # the sensor head has reported all edges up to this time
        self._dark: set[str] = set()
        self._left_dark: set[str] = set()
        self._blocked = False  # a beam was dark before the announcement, and hides what passes it
        self._lit = False  # a receiver sees light although its emitter is off
        self._blind = False  # that was so at some moment of the announcement

    def edge(self, edge: Edge) -> None:
        """Process an edge."""
        if self._gate.full:
            self._discard_glitches(edge.at_ns)
        if edge.line in self._left_dark:
            self._left_dark.discard(edge.line)
            if not edge.active:  # the end of an occlusion that belongs to the previous announcement
                self._dark.discard(edge.line)
                return
        if not self._gate.trace() and edge.at_ns - self._lost_ns > LOST_NS:
            self._lost = 0
        self._blocked = self._blocked or bool(self._left_dark)
        self._blind = self._blind or self._lit
        self._seen += 1 + self._lost  # a gap in the numbers marks the loss, as in a trace
        self._lost = 0
        lane, beam = self.lines[edge.line]
        self._gate.edge(BeamEdge(self._seen, edge.at_ns, lane, beam, edge.active))
        (self._dark.add if edge.active else self._dark.discard)(edge.line)

    def lost(self, count: int, now_ns: int) -> None:
        """Record lost edges. A loss may be detected after the last received edge.

        A loss more than LOST_NS before an announcement's first edge is discarded: a chattering button may cause it.
        """
        self._lost += count
        self._lost_ns = now_ns

    def reported_until(self, at_ns: int | None) -> None:
        """Record that the sensor head has reported every edge before `at_ns`; None if it is disconnected.

        If it is disconnected, `tick` uses the clock alone.
        """
        self._reported_ns = at_ns

    def began(self, dark: Collection[str]) -> None:
        """Record which beams are dark as their source begins to report: they hide what passes them."""
        self._left_dark = {line for line in dark if line in self.lines}
        self._dark = set(self._left_dark)

    def tick(self, now_ns: int) -> tuple[Cube, ...]:
        """Return the cubes that became final since the last call.

        Discards glitches after FORGET_NS without a cube.
        """
        now_ns = now_ns if self._reported_ns is None else min(now_ns, self._reported_ns)
        cubes = self._gate.tick(now_ns)
        edges = self._gate.trace()
        if edges and now_ns - edges[-1].t > FORGET_NS:
            self._discard_glitches(now_ns)
        return cubes

    def _discard_glitches(self, now_ns: int) -> None:
        """Discard the edges so far if no cube is among them. So many that they fill the gate count as lost."""
        if self._dark <= self._left_dark and not self._gate.verdict().cubes:
            lost = len(self.trace) + self._gate.unkept if self._gate.full else 0
            self.reset()
            self.lost(lost, now_ns)

    @property
    def due_ns(self) -> int | None:
        """Return when to call `tick` next; None if no cube waits, or if the next report of the head comes first."""
        due_ns = self._gate.due_ns
        return None if due_ns is not None and self._reported_ns is not None and due_ns > self._reported_ns else due_ns

    @property
    def front_ns(self) -> int | None:
        """Return when the front of the first pending cube met beam 0, in nanoseconds; None if no cube is pending."""
        return self._gate.front_ns

    def lit(self, lit: bool) -> None:
        """Record whether a receiver sees light although its emitter is off; it sees no cube then."""
        self._lit = lit
        self._blind = self._blind or (lit and bool(self._gate.trace()))

    @property
    def verdict(self) -> Verdict:
        """Return the verdict on the announcement so far, with what the edges alone do not show.

        Beside the notes of a trace there are edges lost since the last one, "blocked", "flicker", "rested" and "blind".
        """
        verdict = self._gate.verdict()
        notes = [note for note in verdict.notes if not (self._lost and note.startswith("lost"))]
        if self._lost:
            notes.insert(0, f"lost: {self._lost}")
        seen = {
            "blocked": self._blocked,
            "flicker": self._gate.flickers,
            "rested": self._gate.rested,
            "blind": self._blind or self._lit,
        }
        notes += [note for note, there in seen.items() if there]
        return replace(verdict, clear=verdict.clear and not notes, notes=tuple(notes))

    @property
    def full(self) -> bool:
        """Return whether the announcement has as many edges as are kept; a cube that falls now is not seen."""
        return self._gate.full

    @property
    def trace(self) -> Sequence[BeamEdge]:
        """Return the raw edges of the announcement so far."""
        return self._gate.trace()

    def reset(self) -> None:
        """Start the next announcement. The occlusion of a beam that is still dark belongs to the previous one."""
        self._left_dark = set(self._dark)
        self._lost = 0
        self._blocked = self._blind = False
        self._gate = self._gate.next()
