"""What only one player may know: each phone gets the hand and the question of its own seat, in words for the ear."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.at_table import Phone, laid
from tests.kit.rig import Rigs
from umpi.display.aloud import unspeakable
from umpi.i18n.translate import LANGUAGES, set_language, tr
from umpi.kernel.match import Match
from umpi.kernel.random_games import play
from umpi.kernel.registry import find, games

LINES: list[dict[str, Any]] = [{"do": "deal", "cards": ["fire-4", "water-1", "air-0"]}, {"do": "take"}]


def heard(phone: Phone) -> Any:
    answer = phone.post("hand")
    return answer.json()["texts"] if answer.status_code == 200 else answer.status_code


def test_each_phone_gets_the_hand_of_its_own_seat_and_no_other(rigs: Rigs) -> None:
    table = laid(rigs, "dodekka", ["Ann", "Ben"], LINES)
    ann, ben, referee, third = (table.paired(who) for who in (0, 1, None, 2))
    asked = "Ben: take water-1, or flip. After a flip, press its element."
    assert heard(ann) == ["You hold 1 card.", "fire: 4.", "Your hand scores 4 now.", asked]
    assert heard(ben) == ["Your hand is empty.", asked]
    assert [heard(phone) for phone in (referee, third, table.phone())] == [409, 409, 401]
    match = table.document["match"]
    assert match["private"] == [0, 1]
    assert "hands" not in match["facts"], "the document of all screens has no card of a hand"


@pytest.mark.parametrize("game", ["quiz", "dodeka", "scorepad", "battledodes", "dohdles", "dudab-buba"])
def test_a_game_of_which_the_box_knows_no_hand_has_nothing_private(rigs: Rigs, game: str) -> None:
    table = laid(rigs, game, ["Ann", "Ben", "Cleo"][: max(2, find(game).seats[0])])
    assert table.document["match"]["private"] == []
    assert heard(table.paired(0)) == 409


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_voice_reads_every_hand_as_it_is_meant_in_each_language(language: str) -> None:
    """A sign would be left out or named."""
    set_language(language)
    for game in games():
        match = Match(find(game.id), ("Ann", "Ben"), {})
        for _ in zip(range(80), play(match, 3), strict=False):
            said = [tr(text, match.players) for seat in (0, 1) for text in match.now.own_hand(seat) or ()]
            assert [unspeakable(text) for text in said] == [""] * len(said), said
