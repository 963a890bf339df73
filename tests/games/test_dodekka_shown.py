"""Dodekka: what the screens say: the question of a turn, hidden scores, and what a score is made of."""

from __future__ import annotations

from typing import Any

import pytest

from umpi.display.answer import answer
from umpi.display.menu import MenuEntry
from umpi.games.dodekka import Dodekka
from umpi.kernel import Act, Match

PLAYERS = ("Ann", "Ben")


def table(*acts: Act, **options: Any) -> Match:
    match = Match(Dodekka, PLAYERS, options)
    for act in acts:
        match.play(act)
    return match


def deal(*cards: str) -> Act:
    return Act("deal", {"cards": cards})


def asked(match: Match) -> str:
    entry = MenuEntry(lambda: answer(match.asks, match.players))
    assert entry.menu
    return entry.menu.title


def test_a_turn_is_asked_as_a_choice_of_two() -> None:
    assert asked(table()) == "Deal a new line"
    match = table(deal("fire-2", "earth-2", "air-4"))
    assert asked(match) == "Take 🔥2 or flip: which element?"


def test_after_a_bust_the_question_names_who_deals() -> None:
    """Sheet: Andy collects the cards, and "lays out three more cards from the deck"."""
    match = table(deal("fire-2", "earth-4", "air-4"), Act("turn", {"card": "ether-3"}))
    assert asked(match) == f"{match.players[0]} deals a new line"


def test_over_the_limit_the_question_names_the_value_that_does_not_bust() -> None:
    turns = [Act("turn", {"card": card}) for card in ("earth-4", "air-4")]
    match = table(deal("fire-2", "earth-2", "water-4"), *turns)
    assert match.now.facts()["total"] == 16
    assert asked(match) == "Take, or flip? Only a 4 is safe"
    assert match.play(Act("turn", {"card": "ether-4"})).facts()["bust"] is None
    assert match.play(Act("turn", {"card": "fire-3"})).facts()["bust"] == 1


@pytest.mark.parametrize("track", ["all", "hands", "sums"])
def test_scores_are_hidden_until_the_end_unless_the_table_wants_them(track: str) -> None:
    """Sheet: "Place this card into your hand and keep it hidden from other players"."""
    assert table(track=track).now.view().hidden
    assert not table(track=track, scores="shown").now.view().hidden


def test_at_the_end_the_scores_appear_with_what_they_are_made_of() -> None:
    """Sheet: 11 air of 19 and 9 other cards are 10 points."""
    counts = [(4, 0, 11, 3, 2), (0, 0, 0, 0, 0)]
    sums = [(7, 0, 19, 10, 6), (0, 0, 0, 0, 0)]
    acts = [Act("sums", {"seat": seat, "counts": counts[seat], "sums": sums[seat]}) for seat in (0, 1)]
    match = table(acts[0], track="sums")
    assert match.now.view().hidden
    match.play(acts[1])
    view = match.now.view()
    assert (view.hidden, view.beside) == (False, ("💨19-9", ""))
    assert match.calls()[-1].text == "Ann wins: highest score: air 19, minus 9 for other elements"


def test_the_state_keeps_the_scores_whether_hidden_or_not() -> None:
    acts = (deal("fire-2", "earth-2", "air-4"), Act("take"))
    assert table(*acts).state() == table(*acts, scores="shown").state()


def test_the_last_hand_needs_no_seat() -> None:
    """With two players, the second hand can only be the other's."""
    match = table(track="hands")
    entry = MenuEntry(lambda: answer(match.asks, match.players))
    assert entry.menu
    assert entry.menu.title == "Whose final hand?"
    assert [(choice.label, choice.button) for choice in entry.menu.choices] == [("Ann", 0), ("Ben", 1)]
    entry.tap(1)
    assert entry.menu.title == "Ben: cards"
    match.play(Act("hand", {"seat": 1, "cards": ("air-4",)}))
    assert asked(match) == "Ann: cards"


def test_the_sums_of_a_hand_are_asked_by_player_and_element() -> None:
    match = table(track="sums")
    entry = MenuEntry(lambda: answer(match.asks, match.players))
    titles = []
    for tap in (1, 2, 0, 0, 0, 0, 3):
        entry.tap(tap)
        assert entry.menu
        titles.append(entry.menu.title)
    assert titles[:2] == ["Ben: fire", "Ben: water (2)"]
    assert titles[5:] == ["Ben: fire", "Ben: water (3)"]
