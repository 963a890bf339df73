"""The command line: every command of `umpi`, from `run` and `sim` to `check` and `cards`.

Each kind of command has a file with its functions and `add_commands`, which adds them to the parser.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

from umpi import __version__
from umpi.cli.parser import Parser, Run, VerbatimFormatter, list_commands
from umpi.cli.terminal import Problem, installed_games
from umpi.kernel.output import Unwritten, discard_output, writing
from umpi.service.logs import LEVELS, logging_to

__all__ = ["Problem", "build_parser", "main"]

MODULES = {  # the modules of this package with commands, and their commands, in the order of the help
    "box": ("sim", "run"),
    "learn": ("learn",),
    "games": ("games", "new-game", "check", "schema"),
    "perft": ("perft",),
    "texts": ("texts",),
    "rules": ("rules",),
    "printing": ("print",),
    "lab": ("lab",),
    "shelf": ("shelf", "install", "publish"),
    "cards": ("cards",),
    "profile": ("profile",),
    "history": ("history",),
    "verify": ("verify",),
    "stats": ("stats",),
    "records": ("replay", "odds", "judge", "play-out"),
    "scenario": ("scenario",),
    "review": ("review",),
    "puzzle": ("puzzle",),
    "session": ("replay-session", "report"),
    "doctor": ("doctor",),
    "network": ("network",),
    "update": ("update",),
    "mqtt": ("mqtt",),
    "club": ("club",),
    "https": ("https",),
}

INTRO = """Umpi is a referee for board games: it knows the rules, keeps the score and saves
every match. It runs on a Raspberry Pi with buttons and a display, and as a
virtual box in the browser of any computer.

"umpi COMMAND --help" shows the options of a command."""
UNWRITTEN = 74  # the exit status if standard output cannot be written: EX_IOERR of sysexits.h
EXAMPLES = (
    "umpi sim --open             # play on a virtual box in your browser",
    "umpi stats                  # show who has won how often",
    "umpi new-game snake-eyes    # start to write a game of your own",
)
STATUSES = {
    0: "The command succeeded.",
    1: "The command ran and found a fault, for example a move against the rules.",
    2: "The command cannot start: wrong usage, or a file that cannot be read.",
    UNWRITTEN: "The output cannot be written, for example because the disk is full.",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns its exit status. Without words print the help."""
    words = (sys.argv[1:] if arguments is None else list(arguments)) or ["--help"]
    parser = build_parser(_needed(words))
    try:
        if words[0] not in ("-h", "--help", "--version"):
            parser.check_command(words[0])
        options = parser.parse_args(words)
        with logging_to(sys.stderr, options.log_level):
            with installed_games(options):
                status: int = options.command(options)
            if sys.stdout is not None:
                with writing():
                    sys.stdout.flush()
            return status
    except Problem as problem:
        print(f"umpi: {problem}", file=sys.stderr)
        return problem.status
    except Unwritten as why:
        print(f"umpi: {why}", file=sys.stderr)
        return UNWRITTEN
    except BrokenPipeError:
        discard_output()
        return 0
    except KeyboardInterrupt:
        return 130


def _needed(words: Sequence[str]) -> Iterable[str]:
    """Return only the module of the command, as imports are slow on a Pi; without a command, all modules."""
    return [module for module, commands in MODULES.items() if words and words[0] in commands] or MODULES


def build_parser(modules: Iterable[str] = MODULES) -> Parser:
    """Build the parser of `umpi` with the commands of these modules."""
    parser = Parser(
        prog="umpi", usage="umpi COMMAND [OPTION ...]", examples=EXAMPLES, statuses=STATUSES,
        formatter_class=VerbatimFormatter,
    )  # fmt: skip
    parser.add_argument("--version", action="version", version=f"umpi {__version__}", help="print the version of Umpi")
    commands = parser.add_subparsers(metavar="COMMAND", help=argparse.SUPPRESS, prog="umpi")

    def add(name: str, run: Run, **settings: Any) -> argparse.ArgumentParser:
        parser.commands[name] = command = commands.add_parser(name, **settings)
        command.set_defaults(command=run)
        return command

    for module in modules:
        import_module(f"umpi.cli.{module}").add_commands(add)
    for command in parser.commands.values():
        level = command.get_default("log_level") or "warning"
        help = f"write log messages of this level and above: {', '.join(LEVELS)} (default: {level})"
        command.add_argument("--log-level", choices=LEVELS, default=level, metavar="LEVEL", help=help)
    parser.description = f"{INTRO}\n\n{list_commands(parser.commands)}"
    return parser
