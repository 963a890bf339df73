"""Occlusions: dark periods of beams, built from edges, and the number of cubes that may have made each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor, isfinite, lcm
from typing import NamedTuple

from umpi.frozen import frozen
from umpi.timing.fall import Fall, Range
from umpi.timing.units import MS, US, S

MOST_CUBES = 6  # one per player

BURST, BURST_NS = 4, 50 * MS  # so many glitches within this time are no accident

Span = tuple[int, int]  # from, to


@frozen
class BeamEdge:
    """A beam of a lane that becomes dark or light at `t` monotonic nanoseconds. `seq` is the source's edge number."""

    seq: int
    t: int
    lane: int
    beam: int
    dark: bool


@frozen
class Settings:
    """The geometry of a gate, the size and speed of its cubes, and the tolerances for judging them."""

    lanes: int = 1
    beams: int = 1
    cube_mm: float = 16
    turned: float = 1.42  # by what factor a turned cube may appear longer
    speed_mm_s: tuple[float, float] = (900, 1400)
    beam_gap_mm: float = 12
    glitch_us: int = 800
    chatter_us: int = 400
    dead_heat_us: int = 2000
    stuck_ms: int = 400
    late_ms: int = 20

    def refusal(self) -> str:
        """Return which value is invalid and what is expected, "" if all are valid.

        >>> Settings(turned=0.5).refusal()
        '"turned" must be a number, 1 or more, not 0.5'
        """
        speed = self.speed_mm_s
        in_order = type(speed) is tuple and len(speed) == 2 and all(map(_number, speed)) and 0 < speed[0] <= speed[1]
        checks = [
            ("lanes", _whole(self.lanes) and 1 <= self.lanes <= MOST_CUBES, f"a whole number from 1 to {MOST_CUBES}"),
            ("beams", _whole(self.beams) and self.beams in (1, 2), "1 or 2"),
            ("cube_mm", _number(self.cube_mm) and self.cube_mm > 0, "a number above 0"),
            ("turned", _number(self.turned) and self.turned >= 1, "a number, 1 or more"),
            ("speed_mm_s", in_order, "the least and the greatest speed, both above 0"),
            ("beam_gap_mm", _number(self.beam_gap_mm) and self.beam_gap_mm > 0, "a number above 0"),
            ("stuck_ms", _whole(self.stuck_ms) and self.stuck_ms > 0, "a whole number above 0"),
        ]
        for name in ("glitch_us", "chatter_us", "dead_heat_us", "late_ms"):
            checks.append((name, _whole(value := getattr(self, name)) and value >= 0, "a whole number, 0 or more"))
        if all(sensible for _, sensible, _ in checks):
            # Otherwise every fast cube would be discarded as a glitch without a report.
            shortest_us = limits(self).least[1] // US
            below = f"below {shortest_us}, which is how long a fast cube darkens a beam"
            checks.append(("glitch_us", self.glitch_us < shortest_us, below))
        for name, sensible, be in checks:
            if not sensible:
                return f'"{name}" must be {be}, not {_shown(getattr(self, name))}'
        return ""


class Limits(NamedTuple):
    """Limits derived from the settings, in nanoseconds.

    `least[n]` and `most[n]` are the shortest and longest time for which n cubes darken a beam.
    """

    least: tuple[int, ...]
    most: tuple[int, ...]
    shortest: tuple[int, ...]  # length of n cubes, give or take a quarter of a cube, in parts of a beam gap
    longest: tuple[int, ...]
    parts: int  # how many parts make a beam gap, so that all these lengths are whole numbers
    travel: Span  # from beam to beam
    glitch: int
    chatter: int
    slack: int


