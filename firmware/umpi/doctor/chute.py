"""Measurements of single falling cubes: their speed, how long they look to the beams, and advice for [gate]."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor

from umpi.doctor.finding import Finding
from umpi.frozen import frozen
from umpi.timing.gate import BeamEdge
from umpi.timing.occlusion import Occlusion, Settings, limits, occlusions
from umpi.timing.units import MS

MARGIN = 0.1  # of the speed, added to the measured range
LENGTHS = 0.05  # the same for the length
UNEVEN = 0.25  # the times of front and back between the beams may differ by this fraction of their mean
OFF = 0.07  # if a cube looks shorter by more than this, a dimension in umpi.toml is wrong
MOST_TURNED = 1.42  # a cube in any orientation


class Unmeasured(ValueError):
    """Report why a fall cannot be measured, as a sentence for the person who dropped the cube."""


@frozen
class Fall:
    """Describe one fall: the dark time of beam 0 in ns, the speed, and the length in cubes (`turned`).

    With one beam, `speed_mm_s` and `turned` are None.
    """

    lane: int
    dark_ns: int
    speed_mm_s: float | None = None
    turned: float | None = None


def fall(edges: Sequence[BeamEdge], settings: Settings) -> Fall:
    """Measure one cube by its edges, with chatter merged and glitches left out. Raises Unmeasured.

    The speed is the beams' gap divided by the mean time of front and back between the beams. The length is the speed
    times the dark time.
    """
    seen, contradiction = occlusions(sorted(edges, key=lambda edge: (edge.t, edge.seq)), settings, 0)
    if contradiction or any(darkness.open for darkness in seen):
        raise Unmeasured("A beam stayed dark, or edges were lost.")
    seen = [darkness for darkness in seen if darkness.sure_ns]
    above, below = ([darkness for darkness in seen if darkness.beam == beam] for beam in (0, 1))
    if len({darkness.lane for darkness in seen}) > 1 or len(above) > 1 or len(below) > 1:
        raise Unmeasured("That was more than one cube, or it bounced.")
    if not above or (settings.beams == 2 and not below):
        raise Unmeasured("Only one of the beams saw it." if seen else "That was too short for a cube.")
    if any(darkness.core_ns != (darkness.start_ns, darkness.end_ns) for darkness in seen):
        raise Unmeasured("The sensor chattered at its rim, so that nobody can tell where that was.")
    dark_ns = above[0].whole_ns
    if settings.beams == 1:
        return Fall(above[0].lane, dark_ns)
    travel_ns = _travel_ns(above[0], below[0])
    speed_mm_s = settings.beam_gap_mm / travel_ns * 1e9
    length_mm = speed_mm_s * (dark_ns + below[0].whole_ns) / 2e9
    return Fall(above[0].lane, dark_ns, speed_mm_s, length_mm / settings.cube_mm)


def judge(falls: Sequence[Fall], settings: Settings) -> Finding:
    """Return whether the settings cover all falls, and what to write under [gate] of umpi.toml."""
    if settings.beams == 1:
        return _by_darkness(falls, settings)
    speeds = [fallen.speed_mm_s for fallen in falls if fallen.speed_mm_s is not None]
    turned = [fallen.turned for fallen in falls if fallen.turned is not None]
    slow, fast, shortest, longest = min(speeds), max(speeds), min(turned), max(turned)
    what = f"{len(falls)} cubes: {slow:.0f} to {fast:.0f} mm/s, at most {longest:.2f} cubes long"
    if shortest < 1 - OFF:
        apart_us = (1 - shortest) * settings.beam_gap_mm / slow * 1e6  # what makes a whole cube look so short
        what += f", but at least {shortest:.2f}: beam_gap_mm or cube_mm is wrong, "
        what += f"or the receivers of a lane differ by about {apart_us:.0f} µs"
        do = "Measure both again, and write them under [gate] of umpi.toml. If they are right, exchange a receiver."
        return Finding("chute", "warning", what, do)
    beyond = []
    if slow < settings.speed_mm_s[0] or fast > settings.speed_mm_s[1]:
        beyond.append("speed_mm_s = [{}, {}]".format(*settings.speed_mm_s))
    if longest > settings.turned * (1 + OFF):
        beyond.append(f"turned = {settings.turned}")
    if beyond:
        fault = f"{what}; {' and '.join(beyond)} does not cover that"
        lines = "; ".join(proposed(falls, settings))
        return Finding("chute", "warning", fault, f"Change these lines under [gate] of umpi.toml: {lines}")
    return Finding("chute", "ok", f"{what}, which the settings cover")


def proposed(falls: Sequence[Fall], settings: Settings) -> tuple[str, str]:
    """Return lines for [gate] that exceed the values measured with two beams by a margin, and cover what they covered.

    A few falls are not all of play, and do not prove that cubes cannot turn in a lane.

    >>> falls = [Fall(0, 14_000_000, 1003.0, 1.01), Fall(0, 12_000_000, 1214.0, 1.06)]
    >>> proposed(falls, Settings(beams=2, speed_mm_s=(950, 1100), turned=1.0))
    ('speed_mm_s = [900, 1340]', 'turned = 1.12  # 1.42 where a cube can turn in its lane')
    >>> proposed(falls, Settings(beams=2, speed_mm_s=(750, 1200), turned=1.2))
    ('speed_mm_s = [750, 1340]', 'turned = 1.20  # 1.42 where a cube can turn in its lane')
    """
    speeds = [fallen.speed_mm_s for fallen in falls if fallen.speed_mm_s is not None]
    longest = max(fallen.turned for fallen in falls if fallen.turned is not None)
    slow = min(settings.speed_mm_s[0], floor(min(speeds) * (1 - MARGIN) / 10) * 10)
    fast = max(settings.speed_mm_s[1], ceil(max(speeds) * (1 + MARGIN) / 10) * 10)
    turned = max(1, settings.turned, ceil(longest * (1 + LENGTHS) * 100) / 100)
    unless = f"  # {MOST_TURNED} where a cube can turn in its lane" if turned < MOST_TURNED else ""
    return f"speed_mm_s = [{slow}, {fast}]", f"turned = {turned:.2f}{unless}"


def _travel_ns(above: Occlusion, below: Occlusion) -> float:
    front_ns, back_ns = below.start_ns - above.start_ns, below.end_ns - above.end_ns
    if min(front_ns, back_ns) <= 0:
        raise Unmeasured("The second beam saw it first: are lane and second exchanged?")
    travel_ns = (front_ns + back_ns) / 2
    if abs(front_ns - back_ns) > UNEVEN * travel_ns:
        raise Unmeasured("Its front and its back were not equally fast: it turned or bounced.")
    return travel_ns


def _by_darkness(falls: Sequence[Fall], settings: Settings) -> Finding:
    """Return whether cubes darken the only beam as long as the settings predict."""
    bounds = limits(settings)
    least_ns, most_ns = bounds.least[1] - bounds.slack, bounds.most[1] + bounds.slack
    shortest_ns, longest_ns = min(fallen.dark_ns for fallen in falls), max(fallen.dark_ns for fallen in falls)
    what = f"{len(falls)} cubes: dark for {shortest_ns / MS:.1f} to {longest_ns / MS:.1f} ms"
    do = "Only two beams a lane measure a speed."
    if shortest_ns < least_ns or longest_ns > most_ns:
        fault = f"{what}; speed_mm_s and turned make {least_ns / MS:.1f} to {most_ns / MS:.1f} ms of it"
        return Finding("chute", "warning", fault, f"Change them under [gate] of umpi.toml. {do}")
    return Finding("chute", "ok", f"{what}, as the settings have it", do)
