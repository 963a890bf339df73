"""Who was first among presses whose times are known as intervals: by button, by cube and by phone in one order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

from umpi.frozen import frozen

By = Literal["button", "phone", "cube"]
Span = tuple[int, int]  # not before the first time, not after the second; equal for a button


def too_close(spans: Sequence[Span]) -> frozenset[int]:
    """Return which presses may have come before one that is placed before them, or after one placed after them.

    >>> sorted(too_close([(0, 10), (12, 12), (5, 20), (30, 40)]))
    [0, 1, 2]
    """
    return frozenset(
        one
        for one, (earliest, latest) in enumerate(spans)
        for other, (earliest_other, latest_other) in enumerate(spans)
        if one != other and earliest <= latest_other and earliest_other <= latest
    )


@frozen
class Arrival:
    """One press or one cube of a race: whose it is, and when it happened, in nanoseconds.

    `at_ns` decides its place. It happened neither before `earliest_ns` nor after `latest_ns`. `seat` is None if nobody
    knows whose cube it is.
    """

    by: By
    seat: int | None
    at_ns: int
    earliest_ns: int
    latest_ns: int


@frozen
class Race:
    """The arrivals of a race in the order of their stamps, and why its order is in doubt.

    `before` is the number of acts of the match before the race. `reasons` are those of an announcement's doubt.
    """

    before: int
    arrivals: tuple[Arrival, ...]
    reasons: tuple[str, ...] = ()

    @property
    def close(self) -> frozenset[int]:
        """The places that are too close to call with another. Cubes of one lane come out one after the other."""
        return frozenset(
            place
            for place, one in enumerate(self.arrivals)
            for other in self.arrivals
            if one is not other and not _in_one_lane(one, other) and too_close([_span(one), _span(other)])
        )

    def line(self) -> dict[str, Any]:
        """Return the race as a note of the journal; its times count from the first arrival."""
        first_ns = self.arrivals[0].at_ns
        return {
            "before": self.before,
            "arrivals": [
                {
                    "by": one.by, "seat": one.seat, "at_ns": one.at_ns - first_ns,
                    "from_ns": one.earliest_ns - first_ns, "to_ns": one.latest_ns - first_ns,
                }
                for one in self.arrivals
            ],
            "reasons": list(self.reasons),
        }  # fmt: skip

    @classmethod
    def read(cls, noted: Mapping[str, Any]) -> Race:
        """Read a race from a note of the journal. Raises ValueError if it is none."""
        try:
            arrivals = tuple(
                Arrival(one["by"], one["seat"], one["at_ns"], one["from_ns"], one["to_ns"]) for one in noted["arrivals"]
            )
            race = cls(noted["before"], arrivals, tuple(noted["reasons"]))
        except (KeyError, TypeError) as fault:
            raise ValueError(f"no race: {fault}") from None
        times = [time for one in arrivals for time in (one.at_ns, one.earliest_ns, one.latest_ns)]
        seats = [one.seat for one in arrivals if one.seat is not None]
        whole = all(type(number) is int for number in (race.before, *times, *seats))
        if not (arrivals and whole and all(one.by in get_args(By) for one in arrivals)):
            raise ValueError("no race: a value has the wrong type")
        return race


def _span(arrival: Arrival) -> Span:
    return arrival.earliest_ns, arrival.latest_ns


def _in_one_lane(one: Arrival, other: Arrival) -> bool:
    return one.by == other.by == "cube" and one.seat == other.seat
