"""What material and printers need: webs between holes and to edges, bridges over openings and the ribs under them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from math import ceil

from hardware.case.numbers import Case
from hardware.case.shapes import Cut, Opening, Panel, closed, gap

WALLS = ("near", "rear", "left", "right")


def thin(case: Case, found: Iterable[Panel]) -> list[str]:
    """Name each web that is too thin, with its thickness in mm."""
    out = []
    for panel in found:
        edge = [closed(panel.outline)]
        for cut in panel.cuts:
            wanted, web = _wanted(case, cut), gap([closed(cut.contour())], edge)
            if web < wanted - 1e-9:
                out.append(f"{panel.name}: {web:.2f} from {_place(cut)} to the edge, wanted {wanted:g}")
        for one, other in combinations(panel.cuts, 2):
            web = gap([closed(one.contour())], [closed(other.contour())])
            if web < case.strength.web - 1e-9:
                out.append(f"{panel.name}: {web:.2f} between {_place(one)} and {_place(other)}")
    return out


def ribs(case: Case, cut: Cut) -> list[Opening]:
    """Return the ribs that a printed wall has in an opening, so that no bridge is too long."""
    if not isinstance(cut, Opening):
        return []
    wide, own = cut.right - cut.left, case.print
    count = max(0, ceil((wide - own.bridge) / (own.bridge + own.rib)))
    span = (wide - count * own.rib) / (count + 1)
    lefts = [cut.left + (index + 1) * span + index * own.rib for index in range(count)]
    return [Opening(left, cut.low, left + own.rib, cut.top) for left in lefts]


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


def _wanted(case: Case, cut: Cut) -> float:
    if isinstance(cut, Opening) and max(cut.right - cut.left, cut.top - cut.low) > case.strength.large:
        return case.strength.beside_large
    return case.strength.web


def _place(cut: Cut) -> str:
    x, y, *_ = (*cut.centre,) if not isinstance(cut, Opening) else (cut.left, cut.low)
    return f"the hole at {x:g}, {y:g}"
