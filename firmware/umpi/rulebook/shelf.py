"""The rules that are installed: those of a game are read once, from the folder `rulebook` in its package."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from umpi.kernel.expansions import packages_of
from umpi.kernel.fields import Value
from umpi.kernel.game import Game
from umpi.kernel.options import defaults
from umpi.rulebook.book import Lines, Rulebook, parse
from umpi.rulebook.fill import by_the_sheet, check, fill

log = logging.getLogger(__name__)

ENGLISH = "en"
FOLDER = "rulebook"


class Shelf:
    """The rules of games. Those of a game are read when somebody first looks for them, or by `read`."""

    def __init__(self, games: Sequence[type[Game]] = ()) -> None:
        self._games = games
        self._read: dict[type[Game], GameRules] = {}

    def find(self, game: str, language: str, options: Mapping[str, Value] | None = None) -> Rulebook | None:
        """Return the rules of a game in a language, in English if there are no others, None if there are none.

        The text follows the `options` of a match or a record, those of the rule sheet if there are none.
        """
        engine = next((each for each in self._games if each.id == game), None)
        books = self._of(engine).books if engine else {}
        book = books.get(language) or books.get(ENGLISH)
        if book is None or engine is None:
            return None
        return fill(book, engine, by_the_sheet(engine) if options is None else {**defaults(engine), **options})

    def languages(self, game: str) -> list[str]:
        """List the languages in which a game has its rules."""
        return sorted(language for each in self._games if each.id == game for language in self._of(each).books)

    def games(self) -> list[type[Game]]:
        """List the games that have rules."""
        return [game for game in self._games if self._of(game).books]

    def flaw(self, game: type[Game]) -> str:
        """Return why the rules of a game cannot be read, "" if they can or if it has none."""
        return self._of(game).flaw

    def read(self) -> None:
        """Load all games and read their rules, so that nobody waits for them later."""
        self.games()

    def _of(self, game: type[Game]) -> GameRules:
        if game not in self._read:  # two threads may read the same rules; they find the same
            self._read[game] = _read_rules(game)
        return self._read[game]


class GameRules(NamedTuple):
    """The rules of a game by language, or why they cannot be read."""

    books: Mapping[str, Rulebook]
    flaw: str = ""


NO_RULES = Shelf()


def _read_rules(game: type[Game]) -> GameRules:
    """Read the rules of a game. Rules with a flaw are left out, and the log contains the reason."""
    try:
        books = {book.language: book for book in read_books(game)}
        for book in books.values():
            fill(book, game, by_the_sheet(game))
    except (OSError, ValueError) as fault:
        log.warning("The rules of %s cannot be read: %s", game.id, fault)
        return GameRules({}, str(fault))
    except Exception as fault:  # a package of somebody else may declare anything
        log.exception("The rules of %s cannot be read", game.id)
        return GameRules({}, f"{type(fault).__name__}: {fault}")
    return GameRules(books)


def read_books(game: type[Game]) -> list[Rulebook]:
    """Return the rules that a game's package contains, one per language; raises OSError or ValueError."""
    folders = (files(package) / FOLDER for package in packages_of(game))
    folder = next((each for each in folders if each.is_dir()), None)
    if folder is None:
        return []
    there = sorted(folder.iterdir(), key=lambda file: file.name)
    records = {
        file.name.removesuffix(".jsonl"): tuple(file.read_bytes().splitlines(keepends=True))
        for file in there
        if file.name.endswith(".jsonl")
    }
    books = []
    for file in there:
        if file.name.endswith(".md"):
            try:
                text, language = file.read_text(encoding="utf-8"), file.name.removesuffix(".md")
                check(text, game)
                books.append(_parsed(text, language, tuple(records.items())))
            except ValueError as fault:
                raise ValueError(f"{file.name}: {fault}") from None
    return books


@lru_cache(maxsize=128)
def _parsed(text: str, language: str, records: tuple[tuple[str, Lines], ...]) -> Rulebook:
    """Parse rules once: the same text is read again when a session is replayed."""
    return parse(text, language, dict(records))
