"""The command line: `umpi COMMAND`, from `run` and `sim` to `check` and `cards`; `umpi --help` lists them.

A file for each kind of command: its functions, and `add_commands`, which adds them to the parser.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Any

from umpi import __version__
from umpi.cli import box, cards, doctor, games, history, network, profile, records, stats
from umpi.cli.terminal import Parser, Problem
from umpi.service.logs import LEVELS, logging_to

__all__ = ["Problem", "main"]

EXAMPLES = """examples:
  umpi sim                                    play on the virtual box, in the browser
  umpi sim --script tests/scenarios/dodeka.txt    play a written scenario, without one
  umpi run --config umpi.toml                 be the box, on a Raspberry Pi
  umpi play-out dodeka --seed 7 --players 3 | umpi replay --trace -
  umpi network --offer --wait 30              where there is no Wi-Fi, let the box offer its own
  umpi doctor                                 what of the box is well, what is not, and what to do
  umpi history                                the games played on this box
  umpi stats                                  who has played and won how much
  umpi new-game snake-eyes                    begin a game of your own
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns its exit status."""
    options = _parser().parse_args(arguments)
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


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="umpi", description="Umpi, the referee box for the table.", epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--version", action="version", version=f"umpi {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(name: str, **settings: Any) -> argparse.ArgumentParser:
        command: argparse.ArgumentParser = commands.add_parser(name, **settings)
        help = "write messages from this level on, on a service to the systemd journal (default: %(default)s)"
        command.add_argument("--log-level", choices=LEVELS, default="warning", help=help)
        return command

    for kind in (records, games, cards, profile, box, network, doctor, history, stats):
        kind.add_commands(add)
    return parser
