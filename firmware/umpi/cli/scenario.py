"""Write a scenario for the virtual box from a record: `umpi scenario`."""

from __future__ import annotations

import argparse
from pathlib import Path

from umpi.cli.parser import WRITE, AddParser
from umpi.cli.records import RECORD
from umpi.cli.terminal import Problem, opened, using
from umpi.kernel.output import put
from umpi.kernel.record import replay
from umpi.kernel.registry import find


def run_scenario(options: argparse.Namespace) -> int:
    """`umpi scenario FILE`: print the scenario that plays a record on the virtual box."""
    from umpi.box.config import Config
    from umpi.conformance.command import Progress
    from umpi.simulator.virtual import with_lanes
    from umpi.simulator.writing import CannotWrite, write_scenario

    with using(), opened(options.file) as lines:
        *_, last = replay(lines, find)
    if last.error or last.record is None:
        raise Problem(f"{options.file}, line {last.line}: {last.error}", last.status)
    name = "a record" if options.file == "-" else Path(options.file).name
    try:
        put(write_scenario(last.record.match, name, with_lanes(Config(), 1), Progress()).rstrip("\n"))
    except CannotWrite as fault:
        raise Problem(str(fault), 1) from None
    return 0


def add_commands(add: AddParser) -> None:
    """Add the command of this file."""
    command = add(
        "scenario", run_scenario, group=WRITE,
        purpose="Write a record as presses for the virtual box.",
        description="Play a record on a virtual box, and print the presses as a scenario for umpi sim --script. It has "
        "what players press, how long they wait, what the box draws, the lamps, and who wins. So it is a "
        "test of a game from power-on to its end. The players have the colours of their buttons as names. A time that "
        "the box measures is that of the virtual box, and may differ from the record by its error.",
        examples=(
            "umpi play-out dodeka --seed 7 > game.jsonl", "umpi scenario game.jsonl > game.txt",
            "umpi sim --script game.txt",
        ),
        statuses={
            0: "The scenario was written.",
            1: "The record breaks the rules, or buttons cannot enter some act.",
            2: "The file cannot be read.",
        },
    )  # fmt: skip
    command.add_argument("file", metavar="FILE", help=RECORD)
