"""The rules on the box: a list of sections in the menu, the text of each in pages, and the way back."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.panels import sees
from umpi.display.panel import Key, Panel
from umpi.display.rules import RULES, sections_menu
from umpi.i18n.translate import set_language
from umpi.kernel.match import Match
from umpi.kernel.registry import find, games
from umpi.rulebook.shelf import Shelf
from umpi.table.seating import Seating
from umpi.table.state import Table, TableState

SHELF = Shelf(games())


def playing(name: str, shelf: bool = True, **options: Any) -> Panel:
    """The panel in a match of two or three players, with the rules of all games."""
    game = find(name)
    players = ("Ann", "Ben", "Cleo")[: max(2, game.seats[0])]
    panel = Panel(games(), Table(TableState(rules=SHELF)) if shelf else None)
    panel.show(Match(game, players, options), Seating(game, players, tuple(range(len(players)))))
    return panel


def choose(panel: Panel, label: str) -> None:
    """Press the key of a choice, after turning to its page."""
    menu, _ = panel.question
    for index, choice in enumerate(menu.choices):
        if choice.label == label:
            for _ in range(index // 6):
                press(panel, "down")
            press(panel, index % 6)
            return
    raise AssertionError(f"{label} not among {[choice.label for choice in menu.choices]}")


def press(panel: Panel, *keys: Key) -> None:
    for key in keys:
        assert panel.press(key) is None


def page_of(panel: Panel) -> int:
    notice = panel.screen().notice
    assert notice
    return notice.page


def rules_of(name: str, **options: Any) -> Panel:
    panel = playing(name, **options)
    panel.press("back", long=True)
    choose(panel, "Game rules")
    return panel


def test_the_menu_lists_the_sections_and_shows_one_page_by_page() -> None:
    panel = rules_of("dodeka")
    sees(panel, "Game rules", "Goal", "What you need", "Scoring")
    choose(panel, "Scoring")
    sees(panel, "Scoring", "Triple: three alike")
    assert page_of(panel) == 0
    press(panel, "down")
    assert page_of(panel) == 1
    press(panel, "up")
    assert page_of(panel) == 0


def test_back_leads_to_the_list_on_its_page_to_the_menu_and_to_the_game() -> None:
    panel = rules_of("dodeka")
    press(panel, "down", 1)
    sees(panel, "Rulings")
    press(panel, "back")
    sees(panel, "Game rules", "Rulings", "Options")
    press(panel, "back")
    sees(panel, "Menu")
    press(panel, "back")
    assert panel.question[0].title != "Menu"


def test_the_list_comes_back_after_the_last_page() -> None:
    panel = rules_of("dodeka")
    choose(panel, "Goal")
    while panel.noticing:
        press(panel, "ok")
    sees(panel, "Game rules", "Goal")


def test_an_example_is_shown_act_by_act() -> None:
    panel = rules_of("dodekka")
    menu, _ = panel.question
    turn = next(choice for choice in menu.choices if choice.label == "A turn")
    assert turn.read
    assert "6. Ann flips air-3.\n» DODEKKA! Ann takes 4 cards and deals three\nThe total is 13" in turn.read()


@pytest.mark.parametrize(("name", "shelf"), [("quiz", True), ("dodeka", False)])
def test_a_game_without_rules_says_so(name: str, shelf: bool) -> None:
    panel = playing(name, shelf)
    panel.press("back", long=True)
    choose(panel, "Game rules")
    sees(panel, "Not allowed")
    assert panel.noticing


def test_the_rules_follow_the_options_of_the_match() -> None:
    def turn(**options: Any) -> str:
        menu, _ = rules_of("dodekka", **options).question
        read = next(choice.read for choice in menu.choices if choice.label == "A turn")
        assert read
        return read()

    assert "Over 12: you bust" in turn()
    assert "Over 15: you bust" in turn(limit=15)
    assert "12" not in turn(limit=15)


def test_a_missing_language_is_named_in_the_title() -> None:
    book = SHELF.find("dodeka", "en")
    assert book
    set_language("fr")
    assert sections_menu(book, find("dodeka")).title.endswith("(English)")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["battledodes", "dodeka", "dodekka", "dohdles", "dudab-buba"])
def test_every_section_of_every_language_can_be_drawn(name: str) -> None:
    for language in SHELF.languages(name):
        set_language(language)
        panel = rules_of_in(name)
        for number in range(len(panel.question[0].choices)):
            page, key = divmod(number, 6)
            press(panel, *["down"] * page, key)
            while panel.noticing:
                panel.picture()
                press(panel, "down")
            press(panel, *["up"] * page)


def rules_of_in(name: str) -> Panel:
    """The list of sections in the language of the box."""
    panel = playing(name)
    panel.press("back", long=True)
    menu, _ = panel.question
    index = next(index for index, choice in enumerate(menu.choices) if choice.value is RULES)
    press(panel, *["down"] * (index // 6), index % 6)
    return panel
