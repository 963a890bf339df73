"""Checks of the case: parts that overlap, plugs whose way is blocked, material that is too thin, bridges too long."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise
from math import dist, inf

from hardware.case.numbers import Case, PiBoard
from hardware.case.panels import panels
from hardware.case.parts import Part
from hardware.case.paths import paths
from hardware.case.shapes import Cut, Opening, Panel, Point, closed
from hardware.case.strength import WALLS, ribs

TOUCH = 0.2  # a plug may not come nearer to anything than this, in mm


def clashes(case: Case, found: list[Part]) -> list[str]:
    """Name parts that overlap, and parts that are not between the sheets."""
    sheet = case.box.sheet
    ends = [length - sheet for length in case.box.outer]
    out = [
        f"{part.name} and the wall"
        for part in found
        if min(part.low) < sheet - 1e-9 or any(high > end + 1e-9 for high, end in zip(part.high, ends, strict=True))
    ]
    return out + [f"{one.name} and {other.name}" for one, other in combinations(found, 2) if one.meets(other)]


def blocked(case: Case, board: PiBoard, found: Iterable[Part]) -> list[str]:
    """Name every plug that meets a part, or the material of its wall."""
    walls = panels(case, next(iter(case.oleds.values())))
    solids = list(found)
    out = []
    for wall, path in paths(case, board):
        low = tuple(edge - TOUCH for edge in path.low)
        high = tuple(edge + TOUCH for edge in path.high)
        wider = Part(path.name, (low[0], low[1], low[2]), (high[0], high[1], high[2]))
        own = path.name.removeprefix("plug of ")
        out += [f"{path.name}: {part.name}" for part in solids if part.name not in (own, "Pi") and part.meets(wider)]
        along = 0 if wall == "rear" else 1
        room = Opening(path.low[along], path.low[2], path.high[along], path.high[2])
        if not any(_holds(cut, room) for cut in walls[wall].cuts if isinstance(cut, Opening)):
            out.append(f"{path.name}: the {wall} wall")
    return out


def _holds(cut: Opening, room: Opening) -> bool:
    return cut.left <= room.left and cut.low <= room.low and room.right <= cut.right and room.top <= cut.top


def thin(case: Case, found: Iterable[Panel]) -> list[str]:
    """Name each web that is too thin, with its thickness in mm."""
    out = []
    for panel in found:
        edge = [closed(panel.outline)]
        for cut in panel.cuts:
            wanted = _wanted(case, cut)
            web = gap([closed(cut.contour())], edge, wanted)
            if web < wanted - 1e-9:
                out.append(f"{panel.name}: {web:.2f} from {_place(cut)} to the edge, wanted {wanted:g}")
        for one, other in combinations(panel.cuts, 2):
            web = gap([closed(one.contour())], [closed(other.contour())], case.strength.web)
            if web < case.strength.web - 1e-9:
                out.append(f"{panel.name}: {web:.2f} between {_place(one)} and {_place(other)}")
    return out


def bridges(case: Case, found: dict[str, Panel]) -> dict[str, float]:
    """Return the longest bridge over the openings of each printed wall, in mm."""
    longest: dict[str, float] = {}
    for name in WALLS:
        for cut in found[name].cuts:
            if isinstance(cut, Opening):
                count = len(ribs(case, cut))
                span = (cut.right - cut.left - count * case.print.rib) / (count + 1)
                longest[name] = max(longest.get(name, 0.0), span)
    return longest


def gap(one: Iterable[Sequence[Point]], other: Iterable[Sequence[Point]], most: float = inf) -> float:
    """Measure the least distance between two sets of strokes, 0 where they cross, `most` where they are no nearer."""
    beside = [pair for stroke in other for pair in pairwise(stroke)]
    for stroke in one:
        (left, right), (low, high) = ((min(each) - most, max(each) + most) for each in zip(*stroke, strict=True))
        near = [
            (c, d)
            for c, d in beside
            if max(c[0], d[0]) > left and min(c[0], d[0]) < right and max(c[1], d[1]) > low and min(c[1], d[1]) < high
        ]
        most = min([most, *(_between(a, b, c, d) for a, b in pairwise(stroke) for c, d in near)])
    return most


def _wanted(case: Case, cut: Cut) -> float:
    if isinstance(cut, Opening) and max(cut.right - cut.left, cut.top - cut.low) > case.strength.large:
        return case.strength.beside_large
    return case.strength.web


def _place(cut: Cut) -> str:
    x, y, *_ = (*cut.centre,) if not isinstance(cut, Opening) else (cut.left, cut.low)
    return f"the hole at {x:g}, {y:g}"


def _between(a: Point, b: Point, c: Point, d: Point) -> float:
    if _left(a, b, c) * _left(a, b, d) < 0 and _left(c, d, a) * _left(c, d, b) < 0:
        return 0.0
    return min(_from(a, c, d), _from(b, c, d), _from(c, a, b), _from(d, a, b))


def _left(a: Point, b: Point, point: Point) -> float:
    return (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])


def _from(point: Point, a: Point, b: Point) -> float:
    along, up = b[0] - a[0], b[1] - a[1]
    square = along * along + up * up
    share = ((point[0] - a[0]) * along + (point[1] - a[1]) * up) / square if square else 0.0
    share = min(1.0, max(0.0, share))
    return dist(point, (a[0] + share * along, a[1] + share * up))
