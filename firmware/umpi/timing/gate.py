"""The gate: cubes in finish order from the edges of its beams, each with its doubts."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, zip_longest

from umpi.frozen import frozen
from umpi.timing.occlusion import (
    BeamEdge,
    Occlusion,
    Settings,
    closing_ns,
    count,
    flickers,
    latest_front_ns,
    limits,
    occlusions,
    quiet_ns,
    rested,
)
from umpi.timing.units import MS, US

FOR_EVER = 2**62
MOST_EDGES = 256  # of an announcement: a toss by each of six players makes 24 at two beams, chatter at most 132
DOUBTS = ("dead-heat", "count", "short", "long", "stuck", "open", "beam")


@frozen
class Cube:
    """A cube whose front met beam 0 at `t` nanoseconds.

    `margin_us` is the time to the next cube, None for the last one. Another lane's cube is a dead heat if its front
    came at most `heat_ns` later; 0 in a single lane.
    """

    lane: int
    t: int
    margin_us: int | None = None
    doubts: tuple[str, ...] = ()
    heat_ns: int = 0


@frozen
class Verdict:
    """The cubes of an announcement in finish order. `clear` is true if there is no doubt and no note."""

    cubes: tuple[Cube, ...] = ()
    clear: bool = True
    notes: tuple[str, ...] = ()


def judge(edges: Iterable[BeamEdge], settings: Settings) -> Verdict:
    """Return the verdict on one announcement from all its edges, in order of arrival and numbered from 1.

    >>> edges = [BeamEdge(1, 0, 0, 0, True), BeamEdge(2, 14_000_000, 0, 0, False)]
    >>> judge(edges, Settings())
    Verdict(cubes=(Cube(lane=0, t=0, margin_us=None, doubts=(), heat_ns=0),), clear=True, notes=())
    """
    gate = Gate(settings)
    for edge in edges:
        gate.edge(edge)
    return gate.verdict()


class Gate:
    """Judge one announcement as its edges arrive, and return each cube once it is final.

    Pure: time comes with the edges and by `tick`.

    A cube is final `late_ms` after the last moment whose edges could change it or put another cube before it. A dark
    beam therefore delays all later cubes until it becomes light or counts as stuck. Edges later than `late_ms` change
    `verdict`, but not the cubes already returned. In a series of glitches, `verdict` may replace one doubt of a
    doubtful cube by another. A cube that was returned without a doubt keeps none.

    An edge costs no more late in an announcement than early: it has the edges since the last quiet moment judged again.
    Those are at most MOST_EDGES, as an announcement keeps no more, but for the ends of darknesses. Then its verdict has
    the note "many".

    `counted` is the number of the source's last edge before this announcement. `unkept` counts the edges that were not
    kept.
    """

    def __init__(self, settings: Settings, counted: int = 0) -> None:
        self.settings = settings
        self._quiet_ns, self._late_ns = quiet_ns(settings), settings.late_ms * MS
        self._counted = counted
        self._last = 0  # the number of the last edge, kept or not
        self.unkept = 0
        self._edges: list[BeamEdge] = []
        self._numbers: set[int] = set()
        self._went_dark: set[tuple[int, int]] = set()  # the beams whose last edge kept was to dark
        self._newest_ns, self._late = -FOR_EVER, False
        self._parts: list[_Part] = []  # judged, by time
        self._unjudged: list[BeamEdge] = []
        self._cubes: tuple[Cube, ...] = ()
        self._due: list[tuple[Cube, int]] = []  # all cubes, each with the time at which it becomes final
        self._returned: set[tuple[int, int]] = set()

    def edge(self, edge: BeamEdge) -> None:
        """Add an edge as it arrives, with its source's own number."""
        number, beam = edge.seq - self._counted, (edge.lane, edge.beam)
        if number < 1:  # the previous announcement counted it as lost
            return
        self._last = max(self._last, number)
        if self.full and (edge.dark or beam not in self._went_dark):
            self.unkept += 1
            return
        self._edges.append(BeamEdge(number, edge.t, *beam, edge.dark))
        if number in self._numbers:
            return
        self._numbers.add(number)
        (self._went_dark.add if edge.dark else self._went_dark.discard)(beam)
        self._late = self._late or self._newest_ns - edge.t > self._late_ns
        self._newest_ns = max(self._newest_ns, edge.t)
        while self._parts and self._parts[-1].reached_by(edge.t, self._quiet_ns):
            self._unjudged += self._parts.pop().edges
        self._unjudged.append(self._edges[-1])

    def tick(self, now_ns: int) -> tuple[Cube, ...]:
        """Return the cubes that became final since the last call, in finish order.

        `margin_us` is None if the next cube is not final yet.
        """
        self._judge()
        certain = [cube for cube, due_ns in self._due if due_ns <= now_ns]
        fresh = [cube for cube in certain if (cube.lane, cube.t) not in self._returned]
        self._returned.update((cube.lane, cube.t) for cube in fresh)
        return tuple(replace(cube, margin_us=None) if cube is certain[-1] else cube for cube in fresh)

    @property
    def due_ns(self) -> int | None:
        """Return when to call `tick` next; None if no cube waits."""
        return min((due_ns for _, due_ns in self._waiting()), default=None)

    @property
    def front_ns(self) -> int | None:
        """Return when the front of the first pending cube met beam 0, in nanoseconds; None if no cube is pending."""
        return min((cube.t for cube, _ in self._waiting()), default=None)

    @property
    def dark(self) -> tuple[tuple[int, int], ...]:
        """Return the lane and number of every beam that is dark after the edges so far."""
        self._judge()
        return self._parts[-1].dark if self._parts else ()

    @property
    def full(self) -> bool:
        """Return whether the announcement has as many edges as are kept."""
        return len(self._edges) >= MOST_EDGES

    @property
    def flickers(self) -> bool:
        """Return whether a beam shows a burst of isolated glitches."""
        self._judge()
        return any(part.flickers for part in self._parts)

    @property
    def rested(self) -> bool:
        """Return whether a single beam was dark for longer than one cube: it cannot show how many there were."""
        self._judge()
        return any(part.rested for part in self._parts)

    def verdict(self) -> Verdict:
        """Return the verdict on all edges so far."""
        self._judge()
        notes = []
        if self._edges and (lost := max(self._numbers) - len(self._numbers)):
            notes.append(f"lost: {lost}")
        if self._late:
            notes.append("late")
        if any(part.contradiction for part in self._parts):
            notes.append("contradiction")
        if self.full:
            notes.append("many")
        return Verdict(self._cubes, not notes and not any(cube.doubts for cube in self._cubes), tuple(notes))

    def trace(self) -> tuple[BeamEdge, ...]:
        """Return all edges so far in order of arrival, numbered from 1 with every gap kept, as in a trace file."""
        return tuple(self._edges)

    def next(self) -> Gate:
        """Return a gate for the next announcement of the same source."""
        return Gate(self.settings, self._counted + self._last)

    def _waiting(self) -> Iterator[tuple[Cube, int]]:
        """Return the cubes not returned yet, each with the time at which it becomes final."""
        self._judge()
        return ((cube, due_ns) for cube, due_ns in self._due if (cube.lane, cube.t) not in self._returned)

    def _judge(self) -> None:
        """Judge the edges that have come since the last call, with those that they may concern."""
        if not self._unjudged:
            return
        self._parts.append(_judged_part(sorted(self._unjudged, key=_stamp), self.settings))
        self._unjudged = []
        self._cubes = _with_margins([cube for part in self._parts for cube in part.cubes])
        due = [each for part in self._parts for each in part.due]
        cubes = _with_margins([cube for cube, _ in due])
        self._due = [(cube, due_ns + self._late_ns) for cube, (_, due_ns) in zip(cubes, due, strict=True)]


