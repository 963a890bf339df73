"""Guided measurement of the chute: cubes are dropped one by one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from umpi.doctor.bench import Typed
from umpi.doctor.chute import Fall, Unmeasured, fall, judge
from umpi.doctor.finding import Finding
from umpi.doctor.visit import ANSWER_S, Skipped, Task, Visit
from umpi.timing.edge import Edge
from umpi.timing.events import Lost
from umpi.timing.funnel import Funnel
from umpi.timing.gate import BeamEdge
from umpi.timing.units import S

CUBES, LEAST = 10, 3
CLEAR_S = 10.0
QUIET_S = 0.3  # without an edge for so long, the cube has passed


def chute(visit: Visit) -> Iterator[Task]:
    """Ask for cubes one by one, and measure each fall."""
    if visit.config.beam_lines:
        yield Task("chute", partial(_drops, visit), "head" if visit.config.head else "")


def _drops(visit: Visit) -> Iterator[Finding]:
    funnel = visit.box.funnel
    if funnel is None:
        out = ", ".join(line for line in visit.config.beam_lines if line in visit.box.device_errors)
        yield Finding("chute", "failed", f"it has no funnel without {out}")
        return
    if dark := visit.still_dark(visit.beams, CLEAR_S):
        yield Finding("chute", "not tested", f"{dark} stayed dark", "Clear the beams, align them.")
        return
    lanes = funnel.settings.lanes
    wanted = CUBES if lanes == 1 else max(CUBES, 2 * lanes)
    visit.say(f"Let cubes fall as in play, one by one; {wanted} are enough, with {LEAST} Enter ends.")
    falls: list[Fall] = []
    while len(falls) < wanted:
        where = f" into lane_{len(falls) % lanes + 1}" if lanes > 1 else ""
        visit.say(f"Drop a cube{where} ({len(falls) + 1} of {wanted}).")
        try:
            edges = _one_cube(visit, funnel)
            if edges is None and len(falls) >= LEAST:
                break
            if edges is None:
                raise Skipped
            falls.append(fall(edges, funnel.settings))
        except Unmeasured as why:
            visit.say(f"{why} It does not count.")
            continue
        visit.say(_fall_text(falls[-1]))
    yield judge(falls, funnel.settings)
    if unseen := sorted(set(range(lanes)) - {fallen.lane for fallen in falls}):
        names = ", ".join(f"lane_{lane + 1}" for lane in unseen)
        yield Finding("chute", "not tested", f"no cube fell down {names}")


def _one_cube(visit: Visit, funnel: Funnel) -> list[BeamEdge] | None:
    """Collect the edges of the next cube. Return None if Enter was pressed instead.

    Raises Unmeasured if edges were lost, Skipped if no cube came.
    """
    visit.forget()
    until_ns = visit.clock() + ANSWER_S * S
    edges: list[BeamEdge] = []
    lost = False
    while True:
        event = visit.next_input(until_ns, enter=not edges)
        match event:
            case None if not edges:
                raise Skipped
            case None if lost:
                raise Unmeasured("Edges were lost.")
            case None:
                return edges
            case Typed(""):
                return None
            case Lost():
                lost = True
            case Edge(line, dark, at_ns) if line in funnel.lines:
                edges.append(BeamEdge(len(edges) + 1, at_ns, *funnel.lines[line], dark))
                until_ns = visit.clock() + round(QUIET_S * S)


def _fall_text(fallen: Fall) -> str:
    if fallen.speed_mm_s is None:
        return f"Dark for {fallen.dark_ns / 1e6:.1f} ms."
    return f"{fallen.speed_mm_s:.0f} mm/s, {fallen.turned:.2f} cubes long."
