"""What each player of a match got without the luck of dice and cards, for ratings that need fewer matches."""

from __future__ import annotations

from collections.abc import Sequence

from umpi.kernel.options import worths_of
from umpi.kernel.record import Find, replay
from umpi.review.match_review import review
from umpi.review.played import last_of
from umpi.review.split import Share, tenths


def without_luck(lines: Sequence[bytes], find: Find) -> tuple[float, ...] | None:
    """Return for each seat of a record its points minus its luck, to 0.1: what its choices gave on average.

    None if the rules do not compute it exactly, or if the record does not fit them. Raises Broken if the code of the
    game fails.
    """
    step, numbers = last_of(replay(lines, find))
    match = step.record.match if step.record and not step.error else None
    if match is None or worths_of(match.game, match.options) is None:
        return None
    shares = review(match, numbers).players
    return tuple(float(tenths(each.points - each.luck.value)) for each in shares if isinstance(each, Share))


def places(values: Sequence[float]) -> tuple[int, ...]:
    """Return the place of each seat, the greatest value first; equal values share a place.

    >>> places((3.5, 7.0, 3.5))
    (2, 1, 2)
    """
    return tuple(1 + sum(other > value for other in values) for value in values)
