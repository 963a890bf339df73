"""List, print, export and import the matches of a journal: `umpi history`."""

from __future__ import annotations

import argparse
import contextlib
import os
import sqlite3
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from umpi.cli.arguments import add_box
from umpi.cli.parser import LOOK, AddParser
from umpi.cli.terminal import Problem, check_folder, config_of, counted, reading, using
from umpi.cli.truth import keep_truth
from umpi.journal import Foreign, Journal, Kept, open_to_read, read_lines, read_match, read_matches, read_traces
from umpi.journal.judging import judged
from umpi.journal.statistics import read_played
from umpi.journal.transfer import BadExport, Shipped, export, read_export
from umpi.kernel.game import Result, full_title
from umpi.kernel.match import Match, Refused
from umpi.kernel.messages import listed
from umpi.kernel.output import put, put_bytes
from umpi.kernel.record import read_line, replay
from umpi.kernel.registry import find
from umpi.recording.report import write_file
from umpi.web.results import Signer, signed_record

LAST_ID = 2**63 - 1  # of SQLite


def run_history(options: argparse.Namespace) -> int:
    """`umpi history [ID]`: list the matches of a journal, or print the record of one."""
    path = options.journal or config_of(options).journal
    if options.bring:
        return _bring(options.bring, path)
    if options.truth and options.trace is None:
        raise Problem("--truth needs a toss: umpi history 3 --trace 1 --truth NAME")
    ignored = [name for name in ("record", "trace") if getattr(options, name) not in (None, False)]
    if ignored and options.id is None:
        raise Problem(f"--{ignored[0]} needs the number of a match: umpi history 3 --{ignored[0]}")
    if options.id is not None and options.export:
        raise Problem("--export writes all matches. One match: umpi history 3 --record")
    with reading(path), contextlib.closing(open_to_read(path)) as file:
        if options.export:
            return _export(file, path, options.export)
        if options.id is None:
            for match in read_matches(file):
                put(_by_outcome(file, match) or _replayed(match, read_lines(file, match.id)))
            return 0
        kept = read_match(file, options.id) if options.id <= LAST_ID else None
        if not kept:
            raise Problem(f"{path}: there is no match {options.id}. To list the matches: umpi history")
        if options.trace is not None:
            traces = read_traces(file, options.id)
            if not 1 <= options.trace <= len(traces):
                raise Problem(
                    f"Match {options.id} has {counted(len(traces), 'recorded toss', 'recorded tosses')} of cubes."
                )
            if options.truth:
                return keep_truth(traces[options.trace - 1], options.truth)
            put_bytes(traces[options.trace - 1].encode())
            return 0
        if options.record:
            own = path.stat().st_uid == os.geteuid()  # the box could not read a key that root has made
            lines = signed_record(file, kept, Signer.of(path.parent, make=own))
            put_bytes("".join(line + "\n" for line in lines).encode())
        else:
            put(_replayed(kept, read_lines(file, kept.id)))
    return 0


def _export(file: sqlite3.Connection, journal: Path, name: str) -> int:
    """Write all matches to a file, which stays as it was if that fails; "-" is standard output.

    Raises Problem if there is no match, and something in the file: it can be the copy of another journal.
    """
    if name != "-":
        check_folder("--export", Path(name))
    try:
        lines = [line + "\n" for line in export(file)]
    except ValueError as fault:
        raise Problem(f"A match cannot be read: {fault}. To list the matches: umpi history") from None
    hidden = (read_line(lines[0].encode()) or {}).get("hidden", ())
    if hidden:
        numbers = ", ".join(map(str, hidden))
        left_out = f"Left out: {numbers}. Only their owners may see the hands of a match until it is over."
        print(left_out, file=sys.stderr)
    if name == "-":
        put_bytes("".join(lines).encode())
        return 0
    if len(lines) == 1 and Path(name).is_file() and Path(name).stat().st_size > len(lines[0].encode()):
        raise Problem(f"{journal} has no match to export. {name} was not replaced.")
    with using(name):
        write_file(Path(name), (line.encode() for line in lines))
    number = counted(len(lines) - 1, "match", "matches")
    put(f"Exported {number} to {name}. To import on another box: umpi history --import {name}")
    return 0


def _bring(name: str, path: Path) -> int:
    """Merge the matches of an export into a journal."""
    try:
        with using(name), contextlib.nullcontext(sys.stdin.buffer) if name == "-" else Path(name).open("rb") as export:
            matches = read_export(export)
    except BadExport as fault:
        raise Problem(f"{name}: {fault}. Nothing was imported.") from None
    try:
        with contextlib.closing(Journal(path)) as journal:
            new, refused = _judged(matches, journal)
            done = journal.merge(new)
    except Foreign as fault:
        raise Problem(str(fault)) from None
    if journal.trouble:
        raise Problem(f"{journal.trouble}. Nothing was imported.")
    for why in refused:
        print(f"{name}, {why}", file=sys.stderr)
    left_out = f" Left out: {len(refused)}." if refused else ""
    put(
        f"Read {counted(len(matches), 'match', 'matches')}: {done['new']} new, {done['longer']} extended, "
        f"{done['there']} already here, {done['beside']} added as another version of a match here.{left_out}"
    )
    return 0


