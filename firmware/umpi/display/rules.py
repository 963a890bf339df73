"""The rules on the box: a list of sections, and the text of each; an example goes act by act."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from umpi.display.menu import Choice, Menu
from umpi.i18n.translate import LANGUAGES, Translated, current_language, tr
from umpi.kernel.game import Game
from umpi.rulebook.book import Block, Example, Items, Paragraph, Rulebook, Section, Table
from umpi.table.examples import example_lines

RULES = object()  # the choice that leads here


def rules_choice(book: Rulebook | None, game: type[Game]) -> Choice:
    """Return the choice that leads to the rules; it is off if the game has none."""
    off = "" if book else tr("{game} has no rules on this box.", game=game.title)
    return Choice(tr("Game rules"), RULES, off)


def sections_menu(book: Rulebook, game: type[Game]) -> Menu:
    """Return the menu of the sections of the rules; each shows its text."""
    sections = (
        Choice(Translated(section.title), None, read=partial(_section_text, section, game)) for section in book.sections
    )
    return Menu(rules_title(book), tuple(sections), rows=True)


def rules_title(book: Rulebook) -> Translated:
    """Return the title of the list of sections, with the language if it is not that of the box."""
    if book.language == current_language():
        return tr("Game rules")
    return tr("Game rules ({language})", language=Translated(LANGUAGES.get(book.language, book.language)))


def _section_text(section: Section, game: type[Game]) -> Translated:
    return Translated("\n".join(line for block in section.blocks for line in _lines(block, game)))


def _lines(block: Block, game: type[Game]) -> Iterator[str]:
    match block:
        case Paragraph(text):
            yield text
        case Items(items, numbered):
            yield from (f"{index}. {text}" if numbered else f"- {text}" for index, text in enumerate(items, 1))
        case Table(_, rows):
            yield from (" · ".join(row) for row in rows)
        case Example(_, title):
            yield tr("Example: {title}", title=Translated(title))
            yield from (line.text for line in example_lines(block, game))
