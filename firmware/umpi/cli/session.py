"""Commands on recorded sessions: `umpi replay-session | report`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from shutil import get_terminal_size
from typing import IO

from umpi.cli.arguments import add_box
from umpi.cli.parser import BUILD, AddParser
from umpi.cli.session_view import Entry, blocks, cut, entries, walk
from umpi.cli.terminal import Problem, config_of, counted, for_people, opened, using, why_not
from umpi.kernel.output import put
from umpi.kernel.registry import find, games
from umpi.recording.ask import Unanswered, ask_box
from umpi.recording.names import CannotRename, without_names
from umpi.recording.replay import Replay, Step
from umpi.recording.report import reports, reports_folder, write_file
from umpi.recording.session_file import SessionFault


def run_replay_session(options: argparse.Namespace) -> int:
    """`umpi replay-session FILE`: replay a recorded session."""
    with using(options.file), opened(options.file) as lines:
        return _replay(lines, options)


def run_report(options: argparse.Namespace) -> int:
    """`umpi report`: get the report of the box, or its newest one if it is off."""
    config = config_of(options)
    journal = options.journal or config.journal
    try:
        found = ask_box(journal) or next(reversed(reports(reports_folder(journal))), None)
        if found is None:
            raise Problem(f"There is no report in {reports_folder(journal)}, and no box that runs on {journal}.", 1)
        lines = found.read_bytes().splitlines(keepends=True)
        write_file(options.output, without_names(lines, games(), find) if options.replace_names else lines)
    except Unanswered as fault:
        newest = next(reversed(reports(reports_folder(journal))), None)
        raise Problem(f"{fault}. {f'The newest one is {newest}.' if newest else ''}".rstrip(), 1) from None
    except (SessionFault, CannotRename) as fault:
        raise Problem(f"The names in {found} cannot be replaced: {fault}", 1) from None
    except OSError as fault:
        raise Problem(why_not(fault)) from None
    put(f"{options.output}: a copy of {found}{' with other names' if options.replace_names else ''}")
    return 0


def _replay(lines: IO[bytes], options: argparse.Namespace) -> int:
    """Replay a session, as far as that is possible; returns the exit status."""
    count = _Count()
    try:
        session = Replay(lines, games(), find)
        found = entries(count.over(session, options.until))
        if options.picture is not None:
            return _draw(found, options)
        chosen = (entry for entry in found if entry.number >= (options.start or 1))
        if for_people() and not options.full:
            chosen = (replace(entry, text=cut(entry.text, get_terminal_size().columns)) for entry in chosen)
        slot = session.header.get("card")
        card = f", {slot}" if isinstance(slot, str) else ""
        put(f"umpi {session.header['umpi']}, Python {session.header['python']}{card}: {session.header['why']}")
        if options.walk:
            walk(chosen, sys.stdin.readline, put)
        else:
            for entry in chosen:
                put(entry.text)
    except SessionFault as fault:
        done = f"{counted(count.events, 'event')} replayed" if count.events else "nothing can be replayed"
        why = f"{options.file}, line {fault.line}: {fault}; {done}."
        raise Problem(why, 1 if count.events else 2) from None
    return 0


def _draw(found: Iterable[Entry], options: argparse.Namespace) -> int:
    """Draw the picture that was asked for."""
    last = 0
    for entry in found:
        last = entry.picture_number
        if last == options.picture and entry.picture:
            put(blocks(entry.picture))
            return 0
    raise Problem(f"{options.file}: there is no picture {options.picture}. The pictures are 1 to {last}.")


class _Count:
    """Count the events that were replayed."""

    def __init__(self) -> None:
        self.events = 0

    def over(self, steps: Iterable[Step], until: int | None) -> Iterator[Step]:
        """Yield the steps up to `until`."""
        for step in steps:
            if until is not None and step.number > until:
                return
            self.events = step.number
            yield step


def add_commands(add: AddParser) -> None:
    """Add the commands of this file."""
    command = add(
        "replay-session", run_replay_session, group=BUILD,
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
            2: "The file cannot be read, or it is not a session.",
        },
    )  # fmt: skip
    command.add_argument("file", metavar="FILE", help='a session (JSON Lines), "-" for standard input')
    command.add_argument("--from", type=int, metavar="N", dest="start", help="print from event N on")
    command.add_argument("--until", type=int, metavar="N", help="stop after event N")
    command.add_argument("--picture", type=int, metavar="N", help="draw the picture of this number, from 1, and stop")
    command.add_argument("--walk", action="store_true", help="show one event after the other with its picture")
    command.add_argument("--full", action="store_true", help="print long lines whole on a terminal too")

    command = add(
        "report", run_report, group=BUILD,
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
    add_box(command)
    command.add_argument(
        "--output", type=Path, default=Path("umpi-report.jsonl"), metavar="FILE",
        help="file to write (default: %(default)s)",
    )  # fmt: skip
    command.add_argument("--replace-names", action="store_true", help='write "Player 1", "Player 2" and so on as names')
