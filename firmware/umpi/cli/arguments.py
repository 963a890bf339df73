"""The arguments that several commands have, each declared once."""

from __future__ import annotations

import argparse
from pathlib import Path

from umpi.cli.terminal import INSTALLED
from umpi.i18n.translate import LANGUAGES


def port(text: str) -> int:
    """Read the number of a port to serve at.

    >>> port("0"), port("65535")
    (0, 65535)
    """
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"expected a whole number from 0 to 65535, got {text}; 0 takes a free port")
    return int(text)


def add_box(command: argparse.ArgumentParser, virtual: bool = False) -> None:
    """Add --config and --journal, for a command that works on a box.

    Without --config the command works on the box installed on this computer, if there is one. The `virtual` box
    never reads the settings of the installed one.
    """
    built_in = "the wiring in hardware/README.md"
    usual = built_in if virtual else f"{INSTALLED} if that file exists, else {built_in}"
    help = f"file with the wiring and settings of the box (default: {usual})"
    command.add_argument("--config", type=Path, metavar="UMPI.TOML", help=help)
    command.set_defaults(virtual=virtual)
    help = "database of the saved matches (default: the file named in UMPI.TOML, else ~/.local/share/umpi/games.db)"
    command.add_argument("--journal", type=Path, metavar="FILE", help=help)


def add_game(command: argparse.ArgumentParser, optional: bool = False) -> None:
    """Add GAME."""
    help = 'name of the game, as "umpi games" lists it'
    command.add_argument("game", nargs="?" if optional else None, metavar="GAME", help=help)


def add_players(command: argparse.ArgumentParser) -> None:
    """Add --players, which `random_players` reads."""
    help = "number of players (default: as few as the game allows)"
    command.add_argument("--players", type=int, metavar="N", help=help)


def add_option(command: argparse.ArgumentParser, what: str) -> None:
    """Add --option KEY=VALUE, which can be given several times."""
    help = (
        f"{what}. VALUE is JSON, or plain text if it is not valid JSON. @FILE reads the JSON from a file. "
        "Give --option once per option of the game"
    )
    command.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help=help)


def add_language(command: argparse.ArgumentParser, what: str) -> None:
    """Add --language, of `what` is written."""
    help = f"language of the {what}: {', '.join(LANGUAGES)} (default: %(default)s)"
    command.add_argument("--language", choices=tuple(LANGUAGES), default="en", metavar="LANGUAGE", help=help)


def add_paper(command: argparse.ArgumentParser) -> None:
    """Add --paper, for a command that writes PDF."""
    help = "paper size of the PDF (default: %(default)s)"
    command.add_argument("--paper", choices=("a4", "letter"), default="a4", help=help)