@lru_cache(maxsize=64)
def limits(settings: Settings) -> Limits:
    """Return the limits of the settings, computed with exact fractions: 1.42 is 142/100."""
    cube, turned, gap = (_exact(v) for v in (settings.cube_mm, settings.turned, settings.beam_gap_mm))
    slow, fast = map(_exact, settings.speed_mm_s)
    counts = range(MOST_CUBES + 1)
    shortest = [(n * cube - cube / 4) / gap for n in counts]
    longest = [(n * cube * turned + cube / 4) / gap for n in counts]
    parts = lcm(*(length.denominator for length in (*shortest, *longest)))
    return Limits(
        least=tuple(ceil(n * cube * S / fast) for n in counts),
        most=tuple(floor(n * cube * turned * S / slow) for n in counts),
        shortest=tuple(int(length * parts) for length in shortest),
        longest=tuple(int(length * parts) for length in longest),
        parts=parts,
        travel=(floor(gap * S / fast), ceil(gap * S / slow)),
        glitch=settings.glitch_us * US,
        chatter=settings.chatter_us * US,
        slack=(settings.glitch_us + settings.chatter_us) * US,
    )


@frozen
class Occlusion:
    """One dark period of one beam with its chatter merged: the dark pieces, and the limits of its two ends.

    A glitch that touches a cube is merged with it. If light separates the two, the glitch is a short piece, and the
    core excludes it. If not, either end may be off by at most `glitch_us`.
    """

    lane: int
    beam: int
    pieces: tuple[Span, ...]
    open: bool  # the beam is still dark: the last piece ends with the trace
    core_ns: Span  # from the first to the last piece too long for a glitch; empty (from = to) if all may be glitches
    core_dark_ns: int  # the dark time within the core
    sure_ns: int  # the dark time of the pieces that are too long for a glitch

    @property
    def start_ns(self) -> int:
        """Return when the occlusion began, in nanoseconds."""
        return self.pieces[0][0]

    @property
    def end_ns(self) -> int:
        """Return when the occlusion ended, in nanoseconds."""
        return self.pieces[-1][1]

    @property
    def whole_ns(self) -> int:
        """Return the duration from the first dark to the last light, in nanoseconds."""
        return self.end_ns - self.start_ns


def occlusions(edges: Sequence[BeamEdge], settings: Settings, until_ns: int) -> tuple[list[Occlusion], bool]:
    """Return the occlusions in order of their start, and whether a beam repeated a level.

    `edges` must be sorted by stamp. The result includes isolated glitches. A beam that is still dark is taken as dark
    until `until_ns`.
    """
    pieces: dict[tuple[int, int], list[list[int]]] = {}
    dark: dict[tuple[int, int], bool] = {}
    contradiction = False
    for edge in edges:
        beam = edge.lane, edge.beam
        if dark.get(beam, False) == edge.dark:
            contradiction = True
            continue
        dark[beam] = edge.dark
        if edge.dark:
            pieces.setdefault(beam, []).append([edge.t])
        else:
            pieces[beam][-1].append(edge.t)
    made = []
    for beam, stamps in pieces.items():
        if dark[beam]:
            stamps[-1].append(max(until_ns, stamps[-1][0]))
        all_pieces = [(stamp[0], stamp[1]) for stamp in stamps]
        lights = [after[0] - before[1] for before, after in pairwise(all_pieces)]
        cuts = [0, *(i for i, light in enumerate(lights, 1) if light >= limits(settings).chatter), len(all_pieces)]
        for first, end in pairwise(cuts):
            still = dark[beam] and end == len(all_pieces)
            made.append(_darkness(beam, all_pieces[first:end], still, settings))
    return sorted(made, key=lambda d: (d.start_ns, d.lane, d.beam)), contradiction


def flickers(seen: Iterable[Occlusion], settings: Settings) -> bool:
    """Return whether a beam shows a burst of isolated glitches, as a cube does whose receiver sees foreign light."""
    glitches: dict[tuple[int, int], list[int]] = {}
    for each in seen:
        if not each.open and each.whole_ns < limits(settings).glitch:
            glitches.setdefault((each.lane, each.beam), []).append(each.start_ns)
    bursts = (zip(starts, starts[BURST - 1 :], strict=False) for starts in glitches.values())
    return any(last - first < BURST_NS for burst in bursts for first, last in burst)


