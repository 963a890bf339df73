"""The Wi-Fi of a house at the menu of a box with a card: nobody sees its password."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.kit.conversations import Program
from tests.kit.rig import Rig, Rigs
from umpi.recording.report import HIDDEN, report_lines
from umpi.recording.values import dumped
from umpi.referee.events import CardNews
from umpi.table.card import ChosenNetwork, FoundNetwork

FOUND = (FoundNetwork("Café den"), FoundNetwork("guests", open=True))


def type_letter(rig: Rig, letter: str) -> None:
    """Type a letter: its group, then the letter."""
    groups = rig.referee.panel.question[0].choices
    rig.take(next(each.label for each in groups if letter in str(each.value)))
    rig.take(letter)


def test_the_password_is_on_no_screen_no_phone_and_in_no_report(rigs: Rigs, tmp_path: Path) -> None:
    rigs.card = tmp_path / "card.sock"
    rig = rigs()
    program: Any = Program()
    rig.loop._card = program
    rig.take("Join a Wi-Fi")
    rig.loop.inbox.post(CardNews("done", "Choose a Wi-Fi at the box.", networks=FOUND, country="FR"))
    rig.settle()
    rig.take("Café den")
    for number, letter in enumerate("paprika7"):
        type_letter(rig, letter)
        assert rig.shows(f"{'*' * number}{letter}_"), rig.screen
        assert rig.referee.panel.screen().private, "no phone has the picture"
    rig.press("ok")
    assert program.heard[-1].endswith("paprika7")
    assert "paprika7" not in repr(ChosenNetwork("Café den", "paprika7", "FR"))
    assert rig.loop._recorder.secret
    report = b"\n".join(report_lines(rig.loop._recorder, "test", rig.config)).decode()
    assert dumped(HIDDEN) in report
    assert not re.search(r"\"event\"|paprika", report)
