"""Leaderboards and rounds: who is ahead, how sure that is, and who plays whom next."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

pytest.importorskip("openskill", reason="pip install 'umpi[club]'")

from results import NOW

from umpi.club.rounds import met, next_round
from umpi.club.standings import ahead, standings, winners
from umpi.club.store import Played


def played(*players: str, places: tuple[int, ...] = ()) -> Played:
    count = len(players)
    places = places or tuple(range(1, count + 1))
    return Played("u", "b", "dodeka", "Dodéka", NOW, NOW.date(), players, places, (0,) * count)


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
    assert ahead([played("Ann", "Ben", "Cid", places=(1, 2, 2))]) == {
        ("Ann", "Ben"): 1, ("Ann", "Cid"): 1, ("Ben", "Ann"): 0, ("Ben", "Cid"): 0, ("Cid", "Ann"): 0,
        ("Cid", "Ben"): 0,
    }  # fmt: skip


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
        found = next_round(players, ["a", "b", "c", "d", "e", "f"], size, met(tables), won)
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
        (table,) = next_round(players, ["a"], 2, met(tables), {})
        tables.append(table.players)
    assert set(met(tables)) == {frozenset(pair) for pair in combinations(players, 2)}


def test_an_offer_is_what_the_api_of_a_box_takes() -> None:
    (table,) = next_round(["Ann", "Ben"], ["a"], 2, {}, {})
    offer: Any = table.offer("dodeka")
    assert offer == {"game": "dodeka", "players": [{"button": "red", "name": "Ann"}, {"button": "blue", "name": "Ben"}]}
