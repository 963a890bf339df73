"""Find the words that engines use in play: of cards, options, answers and the values in their sentences."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from random import Random
from typing import Any

from umpi.cards.decode import cards_of
from umpi.conformance.drawing import asked, drawn
from umpi.conformance.tables import variants
from umpi.kernel.fields import Each, Field, Forms, Number, Pick, Profile, Some, Text, Value, show
from umpi.kernel.game import Game
from umpi.kernel.match import Match
from umpi.kernel.messages import Message, Name, Parts
from umpi.kernel.random_games import play
from umpi.kernel.registry import games
from umpi.table.seats import COLOURS

WORD = re.compile(r"[^\W\d_](?:[^\W_]|-)*[^\W\d_]")
POSITIONS = 30  # of each play-out that are all looked at, then one of EVERY up to MOST
EVERY, MOST = 25, 2400


def words_met(known: Collection[str]) -> Iterator[tuple[str, str]]:
    """Return the words of all games that are not `known`, each with the titles of its games."""
    found: dict[str, dict[str, None]] = {}
    for game in games():
        met = _Met(game, known)
        for word in met.words():
            found.setdefault(word, {})[game.title] = None
    yield from ((word, ", ".join(titles)) for word, titles in sorted(found.items()))


def option_values() -> Iterator[tuple[str, str, str]]:
    """Yield the words that an option may have, with the option and the title of the game."""
    for game in games():
        for option in game.options:
            for value in dict.fromkeys(option.pool) if isinstance(option, Pick) else ():
                if isinstance(value, str):
                    yield option.name, value, game.title
            if isinstance(option, Number) and option.null:
                yield option.name, show(None), game.title


class _Met:
    def __init__(self, game: type[Game], known: Collection[str]) -> None:
        self.game = game
        self.cards = set(cards_of(game))
        self.parts = {part for card in self.cards for part in card.split("-")}
        self.passed = {*known, *self.cards}

    def words(self) -> Iterator[str]:
        """Yield the words, some more than once."""
        yield from (part for part in self.parts if WORD.fullmatch(part))
        for option in self.game.options:
            yield from (option.name, *_denied(option))
        for seed, options in enumerate([{}, *variants(self.game)]):
            for seats in {self.game.seats[0], min(self.game.seats[-1], len(COLOURS))}:
                if not self.game.objection(seats, **options):
                    yield from self._of_game(Match(self.game, COLOURS[:seats], options), seed)

    def _of_game(self, match: Match, seed: int) -> Iterator[str]:
        chance = Random(seed)
        yield from self._of_position(match, chance)
        for number, _ in enumerate(play(match, seed, audited=False)):
            if number < POSITIONS or number % EVERY == 0:
                yield from self._of_position(match, chance)
            if number > MOST:
                break

    def _of_position(self, match: Match, chance: Random) -> Iterator[str]:
        for ask in match.asks:
            act = drawn(ask, chance.random, optional=True)
            for field in (*ask.fields, *(asked(ask, act.given).values() if act else ())):
                yield from self._of_field(field)
        view, result = match.now.view(), match.now.result()
        rows = [text for row in (*view.rows, *match.now.odds()) for text in (row.label, *row.cells)]
        for text in (view.head, *view.beside, *rows, result.why if result else ""):
            yield from self._of_text(text)

    def _of_field(self, field: Field) -> Iterator[str]:
        yield from self._of_text(field.name)
        yield from (word for word in _denied(field) if word not in self.passed)
        match field:
            case Number():
                yield from self._of_text(field.text)
            case Each() | Forms():
                for each in field.fields:
                    yield from self._of_field(each)
            case Pick() | Some():
                kinds: list[Value] = list(dict.fromkeys(field.all_values or field.pool))
                for kind in kinds:
                    yield from self._of_text(kind if isinstance(kind, str) else field.label(kind))
                for kind in kinds[:: max(1, len(kinds) // 4)]:
                    yield from self._of_text(field.refuse((kind,) if isinstance(field, Some) else kind))
            case Text() | Profile():
                pass  # players write the one, and the other has its words in its fields

    def _of_text(self, text: Any) -> Iterator[str]:
        """Yield the words in the values of a sentence, or the text itself if the source does not contain it."""
        if isinstance(text, Message):
            for value in text.values.values():
                yield from self._of_text(value)
        elif isinstance(text, Parts):
            for part in text:
                yield from self._of_text(part)
        elif isinstance(text, str) and not isinstance(text, Name) and text not in self.passed:
            for word in re.split(r"[:, ]+", text):
                if WORD.fullmatch(word) and word not in self.passed:
                    yield word


def _denied(field: Field) -> Iterator[str]:
    """Return the label of "no" for a field with the answers yes and no."""
    if (
        isinstance(field, Pick)
        and False in (pool := field.all_values or field.pool)
        and all(isinstance(each, bool) for each in pool)
    ):
        yield f"not {field.name}"
