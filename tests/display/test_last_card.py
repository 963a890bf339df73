"""The last card of a hand leaves no choice: nobody is asked which one, as for the only seat left."""

from __future__ import annotations

import pytest

from umpi.display.answer import answer
from umpi.display.menu import Menu, MenuEntry
from umpi.kernel import Act, Ask, Pick

PLAYERS = ("Ann", "Ben")


def questions(ask: Ask) -> tuple[list[Menu], object]:
    """The questions of an answer whose first choice is always taken, and the acts that it gives."""
    entry = MenuEntry(lambda: answer([ask], PLAYERS))
    menus = []
    while entry.menu:
        menus.append(entry.menu)
        entry.tap(entry.menu.choices[0].value)
    return menus, entry.result


@pytest.mark.parametrize("secret", [False, True])
def test_the_last_card_takes_one_press_and_two_cards_are_asked_for(secret: bool) -> None:
    seats = (Pick("seat", (0,), source="buzz"),) if secret else ()
    seat = None if secret else 0
    one, two = (
        Ask("play", "Play a card", (*seats, Pick("card", pool, to=0)), seat, secret=secret) for pool in ((7,), (7, 9))
    )
    menus, acts = questions(one)
    assert len(menus) == 1, [menu.title for menu in menus]
    assert acts == (Act("play", {"seat": 0, "card": 7} if secret else {"card": 7}),)
    assert len(questions(two)[0]) == 2


def test_a_single_card_that_everybody_sees_is_still_named() -> None:
    menus, _ = questions(Ask("play", "Play a card", (Pick("card", (7,)),), 0))
    assert [choice.label for choice in menus[0].choices] == ["7"]
