"""Measurement of the resolution of the beams' time stamps, by switching emitters off again and again.

Cubes that are nearer in time than the resolution are a dead heat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from umpi.doctor.finding import Finding
from umpi.doctor.visit import Gone, Visit
from umpi.drivers.head_protocol import stamps_at_once
from umpi.timing.edge import Edge
from umpi.timing.gate import Settings

TIMES = 20
CLEAR_S = 10.0
SETTLE_MS = 50  # receivers have followed their emitter by then


def resolution(visit: Visit) -> Iterator[Finding]:
    """Measure the largest time difference of beams that become dark at once, and write it to the calibration.

    The head's emitters can only be switched in pairs of beams. An old head stamps one beam after the other, so the
    value for all its beams is computed.
    """
    groups = _groups(visit)
    if not groups:
        what = "how fine the stamps are cannot be measured: that needs two beams whose emitters are switched at once"
        yield Finding("resolution", "not tested", what)
        return
    if dark := visit.still_dark(visit.beams, CLEAR_S):
        yield Finding("resolution", "not tested", f"{dark} stayed dark", "Clear the beams, align them.")
        return
    visit.say(f"Keep the beams clear: their emitters are switched {TIMES} times.")
    widest_ns = 0
    for _ in range(TIMES):
        for lane, lines in groups:
            fronts = _fronts(_switched(visit, lane, lines))
            if missing := [line for line in lines if line not in fronts]:
                what = f"{', '.join(missing)} did not go dark with the emitters"
                yield Finding("resolution", "failed", what, "Look at the emitters first.")
                return
            widest_ns = max(widest_ns, max(fronts.values()) - min(fronts.values()))
    if (head := visit.box.head) and not stamps_at_once(head.about.get("firmware")):
        widest_ns *= len(visit.beams) - 1  # the delays of all beams add up
    resolution_us = -(-widest_ns // 1000)
    if trouble := visit.keep(replace(visit.box.calibration, resolution_us=resolution_us)):
        yield Finding("resolution", "failed", f"{resolution_us} µs, but {trouble}", "Let this user write there.")
        return
    window_us = visit.config.gate.get("dead_heat_us", Settings().dead_heat_us)
    what = f"beams that go dark at once are stamped within {resolution_us} µs"
    if resolution_us > window_us:
        what += f"; so much is a dead heat from now on, not {window_us} µs"
    yield Finding("resolution", "ok", what)


def _groups(visit: Visit) -> list[tuple[int, Sequence[str]]]:
    """Return the beams whose emitters switch together: all at the Pi's pins (lane 0), a lane's two at the head."""
    plan, lines = visit.config.head, visit.beams
    if plan:
        lanes = range(1, plan.lanes + 1) if plan.beams == 2 else ()
        return [(lane, (f"lane_{lane}", f"second_{lane}")) for lane in lanes]
    return [(0, lines)] if visit.box.emitters and len(lines) > 1 else []


def _switched(visit: Visit, lane: int, lines: Sequence[str]) -> list[Edge]:
    """Switch emitters off and on again. Return the edges while they were off."""
    visit.forget()
    try:
        _switch(visit, lane, False)
        edges = list(visit.edges(lines, SETTLE_MS / 1000))
    finally:
        _switch(visit, lane, True)
    visit.pass_ms(SETTLE_MS)
    return edges


def _switch(visit: Visit, lane: int, on: bool) -> None:
    if not visit.box.head:
        (visit.box.emitters.on if on else visit.box.emitters.off)()
    elif visit.box.head.emit(lane, on, mute=False) is None and not on:
        raise Gone("the sensor head did not answer")


def _fronts(edges: Sequence[Edge]) -> dict[str, int]:
    """Return when each line first became dark, in ns."""
    fronts: dict[str, int] = {}
    for edge in sorted(edges, key=lambda edge: edge.at_ns):
        if edge.active:
            fronts.setdefault(edge.line, edge.at_ns)
    return fronts
