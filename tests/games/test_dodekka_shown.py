"""Dodekka: what the screens say: the question of a turn, hidden scores, and what a score is made of."""

from __future__ import annotations

from typing import Any

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


def test_of_final_hands_no_line_and_no_deck_are_shown() -> None:
    hands: list[dict[str, Any]] = [{"cards": ("fire-2", "air-4")}, {"cards": ("ether-1", "air-3")}]
    sums: list[dict[str, Any]] = [{"counts": (1, 0, 1, 0, 0), "sums": (2, 0, 4, 0, 0)}] * 2
    for track, verb, given in (("hands", "hand", hands), ("sums", "sums", sums)):
        for scores, before in (("hidden", set()), ("shown", {"hands", "suits", "held"})):
            match = table(track=track, scores=scores)
            assert set(match.now.shown_facts()) == before
            for seat, each in enumerate(given):
                match.play(Act(verb, {"seat": seat, **each}))
            assert set(match.now.shown_facts()) == {"hands", "suits", "held"}
            assert match.now.shown_facts()["held"] == (2, 2)
