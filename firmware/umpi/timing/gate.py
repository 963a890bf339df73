"""Edges of the gate's beams to cubes in the order they came out, each with what makes it doubtful."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest

from umpi.timing.occlusion import (
    MS,
    US,
    BeamEdge,
    Occlusion,
    Settings,
    closing_ns,
    count,
    latest_front_ns,
    limits,
    occlusions,
)

FOR_EVER = 2**62
DOUBTS = ("dead-heat", "count", "short", "long", "stuck", "open", "beam")


@dataclass(frozen=True, slots=True)
class Cube:
    """A cube whose front met beam 0 at `t` nanoseconds, `margin_us` before the next one (None: the last)."""

    lane: int
    t: int
    margin_us: int | None = None
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """The cubes of an announcement in the order they came out; `clear` is only what is certain."""

    cubes: tuple[Cube, ...] = ()
    clear: bool = True
    notes: tuple[str, ...] = ()


def judge(edges: Iterable[BeamEdge], settings: Settings) -> Verdict:
    """Judge one announcement from all its edges, in the order they arrived, numbered from 1.

    >>> edges = [BeamEdge(1, 0, 0, 0, True), BeamEdge(2, 14_000_000, 0, 0, False)]
    >>> judge(edges, Settings())
    Verdict(cubes=(Cube(lane=0, t=0, margin_us=None, doubts=()),), clear=True, notes=())
    """
    told, late = _told(edges, settings)
    ordered = sorted(told, key=_stamp)
    seen, contradiction = occlusions(ordered, settings, ordered[-1].t if ordered else 0)
    cubes = _judged(_sights(seen, settings), settings)
    notes = []
    if told and (lost := max(edge.seq for edge in told) - len(told)):
        notes.append(f"lost: {lost}")
    if late:
        notes.append("late")
    if contradiction:
        notes.append("contradiction")
    return Verdict(cubes, not notes and not any(cube.doubts for cube in cubes), tuple(notes))


class Gate:
    """The gate at the table: takes edges as they come and tells each cube once it has become certain.

    A cube is told `late_ms` after the last moment whose edges could change it or put another before it, so a beam
    that is dark holds back all behind it for as long as it may take to call it stuck. Only `verdict` has the last
    word: edges later than `late_ms` change it, not what was told, and of a doubtful cube, amid a train of glitches,
    one doubt may still give way to another. What was told as clear stays clear. Pure; time comes with the edges and
    by `tick`.

    `counted` is the last number its source gave an edge before this announcement.
    """

    def __init__(self, settings: Settings, counted: int = 0) -> None:
        self.settings = settings
        self._counted = counted
        self._edges: list[BeamEdge] = []
        self._told: set[tuple[int, int]] = set()

    def edge(self, edge: BeamEdge) -> None:
        """Take an edge as it arrives, under its source's own number."""
        if edge.seq > self._counted:  # else it belongs to the announcement before, which said that it was lost
            number = edge.seq - self._counted
            self._edges.append(BeamEdge(number, edge.t, edge.lane, edge.beam, edge.dark))

    def tick(self, now_ns: int) -> tuple[Cube, ...]:
        """Tell the cubes that have become certain since the last call, in the order they came out.

        The margin is None where the next one is not yet certain.
        """
        certain = [cube for cube, due_ns in self._cubes() if due_ns <= now_ns]
        fresh = [cube for cube in certain if (cube.lane, cube.t) not in self._told]
        self._told.update((cube.lane, cube.t) for cube in fresh)
        return tuple(replace(cube, margin_us=None) if cube is certain[-1] else cube for cube in fresh)

    @property
    def due_ns(self) -> int | None:
        """When `tick` next has something to do; None where nothing waits."""
        return min((due_ns for _, due_ns in self._waiting()), default=None)

    @property
    def front_ns(self) -> int | None:
        """The front of the first cube that is not yet told; None where none waits."""
        return min((cube.t for cube, _ in self._waiting()), default=None)

    @property
    def dark(self) -> tuple[tuple[int, int], ...]:
        """The lane and beam of every beam that is dark by the edges so far."""
        seen, _ = occlusions(self._ordered(), self.settings, 0)
        return tuple(sorted((darkness.lane, darkness.beam) for darkness in seen if darkness.open))

    def verdict(self) -> Verdict:
        """Judge all edges so far."""
        return judge(self._edges, self.settings)

    def trace(self) -> tuple[BeamEdge, ...]:
        """All edges so far as they arrived, numbered from 1 with every gap kept, as a file has them."""
        return tuple(self._edges)

    def reset(self, counted: int | None = None) -> None:
        """Begin a new announcement; `counted` where its source counts anew, else the numbers go on."""
        last = max((edge.seq for edge in self._edges), default=0)
        self._counted = self._counted + last if counted is None else counted
        self._edges.clear()
        self._told.clear()

    def _waiting(self) -> Iterator[tuple[Cube, int]]:
        """The cubes not told yet, each with the moment it may be."""
        return ((cube, due_ns) for cube, due_ns in self._cubes() if (cube.lane, cube.t) not in self._told)

    def _cubes(self) -> Iterator[tuple[Cube, int]]:
        """All cubes so far, each with the moment it may be told; the moments never fall.

        A beam still dark is taken to stay so: its cube is told when it has become stuck.
        """
        settings = self.settings
        seen, _ = occlusions(self._ordered(), settings, FOR_EVER)
        sights = _sights(seen, settings)
        settled = [(darkness.start_ns, _settled_ns(darkness, settings)) for darkness in seen]
        settled += [(sight.t, sight.settled_ns) for sight in sights]
        near = {(sight.seen.lane, sight.t): sight.near_ns(settings) for sight in sights}
        alone = {(sight.seen.lane, sight.t): sight.settled_ns for sight in sights if sight.alone}
        due_ns = 0
        for cube in _judged(sights, settings):
            until_ns = cube.t + near.get((cube.lane, cube.t), 0)
            # what the other beam sees meanwhile may still turn out to belong to a cube that only one beam saw
            until_ns = max(until_ns, alone.get((cube.lane, cube.t), 0))
            due_ns = max(due_ns, until_ns + 1, *(at_ns for start_ns, at_ns in settled if start_ns <= until_ns))
            yield cube, due_ns + settings.late_ms * MS

    def _ordered(self) -> list[BeamEdge]:
        return sorted(_told(self._edges, self.settings)[0], key=_stamp)


