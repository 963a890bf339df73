"""Names on the box: chosen from a list, or typed with the ten buttons."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.panels import sees
from umpi.conformance.texts import collect_cuts
from umpi.display.menu import MenuEntry
from umpi.display.names import GROUPS, LONGEST, type_name
from umpi.display.panel import Panel
from umpi.display.screens import question
from umpi.i18n.translate import LANGUAGES, set_language
from umpi.kernel.registry import find
from umpi.table.commands import Start
from umpi.table.names import PlayerNames
from umpi.table.seating import Seating
from umpi.table.state import Table, TableState

DODEKKA = find("dodekka")


def keys_for(name: str) -> list[Any]:
    """The presses for each letter of a name: its group, its page, its key."""
    keys: list[Any] = []
    for letter in name.upper():
        group, letters = next((at, letters) for at, letters in enumerate(GROUPS.values()) if letter in letters)
        page, key = divmod(letters.index(letter), 6)
        keys += [group, *["down"] * page, key]
    return keys


def press(panel: Panel, *keys: Any) -> Any:
    answer = None
    for key in keys:
        answer = panel.press(key)
    return answer


def typing(known: tuple[str, ...] = ()) -> Panel:
    """A panel that asks Red for the letters of a name; Blue is at the table."""
    panel = Panel([DODEKKA], Table(TableState(names=PlayerNames(known))))
    press(panel, 0, 0, 1, 0)
    assert sees(panel, "Red:", "OK type", "not playing", *known)
    press(panel, "ok")
    return panel


def test_five_letters_are_typed_with_ten_presses_and_ok() -> None:
    panel = typing()
    assert sees(panel, "Name", "A-F", "Y-Z")
    keys = [*keys_for("Maria"), "ok"]
    assert len(keys) == 11
    press(panel, *keys[:-1])
    assert sees(panel, "Maria_", "OK done")
    press(panel, "ok")
    assert sees(panel, "Players?", "Maria", "Blue")
    started = press(panel, "ok", "ok")
    assert isinstance(started, Start)
    assert started.table.players == ("Maria", "Blue")


@pytest.mark.parametrize(
    ("letters", "name"),
    [
        ("KÉVIN", "Kévin"),
        ("ZSÓFIA", "Zsófia"),
        ("ŐZ ÜGYES", "Őz Ügyes"),
        ("ANNE-LOU", "Anne-Lou"),
        ("O'NEIL", "O'Neil"),
        ("ANN & BEN", "Ann & Ben"),
    ],
)
def test_accents_and_signs_are_on_the_further_pages(letters: str, name: str) -> None:
    panel = typing()
    press(panel, *keys_for(letters.replace(" ", "␣")))
    assert sees(panel, f"{name}_")


def test_the_letters_of_four_languages_can_be_typed() -> None:
    letters = set("".join(GROUPS.values()))
    wanted = "ABCDEFGHIJKLMNOPQRSTUVWXYZÀÂÆÇÉÈÊËÎÏÔŒÙÛÄÖÜßÁÍÓŐÚŰ-'& "
    assert set(wanted.replace(" ", "␣")) <= letters


def test_back_deletes_a_letter_by_two_presses_and_leads_to_the_list_at_last() -> None:
    panel = typing()
    press(panel, *keys_for("AB"))
    press(panel, "back", "back")
    assert sees(panel, "A_")
    press(panel, "back", "back", "back")
    assert sees(panel, "Red:", "OK type")


@pytest.mark.parametrize(
    ("typed", "why"),
    [("", "Type at least one letter."), ("␣␣", "Type at least one letter."), ("BLUE", "Blue is taken"), ("ANN", "")],
)
def test_an_empty_name_and_one_that_is_taken_are_refused_in_words(typed: str, why: str) -> None:
    panel = typing()
    press(panel, *keys_for(typed), "ok")
    if why:
        assert sees(panel, "Not allowed", *why.split()[:2])
        press(panel, "ok")
        assert sees(panel, "Name")
    else:
        assert sees(panel, "Players?", "Ann")


def test_a_name_has_24_letters_at_most() -> None:
    panel = typing()
    press(panel, *keys_for("A" * LONGEST))
    press(panel, 0)
    assert sees(panel, "Not allowed", "24")
    press(panel, "ok", "ok")
    assert press(panel, "ok", "ok").table.players[0] == "A" + "a" * 23


def test_new_names_of_the_last_table_are_offered_first() -> None:
    players = ("Maria", "Zoe", "Green")
    panel = Panel([DODEKKA], Table(TableState(names=PlayerNames(("Katy", "Zoe")).played(players))))
    panel.welcome(None, Seating(DODEKKA, players, (0, 1, 2)))
    press(panel, 5, 0, 0, 0)
    labels = [choice.label for choice in panel.question[0].choices]
    assert labels == ["not playing", "Red", "Maria", "Katy", "Zoe", "Umpi plays"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_screen_shows_every_key_whole(language: str) -> None:
    set_language(language)
    with collect_cuts() as cuts:
        for group in range(-1, len(GROUPS)):
            entry = MenuEntry(lambda: type_name(()))
            if group >= 0:
                entry.tap(list(GROUPS.values())[group])
            assert entry.menu
            for page in range(entry.menu.pages):
                question(entry.menu, page)
    assert [cut.text for cut in cuts] == []
