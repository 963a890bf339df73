"""Guided calibration of the rail's colour sensor: measure each cube at the stop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations
from math import dist

from umpi.box.config import COLOURS
from umpi.doctor.bench import Typed
from umpi.doctor.finding import Finding
from umpi.doctor.visit import ANSWER_S, Skipped, Task, Visit
from umpi.drivers.colours import NOTHING, ColourProfile, Unfit, calibrate
from umpi.drivers.queue_rail import GAIN
from umpi.drivers.tcs34725 import Reading
from umpi.timing.edge import Edge
from umpi.timing.units import S

PLACES = 3  # how often each cube is measured
SETTLE_MS = 500  # after it, the sensor's readings are only of the present cube
STILL_S = 5  # to wait for similar readings


def colours(visit: Visit) -> Iterator[Task]:
    """Measure the empty rail and each cube, and write the colour calibration."""
    if visit.config.rail is not None:
        yield Task("rail", partial(_calibrated, visit), "rail")


def _calibrated(visit: Visit) -> Iterator[Finding]:
    known = visit.box.calibration.colours
    if known and visit.ask("The colours are known already. Measure them again?") == "no":
        yield Finding("rail", "ok", _nearest(known))
        return
    readings = {NOTHING: [reading for _ in range(PLACES) for reading in _placed(visit, "Leave the stop empty")]}
    for colour in COLOURS:
        readings[colour] = []
        for number in range(PLACES):
            other = "" if number == 0 else ", another face down"
            readings[colour] += _placed(visit, f"Put a {colour} cube to the stop{other}")
    try:
        profile = calibrate(readings, known.gain if known else GAIN)
    except Unfit as fault:
        yield Finding("rail", "failed", str(fault), "Keep daylight off the stop, and measure again.")
        return
    if trouble := visit.keep(replace(visit.box.calibration, colours=profile)):
        yield Finding("rail", "failed", f"the colours were measured, but {trouble}", "Let this user write there.")
        return
    yield Finding("rail", "ok", _nearest(profile))


def _placed(visit: Visit, what: str) -> tuple[Reading, ...]:
    """Return the readings at the stop, after the person has confirmed and the readings are similar."""
    rail = visit.box.rail
    assert rail
    while True:
        visit.forget()
        visit.say(f"{what}, then Enter or ok.")
        _entered(visit)
        visit.pass_ms(SETTLE_MS)
        until_ns = visit.clock() + STILL_S * S
        while visit.clock() < until_ns:
            if settled := rail.settled:
                return settled
            visit.pass_ms(50)
        visit.say("Its readings are not alike: let it lie still, and keep flickering light off.")


def _entered(visit: Visit) -> None:
    until_ns = visit.clock() + ANSWER_S * S
    while (event := visit.next_input(until_ns, enter=True)) is not None:
        if event == Typed("") or (isinstance(event, Edge) and event.line == "ok" and event.active):
            return
    raise Skipped


def _nearest(profile: ColourProfile) -> str:
    """Return the number of colours and the two that are the most similar."""
    one, other = min(combinations(profile.colours, 2), key=lambda pair: dist(pair[0].shade, pair[1].shade))
    gap = dist(one.shade, other.shade)
    number = len(profile.colours) - 1
    return f"{number} colours are known; the nearest two, {one.name} and {other.name}, lie {gap:.2f} apart"
