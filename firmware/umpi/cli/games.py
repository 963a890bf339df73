"""The installed games, for those who write one: `umpi games | schema | check | new-game`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from umpi.cli.terminal import AddParser, Problem, for_people, put, put_json
from umpi.kernel.game import full_title
from umpi.kernel.match import Refused
from umpi.kernel.registry import GameEntry, catalog, find
from umpi.kernel.schema import options_schema, schema


def run_schema(options: argparse.Namespace) -> int:
    """`umpi schema GAME`: print the schema of its action lines."""
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
            "id": entry.id, "title": full_title(game), "kind": getattr(game, "kind", ""),
            "seats": [game.seats[0], game.seats[-1]], "options": options_schema(game),
        })  # fmt: skip
    return 0


def _table(entries: Sequence[GameEntry]) -> Iterator[str]:
    """Set the games in columns; the reasons of those that do not load stand below."""
    rows = [("GAME", "TITLE", "PLAYERS", "OPTIONS")]
    for game in (entry.game for entry in entries if entry.game):
        seats = f"{game.seats[0]}-{game.seats[-1]}" if len(game.seats) > 1 else str(game.seats[0])
        rows.append((game.id, full_title(game), seats, ", ".join(option.name for option in game.options)))
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, wide, strict=True)).rstrip()
    for entry in entries:
        if entry.game is None:
            yield f"{entry.id} does not load: {entry.error}"


def run_check(options: argparse.Namespace) -> int:
    """`umpi check GAME|module:Class`: put an engine through all that every engine must hold."""
    from umpi.conformance.command import run

    return run(options.game, options.games, options.seed)


def run_new_game(options: argparse.Namespace) -> int:
    """`umpi new-game NAME`: write the package of a new game."""
    from umpi.conformance.new_game import run

    return run(options.name, options.folder)


def add_commands(add: AddParser) -> None:
    """Add the commands of this file."""
    command = add(
        "schema", help="print the JSON Schema of a game's action lines",
        description="Print the JSON Schema that every action line of a game's record fits.",
    )  # fmt: skip
    command.add_argument("game", metavar="GAME")
    command.set_defaults(command=run_schema)

    command = add(
        "games", help="list the installed games",
        description="List the installed games, those that do not load with the reason: as a table on a terminal, "
        "else a JSON line per game.",
    )  # fmt: skip
    command.add_argument("--json", action="store_true", help="print JSON lines on a terminal too")
    command.set_defaults(command=run_games)

    command = add(
        "check", help="check a game's engine",
        description="Check a game's engine: its rules, records, undo, texts, presses and speed.",
    )  # fmt: skip
    command.add_argument("game", metavar="GAME|module:Class", help="an installed game, or a class yet to be installed")
    command.add_argument("--games", type=int, default=2, help="random games a table (default: 2)")
    command.add_argument("--seed", type=int, default=0, help="seed of the random games (default: 0)")
    command.set_defaults(command=run_check)

    command = add(
        "new-game", help="write a package for a game of your own",
        description="Write a package with a small game that plays at once, for you to change into your own.",
    )  # fmt: skip
    command.add_argument("name", metavar="NAME", help="the new game's id, as in snake-eyes")
    command.add_argument("--folder", type=Path, default=Path(), help="where to write it (default: here)")
    command.set_defaults(command=run_new_game)
