"""Measure the matches that people have played: `umpi lab --journal`."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

from umpi.cli.lab_text import put_measures, write_report
from umpi.cli.terminal import Problem, reading
from umpi.kernel.game import full_title
from umpi.kernel.match import Refused
from umpi.kernel.options import defaults
from umpi.kernel.output import put
from umpi.kernel.record import dump
from umpi.kernel.registry import find
from umpi.lab.evenings import Evenings, read_evenings
from umpi.lab.further import SECONDS
from umpi.lab.page import Setting
from umpi.lab.run import GameFailed, play_all


def run_journal(options: argparse.Namespace) -> int:
    """`umpi lab --journal FILE`: print the measures of the matches, and of simulated games beside them."""
    for name in ("match", "vary", "aim", "strategy", "option", "players", "resume", "executor"):
        if getattr(options, name, None):
            word = "continue" if name == "resume" else name
            raise Problem(f"--journal measures matches as people played them: leave --{word} out.")
    try:
        with reading(options.journal):
            if options.game is not None:
                find(options.game)
            found, unread = read_evenings(options.journal, find, options.game, options.seed)
    except Refused as refusal:
        raise Problem(str(refusal)) from None
    shown = [setting for evenings in found for setting in _both(evenings, options)]
    for why in unread:
        print(why, file=sys.stderr)
    if not found:
        raise Problem(f"{options.journal} has no match{f' of {options.game}' if options.game else ''}.", 1)
    if options.report:
        write_report(options.report, "Matches in the laboratory", shown, unread)
    return 0


def _both(evenings: Evenings, options: argparse.Namespace) -> list[Setting]:
    """Print the matches of one setting, then simulated games of it if --games asks for them."""
    experiment = evenings.experiment
    game = find(experiment.game)
    usual = defaults(game)
    chosen = " ".join(f"{name}={dump(value)}" for name, value in experiment.options.items() if value != usual.get(name))
    name = f"{full_title(game)}, {len(experiment.players)} players {chosen}".rstrip()
    if chosen and not options.json:
        put(f"With {chosen}:")
    seconds = evenings.seconds or SECONDS
    matches = put_measures(game, experiment, evenings.matches, evenings.played, options, seconds)
    shown = [replace(matches, name=f"{name}: people")]
    if options.games:
        simulated = replace(experiment, strategies=("random",) * len(experiment.players), probe=not options.json)
        try:
            played = play_all(simulated, options.games, options.workers or 1)
        except GameFailed as fault:
            raise Problem(f"game {fault.failed.number} of {name}: {fault}", 1) from None
        made = put_measures(game, simulated, options.games, played, options, seconds)
        shown.append(replace(made, name=f"{name}: simulated"))
    return shown
