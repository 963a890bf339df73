"""Scanned cards at the panel: whole answers, parts together with buttons, and words for what cannot be."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.panels import sees
from umpi.display.panel import Panel
from umpi.kernel import Act, Call, Match
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find
from umpi.table.commands import Do
from umpi.table.seating import Seating


def playing(game: str, *acts: Act, **options: Any) -> Panel:
    panel = Panel([find(game)])
    table = Seating(find(game), ("Ann", "Ben"), (0, 1), options)
    match = Match(table.game, table.players, options)
    for act in acts:
        match.play(act)
    panel.show(match, table)
    return panel


DEALT = Act("deal", {"cards": ("air-4", "fire-4", "water-4")})


def test_a_card_that_answers_it_all_is_played_at_once() -> None:
    panel = playing("dodekka", DEALT)
    assert panel.scan("umpi:dodekka:fire-3#1") == Do((Act("turn", {"card": "fire-3"}),))
    assert panel.scan("fire-2") == Do((Act("turn", {"card": "fire-2"}),))


def test_cards_of_a_list_come_one_by_one_and_the_screen_follows() -> None:
    panel = playing("dodekka")
    assert panel.scan("air-4") is None
    assert sees(panel, "air-4")
    assert panel.scan("fire-4") is None
    assert panel.scan("water-4") == Do((DEALT,))


def test_scans_and_keys_answer_together() -> None:
    panel = playing("dodekka")
    panel.scan("air-4")
    assert sees(panel, "air-4", "Water")
    panel.press(1)
    panel.press(2)  # water, 2
    assert panel.scan("water-4") == Do((Act("deal", {"cards": ("air-4", "water-2", "water-4")}),))


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("umpi:dudab-buba:fire-3", "another game"),
        ("banana", "is not needed now"),
        ("air-4", "air-4"),
    ],
)
def test_an_impossible_card_gets_a_message_and_changes_nothing(code: str, why: str) -> None:
    panel = playing("dodekka", DEALT)
    before = panel.picture()
    message = panel.scan(code)
    assert isinstance(message, str)
    assert why in message
    assert panel.picture() == before
    assert panel.scan("fire-3")


def test_a_scan_without_a_question_gets_a_message() -> None:
    panel = Panel([find("dodekka")])
    assert panel.scan("fire-3") == "No card needed right now."
    panel = playing("dodekka", DEALT)
    panel.press("back", long=True)
    assert panel.scan("fire-3") == "No card needed right now."
    match = play_out(find("dodekka"), ("Ann", "Ben"))
    panel.show(match, Seating(match.game, match.players, (0, 1)))
    assert not match.asks
    assert panel.scan("fire-3") == "No card needed right now."


def test_a_scan_ends_the_calls_and_large_digits_too() -> None:
    panel = playing("dodekka", DEALT)
    for look in (lambda: panel.scan("banana"), lambda: panel.enlarge(1), lambda: panel.press("up")):
        panel.calls.say((Call("bust", "Ann busts"),))
        panel.calls.tick(0, hidden=False)
        assert panel.calls.current
        look()
        assert panel.calls.current is None


def test_a_scan_reads_over_a_notice() -> None:
    panel = playing("dodekka", DEALT)
    panel.tell("Not allowed", "something")
    assert panel.scan("fire-3")
