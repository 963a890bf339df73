"""Convert the typed measurements of a Dohdles board to a profile: `umpi profile`."""

from __future__ import annotations

import argparse

from umpi.cli.parser import PLAY, AddParser
from umpi.cli.terminal import Problem, opened, put_json, why_not
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
        raise Problem(f"{file}: Expected text in UTF-8: {fault}") from None
    try:
        put_json(read_form(text))
    except BadForm as fault:
        raise Problem(f"{file}, {fault}") from None
    return 0


def add_commands(add: AddParser) -> None:
    """Add the commands of this file."""
    command = add(
        "profile", run_profile, group=PLAY,
        purpose="Teach the box the scoring track of your Dohdles board.",
        description="Read the measurements of a Dohdles board from a text file and print them as JSON. The box reads "
        "the JSON with --option board=@FILE. The printed form in hardware/print shows what to measure.",
        examples=("umpi profile ours.txt > ours.json", "umpi run --option board=@ours.json"),
    )  # fmt: skip
    command.add_argument("form", metavar="FORM", help='text file with the measurements, "-" for standard input')
