"""A Dohdles board, measured with the form of hardware/print and typed, as a profile: `umpi profile`."""

from __future__ import annotations

import argparse

from umpi.cli.terminal import AddParser, Problem, opened, put_json, why_not
from umpi.games.dohdles.form import BadForm, read_form


def run_profile(options: argparse.Namespace) -> int:
    """`umpi profile FORM`: print the profile that --option board=@FILE reads."""
    file = options.form
    try:
        with opened(file) as lines:
            text = lines.read().decode("utf-8-sig")
    except OSError as fault:
        raise Problem(why_not(fault, file)) from None
    except UnicodeDecodeError as fault:
        raise Problem(f"{file}: not a text in UTF-8: {fault}") from None
    try:
        put_json(read_form(text))
    except BadForm as fault:
        raise Problem(f"{file}, {fault}") from None
    return 0


def add_commands(add: AddParser) -> None:
    """Add the commands of this file."""
    command = add(
        "profile", help="turn the form of a measured Dohdles board into a profile",
        description="Turn the form of a measured Dohdles board into the profile that --option board=@FILE reads.",
    )  # fmt: skip
    command.add_argument("form", metavar="FORM", help="the form as it was typed; - is standard input")
    command.set_defaults(command=run_profile)
