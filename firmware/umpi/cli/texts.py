"""Write the texts of a game into a file for translators: `umpi texts`."""

from __future__ import annotations

import argparse
from pathlib import Path

from umpi.cli.arguments import add_game
from umpi.cli.parser import WRITE, AddParser
from umpi.cli.terminal import Problem
from umpi.i18n.packages import file_of
from umpi.i18n.translate import ENGLISH, LANGUAGES
from umpi.kernel.match import Broken, Refused
from umpi.kernel.output import put
from umpi.kernel.registry import find, package_folders

OTHERS = [code for code in LANGUAGES if code != ENGLISH]


def run_texts(options: argparse.Namespace) -> int:
    """`umpi texts GAME [LANGUAGE]`: count the texts of a game in each language, or write a file for one."""
    from umpi.conformance.catalogue import Catalogue
    from umpi.conformance.said import said

    try:
        game = find(options.game)
    except Refused as refusal:
        raise Problem(str(refusal)) from None
    folder = _folder(options.game)
    try:
        texts = said(game)
    except Broken as fault:
        raise Problem(str(fault), 1) from None
    for code in [options.language] if options.language else OTHERS:
        catalogue = Catalogue(game.title, folder, code, texts)
        if options.language and not catalogue.faults:
            try:
                catalogue.write()
            except OSError as fault:
                raise Problem(f"{fault.filename}: {fault.strerror}") from None
        put(f"{file_of(folder, code)}: {catalogue.figures}")
        for why in catalogue.faults:
            put(f"  {why}")
        if catalogue.faults and options.language:
            raise Problem("The file was left as it is. Correct it first, because a new one would lose these texts.", 1)
    return 0


def _folder(id: str) -> Path:
    """Return the folder of a game's package. Raises Problem if the game has none."""
    folder = package_folders().get(id)
    if folder is None:
        raise Problem(
            f"{id} has no folder for texts. A game that comes with Umpi has its texts in umpi/i18n. A game in a single "
            f"file needs a folder first: move NAME.py to NAME/rules.py, beside an empty NAME/__init__.py."
        )
    return folder


def add_commands(add: AddParser) -> None:
    """Add the command of this file."""
    command = add(
        "texts", run_texts, group=WRITE,
        purpose="Write the texts of your game into a file for translators.",
        description="Play random matches of a game of your own and collect the texts that its players see. With a "
        "language, write them to texts/LANGUAGE.toml in the folder of the package. Translations stay, new texts are "
        "empty. What is no longer used is at the end. The box reads the file at its next start. Without a language, "
        "count the translated texts.",
        examples=("umpi texts snake-eyes fr", "umpi texts snake-eyes"),
        statuses={
            0: "The texts were counted or written.", 1: "A text in the file has a fault.",
            2: "The game cannot be found, or has no folder.",
        },
    )  # fmt: skip
    add_game(command)
    command.add_argument("language", metavar="LANGUAGE", nargs="?", choices=OTHERS, help=f"one of: {', '.join(OTHERS)}")