@dataclass(frozen=True, slots=True)
class _Detection:
    """What is one or more touching cubes: a darkness, and the one of the lane's other beam that goes with it."""

    seen: Occlusion
    below: Occlusion | None
    alone: bool = False  # only one of two beams saw it
    same: bool = True  # whether both beams must have seen the same cubes together
    settled_ns: int = 0  # when no edge to come changes any of this

    @property
    def t(self) -> int:
        return self.seen.start_ns

    def near_ns(self, settings: Settings) -> int:
        """How far behind another lane's front may lie for the order of the two to be doubtful."""
        if settings.lanes == 1:
            return 0
        # With quick sensors a glitch that touches the front moves it further than the window is wide.
        return max(settings.dead_heat_us * US, latest_front_ns(settings, self.seen) - self.t - 1)


def _told(edges: Iterable[BeamEdge], settings: Settings) -> tuple[list[BeamEdge], bool]:
    """The edges without those whose number came before, and whether one came too late."""
    told: dict[int, BeamEdge] = {}
    newest, late = None, False
    for edge in edges:
        if edge.seq in told:
            continue
        told[edge.seq] = edge
        newest = edge.t if newest is None else max(newest, edge.t)
        late = late or newest - edge.t > settings.late_ms * MS
    return list(told.values()), late


def _stamp(edge: BeamEdge) -> tuple[int, int]:
    return edge.t, edge.seq


def _sights(seen: Sequence[Occlusion], settings: Settings) -> list[_Detection]:
    """Drop the glitches and put together what the two beams of a lane saw of the same cubes."""
    cubes = [darkness for darkness in seen if darkness.open or darkness.whole_ns >= limits(settings).glitch]
    if settings.beams == 1:
        return [_Detection(darkness, None) for darkness in cubes]
    sights: list[_Detection] = []
    for lane in range(settings.lanes):
        above, below = ([d for d in cubes if (d.lane, d.beam) == (lane, beam)] for beam in (0, 1))
        sights += _paired(above, below, settings)
    return sorted(sights, key=lambda sight: (sight.t, sight.seen.lane))


