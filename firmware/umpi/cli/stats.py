"""Print who has played and won how much, from a journal: `umpi stats`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from umpi.cli.arguments import add_box
from umpi.cli.parser import LOOK, AddParser
from umpi.cli.terminal import Problem, config_of, put_json, reading
from umpi.journal.statistics import Figures, PlayerTotals, Stats, read_stats
from umpi.kernel.fields import Value
from umpi.kernel.game import full_title
from umpi.kernel.output import put
from umpi.kernel.registry import find, games
from umpi.review.dice import DiceShown, read_dice

HEAD = ("", "played", "won", "shared", "best", "mean")


def run_stats(options: argparse.Namespace) -> int:
    """`umpi stats`: print the figures of all games, then of each game; --player and --game select."""
    path = options.journal or config_of(options).journal
    with reading(path):
        if options.dice:
            return _dice(path, options)
        stats = _only(read_stats(path, find), options.player, options.game)
    if options.json:
        put_json(asdict(stats))
        return 0
    titles: dict[str | None, str] = {None: "All games", **{game.id: full_title(game) for game in games()}}
    for tally in stats.tallies:
        _put_tally(tally, titles.get(tally.game) or str(tally.game))
    for unread in stats.unread:
        put(f"Match {unread.match} is not counted, its end cannot be read: {unread.why}")
    return 0


def _dice(path: Path, options: argparse.Namespace) -> int:
    """Print the faces of the dice, of one player or of all. Raises Problem if the game has not been played."""
    found, unread = read_dice(path, find, options.game)
    if not found and not unread:
        _only(read_stats(path, find), None, options.game)
    if options.player is not None:
        everybody = sorted({row.name for dice in found for row in dice.rows if row.name is not None})
        if options.player not in everybody:
            raise Problem(f"{options.player} has thrown no dice. Players who have: {', '.join(everybody) or 'nobody'}.")
        found = [replace(dice, rows=tuple(row for row in dice.rows if row.name == options.player)) for dice in found]
    if options.json:
        put_json({"dice": tuple(map(_dice_line, found)), "unread": tuple(unread)})
        return 0
    for dice in found:
        _put_dice(dice)
    if not found:
        put("No dice have been thrown on the table.")
    for why in unread:
        put(why)
    return 0


def _dice_line(dice: DiceShown) -> dict[str, Value]:
    rows = tuple({"name": row.name, "throws": row.throws, "faces": row.faces, "p": row.p} for row in dice.rows)
    return {"sides": dice.sides, "rows": rows, "throws_to_see": dice.throws_to_see}


def _put_dice(dice: DiceShown) -> None:
    """Print a table of faces; what it cannot show yet follows."""
    put(f"Dice with {dice.sides} faces")
    head = ("", "thrown", *map(str, range(1, dice.sides + 1)), "p")
    rows = [(row.name or "all", str(row.throws), *map(str, row.faces), _chance(row.p)) for row in dice.rows]
    wide = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for name, *cells in (head, *rows):
        right = [cell.rjust(width) for cell, width in zip(cells, wide[1:], strict=True)]
        put("  " + "  ".join([name.ljust(wide[0]), *right]))
    put("p: the share of fair dice whose faces differ as much. Of a hundred fair dice, one is below 0.01.")
    put(f"A face that falls 10 % too often is seen after about {dice.throws_to_see:,} throws.")
    put("")


def _chance(p: float | None) -> str:
    """Return the p-value, or "few" for too few throws."""
    return "few" if p is None else f"{p:.2g}" if p < 0.01 else f"{p:.2f}"


def _only(stats: Stats, player: str | None, game: str | None) -> Stats:
    """Keep the figures of one player or game; raises Problem if there are none."""
    played = [tally.game for tally in stats.tallies if tally.game is not None]
    if game is not None and game not in played:
        raise Problem(f"{game} has not been played. Games played: {', '.join(played) or 'none'}.")
    tallies = [tally for tally in stats.tallies if game is None or tally.game == game]
    if player is not None:
        everybody = sorted({one.name for tally in tallies for one in tally.players})
        if player not in everybody:
            there = f" of {game}" if game is not None else ""
            raise Problem(
                f"{player} has finished no match{there}. Players who have: {', '.join(everybody) or 'nobody'}."
            )
        tallies = [of for tally in tallies if (of := _of_player(tally, player)).players]
    return replace(stats, tallies=tuple(tallies))


def _of_player(tally: PlayerTotals, name: str) -> PlayerTotals:
    """Keep the figures of one player, and put them first in each pair."""
    pairs = (replace(pair, names=pair.names[::-1], ahead=pair.ahead[::-1]) if pair.names[1] == name else pair
             for pair in tally.pairs if name in pair.names)  # fmt: skip
    return replace(tally, players=tuple(one for one in tally.players if one.name == name), pairs=tuple(pairs))


def _put_tally(tally: PlayerTotals, title: str) -> None:
    left = f", {tally.open} not over and not counted" if tally.open else ""
    put(f"{title}: {tally.matches} {'match' if tally.matches == 1 else 'matches'}{left}")
    for each in tally.rules:
        put(f"  by the rule set {each.name}: {each.matches}")
    rows = [HEAD, *map(_row, tally.players)] if tally.players else []
    for line in _columns(rows):
        put(f"  {line}")
    for pair in tally.pairs:
        one, other = pair.names
        level = f", {pair.level} level" if pair.level else ""
        put(f"  {one}-{other} {pair.ahead[0]}:{pair.ahead[1]}{level}")
    put("")


def _row(one: Figures) -> tuple[str, ...]:
    mean = "" if one.mean is None else f"{one.mean:.1f}"
    return one.name, str(one.matches), str(one.won), str(one.shared), str("" if one.best is None else one.best), mean


def _columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Align names left and numbers right; leaves out empty columns."""
    filled = [column for column in zip(*rows, strict=True) if any(column[1:])]
    wide = [max(map(len, column)) for column in filled]
    for row in zip(*filled, strict=True):
        name, *numbers = row
        cells = [number.rjust(width) for number, width in zip(numbers, wide[1:], strict=True)]
        yield "  ".join([name.ljust(wide[0]), *cells])


def add_commands(add: AddParser) -> None:
    """Add the command of this file."""
    command = add(
        "stats", run_stats, group=LOOK,
        purpose="Show how many matches each player has won.",
        description="Show how many matches each player has played and won, with their best and mean scores. For each "
        "two players show how often each was ahead of the other. Print the figures of all games, then of each game.",
        examples=("umpi stats", "umpi stats --player Ann", "umpi stats --dice"),
    )  # fmt: skip
    add_box(command)
    command.add_argument("--player", metavar="NAME", help="show only this player, by the name as it was entered")
    command.add_argument("--game", metavar="GAME", help='show only this game, by its name in "umpi games"')
    command.add_argument(
        "--dice", action="store_true",
        help="show how often each face of the dice was thrown, and whether fair dice show such faces",
    )  # fmt: skip
    command.add_argument("--json", action="store_true", help="print the figures as one line of JSON")
