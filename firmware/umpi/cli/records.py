"""Games and announcements as files: `umpi replay | odds | play-out | judge`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from typing import Any

from umpi.cli.terminal import AddParser, Problem, add_option, for_people, opened, put, put_json, read_options, why_not
from umpi.kernel.game import odds_of
from umpi.kernel.match import Broken, Match, Refused
from umpi.kernel.messages import named
from umpi.kernel.random_games import NeverEnds, play_out
from umpi.kernel.record import Header, Step, check_options, check_table, replay
from umpi.kernel.registry import find
from umpi.timing.traces import BadTrace, judge_file


def run_replay(options: argparse.Namespace) -> int:
    """`umpi replay FILE`: print the states of a record."""
    return _replay(options.file, options.trace, lambda step, match: put_json({"n": step.n, "state": match.state()}))


def run_odds(options: argparse.Namespace) -> int:
    """`umpi odds FILE`: print what the end of a record has to say about chance."""
    return _replay(options.file, False, lambda _, match: _put_odds(match))


def _replay(file: str, trace: bool, tell: Callable[[Step, Match], None]) -> int:
    """Replay a record and `tell` of its last step; one that is wrong ends with its error and the exit status."""
    try:
        with opened(file) as lines:
            return _replay_lines(file, lines, trace, tell)
    except OSError as fault:
        return _wrong(file, {"n": 0, "line": None, "error": why_not(fault, file), "state": None}, 2)


def _wrong(file: str, error: dict[str, Any], status: int) -> int:
    """Say what is wrong with a file: to people in words, else as the contract's line; returns the exit status."""
    if not for_people():
        put_json(error)
        return status
    where = f"{file}, line {error['line']}: " if error["line"] is not None else ""
    raise Problem(f"{where}{error['error']}", status)


def _replay_lines(file: str, lines: Iterable[bytes], trace: bool, tell: Callable[[Step, Match], None]) -> int:
    header, step = True, Step(0, None, None)
    try:
        for step in replay(lines, find):
            state = step.record.match.state() if step.record and (trace or step.error) else None
            if step.error:
                return _wrong(file, {"n": step.n, "line": step.line, "error": step.error, "state": state}, step.status)
            if trace and not header:
                put_json({"n": step.n, "line": step.line, "state": state})
            header = False
        assert step.record
        tell(step, step.record.match)
    except Broken as broken:
        return _wrong(file, {"n": step.n, "line": step.line, "error": str(broken), "state": None}, 1)
    except OSError as fault:
        return _wrong(file, {"n": step.n, "line": None, "error": why_not(fault, file), "state": None}, 2)
    return 0


def _put_odds(match: Match) -> None:
    try:
        rows = odds_of(match.now)
    except Exception as fault:
        what = f"The rules of {match.game.title} fail to tell the odds"
        raise Broken(f"{what}: {type(fault).__name__}: {fault}.") from fault
    for row in rows:
        put(" ".join(named(text, match.players) for text in (row.label, *row.cells)))
    if not rows:
        put(f"{match.game.title} has no odds to tell here.")


def run_play_out(options: argparse.Namespace) -> int:
    """`umpi play-out GAME --seed N`: write a complete random game."""
    try:
        game = find(options.game)
        number = game.seats[0] if options.players is None else options.players
        if number not in game.seats:
            raise Problem(f"{game.title} seats {game.seats[0]} to {game.seats[-1]} players, not {number}.")
        players = tuple(f"P{seat + 1}" for seat in range(number))
        chosen = check_options(read_options(options), game)
        check_table(game, number, chosen)
        match = play_out(game, players, chosen, options.seed)
    except Refused as refusal:
        raise Problem(str(refusal)) from None
    except NeverEnds as fault:
        raise Problem(f"{options.game}: {fault}", 1) from None
    put_json(Header(game, players, chosen).line())
    for act in match.acts:
        put_json(act.line())
    return 0


def run_judge(options: argparse.Namespace) -> int:
    """`umpi judge FILE`: judge the raw edges of an announcement."""
    try:
        with opened(options.file) as lines:
            told = judge_file(lines)
    except OSError as fault:
        return _wrong(options.file, {"line": None, "error": why_not(fault, options.file)}, 2)
    except BadTrace as fault:
        return _wrong(options.file, {"line": fault.line, "error": fault.why}, 2)
    for line in told:
        put_json(line)
    return 0


def add_commands(add: AddParser) -> None:
    """Add the commands of this file."""
    command = add(
        "replay", help="replay a written game and print its position",
        description="Replay a written game by its rules and print the position it leads to.",
    )  # fmt: skip
    command.add_argument("file", metavar="FILE", help="a record, JSON Lines; - is standard input")
    command.add_argument("--trace", action="store_true", help="print the state after each line")
    command.set_defaults(command=run_replay)

    command = add(
        "odds", help="print the odds at the end of a written game",
        description="Replay a written game and print the odds of what may happen next.",
    )  # fmt: skip
    command.add_argument("file", metavar="FILE", help="a record, JSON Lines; - is standard input")
    command.set_defaults(command=run_odds)

    command = add(
        "play-out", help="write a complete random game as a record",
        description="Play a random game to its end and write it as a record.",
    )  # fmt: skip
    command.add_argument("game", metavar="GAME", help="a game's id, as umpi games lists it")
    command.add_argument("--seed", type=int, required=True, metavar="N", help="the same seed, the same game")
    command.add_argument("--players", type=int, metavar="K", help="how many; default: the fewest")
    add_option(command, "an option of the game")
    command.set_defaults(command=run_play_out)

    command = add(
        "judge", help="judge the raw edges of an announcement",
        description="Judge the raw edges of an announcement: which cube was first, and whether that is certain.",
    )  # fmt: skip
    command.add_argument("file", metavar="FILE", help="a trace, JSON Lines; - is standard input")
    command.set_defaults(command=run_judge)
