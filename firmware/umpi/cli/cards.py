"""Print codes and stickers of a game's cards: `umpi cards`."""

from __future__ import annotations

import argparse

from umpi.cards.decode import codes_of
from umpi.cli.arguments import add_game, add_paper
from umpi.cli.parser import PLAY, AddParser
from umpi.cli.terminal import Problem, counted, drawing
from umpi.kernel.game import full_title
from umpi.kernel.match import Refused
from umpi.kernel.output import put
from umpi.kernel.registry import find

LEAST, MOST = 10, 50  # mm
SIZE = 16  # a sleeve's corner has room for it, and a dot of a code of 29 × 29 is 0.43 mm


def run_cards(options: argparse.Namespace) -> int:
    """`umpi cards GAME`: print the code of each card; --sheet writes stickers with these codes."""
    try:
        game = find(options.game)
    except Refused as refusal:
        raise Problem(str(refusal)) from None
    codes = codes_of(game)
    if not codes:
        raise Problem(f"{full_title(game)} has no cards.")
    if options.sheet is None:
        if options.size is not None:
            raise Problem("--size needs --sheet: it is the size of a code on the stickers.")
        for code, _ in codes:
            put(code)
        return 0
    size = SIZE if options.size is None else options.size
    if not LEAST <= size <= MOST:
        raise Problem(f"--size {size}: {LEAST} to {MOST} mm can be printed and scanned.")
    from umpi.printing.labels import write_sheet  # reportlab takes long to import on a Pi

    with drawing(options.sheet):
        pages = write_sheet(options.sheet, full_title(game), codes, options.paper, size, options.replace)
    put(f"{options.sheet}: {counted(len(codes), 'sticker')} on {counted(pages, 'page')}. Print at 100 %.")
    return 0


def add_commands(add: AddParser) -> None:
    """Add the commands of this file."""
    command = add(
        "cards", run_cards, group=PLAY,
        purpose="Print stickers that let the box scan a game's cards.",
        description="Print the code of each card of a game, one per line. With --sheet write a PDF of stickers with "
        "these codes instead, for the card scanner to read.",
        examples=("umpi cards dodekka", "umpi cards dodekka --sheet stickers.pdf --paper a4"),
    )  # fmt: skip
    add_game(command)
    command.add_argument("--sheet", metavar="FILE.pdf", help="write a PDF of stickers for card sleeves to this file")
    add_paper(command)
    command.add_argument(
        "--size", type=int, metavar="MM",
        help=f"with --sheet: side of a printed code in millimetres, {LEAST} to {MOST} (default: {SIZE})",
    )  # fmt: skip
    command.add_argument("--replace", action="store_true", help="with --sheet: replace the file if it exists")
