"""The ribs that a printed wall has in wide openings, so that no bridge is longer than a printer can."""

from __future__ import annotations

from math import ceil

from hardware.case.numbers import Case
from hardware.case.shapes import Cut, Opening

WALLS = ("near", "rear", "left", "right")


def ribs(case: Case, cut: Cut) -> list[Opening]:
    """Return the ribs that a printed wall has in an opening, so that no bridge is too long."""
    if not isinstance(cut, Opening):
        return []
    wide, own = cut.right - cut.left, case.print
    count = max(0, ceil((wide - own.bridge) / (own.bridge + own.rib)))
    span = (wide - count * own.rib) / (count + 1)
    lefts = [cut.left + (index + 1) * span + index * own.rib for index in range(count)]
    return [Opening(left, cut.low, left + own.rib, cut.top) for left in lefts]
