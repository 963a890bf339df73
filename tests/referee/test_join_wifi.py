"""The Wi-Fi of a house at the menu of a box with a card: network, country, and a password that nobody sees."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.kit.rig import Rig, Rigs
from umpi.kernel.messages import message
from umpi.kernel.nothing import nothing
from umpi.recording.report import HIDDEN, report_lines
from umpi.recording.values import dumped
from umpi.referee.events import CardNews
from umpi.service.card_line import CardLine
from umpi.table.card import CardTask, ChosenNetwork, FoundNetwork, MenuTask

FOUND = (FoundNetwork("Café den"), FoundNetwork("guests", open=True))
CHOOSE = message("Choose a Wi-Fi at the box.")
PASSWORD = "aB3 paprika~7"


class Card(CardLine):
    """The line to the card, without a card: what the box has asked of it."""

    def __init__(self) -> None:
        super().__init__(nothing)
        self.heard: list[tuple[str, ChosenNetwork | str]] = []

    def begin(self, task: CardTask | MenuTask, given: ChosenNetwork | str = "") -> None:
        self.heard.append((task, given))


@pytest.fixture
def card() -> Card:
    return Card()


@pytest.fixture
def rig(rigs: Rigs, card: Card, tmp_path: Path) -> Rig:
    rigs.card = tmp_path / "card.sock"
    rig = rigs()
    rig.loop._card = card
    return rig


def hears(rig: Rig, news: CardNews) -> None:
    rig.loop.inbox.post(news)
    rig.settle()


def look(rig: Rig, country: str = "") -> None:
    """Ask for the networks, and find two."""
    rig.take("Join a Wi-Fi")
    hears(rig, CardNews("done", CHOOSE, networks=FOUND, country=country))


def type_text(rig: Rig, text: str) -> None:
    """Type each letter: its group, then the letter."""
    for letter in text.replace(" ", "␣"):
        groups = rig.referee.panel.question[0].choices
        rig.take(next(each.label for each in groups if letter in str(each.value)))
        rig.take(letter)


def test_a_network_its_country_and_its_password_are_asked(rig: Rig, card: Card) -> None:
    look(rig)
    assert rig.shows("Which Wi-Fi?", "Café den", "guests"), rig.screen
    rig.take("Café den")
    assert rig.shows("Country", "as in FR"), rig.screen
    type_text(rig, "FR")
    type_text(rig, PASSWORD)
    rig.press("ok")
    assert card.heard == [("find networks", ""), ("join network", ChosenNetwork("Café den", PASSWORD, "FR"))]
    hears(rig, CardNews("failed", message("The password of {name} is wrong. Try again.", name="Café den")))
    assert rig.shows("The password of Café den is wrong"), rig.screen


def test_an_open_network_has_no_password_and_a_known_country_is_not_asked_but_can_be_changed(
    rig: Rig, card: Card
) -> None:
    look(rig, "FR")
    rig.take("Country: FR")
    type_text(rig, "HU")
    rig.take("guests")
    assert card.heard[-1] == ("join network", ChosenNetwork("guests", "", "HU"))


def test_a_short_password_says_how_long_one_is_and_joins_nothing(rig: Rig, card: Card) -> None:
    look(rig, "FR")
    rig.take("Café den")
    type_text(rig, "paprika")
    rig.press("ok")
    assert rig.shows("at least 8 characters"), rig.screen
    assert len(card.heard) == 1


def test_the_password_is_on_no_screen_no_phone_and_in_no_report(rig: Rig) -> None:
    look(rig, "FR")
    rig.take("Café den")
    for number, letter in enumerate("paprika7"):
        type_text(rig, letter)
        assert rig.shows(f"{'*' * number}{letter}_"), rig.screen
        assert rig.referee.panel.screen().private, "no phone has the picture"
    rig.press("ok")
    network = ChosenNetwork("Café den", "paprika7", "FR")
    assert "paprika7" not in repr(network)
    assert rig.loop._recorder.secret
    report = b"\n".join(report_lines(rig.loop._recorder, "test", rig.config)).decode()
    assert dumped(HIDDEN) in report
    assert not re.search(r"\"event\"|paprika", report)


def test_who_has_gone_on_is_not_asked(rig: Rig) -> None:
    rig.take("Join a Wi-Fi")
    rig.press("back")
    before = rig.screen
    hears(rig, CardNews("done", CHOOSE, networks=FOUND))
    assert rig.screen == before


def test_the_box_is_named_letter_by_letter(rig: Rig, card: Card) -> None:
    rig.take("Name of the box")
    type_text(rig, "den-")
    rig.press("ok")
    assert rig.shows("ends with a letter or digit"), rig.screen
    rig.press("ok")
    type_text(rig, "2")
    rig.press("ok")
    assert card.heard == [("name the box", "den-2")]
    hears(rig, CardNews("asks", message("The box restarts as {name}.", name="den-2"), agree=message("restart now")))
    assert rig.shows("The box restarts as den-2."), rig.screen


def test_a_match_in_play_stays_in_its_network(rig: Rig) -> None:
    rig.start("scorepad", "red blue ok ok")
    rig.press("back", ms=1000)
    labels = [choice.label for choice in rig.referee.panel.question[0].choices]
    assert not {"Join a Wi-Fi", "Name of the box"} & set(labels)