def _paired(above: list[Occlusion], below: list[Occlusion], settings: Settings) -> Iterator[_Detection]:
    bounds, left = limits(settings), deque(below)
    near: list[_Detection] = []  # one after the other, each so near the next that beam 1 may have seen them as one
    for darkness, after in zip_longest(above, above[1:]):
        while left and left[0].start_ns < _reached_ns(darkness, settings):
            yield _Detection(left.popleft(), None, alone=True)
        # One that got stuck reaches beam 1 late, but what the next one can have darkened is left to the next.
        last_ns = darkness.end_ns + bounds.travel[1] + bounds.slack
        if after:
            in_time_ns = darkness.start_ns + bounds.travel[1] + bounds.slack
            last_ns = min(last_ns, max(in_time_ns, _reached_ns(after, settings) - 1))
        match = left.popleft() if left and left[0].start_ns <= last_ns else None
        near.append(_Detection(darkness, match, alone=not match))
        if not after or after.start_ns - darkness.end_ns > closing_ns(settings):
            yield from _settled(near, settings)
            near = []
    yield from (_Detection(darkness, None, alone=True) for darkness in left)


def _settled(near: list[_Detection], settings: Settings) -> Iterator[_Detection]:
    """Say of neighbours whether what the beams saw of each is the same, and when that is settled.

    If beam 1 saw other cubes together than beam 0, then some pair of darknesses are not as many cubes. Where each is
    one cube by both beams, there is none; touching ones are too long to tell.
    """
    bounds = limits(settings)
    ones = all(count(settings, sight.seen, sight.below) == (1, "") for sight in near)
    same = len(near) == 1 or (ones and 4 * bounds.glitch < bounds.least[1])
    settled_ns = 0
    for sight in near:
        moments = [_settled_ns(darkness, settings) for darkness in (sight.seen, sight.below) if darkness]
        if not sight.seen.open:
            moments.append(sight.seen.end_ns + max(closing_ns(settings), bounds.travel[1] + bounds.slack) + 1)
        settled_ns = max(settled_ns, *moments)
    return (replace(sight, same=same, settled_ns=settled_ns) for sight in near)


def _reached_ns(darkness: Occlusion, settings: Settings) -> int:
    """The first moment at which what made this darkness at beam 0 can have made another at beam 1."""
    bounds = limits(settings)
    return darkness.start_ns + max(bounds.travel[0] - bounds.slack, 1)


def _settled_ns(darkness: Occlusion, settings: Settings) -> int:
    """When no edge to come changes a darkness any more, or what is to be said of it."""
    if darkness.open:
        return darkness.start_ns + settings.stuck_ms * MS + 1
    return darkness.end_ns + limits(settings).chatter


def _judged(sights: Sequence[_Detection], settings: Settings) -> tuple[Cube, ...]:
    """Make cubes of what was seen, by their fronts, the lower lane first where two are equal."""
    heats = _dead_heats(sights, settings)
    made = []
    for index, sight in enumerate(sights):
        cubes, doubts = _counted(sight, settings)
        if index in heats:
            doubts.add("dead-heat")
        if sight.alone:
            doubts.add("beam")
        for k in range(cubes):
            t = sight.t + k * sight.seen.whole_ns // cubes
            made.append(Cube(sight.seen.lane, t, None, tuple(doubt for doubt in DOUBTS if doubt in doubts)))
    made.sort(key=lambda cube: (cube.t, cube.lane))
    margins = [(after.t - cube.t) // US for cube, after in pairwise(made)]
    return tuple(replace(cube, margin_us=us) for cube, us in zip(made, [*margins, None], strict=False))


def _dead_heats(sights: Sequence[_Detection], settings: Settings) -> set[int]:
    found = set()
    for index, sight in enumerate(sights):
        near_ns = sight.near_ns(settings)
        for other, behind in enumerate(sights[index + 1 :], index + 1):
            if behind.t - sight.t > near_ns:
                break
            if behind.seen.lane != sight.seen.lane:
                found |= {index, other}
    return found


def _counted(sight: _Detection, settings: Settings) -> tuple[int, set[str]]:
    both = [darkness for darkness in (sight.seen, sight.below) if darkness]
    doubts = {"open"} if any(darkness.open for darkness in both) else set()
    if any(darkness.whole_ns > settings.stuck_ms * MS for darkness in both):
        doubts.add("stuck")
    if doubts:
        return 1, doubts
    cubes, doubt = count(settings, sight.seen, sight.below, sight.same)
    return cubes, {doubt} - {""}


__all__ = ["BeamEdge", "Cube", "Gate", "Settings", "Verdict", "judge"]
