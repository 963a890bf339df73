"""Convert the typed measurements of a Dohdles board to a profile, and draw that board: `umpi profile`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from umpi.cli.arguments import add_language, add_paper
from umpi.cli.parser import PLAY, AddParser
from umpi.cli.terminal import Problem, drawing, opened, put_json, using
from umpi.games.dohdles.board import code_of
from umpi.games.dohdles.form import BadForm, read_form
from umpi.games.dohdles.printables import board_sheet
from umpi.i18n.translate import set_language
from umpi.kernel.fields import Value
from umpi.kernel.output import put
from umpi.kernel.registry import find


def run_profile(options: argparse.Namespace) -> int:
    """`umpi profile FORM`: print the profile that --option board=@FILE reads; --board draws its board."""
    file = options.form
    try:
        with using(file), opened(file) as lines:
            text = lines.read().decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise Problem(f"{file}: Expected text in UTF-8: {fault}") from None
    try:
        profile = read_form(text)
    except BadForm as fault:
        raise Problem(f"{file}, {fault}") from None
    if options.board:
        _draw(profile, options)
    else:
        put_json(profile)
    return 0


def _draw(profile: Mapping[str, Value], options: argparse.Namespace) -> None:
    """Write the board of a profile as PDF, and say its code; raises Problem."""
    from umpi.printing.sheets import write_sheets  # reportlab takes long to import on a Pi

    set_language(options.language)
    try:
        sheets = [board_sheet(profile)]
        with drawing(options.board):
            [pages] = write_sheets(options.board, find("dohdles"), sheets, options.paper, options.replace)
    except ValueError as fault:
        raise Problem(f"{options.form}: {fault}") from None
    put(f"{options.board}: {pages} pages. The code of this board is {code_of(profile)}.")
    put("Print at 100 %, not fitted to the page. Then the ruler on each page is 100 mm long.")


def add_commands(add: AddParser) -> None:
    """Add the commands of this file."""
    command = add(
        "profile", run_profile, group=PLAY,
        purpose="Teach the box your Dohdles board, or print a board of yours.",
        description="Read the measurements of a Dohdles board from a text file and print them as JSON. The box reads "
        "the JSON with --option board=@FILE. The printed form in hardware/print shows what to measure. With --board "
        "draw the board of these measurements, with its code: the box offers the same code in its options.",
        examples=(
            "umpi profile ours.txt > ours.json",
            "umpi run --option board=@ours.json",
            "umpi profile ours.txt --board ours.pdf --paper letter",
        ),
    )  # fmt: skip
    command.add_argument("form", metavar="FORM", help='text file with the measurements, "-" for standard input')
    command.add_argument("--board", metavar="FILE.pdf", help="draw the board as PDF in place of the JSON")
    add_paper(command)
    add_language(command, "board")
    command.add_argument("--replace", action="store_true", help="replace the PDF if it exists")
