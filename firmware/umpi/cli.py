"""The command line: `umpi run | sim | replay | play-out | schema | games | history`."""

from __future__ import annotations

import argparse
import contextlib
import os
import sqlite3
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from umpi import __version__
from umpi.config import BadConfig, Config, read_config, read_option
from umpi.journal import Foreign, Kept, open_to_read, read_lines, read_matches, read_traces
from umpi.judge import BadTrace, judge_file
from umpi.rules.catalog import catalog, find, games
from umpi.rules.game import full_title
from umpi.rules.match import Broken, Refused
from umpi.rules.playout import NeverEnds, play_out
from umpi.rules.record import Header, Step, check_options, check_table, dump
from umpi.rules.record import replay as replay_record
from umpi.rules.schema import options_schema, schema

EXAMPLES = """examples:
  umpi sim                                    play on the virtual box, in the browser
  umpi sim --script tests/scenarios/dodeka.txt    play a written scenario, without one
  umpi run --config umpi.toml                 be the box, on a Raspberry Pi
  umpi play-out dodeka --seed 7 --players 3 | umpi replay --trace -
  umpi history                                the games played on this box
"""


class Problem(Exception):
    """What stops a command: one line for the person who typed it, and the exit status."""

    def __init__(self, why: str, status: int = 2) -> None:
        super().__init__(why)
        self.status = status


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns its exit status."""
    options = _parser().parse_args(arguments)
    try:
        status: int = options.command(options)
        sys.stdout.flush()
        return status
    except Problem as problem:
        print(f"umpi: {problem}", file=sys.stderr)
        return problem.status
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


def run_replay(options: argparse.Namespace) -> int:
    """`umpi replay FILE`: print the states of a record."""
    try:
        with _opened(options.file) as lines:
            return _replay(lines, options.trace)
    except OSError as fault:
        _print({"n": 0, "line": None, "error": f"{options.file}: {fault.strerror or fault}", "state": None})
        return 2


def _replay(lines: Iterable[bytes], trace: bool) -> int:
    header, step = True, Step(0, None, None)
    try:
        for step in replay_record(lines, find):
            state = step.record.match.state() if step.record and (trace or step.error) else None
            if step.error:
                _print({"n": step.n, "line": step.line, "error": step.error, "state": state})
                return step.status
            if trace and not header:
                _print({"n": step.n, "line": step.line, "state": state})
            header = False
        assert step.record
        _print({"n": step.n, "state": step.record.match.state()})
    except Broken as broken:
        _print({"n": step.n, "line": step.line, "error": str(broken), "state": None})
        return 1
    except OSError as fault:
        _print({"n": step.n, "line": None, "error": fault.strerror or str(fault), "state": None})
        return 2
    return 0


def run_play_out(options: argparse.Namespace) -> int:
    """`umpi play-out GAME --seed N`: write a complete random game."""
    try:
        game = find(options.game)
        number = game.seats[0] if options.players is None else options.players
        if number not in game.seats:
            raise Problem(f"{game.title} seats {game.seats[0]} to {game.seats[-1]} players, not {number}.")
        players = tuple(f"P{seat + 1}" for seat in range(number))
        chosen = check_options(_options(options), game)
        check_table(game, number, chosen)
        match = play_out(game, players, chosen, options.seed)
    except Refused as refusal:
        raise Problem(str(refusal)) from None
    except NeverEnds as fault:
        raise Problem(f"{options.game}: {fault}", 1) from None
    _print(Header(game, players, chosen).line())
    for act in match.acts:
        _print(act.line())
    return 0


def _options(options: argparse.Namespace) -> dict[str, Any]:
    """Read all --option KEY=VALUE."""
    told: dict[str, Any] = {}
    for text in options.option:
        try:
            key, value = read_option(text)
        except BadConfig as fault:
            raise Problem(f"--option {fault}") from None
        if key in told:
            raise Problem(f"--option {key} is given twice.")
        told[key] = value
    return told


def run_schema(options: argparse.Namespace) -> int:
    """`umpi schema GAME`: print the schema of its action lines."""
    try:
        _print(schema(find(options.game)))
    except Refused as refusal:
        raise Problem(str(refusal)) from None
    return 0


def run_games(options: argparse.Namespace) -> int:
    """`umpi games`: print a line a game."""
    for entry in catalog():
        game = entry.game
        if game is None:
            _print({"id": entry.id, "error": entry.error})
            continue
        _print({
            "id": entry.id, "title": full_title(game), "kind": getattr(game, "kind", ""),
            "seats": [game.seats[0], game.seats[-1]], "options": options_schema(game),
        })  # fmt: skip
    return 0


def run_history(options: argparse.Namespace) -> int:
    """`umpi history [ID]`: list the matches of a journal, or print the record of one."""
    path = options.journal or _config(options).journal
    try:
        with contextlib.closing(open_to_read(path)) as file:
            kept = {match.id: match for match in read_matches(file)}
            if options.id is None:
                for match in kept.values():
                    print(_summary(match, read_lines(file, match.id)))
                return 0
            if options.id not in kept:
                raise Problem(f"{path}: there is no match {options.id}; umpi history lists them.")
            if options.trace is not None:
                traces = read_traces(file, options.id)
                if not 1 <= options.trace <= len(traces):
                    raise Problem(f"match {options.id} has {len(traces)} traces, an announcement each.")
                sys.stdout.buffer.write(traces[options.trace - 1].encode())
                return 0
            lines = [kept[options.id].header, *read_lines(file, options.id)]
            if options.record:
                sys.stdout.buffer.write("".join(line + "\n" for line in lines).encode())
            else:
                print(_summary(kept[options.id], lines[1:]))
    except (Foreign, OSError) as fault:
        raise Problem(str(fault)) from None
    except sqlite3.Error as fault:
        raise Problem(f"{path}: {fault}. The file is damaged, or not of this Umpi.") from None
    return 0


def _summary(match: Kept, lines: Sequence[str]) -> str:
    """A line for people: number, when, game, who played, how it stands."""
    raw = "\n".join([match.header, *lines]).encode().splitlines(keepends=True)
    *_, step = replay_record(raw, find)
    when = match.began[:16].replace("T", " ")
    if step.record is None:
        return f"{match.id:4}  {when}  {step.error}"
    played = step.record.match
    result = played.now.result()
    scores = ", ".join(f"{name} {score}" for name, score in zip(played.players, played.now.scores(), strict=True))
    won = " & ".join(played.players[seat] for seat in result.winners) if result else ""
    how = step.error or (f"won by {won}" if won else f"not over, {step.n} acts")
    return f"{match.id:4}  {when}  {full_title(played.game)}: {scores} ({how})"


def run_sim(options: argparse.Namespace) -> int:
    """`umpi sim`: the virtual box in the browser, or a scenario without one."""
    config = _config(options)
    if options.script:
        from umpi.sim.script import ScriptFault, play_script

        with tempfile.TemporaryDirectory(prefix="umpi-") as folder:
            config = replace(_laned(config, options), journal=options.journal or Path(folder) / "games.db")
            try:
                played = play_script(options.script, config)
            except ScriptFault as fault:
                raise Problem(str(fault), fault.status) from None
            except Foreign as fault:
                raise Problem(str(fault)) from None
        print(f"{options.script}: {played.steps} steps, {played.presses} presses, all as expected")
        return 0
    from umpi.sim.page import NoPort, serve

    try:
        config = replace(_laned(config, options), journal=options.journal or config.journal)
        serve(config, options.host, options.port, options.open)
    except (Foreign, NoPort) as fault:
        raise Problem(str(fault)) from None
    return 0


def _laned(config: Config, options: argparse.Namespace) -> Config:
    """Give the virtual box the funnel asked for, or one lane where umpi.toml has none."""
    from umpi.sim.virtual import with_lanes

    if options.lanes is None:
        return config if config.beams else with_lanes(config, 1)
    return with_lanes(config, options.lanes)


def run_judge(options: argparse.Namespace) -> int:
    """`umpi judge FILE`: judge the raw edges of an announcement."""
    try:
        with _opened(options.file) as lines:
            told = judge_file(lines)
    except OSError as fault:
        _print({"line": None, "error": f"{options.file}: {fault.strerror or fault}"})
        return 2
    except BadTrace as fault:
        _print({"line": fault.line, "error": fault.why})
        return 2
    for line in told:
        _print(line)
    return 0


def run_box(options: argparse.Namespace) -> int:
    """`umpi run`: be the box, on a Raspberry Pi."""
    from umpi.run import NoPins, run

    config = _config(options)
    try:
        run(replace(config, journal=options.journal or config.journal))
    except (Foreign, NoPins) as fault:
        raise Problem(str(fault)) from None
    return 0


def _config(options: argparse.Namespace) -> Config:
    try:
        config = read_config(options.config)
    except BadConfig as fault:
        raise Problem(str(fault)) from None
    house = _options(options) if "option" in options else {}
    for name, value in house.items():
        having = [game for game in games() if any(option.name == name for option in game.options)]
        if not having:
            raise Problem(f"--option {name}: no installed game has such an option.")
        try:
            for game in having:
                check_options({name: value}, game)
        except Refused as refusal:
            raise Problem(f"--option {name}: {refusal}") from None
    return replace(config, options=house)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="umpi", description="Umpi, the referee box for the table.", epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--version", action="version", version=f"umpi {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    command = commands.add_parser("replay", help="replay a written game and print where it stands")
    command.add_argument("file", metavar="FILE", help="a record, JSON Lines; - is standard input")
    command.add_argument("--trace", action="store_true", help="print the state after each line")
    command.set_defaults(command=run_replay)

    command = commands.add_parser("play-out", help="write a complete random game as a record")
    command.add_argument("game", metavar="GAME", help="a game's id, as umpi games lists it")
    command.add_argument("--seed", type=int, required=True, metavar="N", help="the same seed, the same game")
    command.add_argument("--players", type=int, metavar="K", help="how many; default: the fewest")
    _add_option(command, "an option of the game")
    command.set_defaults(command=run_play_out)

    command = commands.add_parser("judge", help="judge the raw edges of an announcement: who was first")
    command.add_argument("file", metavar="FILE", help="a trace, JSON Lines; - is standard input")
    command.set_defaults(command=run_judge)

    command = commands.add_parser("schema", help="print the JSON Schema of a game's action lines")
    command.add_argument("game", metavar="GAME")
    command.set_defaults(command=run_schema)

    command = commands.add_parser("games", help="list the installed games, broken ones with the reason")
    command.set_defaults(command=run_games)

    box = argparse.ArgumentParser(add_help=False)
    box.add_argument("--config", type=Path, metavar="UMPI.TOML", help="the wiring (default: as hardware/ says)")
    house = argparse.ArgumentParser(add_help=False)
    _add_option(house, "an option of every game that has it, as in board=@ours.json")
    box.add_argument("--journal", type=Path, metavar="FILE", help="where the games are kept (default: by umpi.toml)")

    command = commands.add_parser("sim", parents=[box, house], help="the virtual box, in the browser")
    command.add_argument("--script", type=Path, metavar="FILE", help="play a written scenario, in injected time")
    command.add_argument("--host", default="127.0.0.1", help="the address to serve at (default: this machine only)")
    command.add_argument("--port", type=int, default=8137, help="the port to serve at (default: 8137)")
    command.add_argument("--lanes", type=int, choices=(0, 1, 6), help="of the funnel: none, one for all, one a seat")
    command.add_argument("--open", action="store_true", help="open the page in the browser")
    command.set_defaults(command=run_sim)

    command = commands.add_parser("run", parents=[box, house], help="be the box, on a Raspberry Pi")
    command.set_defaults(command=run_box)

    command = commands.add_parser("history", parents=[box], help="the games in the journal")
    command.add_argument("id", type=int, nargs="?", metavar="ID", help="one match, by its number")
    command.add_argument("--record", action="store_true", help="print its record, for umpi replay")
    command.add_argument("--trace", type=int, metavar="N", help="print the raw edges of its Nth announcement")
    command.set_defaults(command=run_history)
    return parser


def _add_option(parser: argparse.ArgumentParser, what: str) -> None:
    help = f"{what}; VALUE is JSON, else text; @FILE is that file's JSON"
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help=help)


def _opened(file: str) -> Any:
    """Open a file, or standard input, which closing leaves open; raises OSError where it cannot be read."""
    if file != "-":
        return open(file, "rb")
    if sys.stdin is None:
        raise OSError("there is no standard input")
    return open(sys.stdin.fileno(), "rb", closefd=False)


def _print(value: object) -> None:
    """Print one JSON line, at once and in UTF-8 whatever the terminal's language."""
    sys.stdout.buffer.write(dump(value).encode(errors="replace") + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(main())
