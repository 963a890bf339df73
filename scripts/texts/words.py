"""Find the words that engines use in play: of cards, options, answers and the values in their sentences."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from umpi.conformance.said import VALUE, WORD, WORD_ROOM, heard
from umpi.kernel.registry import games


def words_met(known: Collection[str]) -> Iterator[tuple[str, str]]:
    """Return the words of all games that are not `known`, each with the titles of its games."""
    found: dict[str, dict[str, None]] = {}
    for game in games():
        for text, room in heard(game).items():
            word = WORD.fullmatch(text.english) or room == WORD_ROOM
            if word and not text.context and text.english not in known:
                found.setdefault(text.english, {})[game.title] = None
    yield from ((word, ", ".join(titles)) for word, titles in sorted(found.items()))


def option_values() -> Iterator[tuple[str, str, str]]:
    """Yield the words that an option may have, with the option and the title of the game."""
    for game in games():
        for text, room in heard(game).items():
            if room == VALUE:
                yield text.context, text.english, game.title