def rested(seen: Iterable[Occlusion], settings: Settings) -> bool:
    """Return whether the single beam of a single lane was dark for longer than one cube within the settings.

    Then nobody knows how many cubes there were. One that friction slows down, one that rests, or a finger darkens a
    beam for as long as cubes that touch, and only a second beam shows the speed.
    """
    if (settings.lanes, settings.beams) != (1, 1):
        return False
    return any(next(iter(_fits(settings, each, None)), 1) > 1 for each in seen)


def latest_front_ns(settings: Settings, seen: Occlusion) -> int:
    """Return the latest time of the cube's own front, if everything dark before it was a glitch."""
    return min(seen.core_ns[0] + limits(settings).glitch, seen.end_ns)


def closing_ns(settings: Settings) -> int:
    """Return the greatest gap, in nanoseconds, of two occlusions of beam 0 that beam 1 may see as one.

    The gap closes if the later cube is the faster one.
    """
    bounds = limits(settings)
    return bounds.travel[1] - bounds.travel[0] + bounds.slack + bounds.chatter


def quiet_ns(settings: Settings) -> int:
    """Return for how many nanoseconds no beam must be dark, so that edges before and after do not concern each other.

    Then they belong to different occlusions, detections, dead heats and bursts of glitches.
    """
    bounds = limits(settings)
    reach_ns = max(closing_ns(settings), bounds.travel[1] + bounds.slack) + 1
    return max(reach_ns, bounds.chatter, settings.dead_heat_us * US, BURST_NS)


@lru_cache(maxsize=512)  # an occlusion that has ended is counted once, however often its announcement is judged
def count(settings: Settings, seen: Occlusion, below: Occlusion | None, same: bool = True) -> tuple[int, str]:
    """Return the number of cubes in an occlusion, and the doubt about it ("" if it is certain).

    `below` is the matching occlusion of beam 1. If `same` is false, beam 1 may have seen another group of cubes. Then
    `below` does not limit how many cubes touch.
    """
    counts = _fits(settings, seen, below)
    if not counts:
        return 1, "short" if _too_short(settings, seen, below) else "long"
    if settings.lanes > 1:  # each player has one cube, so an occlusion that may be one cube is one
        bounds = limits(settings)  # two tosses joined by glitches have a short core, but the whole is too long
        certain = 1 in counts and could(settings, 1, seen, below) and not could(settings, 0, seen, below)
        certain = certain and seen.whole_ns <= bounds.most[1] + 2 * bounds.slack
        return 1, "" if certain else "count"
    possible = [n for n in range(MOST_CUBES + 1) if could(settings, n, seen, below, same)]
    return counts[0], "" if [counts[0]] == counts == possible else "count"


