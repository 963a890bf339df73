"""Dodéka: how parts end, against a referee written a second time from the page."""

from __future__ import annotations

from collections.abc import Generator
from itertools import product
from random import Random
from typing import Any

import pytest

from umpi.games.dodeka import Dodeka
from umpi.kernel import Act, Match

DICE = {0: (1, 2, 4), 10: (1, 3, 7), 20: (2, 9, 11), 40: (5, 5, 9), 100: (3, 4, 5), "pairtraiz": (3, 3, 7)}
Brought = int | str  # what a turn brings: points, or the pairtraiz
Play = Generator[int, Brought, Any]  # yields the seat to play, is sent what its turn brought


def settled(order: list[int], target: int) -> Play:
    """Play a part as the page describes it; returns the first, the last, the points and the pairtraiz made."""
    points = dict.fromkeys(order, 0)
    made: list[int] = []

    def played(seats: list[int]) -> Play:
        for seat in seats:
            brought = yield seat
            if brought == "pairtraiz":
                made.append(seat)
            else:
                points[seat] += int(brought)

    while not made and max(points.values()) < target:
        yield from played(order)
    tied = order
    while not made:
        tied = [seat for seat in tied if points[seat] == max(points[each] for each in tied)]
        if len(tied) == 1:
            break
        yield from played(tied)
    first = made[0] if made else tied[0]
    tied = [seat for seat in order if seat != first]
    while True:
        unsaved = [seat for seat in tied if seat not in made]
        if not unsaved:
            last = max(tied, key=made.index)
            break
        tied = [seat for seat in unsaved if points[seat] == min(points[each] for each in unsaved)]
        if len(tied) == 1:
            last = tied[0]
            break
        yield from played(tied)
    return first, last, tuple(points[seat] for seat in sorted(order)), tuple(made)


def refereed(seats: int, target: int, parts: int) -> Play:
    """Play a match; returns the grid, and the points and pairtraiz of its last part."""
    grid, starter = [], 0
    for _ in range(parts):
        order = [*range(starter, seats), *range(starter)]
        first, last, points, made = yield from settled(order, target)
        row = [0] * seats
        row[first] += points[last]
        row[last] -= points[last]
        grid.append(tuple(row))
        starter = last
    return tuple(grid), points, made


def brought(match: Match, what: Brought) -> None:
    match.play(Act("throw", {"keep": (), "dice": DICE[what]}))
    match.play(Act("stop"))


def compare(seats: int, target: int, parts: int, chance: Random, kinds: list[Brought]) -> int:
    """Play one match under both referees; returns how often a play-off was on."""
    match = Match(Dodeka, [f"P{seat}" for seat in range(seats)], {"target": target, "parts": parts})
    referee, playoffs = refereed(seats, target, parts), 0
    expected = next(referee)
    while expected is not None:
        assert match.seat == expected
        playoffs += match.now.facts()["playoff"] is not None
        what = chance.choice(kinds)
        brought(match, what)
        try:
            expected = referee.send(what)
        except StopIteration as end:
            expected, outcome = None, end.value
    facts = match.now.facts()
    assert (facts["grid"], facts["points"], facts["pairtraiz"]) == outcome
    assert (match.asks, match.now.audit()) == ((), "")
    totals = match.now.scores()
    assert totals == tuple(map(sum, zip(*facts["grid"], strict=True)))
    assert match.state()["winners"] == tuple(seat for seat, total in enumerate(totals) if total == max(totals))
    return playoffs


@pytest.mark.parametrize(
    "kinds",
    [[0, 10, "pairtraiz"], [0, 0, 10, 20, 40], [10, 10, 10, 20], [0, 10, 20, 40, 100, "pairtraiz"], [10, "pairtraiz"]],
    ids=str,
)
def test_parts_end_as_the_page_says(kinds: list[Brought]) -> None:
    """Ruling on ties: first before last, drop-outs, saved seats, the latest pairtraiz; many small matches."""
    chance = Random(str(kinds))
    playoffs = 0
    for seats, target in product(range(2, 7), (10, 20, 40, 60)):
        for _ in range(12):
            playoffs += compare(seats, target, chance.randint(1, 3), chance, kinds)
    assert playoffs > 200
