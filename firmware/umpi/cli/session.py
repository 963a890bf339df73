"""Commands on recorded sessions: `umpi replay-session | report`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import IO

from PIL import Image

from umpi.cli.parser import BUILD, AddParser
from umpi.cli.terminal import Problem, config_of, counted, of_a_box, opened, put, why_not
from umpi.kernel.registry import find, games
from umpi.recording.ask import ask_box
from umpi.recording.names import CannotRename, without_names
from umpi.recording.replay import Replay, Step, described, event_text
from umpi.recording.report import reports, reports_folder, write_file
from umpi.recording.session_file import SessionFault
from umpi.referee.effects import Show

HALVES = " ▀▄█"  # the dots above and below: none, above, below, both


def run_replay_session(options: argparse.Namespace) -> int:
    """`umpi replay-session FILE`: replay a recorded session."""
    try:
        with opened(options.file) as lines:
            return _replay(lines, options)
    except OSError as fault:
        raise Problem(why_not(fault, options.file)) from None


def run_report(options: argparse.Namespace) -> int:
    """`umpi report`: get the report of the box, or its newest one if it is off."""
    config = config_of(options)
    journal = options.journal or config.journal
    try:
        found = ask_box(journal) or next(iter(reports(reports_folder(journal))[::-1]), None)
        if found is None:
            raise Problem(f"There is no report in {reports_folder(journal)}, and no box that runs on {journal}.", 1)
        lines = found.read_bytes().splitlines(keepends=True)
        write_file(options.output, without_names(lines, games(), find) if options.replace_names else lines)
    except (SessionFault, CannotRename) as fault:
        raise Problem(f"The names in {found} cannot be replaced: {fault}", 1) from None
    except OSError as fault:
        raise Problem(why_not(fault)) from None
    print(f"{options.output}: a copy of {found}{' with other names' if options.replace_names else ''}")
    return 0


def _replay(lines: IO[bytes], options: argparse.Namespace) -> int:
    number = pictures = 0
    try:
        session = Replay(lines, games(), find)
        began_ns: int | None = None
        for step in session:
            number, at_ns = step.number, getattr(step.event, "at_ns", None)
            began_ns = at_ns if began_ns is None else began_ns
            if options.until is not None and number > options.until:
                return 0
            for effect in step.effects:
                pictures += isinstance(effect, Show)
                if isinstance(effect, Show) and effect.picture and pictures == options.picture:
                    put(blocks(effect.picture))
                    return 0
            if options.picture is None and number >= (options.start or 1):
                shown = _put(step, None if at_ns is None or began_ns is None else at_ns - began_ns)
                if options.walk and shown and not _walk(step):
                    return 0
    except SessionFault as fault:
        done = f"{counted(number, 'event')} replayed" if number else "nothing can be replayed"
        raise Problem(f"{options.file}, line {fault.line}: {fault}; {done}.", 1 if number else 2) from None
    if options.picture is not None:
        raise Problem(f"{options.file}: there is no picture {options.picture}; there are {pictures}.")
    return 0


def _put(step: Step, at_ns: int | None) -> bool:
    """Print an event and its effects, if there is anything to read; return whether there was."""
    text, effects = event_text(step.event), described(step.effects)
    if not text and not effects:
        return False
    at = "" if at_ns is None else f"{at_ns / 1e9:.3f}"
    put(f"{step.number:6} {at:>10}  {text}".rstrip())
    for effect in effects:
        put(f"{'':19}> {effect}")
    return True


def _walk(step: Step) -> bool:
    """Draw the picture of a step and wait for Enter; return False after "q" or the end of the input."""
    for effect in step.effects:
        if isinstance(effect, Show) and effect.picture:
            put(blocks(effect.picture))
    print("Enter: next event, q: quit ", end="", flush=True)
    line = sys.stdin.readline()
    return bool(line) and line.strip() != "q"


def blocks(picture: Image.Image) -> str:
    """Draw a picture with blocks, two dots per letter."""
    dots = picture.convert("1")
    rows = []
    for y in range(0, dots.height, 2):
        row = [HALVES[bool(dots.getpixel((x, y))) + 2 * bool(dots.getpixel((x, y + 1)))] for x in range(dots.width)]
        rows.append("".join(row).rstrip())
    return "\n".join(rows)


def add_commands(add: AddParser) -> None:
    """Add the commands of this file."""
    command = add(
        "replay-session", group=BUILD,
        purpose="Replay a recorded session.",
        description="Replay what a box recorded. The command prints each event, and below it what the box did. That is "
        "the hash of the picture, the lines of the journal, lamps, sounds and replies. If this Umpi does something "
        "else than the box did, the command stops there and prints what it does.",
        examples=(
            "umpi replay-session session.jsonl",
            "umpi replay-session session.jsonl --from 40 --until 60",
            "umpi replay-session session.jsonl --picture 12",
        ),
        statuses={
            0: "The session was replayed, or the picture was drawn.",
            1: "The file was cut or changed, or this Umpi does something else.",
            2: "The file cannot be read, or it is no session.",
        },
    )  # fmt: skip
    command.add_argument("file", metavar="FILE", help='a session (JSON Lines), "-" for standard input')
    command.add_argument("--from", type=int, metavar="N", dest="start", help="print from event N on")
    command.add_argument("--until", type=int, metavar="N", help="stop after event N")
    command.add_argument("--picture", type=int, metavar="N", help="draw the picture of this number, from 1, and stop")
    command.add_argument("--walk", action="store_true", help="show one event after the other, with its picture")
    command.set_defaults(command=run_replay_session)

    command = add(
        "report", parents=[of_a_box()], group=BUILD,
        purpose="Save what happened at the box to a file.",
        description="Save what happened at the box since it was switched on: every press, cube, scan and request. "
        "The settings, the log messages and the match in play are added. If the box is off, the command saves its "
        "newest report. "
        "A box also writes a report when a part of it fails, and when a player asks for it in the menu. The file "
        "contains the names of the players, and no passphrase. umpi replay-session replays it.",
        examples=("umpi report", "umpi report --replace-names --output evening.jsonl"),
        statuses={
            0: "The report was saved.",
            1: "There is no report, or the names in it cannot be replaced.",
            2: "A file cannot be read or written.",
        },
    )  # fmt: skip
    command.add_argument(
        "--output", type=Path, default=Path("umpi-report.jsonl"), metavar="FILE",
        help="file to write (default: %(default)s)",
    )  # fmt: skip
    command.add_argument("--replace-names", action="store_true", help='write "Player 1", "Player 2" and so on as names')
    command.set_defaults(command=run_report)