@frozen
class _Part:
    """Edges of an announcement between two moments so quiet that no edge beyond them changes the cubes in between.

    `cubes` are judged as if a beam that is dark at the end became light there, `due` as if it stayed dark. Each cube in
    `due` has the time from which no later edge can change it or put another cube before it; the times never decrease.
    """

    edges: list[BeamEdge]  # by their stamps
    cubes: tuple[Cube, ...]
    due: tuple[tuple[Cube, int], ...]
    dark: tuple[tuple[int, int], ...]
    contradiction: bool
    flickers: bool
    rested: bool

    def reached_by(self, at_ns: int, quiet_ns: int) -> bool:
        """Return whether an edge of this time may change the cubes."""
        return bool(self.dark) or at_ns <= self.edges[-1].t + quiet_ns


def _judged_part(edges: list[BeamEdge], settings: Settings) -> _Part:
    seen, contradiction = occlusions(edges, settings, edges[-1].t)
    dark = tuple(sorted((darkness.lane, darkness.beam) for darkness in seen if darkness.open))
    sights = _sights(seen, settings)
    if dark:
        seen_on, _ = occlusions(edges, settings, FOR_EVER)
        due = _due(seen_on, _sights(seen_on, settings), settings)
    else:
        due = _due(seen, sights, settings)
    marks = flickers(seen, settings), rested(seen, settings)
    return _Part(edges, tuple(_judged(sights, settings)), tuple(due), dark, contradiction, *marks)


