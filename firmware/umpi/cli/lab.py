"""Measure a game by playing it many times: `umpi lab`."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

from umpi.cli.arguments import add_game, add_option
from umpi.cli.lab_journal import run_journal
from umpi.cli.lab_text import BESIDE, named, put_measures, write_report
from umpi.cli.parser import WRITE, AddParser
from umpi.cli.terminal import Problem, check_folder, counted, needing, read_options, why_not
from umpi.kernel.fields import Value
from umpi.kernel.game import Game, full_title
from umpi.kernel.match import Refused
from umpi.kernel.options import defaults
from umpi.kernel.output import put
from umpi.kernel.record import check_options, check_table, dump
from umpi.kernel.registry import find
from umpi.lab.aim import Aim, Miss, missed, verdict
from umpi.lab.cluster import Cluster, NoCluster
from umpi.lab.games import Experiment, Failed, Played
from umpi.lab.page import Setting
from umpi.lab.progress import PlayedFile, WrongFile
from umpi.lab.run import GameFailed, play_all
from umpi.lab.strategies import Choice, not_loaded, strategies, words_said
from umpi.lab.versus import comparison, gained, seats_of
from umpi.table.labels import clock_time

GAMES = 1000  # if --games is not given
Play = Callable[..., list[Played]]
MOST = 10_000  # values of one LOW..HIGH


def run_lab(options: argparse.Namespace) -> int:
    """`umpi lab GAME`: play games and print the measures of each setting."""
    known = strategies()
    if options.strategies:
        for name in known:
            put(name)
        for why in not_loaded().values():
            print(f"umpi: {why}", file=sys.stderr)
        return 0
    for name, file in (("--report", options.report), ("--continue", options.resume)):
        if file:
            check_folder(name, file)
    if options.report and options.report.suffix in BESIDE:
        raise Problem(
            f"--report {options.report}: the games get this ending, beside the page. Take another, such as .html."
        )
    for name, value in (("--games", options.games), ("--workers", options.workers)):
        if value is not None and value < 1:
            raise Problem(f"{name}: expected a number from 1, got {value}.")
    if options.journal:
        return run_journal(options)
    if options.game is None:
        raise Problem('GAME is missing: a name as "umpi games" lists it, as in: umpi lab dodeka.')
    try:
        game = find(options.game)
        seats = _seats(game, options.players)
        who = _strategies(options.strategy, seats, game)
        for name in options.match or ():
            _check_strategy("--match", name, game)
        settings = [_checked(game, seats, setting) for setting in _settings(game, options)]
    except Refused as refusal:
        raise Problem(str(refusal)) from None
    if options.match:
        _check_match(options, seats)
    _aim(options)
    _name_unknown_words(game, seats, settings, (*who, *(options.match or ())))
    with ExitStack() as stack:
        cluster = stack.enter_context(closing(_cluster(options))) if options.executor else None
        workers = options.workers or os.cpu_count() or 1
        kept = _kept(options.resume) if options.resume else None
        play = partial(play_all, workers=workers, kept=kept, failing=_put_failing, cluster=cluster)
        try:
            return (_matches if options.match else _measured)(game, settings, who, options, play)
        except (NoCluster, OSError) as fault:
            raise Problem(f"{fault}." if isinstance(fault, NoCluster) else why_not(fault)) from None


def _measured(
    game: type[Game], settings: Sequence[dict[str, Value]], who: tuple[str, ...], options: argparse.Namespace,
    play: Play,
) -> int:  # fmt: skip
    """Play the games of each setting, and print its measures."""
    games, aim = options.games or GAMES, _aim(options)
    shown, misses, status = list[Setting](), list[Miss](), 0
    for setting in settings:
        experiment = Experiment(game.id, setting, who, options.seed, probe=not options.json)
        progress = _Progress(games, setting, options.vary)
        try:
            played = play(experiment, games, progress=progress)
        except GameFailed as fault:
            status = _failed(game.id, fault, options)
            if options.resume:
                continue
            return status
        shown.append(put_measures(game, experiment, games, played, options))
        if aim:
            misses.append(missed(aim, shown[-1].name, played, len(who)))
    found = list(verdict(aim, misses)) if aim else []
    for line in found:
        if options.json:
            print(line, file=sys.stderr, flush=True)
        else:
            put(line)
    if options.report:
        write_report(options.report, f"{full_title(game)} in the laboratory", shown, found)
    return status


def _aim(options: argparse.Namespace) -> Aim | None:
    if options.aim is None:
        return None
    if not options.vary:
        raise Problem("--aim compares settings: give --vary too.")
    try:
        return Aim.read(options.aim)
    except ValueError as fault:
        raise Problem(f"--aim: {fault}.") from None


def _check_match(options: argparse.Namespace, seats: int) -> None:
    """Raise Problem if an option does not go with --match."""
    if seats < 2:
        raise Problem("--match needs two players or more: choose them with --players.")
    if options.report:
        raise Problem("--report describes the games of seats: leave --match out.")
    if options.strategy:
        raise Problem("--match names the strategies of all seats: leave --strategy out.")
    if options.aim:
        raise Problem("--aim compares settings by the games of seats: leave --match out.")


def _matches(
    game: type[Game], settings: Sequence[dict[str, Value]], who: tuple[str, ...], options: argparse.Namespace,
    play: Play,
) -> int:  # fmt: skip
    """Let two strategies play each other in each setting."""
    status = 0
    for setting in settings:
        try:
            _print_match(Experiment(game.id, setting, ("",) * len(who), options.seed), options, play)
        except GameFailed as fault:
            status = _failed(game.id, fault, options)
            if not options.resume:
                break
    return status


def _seats(game: type[Game], players: int | None) -> int:
    seats = game.seats[0] if players is None else players
    if seats not in game.seats:
        raise Refused(f"{full_title(game)} is for {game.seats[0]} to {game.seats[-1]} players, not {seats}.")
    return seats


def _strategies(given: Sequence[str], seats: int, game: type[Game]) -> tuple[str, ...]:
    """Read all --strategy SEAT=NAME; the seats without one play at random."""
    chosen = dict[int, str]()
    for text in given:
        seat, equals, name = text.partition("=")
        if not equals or not seat.isascii() or not seat.isdecimal() or int(seat) >= seats:
            raise Problem(f"--strategy {text}: expected SEAT=NAME, with a seat from 0 to {seats - 1}.")
        if int(seat) in chosen:
            raise Problem(f"--strategy {text}: seat {int(seat)} is given twice.")
        _check_strategy(f"--strategy {text}", name, game)
        chosen[int(seat)] = name
    return tuple(chosen.get(seat, "random") for seat in range(seats))


def _check_strategy(where: str, name: str, game: type[Game]) -> None:
    try:
        why = Choice.read(name).refuse(game)
    except ValueError as fault:
        why = str(fault)
    if why:
        raise Problem(f"{where}: {why}.")


def _name_unknown_words(
    game: type[Game], seats: int, settings: Sequence[dict[str, Value]], names: Sequence[str]
) -> None:
    """Report barred words that nobody says in random games, on standard error: they may be misspelled."""
    barred = sorted({word for name in names for word in Choice.read(name).barred})
    if not barred:
        return
    known = words_said(barred, game, seats, settings)
    for word in barred:
        if word not in known:
            close = "".join(f" Did you mean {each}?" for each in get_close_matches(word, known, 1))
            why = f"~{word} avoids nothing: no move or value of {full_title(game)} in random games is called so.{close}"
            print(f"umpi: {why}", file=sys.stderr, flush=True)


def _print_match(experiment: Experiment, options: argparse.Namespace, play: Play) -> None:
    """Let two strategies play each other, the first at each seat in turn, and print how much better it is."""
    one, other = options.match
    seats = len(experiment.strategies)
    gains = list[float]()
    for seat in range(seats):
        games = len(range(seat, options.games or GAMES, seats))
        table = replace(experiment, strategies=seats_of(one, other, seats, seat), seed=experiment.seed * seats + seat)
        progress = _Progress(games, dict(experiment.options), options.vary)
        gains += [gained(each, seat) for each in play(table, games, progress=progress)]
    found = comparison(gains)
    if options.json:
        asked = {"game": experiment.game, "options": dict(experiment.options), "players": seats}
        put(dump({**asked, "games": options.games or GAMES, "seed": options.seed, "match": [one, other], **found}))
        return
    head = named(dict(experiment.options), options.vary)
    put(f"{head}{one} against {other}: {counted(len(gains), 'game')}, {seats} players")
    if found["share"] is None:
        return
    put(f"  {one} gains {found['share']:.1%} of the points, 95 % interval {found['low']:.1%} to {found['high']:.1%}")
    elo = "no end" if found["elo"] is None else f"{found['elo']:+.0f}"
    low, high = (("no end" if end is None else f"{end:+.0f}") for end in (found["elo_low"], found["elo_high"]))
    put(f"  difference of Elo: {elo}, 95 % interval {low} to {high}")
    if found["low"] <= 0.5 <= found["high"]:
        put("  These games do not show which is better.")


def _settings(game: type[Game], options: argparse.Namespace) -> Iterator[dict[str, Value]]:
    """Yield the options of each setting, without the defaults: those of --option with each of --vary."""
    fixed = read_options(options)
    ways: list[list[tuple[str, Any]]] = []
    for text in options.vary:
        name, equals, values = text.partition("=")
        if not equals or not values:
            raise Problem(f"--vary {text}: expected KEY=A,B,C or KEY=LOW..HIGH.")
        if name in fixed or any(way[0][0] == name for way in ways):
            raise Problem(f"--vary {text}: {name} is given twice.")
        ways.append([(name, value) for value in _values(text, values)])
    for chosen in product(*ways):
        yield {**fixed, **dict(chosen)}


def _values(text: str, values: str) -> list[Any]:
    low, dots, high = values.partition("..")
    if dots:
        try:
            found = range(int(low), int(high) + 1)
        except ValueError:
            raise Problem(f"--vary {text}: expected whole numbers around the dots, as in 10..14.") from None
        if not found or len(found) > MOST:
            raise Problem(f"--vary {text}: the range has {len(found)} values; 1 to {MOST} are possible.")
        return list(found)
    return [_value(value) for value in values.split(",")]


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _checked(game: type[Game], seats: int, setting: dict[str, Value]) -> dict[str, Value]:
    """Return the options of a setting with the defaults filled in. Raises Refused."""
    check_options(setting, game)
    whole = {**defaults(game), **setting}
    check_table(game, seats, whole)
    return whole


class _Progress:
    """Print how many games have been played and how long the others take, on standard error if it is a terminal."""

    def __init__(self, games: int, setting: dict[str, Value], vary: Sequence[str]) -> None:
        self._games, self._what = games, named(setting, vary)
        self._shown = sys.stderr.isatty()
        self._began_s = time.monotonic()

    def __call__(self, number: int) -> None:
        if self._shown:
            passed_s = time.monotonic() - self._began_s
            end = "\n" if number == self._games else ""
            print(f"\r{self._what}{progress_text(number, self._games, passed_s)}", end=end, file=sys.stderr, flush=True)


def progress_text(number: int, games: int, passed_s: float) -> str:
    """Return how many games have been played, and how long the others take at this pace.

    >>> progress_text(25, 100, 20.0)
    '25 of 100 games, 1:00 left '
    """
    left_s = round(passed_s / number * (games - number))
    return f"{number} of {games} games, {clock_time(left_s)} left "


def _put_failing(failed: Failed) -> None:
    """Report a game that failed at once, on standard error; the other games may take long."""
    print(f"game {failed.number}, seed {failed.seed}: {failed.why}", file=sys.stderr, flush=True)


def _failed(game: str, fault: GameFailed, options: argparse.Namespace) -> int:
    """Write the record of the game that failed, and print where it is and what became of the other games."""
    failed = fault.failed
    mark = sha256(failed.record.encode()).hexdigest()[:8]  # games of other settings have the same numbers
    file = Path(f"umpi-lab-{game}-{failed.number}-{mark}.jsonl")
    try:
        file.write_text(failed.record, encoding="utf-8")
        where = f"its record is in {file}"
    except OSError as problem:
        where = f"its record cannot be written: {problem}"
    others = "to keep the other games, add --continue FILE"
    if options.resume:
        others = f"{counted(fault.kept, 'game')} of this setting in {options.resume}; the same command plays the rest"
    why = f"game {failed.number}, seed {failed.seed}: {failed.why}; {where}; {others}"
    put(dump({"error": why}))
    return 1


def _cluster(options: argparse.Namespace) -> Cluster:
    if options.workers:
        raise Problem("--executor plays on the workers of a cluster: leave --workers out.")
    try:
        with needing("--executor", "lab"):
            return Cluster(options.executor)
    except NoCluster as fault:
        raise Problem(f"--executor: {fault}.") from None


def _kept(path: Path) -> PlayedFile:
    try:
        return PlayedFile(path)
    except (WrongFile, OSError) as fault:
        raise Problem(f"--continue {why_not(fault) if isinstance(fault, OSError) else fault}.") from None


def add_commands(add: AddParser) -> None:
    """Add the command of this file."""
    command = add(
        "lab", run_lab, group=WRITE,
        purpose="Measure how fair, long and close a game is.",
        description="Play many games by strategies and measure them. Print the wins of each seat with 95 % intervals, "
        "the length and the scores. Print how often the lead changed and how often each rule was used. "
        "The same seed gives the same numbers on any number of processes.",
        examples=(
            "umpi lab dodeka --games 200",
            "umpi lab dodeka --games 50 --vary target=300,500,700 --aim minutes=30",
            "umpi lab dodekka --games 50 --match greedy random",
        ),
        statuses={
            0: "All games were played.",
            1: "A game or a strategy failed; its record has been written.",
            2: "Wrong usage: an unknown game, option or strategy.",
        },
    )  # fmt: skip
    add_game(command, optional=True)
    command.add_argument("--games", type=int, metavar="N", help=f"games to play (default: {GAMES})")
    command.add_argument(
        "--seed", type=int, default=0, metavar="N",
        help="number that selects the games; the same number plays the same games (default: %(default)s)",
    )  # fmt: skip
    command.add_argument("--players", type=int, metavar="N", help="number of players (default: the fewest)")
    add_option(command, "play with this option of the game")
    command.add_argument(
        "--vary", action="append", default=[], metavar="KEY=VALUES",
        help="measure each setting of an option, as in target=300,500,700 or parts=1..5; may be given several times",
    )  # fmt: skip
    command.add_argument(
        "--strategy", action="append", default=[], metavar="SEAT=NAME",
        help="the strategy for a seat, counted from 0 (default: random); may be given once per seat. NAME:60 gives a "
        "budget of 60 games per decision, NAME~take a player who avoids that move or card",
    )  # fmt: skip
    command.add_argument(
        "--match", nargs=2, metavar=("A", "B"),
        help="let two strategies play each other, A at one seat in turn, and print the difference of Elo",
    )  # fmt: skip
    command.add_argument("--strategies", action="store_true", help="list the strategies")
    command.add_argument(
        "--workers", type=int, metavar="N", help="processes that play (default: one per core)",
    )  # fmt: skip
    command.add_argument(
        "--executor", metavar="dask://HOST:PORT",
        help="play on a Dask cluster, by the address of its scheduler; Umpi must be installed on its workers",
    )  # fmt: skip
    command.add_argument(
        "--continue", dest="resume", type=Path, metavar="FILE",
        help="add each game to this file, and skip the games that are already in it. Games added with --json are "
        "played again without it, because one decision of each is then examined",
    )  # fmt: skip
    command.add_argument(
        "--aim", metavar="GOAL", help="with --vary: say which setting is best, for fair or for minutes=30",
    )  # fmt: skip
    command.add_argument(
        "--report", type=Path, metavar="FILE.html",
        help="write a page with plots, and the games as CSV and Parquet beside it",
    )  # fmt: skip
    command.add_argument(
        "--journal", type=Path, metavar="FILE",
        help="measure the matches that people have played, of GAME or of all games, from the journal of a box; "
        "with --games play simulated games beside them",
    )  # fmt: skip
    command.add_argument("--json", action="store_true", help="print one line of JSON per setting")
