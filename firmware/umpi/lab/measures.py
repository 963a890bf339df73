"""Measures of many games, as the laboratory prints them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from statistics import fmean, median, stdev
from typing import Any

from umpi.kernel.game import Wins
from umpi.lab.games import Experiment, Played, cooperative, leading, tied, wins_of
from umpi.lab.intervals import wilson

Json = dict[str, Any]
LEAST = 5  # expected wins per seat below which chi-square means nothing


def report(experiment: Experiment, games: int, played: Sequence[Played]) -> Json:
    """Return the measures of an experiment of `games` games, of which `played` came to their end.

    They contain "lost" if all have lost some of them.
    """
    seats = len(experiment.strategies)
    wins = [sum(wins_of(played, seat)) for seat in range(seats)]
    calls: Counter[str] = Counter()
    for each in played:
        calls.update(each.calls)
    number = len(played)
    against = not cooperative(played) and not any(each.together for each in played)  # each seat plays for itself
    return {
        "game": experiment.game,
        "options": dict(experiment.options),
        "players": seats,
        "games": games,
        "seed": experiment.seed,
        "seats": [_seat(seat, experiment.strategies[seat], won, number) for seat, won in enumerate(wins)],
        "even": even(wins) if against else None,
        "acts": _spread([each.acts for each in played], median=True),
        "ties": sum(tied(played)),
        "scores": [_spread([each.scores[seat] for each in played], sd=True) for seat in range(seats)],
        "lead": _lead(played, leading(experiment)),
        "calls": {kind: calls[kind] / number for kind in sorted(calls)},
        "unfinished": games - number,
        **({"lost": lost} if (lost := sum(each.lost for each in played)) else {}),
    }


def _seat(seat: int, strategy: str, wins: float, games: int) -> Json:
    low, high = wilson(wins, games)
    return {
        "seat": seat,
        "strategy": strategy,
        "wins": wins,
        "share": wins / games if games else None,
        "low": low,
        "high": high,
    }


def even(wins: Sequence[float]) -> float | None:
    """Return the p-value of "all seats are equally likely to win"; None if fewer than 5 wins per seat are expected.

    >>> round(even([60, 40]), 6), even([2, 2])
    (0.0455, None)
    """
    expected = sum(wins) / len(wins)
    if expected < LEAST or len(wins) < 2:
        return None
    return _above(sum((won - expected) ** 2 for won in wins) / expected, len(wins) - 1)


def _above(x: float, degrees: int) -> float:
    """Return the probability that chi-square with these degrees of freedom exceeds `x`.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.4.4 and 26.4.5.
    """
    if degrees % 2:
        term, total = math.sqrt(2 * x / math.pi) * math.exp(-x / 2), math.erfc(math.sqrt(x / 2))
        for odd in range(1, degrees, 2):
            total += term
            term *= x / (odd + 2)
        return total
    term = total = math.exp(-x / 2)
    for half in range(1, degrees // 2):
        term *= x / (2 * half)
        total += term
    return total


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which a share of the values lies, between two of them in proportion.

    >>> percentile([1, 2, 3, 4], 0.5)
    2.5
    """
    ordered = sorted(values)
    at = share * (len(ordered) - 1)
    low = math.floor(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


def _spread(values: Sequence[int], median: bool = False, sd: bool = False) -> Json:
    """Return the mean and the tenths of some values, null without values; and the median or the deviation."""
    if not values:
        return {
            "mean": None,
            **({"median": None} if median else {}),
            **({"sd": None} if sd else {}),
            "p10": None,
            "p90": None,
        }
    return {
        "mean": fmean(values),
        **({"median": percentile(values, 0.5)} if median else {}),
        **({"sd": stdev(values) if len(values) > 1 else 0.0} if sd else {}),
        "p10": percentile(values, 0.1),
        "p90": percentile(values, 0.9),
    }


def _lead(played: Sequence[Played], wins: Wins | None) -> Json:
    """Return how the lead behaved; null if the game does not say which scores lead, or if no seat beat another."""
    if wins is None or all(len({*each.places}) == 1 for each in played):
        return {"changes": None, "decided": None}
    leads = [each.low if wins == "lowest" else each.high for each in played if not each.lost]
    return {"changes": fmean(changes for changes, _ in leads), "decided": median(share for _, share in leads)}
