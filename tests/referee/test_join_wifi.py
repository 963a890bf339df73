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
