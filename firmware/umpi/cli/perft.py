"""Count the legal lines of a game: `umpi perft`."""

from __future__ import annotations

import argparse

from umpi.cli.arguments import add_game, add_option, add_players
from umpi.cli.parser import WRITE, AddParser
from umpi.cli.terminal import Problem, random_players, read_options
from umpi.kernel.match import Broken, Match, Refused
from umpi.kernel.output import put
from umpi.kernel.record import check_options, check_table, dump
from umpi.kernel.registry import find


def run_perft(options: argparse.Namespace) -> int:
    """`umpi perft GAME`: print how many lines of legal moves there are, for each number of moves up to --depth."""
    from umpi.conformance.command import Progress
    from umpi.conformance.perft import divide, perft

    for name, number in (("depth", options.depth), ("limit", options.limit)):
        if number is not None and number < 1:
            raise Problem(f"--{name}: expected a number from 1, got {number}.")
    try:
        match = _match(options)
        if options.divide:
            for act, lines in divide(match, options.depth):
                put(f"{lines:>14,}  {dump(act.line())}")
            return 0
        put("moves         lines  ended before  last move")
        for depth in range(1, options.depth + 1):
            count = perft(match, depth, Progress(), options.limit)
            verbs = ", ".join(f"{verb} {lines:,}" for verb, lines in sorted(count.verbs.items()))
            if not count.complete:
                put(f"{depth:>5} {count.lines:>13,} {count.over:>13,}  incomplete: {count.positions:,} positions")
                return 3
            put(f"{depth:>5} {count.lines:>13,} {count.over:>13,}  {verbs}")
    except Broken as fault:
        raise Problem(str(fault), 1) from None
    except Refused as refusal:
        raise Problem(str(refusal)) from None
    return 0


def _match(options: argparse.Namespace) -> Match:
    game = find(options.game)
    players = random_players(game, options.players)
    chosen = check_options(read_options(options), game)
    check_table(game, len(players), chosen)
    return Match(game, players, chosen)


def add_commands(add: AddParser) -> None:
    """Add the command of this file."""
    command = add(
        "perft", run_perft, group=WRITE,
        purpose="Count the legal lines of a game.",
        description="Count all lines of legal moves from the start of a game, for each number of moves up to --depth. "
        "Compare the numbers with a count by hand or by another program: a rule that is wrong changes them. Each "
        "roll of the dice and each card counts as a move of its own. Any text counts as one move.",
        examples=(
            "umpi perft dodeka --depth 1", "umpi perft dodekka --depth 2 --limit 100000",
            "umpi perft dodekka --depth 2 --divide | head -3",
        ),
        statuses={
            0: "The lines were counted.", 1: "The game's code failed.", 2: "The game or an option is wrong.",
            3: "The count stopped at --limit.",
        },
    )  # fmt: skip
    add_game(command)
    command.add_argument("--depth", type=int, default=1, metavar="N", help="most moves in a line (default: 1)")
    command.add_argument("--limit", type=int, metavar="N", help="look at no more than N positions for each depth")
    add_players(command)
    command.add_argument("--divide", action="store_true", help="count the lines after each first move instead")
    add_option(command, "set an option of the game")
