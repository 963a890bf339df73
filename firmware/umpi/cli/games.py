"""List, describe, check and create games: `umpi games | schema | check | new-game`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from umpi.cli.arguments import add_game
from umpi.cli.parser import PLAY, WRITE, AddParser
from umpi.cli.terminal import Problem, for_people, put_json
from umpi.kernel.game import full_title
from umpi.kernel.match import Refused
from umpi.kernel.output import put
from umpi.kernel.registry import GameEntry, catalog, find
from umpi.kernel.schema import options_schema, schema


def run_schema(options: argparse.Namespace) -> int:
    """`umpi schema GAME`: print the JSON Schema of its moves."""
    try:
        put_json(schema(find(options.game)))
    except Refused as refusal:
        raise Problem(str(refusal)) from None
    return 0


def run_games(options: argparse.Namespace) -> int:
    """`umpi games`: print a table for people, a JSON line per game for programs."""
    if for_people() and not options.json:
        for line in _table(catalog()):
            put(line)
        return 0
    for entry in catalog():
        game = entry.game
        if game is None:
            put_json({"id": entry.id, "error": entry.error})
            continue
        put_json({
            "id": entry.id, "title": full_title(game), "kind": game.kind,
            "seats": [game.seats[0], game.seats[-1]], "options": options_schema(game),
            "expansions": entry.brought_by.get("expansions", ()),
        })  # fmt: skip
    return 0


def _table(entries: Sequence[GameEntry]) -> Iterator[str]:
    """Return the games as a table, then the games that do not load with the reason."""
    rows = [("GAME", "TITLE", "PLAYERS", "OPTIONS")]
    for game in (entry.game for entry in entries if entry.game):
        seats = f"{game.seats[0]}-{game.seats[-1]}" if len(game.seats) > 1 else str(game.seats[0])
        trial = game.experiments
        options = ", ".join(option.name for option in game.options if option.name not in trial)
        rows.append((game.id, full_title(game), seats, options))
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, wide, strict=True)).rstrip()
    tried = [(entry.game.id, trial) for entry in entries if entry.game and (trial := entry.game.experiments)]
    if tried:
        yield from ("", "Experiments, numbers of the rules for play-testing:")
        yield from (f"  {id}: {', '.join(trial)}" for id, trial in tried)
    for entry in entries:
        if entry.game is None:
            yield f"{entry.id} does not load: {entry.error}"


def run_check(options: argparse.Namespace) -> int:
    """`umpi check GAME|module:Class`: run all checks on a game."""
    from umpi.conformance.command import run, run_exhaustive

    if options.games < 1:
        raise Problem(f"--games: expected a number from 1, got {options.games}.")
    if options.seed < 0:  # Python's Random takes it for the same number without the sign
        raise Problem(f"--seed: expected a number from 0, got {options.seed}.")
    if options.renew and not options.snapshot:
        raise Problem("--renew needs --snapshot FOLDER.")
    if options.limit is not None and options.limit < 1:
        raise Problem(f"--limit: expected a number from 1, got {options.limit}.")
    if options.limit is not None and not (options.exhaustive or options.mutate):
        raise Problem("--limit needs --exhaustive or --mutate.")
    if options.exhaustive and (options.records or options.snapshot):
        raise Problem("--exhaustive compares no records: leave --records and --snapshot out.")
    if options.mutate:
        return _run_mutate(options)
    if options.confirm or options.time_limit is not None:
        raise Problem(f"{'--confirm' if options.confirm else '--time-limit'} needs --mutate.")
    if options.exhaustive:
        return run_exhaustive(options.game, options.limit)
    return run(options.game, options.games, options.seed, options.records, options.snapshot, options.renew)


def _run_mutate(options: argparse.Namespace) -> int:
    if sys.platform in ("win32", "emscripten"):
        raise Problem("--mutate needs Linux or macOS, because each change has a process of its own.")
    from umpi.conformance.mutation.command import run_mutate

    if options.exhaustive or options.snapshot:
        raise Problem(f"--mutate does not go with {'--exhaustive' if options.exhaustive else '--snapshot'}.")
    if options.confirm and not options.records:
        raise Problem("--confirm needs --records FOLDER, where it writes what you confirm.")
    if options.records and not options.records.is_dir():
        raise Problem(f"--records: {options.records} is not a folder.")
    if options.time_limit is not None and options.time_limit < 1:
        raise Problem(f"--time-limit: expected a number from 1, got {options.time_limit}.")
    return run_mutate(
        options.game, options.games, options.seed, options.records, options.limit, options.time_limit, options.confirm
    )


def run_new_game(options: argparse.Namespace) -> int:
    """`umpi new-game NAME`: write the package of a new game, or of an expansion."""
    from umpi.conformance.new_game import run

    return run(options.name, options.folder, options.expands)


def add_commands(add: AddParser) -> None:
    """Add the commands of this file."""
    command = add(
        "games", run_games, group=PLAY,
        purpose="List the installed games.",
        description="List the installed games with their numbers of players and their options. A game that cannot be "
        "loaded is listed with the reason. Experiments are options that change a number of the rules, for "
        "play-testing. The list is a table on a terminal, else one JSON line per game.",
        examples=("umpi games", "umpi games --json"),
    )  # fmt: skip
    command.add_argument("--json", action="store_true", help="print JSON lines on a terminal too")

    command = add(
        "new-game", run_new_game, group=WRITE,
        purpose="Create a package for a game of your own.",
        description="Create a Python package with a small game that you can play at once and change into your own. "
        "With --expands, the package is an expansion: it adds an option and an act to an installed game. "
        "The command prints the files and the next steps.",
        examples=(
            "umpi new-game snake-eyes", "umpi new-game lucky-seven --folder ~",
            "umpi new-game tea-break --expands dodeka",
        ),
    )  # fmt: skip
    command.add_argument(
        "name", metavar="NAME", help="name of the new game: lower-case letters, digits and dashes, as in snake-eyes"
    )
    command.add_argument(
        "--expands", metavar="GAME", help='write an expansion of this game in place of a game, as "umpi games" lists it'
    )
    command.add_argument(
        "--folder", type=Path, default=Path(), help="existing folder to create the package in (default: this folder)"
    )

    command = add(
        "check", run_check, group=WRITE,
        purpose="Check a game's rules, records, undo, texts and speed.",
        description="Play random matches of a game and check its rules, records, undo, texts, buttons and speed. "
        "Print one line per check. A check that fails prints a record of the match that shows the fault.",
        examples=(
            "umpi check dodeka",
            "umpi check quiz --exhaustive",
            "umpi check snake-eyes --mutate --records tests --confirm",
        ),
        statuses={
            0: "All checks passed.", 1: "A check failed.", 2: "The game cannot be found or loaded.",
            3: "No fault was found, but positions or changes are left.", 4: "A changed rule was not noticed.",
        },
    )  # fmt: skip
    command.add_argument(
        "game", metavar="GAME|MODULE:CLASS",
        help='name of an installed game, as "umpi games" lists it, or a Python class that is not installed yet',
    )  # fmt: skip
    command.add_argument(
        "--games", type=int, default=2, metavar="N",
        help="random matches to play per number of players (default: %(default)s)",
    )  # fmt: skip
    command.add_argument(
        "--seed", type=int, default=0, metavar="N",
        help="number that selects the random matches; the same number plays the same matches (default: %(default)s)",
    )  # fmt: skip
    command.add_argument(
        "--records", type=Path, metavar="FOLDER",
        help='also replay the records of this folder and compare the totals that their headers expect ("totals")',
    )  # fmt: skip
    command.add_argument(
        "--snapshot", type=Path, metavar="FOLDER",
        help="also play the recorded matches of this folder again and print what the rules change",
    )  # fmt: skip
    command.add_argument("--renew", action="store_true", help="write the snapshot again and check nothing")
    command.add_argument(
        "--exhaustive", action="store_true",
        help="in place of random matches, examine every position of the scopes that the game names",
    )  # fmt: skip
    command.add_argument(
        "--mutate", action="store_true",
        help="change the rules in one place after the other, and print each change that no record and no random "
        "match notices",
    )  # fmt: skip
    command.add_argument(
        "--confirm", action="store_true",
        help="with --mutate, ask whether the rules are right there, and write a yes as a record into --records",
    )  # fmt: skip
    command.add_argument(
        "--limit", type=int, metavar="N",
        help="with --exhaustive, stop each scope after N positions (default: 1,000,000); with --mutate, try N changes "
        "that --seed selects (default: all)",
    )  # fmt: skip
    command.add_argument(
        "--time-limit", type=int, metavar="SECONDS",
        help="with --mutate, the most processor time for one change (default: ten seconds, and twice what the rules "
        "take without a change)",
    )  # fmt: skip

    command = add(
        "schema", run_schema, group=WRITE,
        purpose="Print the JSON Schema of a game's moves.",
        description="Print a JSON Schema for the moves in a game's records, as one line of JSON. Programs that write "
        "or read records can check each line with it.",
        examples=("umpi schema dodeka",),
    )  # fmt: skip
    add_game(command)