def _judged(matches: Sequence[Shipped], journal: Journal) -> tuple[list[Shipped], list[str]]:
    """Return the matches with the outcomes of their moves, and the line and the reason of each that the rules refuse.

    Those of which the journal has all moves add nothing to it, so they are not judged.
    """
    found, refused = list[Shipped](), list[str]()
    for count, match in enumerate(matches, 1):
        try:
            found.append(match if journal.has(match) else judged(match, find))
        except Refused as refusal:
            refused.append(f"line {match.number}: this match is left out, because the rules refuse it. {refusal}")
        if sys.stderr.isatty() and (count % 100 == 0 or count == len(matches) > 100):
            end = "\n" if count == len(matches) else ""
            print(f"\r{count} of {len(matches)} matches checked ", end=end, file=sys.stderr, flush=True)
    return found, refused


def _by_outcome(file: sqlite3.Connection, match: Kept) -> str:
    """Return one line on a match by the outcome that the journal keeps; "" if only its moves say how it ended."""
    if match.outcome is None:
        return ""
    try:
        played = read_played(file, match, find)
        title = full_title(find(played.game))
    except ValueError:
        return ""
    winners = [seat for seat, place in enumerate(played.places) if place == 1]
    if not winners:
        return ""
    return _line(match, title, played.players, played.scores, _won(played.players, winners, played.together))


def _replayed(match: Kept, lines: Sequence[str]) -> str:
    """Return one line on a match after its moves: number, date, game, scores and winner."""
    raw = "\n".join([match.record_header, *lines]).encode().splitlines(keepends=True)
    *_, step = replay(raw, find)
    if step.record is None:
        return f"{_number_and_date(match)}  {step.error}"
    played = step.record.match
    result = played.now.result()
    how = step.error or (_how_it_ended(played, result) if result else f"not over, {counted(step.n, 'move')}")
    return _line(match, full_title(played.game), played.players, played.now.scores(), how)


def _line(match: Kept, title: str, players: Sequence[str], scores: Sequence[int], how: str) -> str:
    each = ", ".join(f"{name} {score}" for name, score in zip(players, scores, strict=True))
    return f"{_number_and_date(match)}  {title}: {each} ({how})"


def _number_and_date(match: Kept) -> str:
    try:
        began = f"{datetime.fromisoformat(match.began).astimezone():%Y-%m-%d %H:%M}"
    except (ValueError, OverflowError):  # an import brings what another box has written
        began = match.began
    return f"{match.id:4}  {began}"


def _how_it_ended(match: Match, result: Result) -> str:
    return _won(match.players, result.winners, match.together) if result.winners else f"all lose: {result.why}"


def _won(players: Sequence[str], winners: Sequence[int], together: bool) -> str:
    """Return who has won, as one team if `together`, or who shares the first place. A name may contain " & "."""
    names = listed([players[seat] for seat in winners])
    return f"won by {names}" if together or len(winners) == 1 else f"shared by {names}"


def add_commands(add: AddParser) -> None:
    """Add the command of this file."""
    command = add(
        "history", run_history, group=LOOK,
        purpose="List, print, export or import the saved matches.",
        description="List the matches saved in the journal: number, date, game, scores and winner. With ID show one "
        "match. With --export and --import copy all matches to another box. A match with hands that the box has dealt "
        "is exported when it is over.",
        examples=(
            "umpi history",
            "umpi history 3 --record > game.jsonl     # match 3 as a file",
            "umpi history --export matches.jsonl",
        ),
    )  # fmt: skip
    add_box(command)
    command.add_argument("id", type=int, nargs="?", metavar="ID", help="number of one match (default: all matches)")
    command.add_argument(
        "--record", action="store_true", help='print the moves of match ID, for "umpi replay" and "umpi verify"'
    )
    command.add_argument(
        "--trace", type=int, metavar="N",
        help='print the sensor signals of the Nth toss of cubes in match ID, for "umpi judge"',
    )  # fmt: skip
    command.add_argument(
        "--truth", metavar="NAME",
        help="with --trace: ask what really happened, and write NAME.jsonl and NAME.truth.json",
    )  # fmt: skip
    both = command.add_mutually_exclusive_group()
    both.add_argument("--export", metavar="FILE", help='write all matches to this file, "-" for standard output')
    both.add_argument(
        "--import", dest="bring", metavar="FILE",
        help='add the matches that another box has exported to this file, "-" for standard input; '
        "a match that is already here is not added twice",
    )  # fmt: skip
