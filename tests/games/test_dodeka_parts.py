"""Dodéka: how parts end, against a referee written a second time from the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from itertools import product
from random import Random
from typing import Any

import pytest

from tests.kit.sampling import QUICK, fewer
from umpi.games.dodeka import Dodeka
from umpi.games.dodeka.strategy import BestTurn
from umpi.kernel import Act, Match

DICE = {0: (1, 2, 4), 10: (1, 3, 7), 20: (2, 9, 11), 40: (5, 5, 9), 100: (3, 4, 5), "pairtraiz": (3, 3, 7)}
PLAYERS = ("Katy", "Kévin", "Christelle")
SIX = ("P1", "P2", "P3", "P4", "P5", "P6")
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
    """Play a match; returns the grid, the points and pairtraiz of its last part, and the winner of each part."""
    grid, starter, winners = [], 0, []
    for _ in range(parts):
        order = [*range(starter, seats), *range(starter)]
        first, last, points, made = yield from settled(order, target)
        row = [0] * seats
        row[first] += points[last]
        row[last] -= points[last]
        grid.append(tuple(row))
        winners.append(first)
        starter = last
    return tuple(grid), points, made, winners


def brought(match: Match, what: Brought) -> None:
    match.play(Act("throw", {"keep": (), "dice": DICE[what]}))
    match.play(Act("stop"))


def compare(seats: int, target: int, parts: int, chance: Random, kinds: list[Brought], ties: str) -> int:
    """Play one match under both referees; returns how often a play-off was on."""
    options = {"target": target, "parts": parts, "ties": ties}
    match = Match(Dodeka, [f"P{seat}" for seat in range(seats)], options)
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
    facts, won = match.now.facts(), Counter(outcome[3])
    assert (facts["grid"], facts["points"], facts["pairtraiz"]) == outcome[:3]
    assert (match.asks, match.now.audit()) == ((), "")
    totals = match.now.scores()
    assert totals == tuple(map(sum, zip(*facts["grid"], strict=True)))
    merits = [(total, won[seat] if ties == "sets" else 0) for seat, total in enumerate(totals)]
    assert match.state()["winners"] == tuple(seat for seat, merit in enumerate(merits) if merit == max(merits))
    result = match.now.result()
    assert result
    assert result.places == tuple(1 + sum(other > own for other in merits) for own in merits)
    if ties == "sets" and parts == 1:
        assert result.winners == (outcome[3][0],), "one winner, whatever the stake"
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
            ties = chance.choice(("sets", "sets", "shared"))
            playoffs += compare(seats, target, chance.randint(1, 3), chance, kinds, ties)
    assert playoffs > 200


def over(seats: int, *turns: Brought, **options: Any) -> tuple[str, tuple[int, ...]]:
    """Return the last call of a match of these turns, and its places."""
    match = Match(Dodeka, PLAYERS[:seats], options)
    for what in turns:
        brought(match, what)
    result = match.now.result()
    assert result
    return match.calls()[-1].text, result.places


@pytest.mark.parametrize(
    ("seats", "turns", "options", "said", "places"),
    [
        (3, ("pairtraiz", 0, 40), {}, "Katy wins: tied for the most points, won 1 set", (1, 2, 2)),
        (2, ("pairtraiz", "pairtraiz"), {}, "Katy wins: tied for the most points, won 1 set", (1, 2)),
        (2, (40, 0), {"target": 40}, "Katy wins: tied for the most points, won 1 set", (1, 2)),
        (2, (40, 10), {"target": 40}, "Katy wins: most points after 1 set", (1, 2)),
        (2, (40, 0, 40, 0), {"target": 40, "parts": 2},
         "Katy and Kévin share the victory: tied for the most points after 2 sets", (1, 1)),
        (3, ("pairtraiz", 0, 40), {"ties": "shared"},
         "Katy, Kévin and Christelle share the victory: tied for the most points after 1 set", (1, 1, 1)),
    ],
)  # fmt: skip
def test_the_sets_won_decide_between_equal_points(
    seats: int, turns: tuple[Brought, ...], options: dict[str, Any], said: str, places: tuple[int, ...]
) -> None:
    """Sheet: "il y aura donc un seul gagnant". A set that was won with a stake of 0 is a set won."""
    assert over(seats, *turns, **{"parts": 1, **options}) == (said, places)


def test_the_stake_shown_in_a_play_off_for_last_place_is_what_its_loser_pays() -> None:
    """Ruling: the last is a seat of the play-off, even if it has passed P4, who does not play."""
    match, shown = Match(Dodeka, SIX[:4], {"target": 100, "parts": 1}), []
    for what in (100, 10, 10, 20, 100, 100, 100, 0):  # play-offs of P2 and P3 from the fifth turn on
        shown.append([str(cell) for row in match.now.view().rows for cell in row.cells if "stake" in cell])
        brought(match, what)
    assert shown[4:] == [["stake 10"], ["stake 10"], ["stake 110"], ["stake 110"]]
    assert [str(call.text) for call in match.calls() if call.kind == "part"] == ["P1 wins set 1, P3 pays 110"]


def test_two_thousand_matches_of_one_set_have_one_winner_each() -> None:
    """Sheet: "le premier joueur qui fait pairtraiz gagne la partie quelque soit les scores"; stakes of 0 are rare."""
    drawn, stakes = Random(2000), Counter[bool]()
    for number in range(fewer(2000, 1)):
        player = BestTurn(None)
        match = Match(Dodeka, SIX[: 2 + number % 5], {"parts": 1})
        while match.asks:
            act = player.act(match, match.seat or 0, None)
            if act.verb == "throw":
                dice = tuple(1 + int(drawn.random() * 12) for _ in range(3 - len(act.given["keep"])))
                act = Act("throw", {**act.given, "dice": dice})
            match.play(act)
        said = {call.kind: call.keys for call in match.calls()}
        assert said["over"]["winners"] == (said["part"]["first"],), number
        stakes[said["part"]["stake"] == 0] += 1
    assert stakes[True] or QUICK
