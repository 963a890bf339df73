"""Print the rules of a game, in the terminal or as PDF: `umpi rules`."""

from __future__ import annotations

import argparse
import pydoc
import shutil
from collections.abc import Iterator
from textwrap import wrap

from umpi.cli.paper import add_paper, needs_reportlab
from umpi.cli.parser import PLAY, AddParser
from umpi.cli.terminal import Problem, counted, for_people, put, why_not
from umpi.display.rules import example_lines
from umpi.i18n.translate import LANGUAGES, set_language, tr
from umpi.kernel.game import Game, full_title
from umpi.kernel.match import Refused
from umpi.kernel.registry import find
from umpi.rulebook.book import Block, Example, Items, Paragraph, Rulebook, Table
from umpi.rulebook.shelf import read_shelf

WIDEST = 80  # letters in a line


def run_rules(options: argparse.Namespace) -> int:
    """`umpi rules GAME`: print the rules as text; --pdf writes them to a file instead."""
    game, book = _rules_of(options.game, options.language)
    set_language(book.language)
    if book.language != options.language:
        put(f"The rules of {full_title(game)} are not available in {LANGUAGES[options.language]}.")
    if options.pdf is not None:
        return _write(options.pdf, game, book, options.paper)
    width = min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns)
    lines = list(_text(book, game, max(width, 30)))
    if for_people():
        pydoc.pager("\n".join(lines) + "\n")
        return 0
    for line in lines:
        put(line)
    return 0


def _rules_of(id: str, language: str) -> tuple[type[Game], Rulebook]:
    try:
        game = find(id)
    except Refused as refusal:
        raise Problem(str(refusal)) from None
    shelf = read_shelf([game])
    if flaw := shelf.flaws.get(game.id):
        raise Problem(f"The rules of {full_title(game)} cannot be read: {flaw}", 1)
    book = shelf.find(game.id, language)
    if book is None:
        raise Problem(f"{full_title(game)} has no rules to print.")
    return game, book


def _write(file: str, game: type[Game], book: Rulebook, paper: str) -> int:
    with needs_reportlab("--pdf"):
        from umpi.printing.fonts import MissingFont
        from umpi.printing.rules import write_pdf
    examples = {block.name: list(example_lines(block, game)) for block in _blocks(book) if isinstance(block, Example)}
    try:
        pages = write_pdf(file, book, examples, paper, tr("Example: {title}"))
    except MissingFont as fault:
        raise Problem(str(fault)) from None
    except OSError as fault:
        raise Problem(why_not(fault, file)) from None
    put(f"{file}: {counted(pages, 'page')}.")
    return 0


def _blocks(book: Rulebook) -> Iterator[Block]:
    for section in book.sections:
        yield from section.blocks


def _text(book: Rulebook, game: type[Game], width: int) -> Iterator[str]:
    """Yield the rules as lines of at most `width` letters."""
    yield book.title.upper()
    for section in book.sections:
        yield from ("", section.title, "-" * len(section.title))
        for block in section.blocks:
            yield ""
            yield from _lines(block, game, width)


def _lines(block: Block, game: type[Game], width: int) -> Iterator[str]:
    match block:
        case Paragraph(text):
            yield from wrap(text, width)
        case Items(items, numbered):
            for index, item in enumerate(items, 1):
                mark = f"{index}. " if numbered else "- "
                yield from wrap(item, width, initial_indent=mark, subsequent_indent=" " * len(mark))
        case Table(head, rows):
            yield from _table((head, *rows), width)
        case Example(_, title):
            yield from wrap(tr("Example: {title}", title=title), width)
            for line in example_lines(block, game):
                lead = "  " if line.act else "     "
                yield from wrap(line.text, width, initial_indent=lead, subsequent_indent="     ")


def _table(rows: tuple[tuple[str, ...], ...], width: int) -> Iterator[str]:
    """Yield a table: the columns aligned, the widest one wrapped if the lines are too long."""
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    over = sum(wide) + 2 * (len(wide) - 1) - width
    if over > 0:
        largest = wide.index(max(wide))
        wide[largest] = max(8, wide[largest] - over)
    for row in rows:
        cells = [wrap(cell, size) or [""] for cell, size in zip(row, wide, strict=True)]
        for number in range(max(map(len, cells))):
            parts = (cell[number] if number < len(cell) else "" for cell in cells)
            yield "  ".join(part.ljust(size) for part, size in zip(parts, wide, strict=True)).rstrip()


def add_commands(add: AddParser) -> None:
    """Add the commands of this file."""
    command = add(
        "rules", group=PLAY,
        purpose="Print the rules of a game.",
        description="Print the rules of a game: set-up, turns, scoring, rulings and examples. On a terminal the text "
        "appears page by page. With --pdf write a document for paper instead. If the rules are missing in a language, "
        "they are printed in English.",
        examples=("umpi rules dodeka", "umpi rules dodekka --language hu", "umpi rules dudab-buba --pdf rules.pdf"),
        statuses={
            0: "The rules were printed.", 1: "The rules of the game contain a fault.",
            2: "There is no such game, it has no rules, or the file cannot be written.",
        },
    )  # fmt: skip
    command.add_argument("game", metavar="GAME", help='name of the game, as "umpi games" lists it')
    command.add_argument(
        "--language", choices=tuple(LANGUAGES), default="en", metavar="LANGUAGE",
        help=f"language of the rules: {', '.join(LANGUAGES)} (default: %(default)s)",
    )  # fmt: skip
    command.add_argument("--pdf", metavar="FILE.pdf", help="write the rules as PDF to this file")
    add_paper(command)
    command.set_defaults(command=run_rules)
