"""Leaderboards and rounds: who is ahead, how sure that is, and who plays whom next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, permutations
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("openskill", reason="pip install 'umpi[club]'")

from results import NOW

from tests.kit.seen import check_seen
from umpi.club.rounds import met, next_round
from umpi.club.standings import STEP, Ladder, Standing, fair
from umpi.club.store import Played


def played(*players: str, places: tuple[int, ...] = ()) -> Played:
    count = len(players)
    places = places or tuple(range(1, count + 1))
    return Played("u", "b", "dodeka", "Dodéka", NOW, NOW.date(), players, places, (0,) * count)


def standings(matches: list[Played]) -> list[Standing]:
    return Ladder().follow(matches).standings()


def winners(matches: list[Played]) -> list[tuple[str, int, int]]:
    return Ladder().follow(matches).winners()


def test_a_player_who_wins_more_has_a_higher_and_surer_rating() -> None:
    table = standings([played("Ann", "Ben")] * 5 + [played("Cid", "Ben")])
    assert [one.name for one in table] == ["Ann", "Cid", "Ben"]
    assert (table[0].won, table[0].matches) == (5, 5)
    assert table[0].unsure < table[1].unsure, "one match says little"


def test_ties_and_single_players_have_no_winner_over_another() -> None:
    assert standings([played("Ann")]) == []
    tied = standings([played("Ann", "Ben", places=(1, 1))])
    assert tied[0].rating == pytest.approx(tied[1].rating)
    assert winners([played("Ann", "Ben", places=(1, 1))]) == [("Ann", 1, 1), ("Ben", 1, 1)]
    three = Ladder().follow([played("Ann", "Ben", "Cid", places=(1, 2, 2))])
    ahead = [(one, other) for one, other in permutations(["Ann", "Ben", "Cid"], 2) if three.ahead(one, other)]
    assert ahead == [("Ann", "Ben"), ("Ann", "Cid")]


def test_without_luck_who_chose_better_is_ahead_whoever_won() -> None:
    lucky = replace(played("Ann", "Ben"), without_luck=(700.5, 912.0))
    found = fair([lucky, played("Ann", "Ben"), replace(lucky, places=(2, 1), without_luck=(3.0, 3.0))])
    assert [each.places for each in found] == [(2, 1), (1, 1)], "a match whose luck nobody knows does not count"
    assert [(one.name, one.won, one.matches) for one in standings(found)] == [("Ben", 2, 2), ("Ann", 1, 2)]


def test_a_match_that_all_have_lost_is_played_but_changes_no_rating() -> None:
    before = standings([played("Ann", "Ben")])
    after = standings([played("Ann", "Ben"), played("Ann", "Ben", places=(2, 2))])
    assert [one.matches for one in after] == [2, 2]
    assert [(one.rating, one.unsure) for one in after] == [(one.rating, one.unsure) for one in before]
    assert winners([played("Ann", "Ben", places=(2, 2))]) == [("Ann", 0, 1), ("Ben", 0, 1)]


@pytest.mark.parametrize("size", [2, 3, 4])
def test_rounds_seat_each_player_once_and_avoid_repeated_pairings(size: int) -> None:
    players = [f"P{index}" for index in range(12)]
    tables: list[tuple[str, ...]] = []
    won: dict[str, int] = {}
    for _ in range(3):
        found = next_round(players, ["a", "b", "c", "d", "e", "f"], size, tables, won)
        seated = [name for each in found for name in each.players]
        assert sorted(seated) == sorted(players)
        tables += [each.players for each in found]
        won |= {each.players[0]: won.get(each.players[0], 0) + 1 for each in found}
    assert max(met(tables).values()) <= 2
    if size == 2:
        assert max(met(tables).values()) == 1


def test_a_player_who_has_rested_plays_next() -> None:
    players = ["Ann", "Ben", "Cid"]
    tables: list[tuple[str, ...]] = []
    for _ in range(3):
        (table,) = next_round(players, ["a"], 2, tables, {})
        tables.append(table.players)
    assert set(met(tables)) == {frozenset(pair) for pair in combinations(players, 2)}


def test_those_who_have_played_most_matches_rest_also_if_others_have_met_more_players() -> None:
    tables = [("Ann", "Ben"), ("Ann", "Ben"), ("Cid", "Dora", "Eve", "Fay")]
    (table,) = next_round(["Ann", "Ben", "Cid", "Dora"], ["a"], 2, tables, {})
    assert table.players == ("Cid", "Dora")


def evenings() -> Iterator[str]:
    """Yield the rounds of evenings, with how often each has played and won before; one seat wins after the other."""
    for names, boxes, size in (("ABCDEFG", "xyz", 2), ("ABCDEFGH", "xyz", 3), ("ABCDEFGHIJ", "xy", 4), ("AB", "x", 3)):
        yield f"{len(names)} players, {len(boxes)} boxes, {size} at each"
        tables: list[tuple[str, ...]] = []
        won: Counter[str] = Counter("FFD")
        for number in range(6):
            found = next_round(names, list(boxes), size, tables, won)
            resting = sorted({*names} - {name for each in found for name in each.players})
            wins = " ".join(f"{name}{count}" for name, count in sorted(won.items()))
            seated = ", ".join(f"{each.box}: {' '.join(each.players)}" for each in found)
            yield f"  {seated or 'nobody plays'}; {''.join(resting) or 'nobody'} rests; won before: {wins}"
            tables += [each.players for each in found]
            won.update(each.players[(number + size) % size] for each in found)


def test_rounds_are_as_somebody_has_read_them() -> None:
    check_seen(Path(__file__).with_name("rounds.txt"), evenings())


def test_an_offer_is_what_the_api_of_a_box_takes() -> None:
    (table,) = next_round(["Ann", "Ben"], ["a"], 2, [], {})
    offer: Any = table.offer("dodeka")
    assert offer == {"game": "dodeka", "players": [{"button": "red", "name": "Ann"}, {"button": "blue", "name": "Ben"}]}


NAMES = "Ann", "Ben", "Cid", "Dora"
SEATS = st.lists(st.tuples(st.sampled_from(NAMES), st.integers(1, 3)), min_size=1, max_size=4)
EDITS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 3), st.lists(SEATS, max_size=3)), max_size=12)


@given(st.integers(0, 2 * STEP + 1), EDITS)
def test_a_ladder_that_is_added_to_says_what_a_new_one_says(many: int, edits: Any) -> None:
    """Matches end, are reported late, are corrected and undone, at any place of the list."""
    matches = [played(*NAMES[number % 3 : number % 3 + 2]) for number in range(many)]
    ladder = Ladder()
    for where, gone, new in [(0, 0, []), *edits]:
        at = round(where * len(matches))
        added = [played(*map(itemgetter(0), seats), places=tuple(map(itemgetter(1), seats))) for seats in new]
        matches = [*matches[:at], *added, *matches[at + gone :]]
        whole = Ladder().follow(matches)
        assert ladder.follow(matches).winners() == whole.winners()
        assert [ladder.ahead(*pair) for pair in permutations(NAMES, 2)] == [
            whole.ahead(*pair) for pair in permutations(NAMES, 2)
        ]
        if at % 2:  # not each one is looked at
            assert ladder.standings() == whole.standings()
    assert ladder.standings() == Ladder().follow(matches).standings()


def test_a_match_that_has_ended_costs_one_match_and_a_late_one_those_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    rated: list[Played] = []
    rate = Ladder._rate

    def count(ladder: Ladder, each: Played) -> None:
        rated.append(each)
        rate(ladder, each)

    monkeypatch.setattr(Ladder, "_rate", count)
    matches = [played("Ann", "Ben")] * (10 * STEP)
    ladder = Ladder()
    for list, costs in (
        (matches, len(matches)),
        ([*matches, played("Ben", "Cid")], 1),
        ([*matches[:-5], played("Cid", "Ben"), *matches[-5:]], STEP + 1),
    ):
        rated.clear()
        ladder.follow(list).standings()
        assert len(rated) <= costs
