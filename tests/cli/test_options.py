"""What each command has for an option that nobody gives, as somebody has read it: options.txt, a line each."""

from __future__ import annotations

import argparse
from pathlib import Path

from umpi.cli import build_parser

SEEN = Path(__file__).with_name("options.txt")


def line(command: str, action: argparse.Action) -> str:
    """Return what an option takes, and what it is without being given."""
    takes = {None: 1}.get(action.nargs, action.nargs)
    kind = getattr(action.type, "__name__", None) or type(action).__name__.strip("_").removesuffix("Action")
    choices = " of " + " ".join(map(str, action.choices)) if action.choices else ""
    default = "must be given" if action.required and action.option_strings else f"else {action.default!r}"
    return f"{command} {'/'.join(action.option_strings) or action.dest}: {kind} x{takes}{choices}, {default}"


def test_each_option_takes_and_defaults_to_what_somebody_has_read() -> None:
    """After a change on purpose: read the new lines, and copy them into options.txt."""
    commands = build_parser().commands
    now = [line(name, action) for name in sorted(commands) for action in commands[name].arguments]
    assert now == SEEN.read_text(encoding="utf-8").splitlines()
