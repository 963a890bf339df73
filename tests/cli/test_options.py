"""What each command has for an option that nobody gives, as somebody has read it: options.txt, a line each."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from tests.kit.seen import check_seen
from umpi.cli import build_parser
from umpi.cli.parser import Parser

SEEN = Path(__file__).with_name("options.txt")


def lines(name: str, command: Parser) -> Iterator[str]:
    """Yield where a command is listed, how it may end, what it has without any option, and each of its options."""
    preset = {key: value for key, value in sorted(command._defaults.items()) if key != "command"}
    runs = command.get_default("command").__name__
    yield f"{name}: {runs}, under {command.group}, exit {', '.join(map(str, command.statuses))}, {preset}"
    for action in command.arguments:
        yield line(name, action)


def line(command: str, action: argparse.Action) -> str:
    """Return what an option takes, and what it is without being given."""
    takes = 1 if action.nargs is None else action.nargs
    kind = getattr(action.type, "__name__", None) or type(action).__name__.strip("_").removesuffix("Action")
    choices = " of " + " ".join(map(str, action.choices)) if action.choices else ""
    default = "must be given" if action.required and action.option_strings else f"else {action.default!r}"
    return f"{command} {'/'.join(action.option_strings) or action.dest}: {kind} x{takes}{choices}, {default}"


def test_each_option_takes_and_defaults_to_what_somebody_has_read() -> None:
    """After a change on purpose: set UMPI_APPROVE=1, run this, and read what has changed."""
    commands = build_parser().commands
    now = [line for name in sorted(commands) for line in lines(name, commands[name])]
    check_seen(SEEN, now)
