"""What only one player may know: each phone gets the hand and the question of its own seat, in words for the ear."""

from __future__ import annotations

import pytest

from umpi.display.aloud import unspeakable
from umpi.i18n.translate import LANGUAGES, set_language, tr
from umpi.kernel.match import Match
from umpi.kernel.random_games import play
from umpi.kernel.registry import find, games


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_voice_reads_every_hand_as_it_is_meant_in_each_language(language: str) -> None:
    """A sign would be left out or named."""
    set_language(language)
    for game in games():
        match = Match(find(game.id), ("Ann", "Ben"), {})
        for _ in zip(range(80), play(match, 3), strict=False):
            said = [tr(text, match.players) for seat in (0, 1) for text in match.now.own_hand(seat) or ()]
            assert [unspeakable(text) for text in said] == [""] * len(said), said
