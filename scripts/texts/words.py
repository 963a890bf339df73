"""Find the words that engines use in play: of cards, options, answers and the values in their sentences."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from umpi.conformance.said import VALUE, WORD, WORD_ROOM, Said, heard
from umpi.kernel.game import Game
from umpi.kernel.registry import games

Heard = Mapping[type[Game], Mapping[Said, str]]  # the texts of each game, each with its room


def heard_in_play() -> Heard:
    """Return what `words_met` and `option_values` take: playing all games takes seconds."""
    return {game: heard(game) for game in games()}


def words_met(played: Heard, known: Collection[str]) -> Iterator[tuple[str, str]]:
    """Return the words of all games that are not `known`, each with the titles of its games."""
    found: dict[str, dict[str, None]] = {}
    for game, texts in played.items():
        for text, room in texts.items():
            word = WORD.fullmatch(text.english) or room == WORD_ROOM
            if word and not text.context and text.english not in known:
                found.setdefault(text.english, {})[game.title] = None
    yield from ((word, ", ".join(titles)) for word, titles in sorted(found.items()))


def option_values(played: Heard) -> Iterator[tuple[str, str, str]]:
    """Yield the words that an option may have, with the option and the title of the game."""
    for game, texts in played.items():
        for text, room in texts.items():
            if room == VALUE:
                yield text.context, text.english, game.title
