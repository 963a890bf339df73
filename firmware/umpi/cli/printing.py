"""Print sheets of a game as PDF: decks, boards and score sheets: `umpi print`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from umpi.cli.arguments import add_game, add_language, add_paper
from umpi.cli.parser import PLAY, AddParser
from umpi.cli.terminal import Problem, counted, put, why_not
from umpi.i18n.translate import set_language, tr
from umpi.kernel.game import Game, full_title
from umpi.kernel.match import Refused
from umpi.kernel.printable import Sheet
from umpi.kernel.registry import find, games
from umpi.printing.found import own_sheets, sheets_of


def run_print(options: argparse.Namespace) -> int:
    """`umpi print GAME`: write the sheets of a game as PDF; --list lists the sheets instead."""
    set_language(options.language)
    if options.list:
        _list([_game(options.game)] if options.game else games(), options.language)
        return 0
    if not options.game:
        raise Problem("Name a game, or list the sheets of all games: umpi print --list")
    game = _game(options.game)
    from umpi.printing.fonts import MissingFont  # reportlab takes long to import on a Pi
    from umpi.printing.sheets import write_sheets

    chosen = _chosen(options.sheet, sheets_of(game, options.language), game)
    if not own_sheets(game, options.language):
        put(f"{full_title(game)} has no sheets of its own, so this is a score sheet for any game.")
    file = options.output or f"{'-'.join([game.id, *options.sheet])}.pdf"
    try:
        pages = write_sheets(file, game, chosen, options.paper, options.replace)
    except FileExistsError:
        raise Problem(
            f"{file} exists already. Replace it with --replace, or name another file with --output."
        ) from None
    except MissingFont as fault:
        raise Problem(str(fault)) from None
    except OSError as fault:
        raise Problem(why_not(fault, file)) from None
    except ValueError as fault:
        raise Problem(f"The sheets of {full_title(game)} contain a fault: {fault}", 1) from None
    names = ", ".join(f"{sheet.name} {count}" for sheet, count in zip(chosen, pages, strict=True))
    put(f"{file}: {counted(sum(pages), 'page')} ({names}).")
    put("Print at 100 %, not fitted to the page. Then the ruler on each page is 100 mm long.")
    return 0


def _game(id: str) -> type[Game]:
    try:
        return find(id)
    except Refused as refusal:
        raise Problem(str(refusal)) from None


def _list(listed: Sequence[type[Game]], language: str) -> None:
    rows = [(game.id, sheet.name, tr(sheet.title)) for game in listed for sheet in sheets_of(game, language)]
    first, second = (max(len(row[column]) for row in rows) for column in (0, 1))
    for id, name, title in rows:
        put(f"{id:{first}}  {name:{second}}  {title}")


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
        purpose="Print decks, boards and score sheets of a game.",
        description="Write sheets of a game as PDF: decks for play-testing, boards, solution sheets, score sheets. "
        "Without SHEET write all sheets of the game into one file. A board that is larger than the paper is divided "
        "into tiles with marks to join. Print the file at 100 %, and check the ruler on each page.",
        examples=(
            "umpi print --list",
            "umpi print dodekka",
            "umpi print dodekka deck --paper letter --language de --output deck.pdf",
        ),
        statuses={
            0: "The file was written.", 1: "The sheets of the game contain a fault.",
            2: "There is no such game or sheet, or the file exists or cannot be written.",
        },
    )  # fmt: skip
    add_game(command, optional=True)
    command.add_argument("sheet", nargs="*", metavar="SHEET", help="name of a sheet, as --list lists it (default: all)")
    command.add_argument("--list", action="store_true", help="list the sheets of the game, or of all games")
    add_paper(command)
    add_language(command, "sheets")
    command.add_argument("--output", metavar="FILE.pdf", help="name of the file (default: GAME.pdf or GAME-SHEET.pdf)")
    command.add_argument("--replace", action="store_true", help="replace the file if it exists")
