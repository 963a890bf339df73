"""The rules that are installed: read once from the folder `rulebook` in the package of each game."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType

from umpi.kernel.expansions import packages_of
from umpi.kernel.fields import Value
from umpi.kernel.game import Game
from umpi.kernel.options import defaults
from umpi.rulebook.book import Lines, Rulebook, parse
from umpi.rulebook.fill import by_the_sheet, fill

log = logging.getLogger(__name__)

ENGLISH = "en"
FOLDER = "rulebook"


@dataclass(frozen=True, slots=True)
class Shelf:
    """The rules by game and language; `flaws` contains why rules cannot be read, `games` whose they are."""

    books: Mapping[tuple[str, str], Rulebook] = field(default_factory=lambda: MappingProxyType({}))
    flaws: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    games: Mapping[str, type[Game]] = field(default_factory=lambda: MappingProxyType({}))

    def find(self, game: str, language: str, options: Mapping[str, Value] | None = None) -> Rulebook | None:
        """Return the rules of a game in a language, in English if there are no others, None if there are none.

        The text follows the `options` of a match or a record, those of the rule sheet if there are none.
        """
        book, engine = self.books.get((game, language)) or self.books.get((game, ENGLISH)), self.games.get(game)
        if book is None or engine is None:
            return book
        return fill(book, engine, by_the_sheet(engine) if options is None else {**defaults(engine), **options})

    def languages(self, game: str) -> list[str]:
        """List the languages in which a game has its rules."""
        return sorted(language for id, language in self.books if id == game)


NO_RULES = Shelf()


def read_shelf(games: Iterable[type[Game]]) -> Shelf:
    """Read the rules of the games. Rules with a flaw are left out, and the log contains the reason."""
    books: dict[tuple[str, str], Rulebook] = {}
    flaws: dict[str, str] = {}
    having: dict[str, type[Game]] = {}
    for game in games:
        try:
            there = read_books(game)
            for book in there:
                fill(book, game, by_the_sheet(game))  # raises ValueError if the text names an unknown option
            books |= {(game.id, book.language): book for book in there}
            having |= {game.id: game} if there else {}
        except (OSError, ValueError) as fault:
            flaws[game.id] = str(fault)
            log.warning("The rules of %s cannot be read: %s", game.id, fault)
    return Shelf(books, flaws, having)


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
                books.append(_parsed(text, language, tuple(records.items())))
            except ValueError as fault:
                raise ValueError(f"{file.name}: {fault}") from None
    return books


@lru_cache(maxsize=128)
def _parsed(text: str, language: str, records: tuple[tuple[str, Lines], ...]) -> Rulebook:
    """Parse rules once: the same text is read again when a session is replayed."""
    return parse(text, language, dict(records))
