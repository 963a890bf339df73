"""The command line: `umpi COMMAND`, from `run` and `sim` to `check` and `cards`; `umpi --help` lists them.

Each kind of command has a file with its functions and `add_commands`, which adds them to the parser.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Any

from umpi import __version__
from umpi.cli import (
    box,
    cards,
    doctor,
    games,
    history,
    lab,
    learn,
    network,
    perft,
    printing,
    profile,
    records,
    rules,
    session,
    stats,
)
from umpi.cli.parser import Parser, VerbatimFormatter, list_commands
from umpi.cli.terminal import Problem
from umpi.service.logs import LEVELS, logging_to

__all__ = ["Problem", "build_parser", "main"]

INTRO = """Umpi is a referee for board games: it knows the rules, keeps the score and saves
every match. It runs on a Raspberry Pi with buttons and a display, and as a
virtual box in the browser of any computer.

"umpi COMMAND --help" shows the options of a command."""
EXAMPLES = (
    "umpi sim --open             # play on a virtual box in your browser",
    "umpi stats                  # show who has won how often",
    "umpi new-game snake-eyes    # start to write a game of your own",
)
STATUSES = {
    0: "The command succeeded.",
    1: "The command ran and found a fault, for example a move against the rules.",
    2: "The command cannot start: wrong usage, or a file that cannot be read.",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns its exit status."""
    options = build_parser().parse_args(arguments)
    try:
        with logging_to(sys.stderr, options.log_level):
            status: int = options.command(options)
            sys.stdout.flush()
            return status
    except Problem as problem:
        print(f"umpi: {problem}", file=sys.stderr)
        return problem.status
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


def build_parser() -> Parser:
    """Build the parser of `umpi` with all its commands."""
    parser = Parser(
        prog="umpi", usage="umpi COMMAND [OPTION ...]", examples=EXAMPLES, statuses=STATUSES,
        formatter_class=VerbatimFormatter,
    )  # fmt: skip
    parser.add_argument("--version", action="version", version=f"umpi {__version__}", help="print the version of Umpi")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", help=argparse.SUPPRESS, prog="umpi")

    def add(name: str, **settings: Any) -> argparse.ArgumentParser:
        parser.commands[name] = commands.add_parser(name, **settings)
        return parser.commands[name]

    for kind in (
        box,
        learn,
        games,
        perft,
        rules,
        printing,
        lab,
        cards,
        profile,
        history,
        stats,
        records,
        session,
        doctor,
        network,
    ):
        kind.add_commands(add)
    for command in parser.commands.values():
        level = command.get_default("log_level") or "warning"
        help = f"write log messages of this level and above: {', '.join(LEVELS)} (default: {level})"
        command.add_argument("--log-level", choices=LEVELS, default=level, metavar="LEVEL", help=help)
    parser.description = f"{INTRO}\n\n{list_commands(parser.commands)}"
    return parser