def _due(seen: Sequence[Occlusion], sights: Sequence[_Detection], settings: Settings) -> Iterator[tuple[Cube, int]]:
    settled = [(darkness.start_ns, _settled_ns(darkness, settings)) for darkness in seen]
    settled += [(sight.t, sight.settled_ns) for sight in sights]
    to_come = deque(sorted(settled))
    near = {(sight.seen.lane, sight.t): sight.near_ns(settings) for sight in sights}
    alone = {(sight.seen.lane, sight.t): sight.settled_ns for sight in sights if sight.alone}
    due_ns = 0
    for cube in _judged(sights, settings):
        until_ns = cube.t + near.get((cube.lane, cube.t), 0)
        # an occlusion of the other beam until then may belong to a cube that only one beam has seen so far
        until_ns = max(until_ns, alone.get((cube.lane, cube.t), 0))
        due_ns = max(due_ns, until_ns + 1)
        while to_come and to_come[0][0] <= until_ns:
            due_ns = max(due_ns, to_come.popleft()[1])
        yield cube, due_ns


@frozen
class _Detection:
    """One or more touching cubes: an occlusion of one beam, and the matching occlusion of the lane's other beam."""

    seen: Occlusion
    below: Occlusion | None
    alone: bool = False  # only one of two beams saw it
    same: bool = True  # whether both beams must have seen the same group of cubes
    settled_ns: int = 0  # from then on, no later edge can change this detection

    @property
    def t(self) -> int:
        return self.seen.start_ns

    def near_ns(self, settings: Settings) -> int:
        """Return how many nanoseconds later another lane's front still makes their order doubtful."""
        if settings.lanes == 1:
            return 0
        # With quick sensors a glitch that touches the front moves it by more than the dead-heat window.
        return max(settings.dead_heat_us * US, latest_front_ns(settings, self.seen) - self.t - 1)


def _stamp(edge: BeamEdge) -> tuple[int, int]:
    return edge.t, edge.seq


def _sights(seen: Sequence[Occlusion], settings: Settings) -> list[_Detection]:
    """Discard the glitches and pair the occlusions of a lane's two beams that the same cubes made."""
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
    near: list[_Detection] = []  # successive detections so close that beam 1 may have merged them
    for darkness, after in zip_longest(above, above[1:]):
        while left and left[0].start_ns < _reached_ns(darkness, settings):
            yield _Detection(left.popleft(), None, alone=True)
        # A cube that was stuck reaches beam 1 late, but an occlusion that the next cube can have made goes to the next.
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
    """Return close detections with `same` and `settled_ns` set.

    `same` is whether both beams must have seen the same groups of cubes. If beam 1 grouped them differently from
    beam 0, then the two occlusions of some pair have different numbers of cubes. This is excluded if every pair is
    certainly one cube, and `glitch_us` is short beside a cube. Touching cubes make occlusions too long to exclude it.
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
    """Return the earliest time at which the cube of this occlusion at beam 0 can have reached beam 1."""
    bounds = limits(settings)
    return darkness.start_ns + max(bounds.travel[0] - bounds.slack, 1)


def _settled_ns(darkness: Occlusion, settings: Settings) -> int:
    """Return the time from which no later edge can change an occlusion or its doubts."""
    if darkness.open:
        return darkness.start_ns + settings.stuck_ms * MS + 1
    return darkness.end_ns + limits(settings).chatter


def _judged(sights: Sequence[_Detection], settings: Settings) -> list[Cube]:
    """Return the cubes of the detections in the order of their fronts; of two equal ones, the lower lane first."""
    heats = _dead_heats(sights, settings)
    made = []
    for index, sight in enumerate(sights):
        cubes, doubts = _counted(sight, settings)
        if index in heats:
            doubts.add("dead-heat")
        if sight.alone:
            doubts.add("beam")
        heat_ns = sight.near_ns(settings)
        for k in range(cubes):
            t = sight.t + k * sight.seen.whole_ns // cubes
            made.append(Cube(sight.seen.lane, t, None, tuple(doubt for doubt in DOUBTS if doubt in doubts), heat_ns))
    return sorted(made, key=lambda cube: (cube.t, cube.lane))


def _with_margins(cubes: Sequence[Cube]) -> tuple[Cube, ...]:
    """Return cubes in finish order, each with the time to the next."""
    margins = [(after.t - cube.t) // US for cube, after in pairwise(cubes)]
    return tuple(replace(cube, margin_us=us) for cube, us in zip(cubes, [*margins, None], strict=False))


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
