"""The voice: somebody who cannot see plays a whole game by what it says."""

from __future__ import annotations

import re
from random import Random

import pytest

from tests.kit.core import Core
from tests.kit.rig import MS
from umpi.referee.effects import SayAloud
from umpi.timing.edge import Edge
from umpi.timing.lines import COLOURS


class Blindfolded:
    """A player who uses the buttons by touch and sees no screen. `spoken` is the last text of the voice."""

    def __init__(self, seed: int, **options: object) -> None:
        self.core = Core(voice=True, options=options)
        self.dice = Random(seed)
        self.now_ns = 0
        self.spoken = self._new()

    def press(self, button: str, down_ms: int = 80) -> str:
        """Press a button; return what the voice then says, "" for silence."""
        for down in (True, False):
            self.now_ns += (1 if down else down_ms) * MS
            self.core.give([Edge(button, down, self.now_ns)], self.now_ns)
        self.now_ns += 50 * MS
        self.core.run_to(self.now_ns)
        spoken = self._new()
        self.spoken = spoken or self.spoken
        return spoken

    def hold(self, button: str) -> str:
        """Hold a button, which plays nothing; return what it would answer."""
        before, self.spoken = self.spoken, ""
        answer = self.press(button, 700)
        self.spoken = before
        return answer

    def choose(self, answer: str) -> None:
        """Find the button that says an answer, page by page, and press it."""
        for _ in range(4):
            for button in COLOURS:
                if re.match(rf"{answer}\b", self.hold(button)):
                    self.press(button)
                    return
            self.press("down")
        raise AssertionError(f"no button says {answer!r} after {self.spoken!r}")

    def _new(self) -> str:
        texts = [effect.text for effect in self.core.effects if isinstance(effect, SayAloud)]
        self.core.effects.clear()
        return texts[-1] if texts else ""


def roll(player: Blindfolded) -> None:
    """Roll three dice, and enter them."""
    for _ in range(3):
        player.choose(str(player.dice.randint(1, 12)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_whole_dodeka_is_played_by_what_the_voice_says(seed: int) -> None:
    player = Blindfolded(seed, target=150, parts=1)
    assert "Which game" in player.spoken
    player.choose("Dodéka")
    assert "Players" in player.spoken
    player.press("red")
    player.press("blue")
    player.press("ok")
    assert "Options" in player.spoken
    player.press("ok")
    assert "Final dice" in player.spoken
    for _ in range(200):
        if "wins!" in player.spoken or "win!" in player.spoken:
            break
        roll(player)
    assert "wins!" in player.spoken or "win!" in player.spoken
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
