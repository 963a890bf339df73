"""Combinations: the names and points of three faces."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

PAIRTRAIZ = "pairtraiz"


class Scale(NamedTuple):
    """The points of the combinations; the last three are those of a sum over 29, from 20 and from 10."""

    brelan: int = 500
    thirteen: int = 250
    suite: int = 100
    pair: int = 40
    over_29: int = 30
    from_20: int = 20
    from_10: int = 10


SHEET = Scale()


@lru_cache(maxsize=4096)
def combination(faces: tuple[int, ...], scale: Scale = SHEET) -> tuple[str, int]:
    """Return the name and the points of the best combination of three faces.

    The faces are ascending. The pairtraiz scores 0 points. If two combinations score the same, the name is that of the
    first in the order of the scale.

    >>> combination((1, 4, 8)), combination((3, 3, 9)), combination((7, 8, 12)), combination((3, 3, 7))
    (('thirteen', 250), ('pair', 40), ('sum', 20), ('pairtraiz', 0))
    """
    low, middle, high = faces
    total = sum(faces)
    alike = len(set(faces))
    if alike == 2 and total == 13:
        return PAIRTRAIZ, 0
    made = [
        ("brelan", scale.brelan, alike == 1),
        ("thirteen", scale.thirteen, total == 13),
        ("suite", scale.suite, low + 1 == middle == high - 1),
        ("pair", scale.pair, alike == 2),
        ("sum", (0, scale.from_10, scale.from_20, scale.over_29)[total // 10], True),
    ]
    return max(((name, points) for name, points, fits in made if fits), key=lambda each: each[1])