def could(settings: Settings, n: int, seen: Occlusion, below: Occlusion | None, same: bool = True) -> bool:
    """Check whether n cubes within the settings could have made this occlusion, with any hidden glitch at its ends.

    A count is certain only if this check allows no other count. It allows more than `_fits`, which uses one slack and
    one speed for all cubes.
    """
    if n == 0:
        return seen.sure_ns == 0 or (below is not None and below.sure_ns == 0)
    if n > 1 and not same:
        below = None
    bounds = limits(settings)
    slack = max(bounds.slack, US)  # stamps are rounded
    hidden = _hidden_ns(settings, n)
    for darkness in (seen,) if below is None else (seen, below):
        if darkness.whole_ns < bounds.least[n] - slack or darkness.sure_ns > bounds.most[n] + hidden:
            return False
    if below is None:
        return True
    # The fronts show the speed of the first cube, the backs that of the last one; the two speeds may differ.
    fronts = [(darkness.start_ns, latest_front_ns(settings, darkness)) for darkness in (seen, below)]
    backs = [(_first_back_ns(settings, darkness), darkness.end_ns) for darkness in (seen, below)]
    fall = Fall(settings.beam_gap_mm, settings.cube_mm, settings.cube_mm * settings.turned)
    front: Range = _travel(fronts, bounds)
    back: Range = _travel(backs, bounds)
    if n == 1:
        front, back = fall.of_one(front, back, max(seen.whole_ns, below.whole_ns))
    if front[0] > front[1] or back[0] > back[1]:
        return False
    by_front, by_back = fall.dark_by_front(front), fall.dark_by_back(back)
    if n == 1:
        least, most = max(by_front[0], by_back[0]), min(by_front[1], by_back[1])
    else:
        least, most = by_front[0] + by_back[0] + bounds.least[n - 2], by_front[1] + by_back[1] + bounds.most[n - 2]
    return seen.whole_ns >= least - slack and seen.sure_ns <= most + hidden


def _hidden_ns(settings: Settings, n: int) -> int:
    """Return how much longer n cubes may darken a beam: a glitch at both ends of each, without light between."""
    bounds = limits(settings)
    return max(bounds.slack, US, 2 * n * bounds.glitch)


def _fits(settings: Settings, seen: Occlusion, below: Occlusion | None) -> list[int]:
    """Return the possible numbers of cubes by the rule of the trace format, with one slack and one speed."""
    bounds, counts = limits(settings), range(1, MOST_CUBES + 1)
    least, most = bounds.least, bounds.most
    if below is None:
        whole_ns, core_ns = seen.whole_ns + bounds.slack, seen.core_dark_ns - bounds.slack
        return [n for n in counts if whole_ns >= least[n] and core_ns <= most[n]]
    travel_ns = below.start_ns - seen.start_ns
    whole, core = seen.whole_ns * bounds.parts, seen.core_dark_ns * bounds.parts
    return [n for n in counts if whole >= bounds.shortest[n] * travel_ns and core <= bounds.longest[n] * travel_ns]


def _too_short(settings: Settings, seen: Occlusion, below: Occlusion | None) -> bool:
    bounds = limits(settings)
    if below is None:
        return seen.whole_ns < bounds.least[1] - bounds.slack
    return seen.whole_ns * bounds.parts < bounds.shortest[1] * (below.start_ns - seen.start_ns)


def _first_back_ns(settings: Settings, seen: Occlusion) -> int:
    return max(seen.core_ns[1] - limits(settings).glitch, seen.start_ns)


def _travel(rims: list[Span], bounds: Limits) -> Span:
    """Return the shortest and longest time that a front or back took from beam to beam, in nanoseconds."""
    above, below = rims
    return max(below[0] - above[1] - US, bounds.travel[0]), min(below[1] - above[0] + US, bounds.travel[1])


def _darkness(beam: tuple[int, int], pieces: list[Span], still: bool, settings: Settings) -> Occlusion:
    glitch = limits(settings).glitch
    sure = [i for i, (start, end) in enumerate(pieces) if end - start >= glitch]
    if not sure:
        end = pieces[-1][1]
        return Occlusion(*beam, tuple(pieces), still, (end, end), 0, 0)
    core = pieces[sure[0] : sure[-1] + 1]
    sure_ns = _dark_ns(pieces[i] for i in sure)
    return Occlusion(*beam, tuple(pieces), still, (core[0][0], core[-1][1]), _dark_ns(core), sure_ns)


def _dark_ns(pieces: Iterable[Span]) -> int:
    return sum(end - start for start, end in pieces)


def _exact(value: float) -> Fraction:
    return Fraction(str(value))


def _whole(value: object) -> bool:
    return type(value) is int


def _number(value: object) -> bool:
    return type(value) is int or (type(value) is float and isfinite(value))


def _shown(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=repr)[:60]
