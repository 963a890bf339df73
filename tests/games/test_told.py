"""The sentences of acts: each shipped game tells each of its acts; without one, an act is described by its fields."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.kit.game_tables import TABLES, names
from umpi.games.quiz import Quiz
from umpi.i18n.translate import ENGLISH, languages, set_language
from umpi.kernel import Act, Match, override
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find
from umpi.table.telling import sentence_of


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    yield
    set_language(ENGLISH)


@pytest.mark.parametrize(("game", "seats", "options"), TABLES, ids=str)
def test_each_act_is_a_sentence_that_names_its_player_in_every_language(
    game: str, seats: int, options: dict[str, Any]
) -> None:
    """The name of the seat that acts is in it, the time and the box aside; it ends with a full stop."""
    match = play_out(find(game), names(seats), options, seed=seats)
    for language in languages():
        set_language(language)
        for index, act in enumerate(match.acts[:400]):
            sentence, ask = sentence_of(match, index), match.asked(index)
            assert sentence.endswith("."), (language, act)
            assert "{" not in sentence, (language, act)
            if ask.seat is not None and act.verb != "asked":  # a letter is that of the riddle
                assert match.players[ask.seat] in sentence, (language, act)


@pytest.mark.parametrize(
    ("game", "seats", "acts", "sentence"),
    [
        ("dodeka", 2, [Act("throw", {"keep": (), "dice": (3, 8, 5)})], "Ann rolls 3, 8 and 5."),
        (
            "dodeka", 2,
            [Act("throw", {"keep": (), "dice": (3, 8, 5)}), Act("throw", {"keep": (5,), "dice": (5, 1)})],
            "Ann keeps 5 and rolls 5 and 1.",
        ),
        ("battledodes", 2, [Act("roll-off", {"faces": (11, 4)})], "Ann rolls 11, Ben rolls 4."),
        (
            "battledodes", 2,
            [Act("roll-off", {"faces": (11, 4)}), Act("land", {"dode": 1, "face": 7, "hex": 2})],
            "Ann rolls 7 on hexagon 2.",
        ),
        (
            "dodekka", 2, [Act("deal", {"cards": ("fire-2", "earth-2", "air-4")}), Act("take")],
            "Ann takes fire-2.",  # only a bust takes the line
        ),
        ("dohdles", 3, [Act("clue", {"riddle": "B1", "kind": "letter"})], "Ann moves Ben 1 to clue 1."),
        ("quiz", 2, [Act("open"), Act("buzz", {"seat": 1})], "Ben buzzes."),
        ("scorepad", 2, [Act("score", {"seat": 1, "points": 1})], "Ben scores one point."),
    ],
)  # fmt: skip
def test_a_sentence(game: str, seats: int, acts: list[Act], sentence: str) -> None:
    """What a player reads after "Last:"."""
    match = Match(find(game), ["Ann", "Ben", "Cleo"][:seats], {})
    for act in acts:
        match.play(act)
    assert sentence_of(match, len(acts) - 1) == sentence


@dataclass(frozen=True, slots=True)
class Mumbling(Quiz):
    """A quiz whose sentence about a buzz fails."""

    @override
    def told(self, act: Act) -> str:
        """Fail."""
        raise ValueError("no words")


def test_an_act_without_a_sentence_has_its_verb_and_its_fields(caplog: pytest.LogCaptureFixture) -> None:
    """A game without sentences, or one whose sentence fails, which the log has."""
    match = Match(Mumbling, ["Ann", "Ben"], {})
    match.play(Act("open"))
    match.play(Act("buzz", {"seat": 1}))
    with caplog.at_level(logging.ERROR):
        assert sentence_of(match, 1) == "Ben: buzz"
    assert "no words" in caplog.text
