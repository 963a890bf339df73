"""The voice: somebody who cannot see plays a whole game by what it says."""

from __future__ import annotations

import re
from random import Random

import pytest

from conftest import MS
from core import Core
from umpi.referee.effects import SayAloud
from umpi.timing.edge import Edge
from umpi.timing.lines import COLOURS


class Blindfolded:
    """A player who knows the ten buttons by touch, and nothing of the screen. `heard` is what the voice said last."""

    def __init__(self, seed: int, **options: object) -> None:
        self.core = Core(voice=True, options=options)
        self.dice = Random(seed)
        self.now_ns = 0
        self.heard = self._new()

    def press(self, button: str, down_ms: int = 80) -> str:
        """Press a button; return what the voice says then, "" for nothing."""
        for down in (True, False):
            self.now_ns += (1 if down else down_ms) * MS
            self.core.give([Edge(button, down, self.now_ns)], self.now_ns)
        self.now_ns += 50 * MS
        self.core.run_to(self.now_ns)
        heard = self._new()
        self.heard = heard or self.heard
        return heard

    def hold(self, button: str) -> str:
        """Hold a button, which plays nothing; return what it would answer."""
        before, self.heard = self.heard, ""
        said = self.press(button, 700)
        self.heard = before
        return said

    def choose(self, answer: str) -> None:
        """Find the button that says an answer, page by page, and press it."""
        for _ in range(4):
            for button in COLOURS:
                if re.match(rf"{answer}\b", self.hold(button)):
                    self.press(button)
                    return
            self.press("down")
        raise AssertionError(f"no button says {answer!r} after {self.heard!r}")

    def _new(self) -> str:
        said = [effect.text for effect in self.core.effects if isinstance(effect, SayAloud)]
        self.core.effects.clear()
        return said[-1] if said else ""


def roll(player: Blindfolded) -> None:
    """Roll three dice, and enter them."""
    for _ in range(3):
        player.choose(str(player.dice.randint(1, 12)))


@pytest.mark.parametrize("seed", range(3))
def test_a_whole_dodeka_is_played_by_what_the_voice_says(seed: int) -> None:
    player = Blindfolded(seed, target=150, parts=1)
    assert "Which game" in player.heard
    player.choose("Dodéka")
    assert "Players" in player.heard
    player.press("red")
    player.press("blue")
    player.press("ok")
    assert "Options" in player.heard
    player.press("ok")
    assert "Final dice" in player.heard
    for _ in range(200):
        if "wins!" in player.heard or "win!" in player.heard:
            break
        roll(player)
    assert "wins!" in player.heard or "win!" in player.heard
    match = player.core.referee.session.match
    assert match
    assert not match.asks


def test_a_held_button_says_its_answer_and_plays_nothing() -> None:
    player = Blindfolded(1)
    assert player.hold("red").startswith("Battledodes")
    assert player.core.referee.panel.question[0].title == "Which game?"
    assert player.hold("green") != player.hold("white")
    player.press("red")
    assert player.core.referee.panel.question[0].title == "Players?"


def test_a_box_without_a_voice_says_nothing_and_plays_at_the_first_edge() -> None:
    core = Core()
    core.give([Edge("red", True, MS)], 2 * MS)
    assert not [effect for effect in core.effects if isinstance(effect, SayAloud)]
    menu, _ = core.referee.panel.question
    assert menu.title != "Which game?"
