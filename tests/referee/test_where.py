"""The spare button for *Where are we?*: one press shows where the match is, and changes nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.core import Core
from tests.kit.rig import MS, Rig, Rigs
from umpi.referee.effects import SayAloud
from umpi.timing.edge import Edge

OFF_MS = 31 * 60_000


@pytest.fixture
def rig(in_play: Any) -> Rig:
    """A Dodéka in play; Ann at the red button is to throw."""
    rig: Rig = in_play()
    return rig


def notice_on(rig: Rig) -> str:
    """Return the text over the question, "" if there is none."""
    notice = rig.referee.panel.screen().notice
    return notice.text if notice and notice.title == "Where are we?" else ""


def test_a_press_that_finds_the_screen_off_tells_as_well(rig: Rig) -> None:
    """Who cannot see does not know that the screen is off."""
    rig.wait_ms(OFF_MS)
    assert rig.box.light() == "off"
    rig.press("where")
    assert rig.box.light() == "bright"
    assert "Game: Dodéka." in notice_on(rig)


def test_in_a_race_it_takes_no_buzzer_away(rigs: Rigs) -> None:
    rig = rigs()
    rig.start("quiz", "red blue ok ok")
    rig.press("ok")
    rig.press("where")
    assert "Game: Quiz." in notice_on(rig)
    rig.press("blue")
    assert not notice_on(rig)
    assert rig.acts[-1] == "buzz"
    match = rig.referee.session.match
    assert match
    assert match.seat == 1


class Listener:
    """A person who cannot see, at a box with a voice."""

    def __init__(self) -> None:
        self.core, self.now_ns = Core(voice=True), 0

    def press(self, *buttons: str) -> str:
        """Press buttons; return the last text of the voice, "" for silence."""
        for button in buttons:
            self.core.effects.clear()
            for down in (True, False):
                self.now_ns += 80 * MS
                self.core.give([Edge(button, down, self.now_ns)], self.now_ns)
            self.now_ns += 100 * MS
            self.core.run_to(self.now_ns)
        return " ".join(effect.text for effect in self.core.effects if isinstance(effect, SayAloud))


def test_the_voice_says_it_again_at_each_press() -> None:
    listener = Listener()
    first = listener.press("where")
    assert "Which game" in first, "without a match it repeats the screen"
    assert listener.press("where") == first
    while not listener.core.referee.session.on:
        listener.press("red", "blue", "ok", "ok")
    said = listener.press("where")
    assert said.startswith("Where are we? Game: ")
    assert listener.press("where") == said
