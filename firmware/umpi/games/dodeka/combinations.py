"""Combinations: the names and points of three faces."""

from __future__ import annotations

from functools import cache

PAIRTRAIZ = "pairtraiz"


@cache
def combination(faces: tuple[int, ...]) -> tuple[str, int]:
    """Return the name and the points of the best combination of three faces.

    The faces are ascending. The pairtraiz scores 0 points.

    >>> combination((1, 4, 8)), combination((3, 3, 9)), combination((7, 8, 12)), combination((3, 3, 7))
    (('thirteen', 250), ('pair', 40), ('sum', 20), ('pairtraiz', 0))
    """
    low, middle, high = faces
    total = sum(faces)
    pair = low == middle or middle == high
    if pair and total == 13:
        return PAIRTRAIZ, 0
    if low == high:
        return "brelan", 500
    if total == 13:
        return "thirteen", 250
    if low + 1 == middle == high - 1:
        return "suite", 100
    if pair:
        return "pair", 40
    return "sum", min(total // 10, 3) * 10
