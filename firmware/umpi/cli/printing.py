"""Print a game: what it needs, decks, boards, pieces and score sheets, also large and in braille: `umpi print`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from umpi.cli.arguments import add_game, add_language, add_paper
from umpi.cli.parser import PLAY, AddParser
from umpi.cli.terminal import Problem, counted, drawing
from umpi.i18n.translate import set_language, tr
from umpi.kernel.game import Game, full_title
from umpi.kernel.match import Refused
from umpi.kernel.output import put
from umpi.kernel.printable import Sheet
from umpi.kernel.registry import find, games
from umpi.printing.braille import MissingLiblouis, write_braille
from umpi.printing.found import check_sheets, is_drawing, own_sheets, sheets_of
from umpi.printing.needs import count_of


def run_print(options: argparse.Namespace) -> int:
    """`umpi print GAME`: write the sheets of a game as PDF; --list lists the sheets instead."""
    set_language(options.language)
    if options.list:
        _list([_game(options.game)] if options.game else games(), options.language)
        return 0
    if not options.game:
        raise Problem("Name a game, or list the sheets of all games: umpi print --list")
    if options.large and options.braille:
        raise Problem("Choose large print or braille: --large or --braille.")
    game = _game(options.game)
    sheets = sheets_of(game, options.language)
    try:
        check_sheets(sheets, options.sheet)
    except ValueError as fault:
        raise _faulty(game, fault) from None
    chosen = _chosen(options.sheet, sheets, game)
    if not own_sheets(game, options.language):
        put(f"{full_title(game)} has no sheets of its own, so this is a score sheet for any game.")
    drawings = [sheet for sheet in chosen if is_drawing(sheet)]
    if options.braille and drawings:
        names = ", ".join(sheet.name for sheet in drawings)
        if options.sheet:
            raise Problem(f"Not in braille, because these are drawings: {names}.")
        put(f"Left out, because these are drawings: {names}.")
        chosen = [sheet for sheet in chosen if sheet not in drawings]
    kind = "-large.pdf" if options.large else ".brf" if options.braille else ".pdf"
    file = options.output or f"{'-'.join([game.id, *options.sheet])}{kind}"
    pages = _written(file, game, chosen, options)
    names = ", ".join(f"{sheet.name} {count}" for sheet, count in zip(chosen, pages, strict=True))
    put(f"{file}: {counted(sum(pages), 'page')} ({names}).")
    if options.braille:
        put("Emboss it as braille ASCII, with 40 cells in a line and 25 lines on a page.")
        return 0
    if options.large and drawings:
        put(f"Drawings keep their size and their letters: {', '.join(sheet.name for sheet in drawings)}.")
    ruler = "" if options.large and not drawings else " Then the ruler on each page is 100 mm long."
    put(f"Print at 100 %, not fitted to the page.{ruler}")
    return 0


def _written(file: str, game: type[Game], sheets: Sequence[Sheet], options: argparse.Namespace) -> list[int]:
    """Write the file, and return the number of pages of each sheet; raises Problem."""
    from umpi.printing.sheets import write_sheets  # reportlab takes long to import on a Pi

    try:
        with drawing(file, "--output"):
            if options.braille:
                return write_braille(file, game, sheets, options.replace)
            return write_sheets(file, game, sheets, options.paper, options.replace, options.large)
    except MissingLiblouis as fault:
        raise Problem(str(fault)) from None
    except ValueError as fault:
        raise _faulty(game, fault) from None


def _faulty(game: type[Game], fault: ValueError) -> Problem:
    return Problem(f"The sheets of {full_title(game)} contain a fault: {fault}", 1)


def _game(id: str) -> type[Game]:
    try:
        return find(id)
    except Refused as refusal:
        raise Problem(str(refusal)) from None


def _list(listed: Sequence[type[Game]], language: str) -> None:
    rows = [
        (game.id, sheet.name, f"{count_of(sheet)}", tr(sheet.title))
        for game in listed
        for sheet in sheets_of(game, language)
    ]
    first, second, third = (max(len(row[column]) for row in rows) for column in (0, 1, 2))
    for id, name, count, title in rows:
        put(f"{id:{first}}  {name:{second}}  {count:>{third}} ×  {title}")


def _chosen(names: Sequence[str], sheets: Sequence[Sheet], game: type[Game]) -> list[Sheet]:
    """Return the sheets with these names, all if no name is given; raises Problem."""
    known = {sheet.name: sheet for sheet in sheets}
    for name in names:
        if name not in known:
            raise Problem(f'{full_title(game)} has no sheet "{name}"; there are: {", ".join(known)}.')
    return [known[name] for name in dict.fromkeys(names or known)]


def add_commands(add: AddParser) -> None:
    """Add the commands of this file."""
    command = add(
        "print", run_print, group=PLAY,
        purpose="Print a game: its decks, boards, pieces and score sheets.",
        description="Write sheets of a game as PDF: decks, boards, chips, score sheets. Without SHEET write the whole "
        "game into one file. Its first page, needs, lists what the file has, how many of each, what to do with it, and "
        "what else to have ready. A board that is larger than the paper is divided into tiles with marks to join. "
        "Print the file at 100 %, and check the ruler on each page. "
        "Large print and braille are for cards, score sheets, lists and suggestion boards. In large print, boards and "
        "other drawings keep their size: the boards of Dohdles! and Battledodes are large already. Braille leaves "
        "drawings out. It is uncontracted, in pages of 40 cells and 25 lines, and a deck has one label per card. "
        "It needs the Debian package liblouis-bin.",
        examples=(
            "umpi print --list",
            "umpi print dodekka deck --paper letter --language de --output deck.pdf",
            "umpi print dodekka deck --braille --language fr",
        ),
        statuses={
            0: "The file was written.", 1: "The sheets of the game contain a fault.",
            2: "There is no such game or sheet, or the file cannot be written.",
        },
    )  # fmt: skip
    add_game(command, optional=True)
    command.add_argument("sheet", nargs="*", metavar="SHEET", help="name of a sheet, as --list lists it (default: all)")
    command.add_argument("--list", action="store_true", help="list the sheets of the game, or of all games")
    add_paper(command)
    add_language(command, "sheets")
    command.add_argument(
        "--large", action="store_true", help="write large print: 18 points or more, except on drawings"
    )
    command.add_argument("--braille", action="store_true", help="write a text file for an embosser (FILE.brf), not PDF")
    command.add_argument(
        "--output",
        metavar="FILE",
        help="name of the file (default: GAME[-SHEET].pdf, GAME[-SHEET]-large.pdf, GAME[-SHEET].brf)",
    )
    command.add_argument("--replace", action="store_true", help="replace the file if it exists")
