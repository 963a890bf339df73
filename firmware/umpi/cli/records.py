"""Commands on recorded matches and sensor signals: `umpi replay | odds | play-out | judge`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from umpi.cli.arguments import add_game, add_option, add_players
from umpi.cli.parser import LOOK, WRITE, AddParser
from umpi.cli.terminal import Problem, for_people, opened, put_json, random_players, read_options, using, why_not
from umpi.kernel.match import Broken, Match, Refused
from umpi.kernel.messages import named
from umpi.kernel.output import put
from umpi.kernel.random_games import NeverEnds, play_out
from umpi.kernel.record import Header, Step, check_options, check_table, replay
from umpi.kernel.registry import find, origin
from umpi.timing.gate import Settings, Verdict, judge
from umpi.timing.race import Arrival, Race
from umpi.timing.traces import BadTrace, read_trace, verdict_lines
from umpi.web.photo import Runner, file_picture

RECORD = 'record of a match (JSON Lines), "-" for standard input'

REPLAYED = {
    0: "The rules accept every move.",
    1: "The rules refuse a move. The line and the reason are printed.",
    2: "The file or one of its lines cannot be read.",
}


def run_replay(options: argparse.Namespace) -> int:
    """`umpi replay FILE`: print the states of a record."""
    return _replay(
        options.file, options.trace, lambda step, match: put_json({"n": step.n, "state": _state(match, options.trace)})
    )


def run_odds(options: argparse.Namespace) -> int:
    """`umpi odds FILE`: print the odds at the end of a record."""
    return _replay(options.file, False, lambda _, match: _put_odds(match))


def _replay(file: str, trace: bool, show: Callable[[Step, Match], None]) -> int:
    """Replay a record and call `show` with its last step; returns the exit status."""
    try:
        with opened(file) as lines:
            return _replay_lines(file, lines, trace, show)
    except OSError as fault:
        return wrong(file, {"n": 0, "line": None, "error": why_not(fault, file), "state": None}, 2)


def wrong(file: str, error: dict[str, Any], status: int, advice: str = "") -> int:
    """Report an error in a file, in words on a terminal, else as a JSON line; returns the exit status.

    The `advice` is for people.
    """
    if not for_people():
        put_json(error)
        return status
    where = f"{file}, line {error['line']}: " if error["line"] is not None else ""
    raise Problem(f"{where}{error['error']} {advice}".rstrip(), status)


def _replay_lines(file: str, lines: Iterable[bytes], trace: bool, show: Callable[[Step, Match], None]) -> int:
    header, step = True, Step(0, None, None)
    count = 0
    try:
        for step in replay(lines, find):
            state = _state(step.record.match, trace) if step.record and (trace or step.error) else None
            if step.error:
                error = {"n": step.n, "line": step.line, "error": step.error, "state": state}
                return wrong(file, error, step.status, _unnamed(step))
            if trace and step.record and not header:
                calls = step.record.match.calls() if step.n > count else ()  # only an accepted act adds to `n`
                more = {"calls": [call.line() for call in calls]} if calls else {}
                put_json({"n": step.n, "line": step.line, "state": state, **more})
            header, count = False, step.n
        assert step.record
        show(step, step.record.match)
    except Broken as broken:
        return wrong(file, {"n": step.n, "line": step.line, "error": str(broken), "state": None}, 1)
    except OSError as fault:
        return wrong(file, {"n": step.n, "line": None, "error": why_not(fault, file), "state": None}, 2)
    return 0


def _unnamed(step: Step) -> str:
    """Return that the rules may have changed since, if they refuse a line of a record that names no revision."""
    header = step.record.header if step.record and step.status == 1 else None
    if header is None or header.game.revision == 1 or "revision" in header.tags:
        return ""
    return (
        f"The header names no revision, so today's rules decide (revision {header.game.revision}). If the match "
        f'is older, write its revision into the header, as in "revision": {header.game.revision - 1}.'
    )


def _state(match: Match, trace: bool) -> dict[str, Any]:
    """Return the position; in a trace also with what the next person must do."""
    if not trace:
        return match.state()
    now = match.next_step
    return {**match.state(), "now": now.line() if now else None}


def _put_odds(match: Match) -> None:
    try:
        rows = match.now.odds()
    except Exception as fault:
        what = f"The rules of {match.game.title} cannot compute the odds"
        raise Broken(f"{what}: {type(fault).__name__}: {fault}.") from fault
    for row in rows:
        put(" ".join(named(text, match.players) for text in (row.label, *row.cells)))
    if not rows:
        put(f"{match.game.title} has no odds for this position.")


def run_play_out(options: argparse.Namespace) -> int:
    """`umpi play-out GAME --seed N`: write a complete random game."""
    if options.seed < 0:  # Python's Random takes it for the same number without the sign
        raise Problem(f"--seed: expected a number from 0, got {options.seed}.")
    try:
        game = find(options.game)
        players = random_players(game, options.players)
        chosen = check_options(read_options(options), game)
        check_table(game, len(players), chosen)
        match = play_out(game, players, chosen, options.seed)
    except Refused as refusal:
        raise Problem(str(refusal)) from None
    except NeverEnds as fault:
        raise Problem(f"{options.game}: {fault}", 1) from None
    put_json(Header(game, players, chosen, origin(game.id)).today().line())
    for act in match.acts:
        put_json(act.line())
    return 0


def run_judge(options: argparse.Namespace) -> int:
    """`umpi judge FILE [--svg OUT]`: find the order of the cubes in recorded sensor signals, and draw it."""
    try:
        with opened(options.file) as lines:
            settings, edges = read_trace(lines)
    except OSError as fault:
        return wrong(options.file, {"line": None, "error": why_not(fault, options.file)}, 2)
    except BadTrace as fault:
        return wrong(options.file, {"line": fault.line, "error": fault.why}, 2)
    verdict = judge(edges, settings)
    if options.svg:
        _draw(verdict, settings, options.file, options.svg)
    for line in verdict_lines(verdict):
        put_json(line)
    return 0


def _draw(verdict: Verdict, settings: Settings, trace: str, file: str) -> None:
    """Write the picture of a verdict to a file. Raises Problem if there is nothing to draw, or if it cannot."""
    if not verdict.cubes:
        raise Problem(f"{trace}: no cube fell, so there is no race to draw. {file} was not written.", 1)
    if Path(file).resolve() == Path(trace).resolve():
        raise Problem(f"{file} is the file with the signals. Name another file for the picture.")
    lanes = settings.lanes > 1
    arrivals = tuple(
        Arrival("cube", cube.lane if lanes else None, cube.t, cube.t, cube.t + cube.heat_ns) for cube in verdict.cubes
    )
    reasons = (*(doubt for cube in verdict.cubes for doubt in cube.doubts), *verdict.notes)
    runners = [
        Runner(f"Lane {cube.lane + 1}", cube.lane) if lanes else Runner(f"Cube {number}", None)
        for number, cube in enumerate(verdict.cubes, 1)
    ]
    with using(file):
        Path(file).write_text(file_picture(Race(0, arrivals, reasons), runners), encoding="utf-8")


def add_commands(add: AddParser) -> None:
    """Add the commands of this file."""
    command = add(
        "replay", run_replay, group=LOOK,
        purpose="Replay a recorded match and print its last position.",
        description="Replay a recorded match by the rules of its game and print the last position as JSON.",
        examples=("umpi play-out dodeka --seed 7 > game.jsonl", "umpi replay game.jsonl"),
        statuses=REPLAYED,
    )  # fmt: skip
    command.add_argument("file", metavar="FILE", help=RECORD)
    command.add_argument("--trace", action="store_true", help="print the position and the calls after each move")

    command = add(
        "odds", run_odds, group=LOOK,
        purpose="Print the chances at the end of a recorded match.",
        description="Replay a recorded match and print the chances of what can happen next, for games that know them.",
        examples=("umpi play-out dodeka --seed 7 | head -n 5 | umpi odds -",),
        statuses=REPLAYED,
    )  # fmt: skip
    command.add_argument("file", metavar="FILE", help=RECORD)

    command = add(
        "judge", run_judge, group=LOOK,
        purpose="Find which cube was first in recorded sensor signals.",
        description="Read the sensor signals of a toss of cubes and print one line per cube, first cube first. The "
        "last line is the verdict: whether the order is certain.",
        examples=(
            "umpi history 3 --trace 1 > signals.jsonl",
            "umpi judge signals.jsonl",
            "umpi judge signals.jsonl --svg finish.svg",
        ),
        statuses={
            0: "The signals were judged.",
            1: "There is no cube to draw.",
            2: "A line of the file cannot be read, or the picture cannot be written.",
        },
    )  # fmt: skip
    command.add_argument("file", metavar="FILE", help='recorded signals (JSON Lines), "-" for standard input')
    command.add_argument(
        "--svg", metavar="OUT",
        help="also draw the finish as a picture: a lane per cube, its time, and how near another cube would be too "
        "close to call",
    )  # fmt: skip

    command = add(
        "play-out", run_play_out, group=WRITE,
        purpose="Play a random match and print its record.",
        description="Play a random match of a game to its end and print its record. The first line has the "
        "players and options, each further line has one move.",
        examples=(
            "umpi play-out dodeka --seed 7",
            "umpi play-out dodeka --seed 7 --players 3 | umpi replay --trace -",
        ),
        statuses={
            0: "The match was played to its end.",
            1: "The match does not end.",
            2: "The game, the number of players or an option is wrong.",
        },
    )  # fmt: skip
    add_game(command)
    command.add_argument(
        "--seed", type=int, required=True, metavar="N",
        help="number that selects the random moves; the same number plays the same match",
    )  # fmt: skip
    add_players(command)
    add_option(command, "set an option of the game")
