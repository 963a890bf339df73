"""The installed games, for those who write one: `umpi games | schema | check | new-game`."""

from __future__ import annotations

import argparse
from pathlib import Path

from umpi.cli.terminal import AddParser, Problem, put_json
from umpi.rules.catalog import catalog, find
from umpi.rules.game import full_title
from umpi.rules.match import Refused
from umpi.rules.schema import options_schema, schema


def run_schema(options: argparse.Namespace) -> int:
    """`umpi schema GAME`: print the schema of its action lines."""
    try:
        put_json(schema(find(options.game)))
    except Refused as refusal:
        raise Problem(str(refusal)) from None
    return 0


def run_games(options: argparse.Namespace) -> int:
    """`umpi games`: print a line a game."""
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


def run_check(options: argparse.Namespace) -> int:
    """`umpi check GAME|module:Class`: put an engine through all that every engine must hold."""
    from umpi.check.command import run

    return run(options.game, options.games, options.seed)


def run_new_game(options: argparse.Namespace) -> int:
    """`umpi new-game NAME`: write the package of a new game."""
    from umpi.new_game import run

    return run(options.name, options.folder)


def add_commands(add: AddParser) -> None:
    """Add the commands of this file."""
    command = add("schema", help="print the JSON Schema of a game's action lines")
    command.add_argument("game", metavar="GAME")
    command.set_defaults(command=run_schema)

    command = add("games", help="list the installed games, broken ones with the reason")
    command.set_defaults(command=run_games)

    command = add("check", help="say whether an engine holds: rules, records, undo, texts, presses, speed")
    command.add_argument("game", metavar="GAME|module:Class", help="an installed game, or a class yet to be installed")
    command.add_argument("--games", type=int, default=2, help="random games a table (default: 2)")
    command.add_argument("--seed", type=int, default=0, help="seed of the random games (default: 0)")
    command.set_defaults(command=run_check)

    command = add("new-game", help="write a package with a small game that plays at once, to be made your own")
    command.add_argument("name", metavar="NAME", help="the new game's id, as in snake-eyes")
    command.add_argument("--folder", type=Path, default=Path(), help="where to write it (default: here)")
    command.set_defaults(command=run_new_game)
