"""Print the rules of a game, in the terminal or as PDF, and compare rule sets: `umpi rules`."""

from __future__ import annotations

import argparse
import csv
import pydoc
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import wrap

import umpi
from umpi.cli.arguments import add_game, add_language, add_option, add_paper
from umpi.cli.parser import PLAY, AddParser
from umpi.cli.rule_sets import difference, find_rules
from umpi.cli.terminal import INSTALLED, Problem, counted, drawing, for_people, read_options, why_not
from umpi.i18n.translate import LANGUAGES, set_language, tr
from umpi.kernel.fields import Value
from umpi.kernel.game import Game, full_title
from umpi.kernel.match import Refused
from umpi.kernel.output import put
from umpi.kernel.record import check_options
from umpi.kernel.registry import find
from umpi.rulebook.book import Block, Example, Items, Paragraph, Rulebook, Table
from umpi.rulebook.fill import by_the_sheet
from umpi.rulebook.shelf import Shelf
from umpi.table.examples import example_lines

WIDEST = 80  # letters in a line
TRACES = Path(umpi.__file__).parents[2] / "tests" / "sheets"  # in a clone of the repository


def run_rules(options: argparse.Namespace) -> int:
    """`umpi rules GAME`: print the rules as text; --pdf writes them to a file, --diff compares two rule sets."""
    if (options.diff is None) == (options.game is None):
        raise Problem("Give either a game, or --diff with two rule sets.")
    width = max(30, min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns))
    if options.diff is not None:
        return _page(_difference(options, width))
    game, chosen = _chosen(options)
    if options.trace:
        return _page(_trace(game, width))
    book = _book(game, options.language, chosen)
    if book is None:
        raise Problem(f"{full_title(game)} has no rules to print.")
    set_language(book.language)
    if book.language != options.language:
        put(f"The rules of {full_title(game)} are not available in {LANGUAGES[options.language]}.")
    if options.pdf is not None:
        return _write(options.pdf, game, book, options.paper, options.replace)
    return _page(_text(book, game, width))


def _page(lines: Iterator[str]) -> int:
    """Show lines page by page on a terminal, otherwise print them."""
    if for_people():
        pydoc.pager("\n".join(lines) + "\n")
        return 0
    for line in lines:
        put(line)
    return 0


def _difference(options: argparse.Namespace, width: int) -> Iterator[str]:
    one, other = (find_rules(name, options) for name in options.diff)
    before, after = (_book(each.game, options.language, each.options) for each in (one, other))
    return difference(one, other, (before, after) if before and after else None, width)


def _chosen(options: argparse.Namespace) -> tuple[type[Game], dict[str, Value]]:
    """Return the game with the options that its rules follow: the sheet, then --rules, then --option."""
    try:
        game = find(options.game)
        own = check_options(read_options(options), game)
    except Refused as refusal:
        raise Problem(str(refusal)) from None
    chosen = by_the_sheet(game)
    if options.rules is not None:
        named = find_rules(options.rules, options)
        if named.game is not game:
            raise Problem(f"The rule set {options.rules} is for {full_title(named.game)}, not for {full_title(game)}.")
        chosen |= named.options
    return game, chosen | own


def _book(game: type[Game], language: str, options: Mapping[str, Value]) -> Rulebook | None:
    shelf = Shelf([game])
    if flaw := shelf.flaw(game):
        raise Problem(f"The rules of {full_title(game)} cannot be read: {flaw}", 1)
    return shelf.find(game.id, language, options)


def _write(file: str, game: type[Game], book: Rulebook, paper: str, replace: bool) -> int:
    from umpi.printing.rules import write_pdf  # reportlab takes long to import on a Pi

    examples = {block.name: list(example_lines(block, game)) for block in _blocks(book) if isinstance(block, Example)}
    try:
        with drawing(file):
            pages = write_pdf(file, book, examples, paper, tr("Example: {title}"), replace)
    except ValueError as fault:
        raise Problem(f"The rules of {full_title(game)} contain a fault: {fault}", 1) from None
    put(f"{file}: {counted(pages, 'page')}.")
    return 0


def _trace(game: type[Game], width: int) -> Iterator[str]:
    """Yield each statement of a game's rule sheet, and where it is proven, said, explained and printed."""
    file = TRACES / f"{game.id}.tsv"
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as fault:
        raise Problem(
            f"The statements of the rule sheet of {full_title(game)} are not here: {why_not(fault, file)}. "
            "They belong to the tests, in a clone of the repository; five games have a rule sheet."
        ) from None
    rows = list(csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))
    yield from wrap(f"{full_title(game)}: {counted(len(rows), 'statement')} of the rule sheet.", width)
    for row in rows:
        yield ""
        yield from wrap(f"{row['id']}  {row['statement']} [{row['kind']}]", width, subsequent_indent="    ")
        for place in ("record", "said", "help", "lesson", "print", "why"):
            if row[place] not in ("", "-"):
                yield from wrap(f"{place}: {row[place]}", width, initial_indent="    ", subsequent_indent="      ")


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
        "rules", run_rules, group=PLAY,
        purpose="Print the rules of a game, or compare rule sets.",
        description="Print the rules of a game: set-up, turns, scoring, rulings and examples. On a terminal the text "
        "appears page by page. With --pdf write a document for paper instead. If the rules are missing in a language, "
        "they are printed in English. The text follows the rule sheet; --rules and --option change it. With --diff "
        "print which options of two rule sets differ, and both texts of the sections that differ. With --trace print "
        "every statement of the rule sheet, and where a record proves it, and where it is said, explained and printed.",
        examples=(
            "umpi rules dodekka --language hu --option limit=15 --pdf rules.pdf",
            "umpi rules --diff dodeka short --config umpi.toml", "umpi rules dodekka --trace",
        ),
        statuses={
            0: "The rules were printed.", 1: "The rules of the game contain a fault.",
            2: "A name or an option is wrong, or the file cannot be written.",
        },
    )  # fmt: skip
    add_game(command, optional=True)
    add_language(command, "rules")
    command.add_argument(
        "--trace", action="store_true", help="print the statements of the rule sheet, and where each is proven"
    )
    command.add_argument("--pdf", metavar="FILE.pdf", help="write the rules as PDF to this file")
    command.add_argument("--replace", action="store_true", help="with --pdf: replace the file if it exists")
    add_paper(command)
    command.add_argument(
        "--rules", metavar="NAME", help="print the rules with this rule set: [rules.NAME] of UMPI.TOML"
    )
    add_option(command, "print the rules with this option")
    command.add_argument(
        "--diff", nargs=2, metavar=("A", "B"),
        help="compare two rule sets of UMPI.TOML; the name of a game is its rule sheet",
    )  # fmt: skip
    command.add_argument(
        "--config", type=Path, metavar="UMPI.TOML",
        help=f"file with the rule sets (default: {INSTALLED} if that file exists)",
    )  # fmt: skip
