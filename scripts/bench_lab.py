"""Measure how many random games an hour the laboratory plays, beside play-outs of OpenSpiel in Python."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from umpi.kernel.game import defaults, full_title
from umpi.kernel.registry import find
from umpi.lab.games import Experiment
from umpi.lab.run import play_all

GAMES = ("dodeka", "dodekka", "battledodes", "dohdles", "dudab-buba")
PEERS = ("pig", "yacht", "crazy_eights", "python_block_dominoes")
MEASURE_S = 6.0  # of processor time, per game


def lab() -> None:
    """Print games an hour of one processor, and how much faster two processes are by the clock on the wall."""
    print("\nRandom games an hour of one processor; × is the speed of two processes, by the clock")
    for name in GAMES:
        game = find(name)
        experiment = Experiment(name, defaults(game), ("random",) * game.seats[0], 0)
        acts, games, seconds = _measured(lambda first, e=experiment: _play(e, first))
        number = max(40, int(2 * MEASURE_S * games / seconds))
        one, two = (_wall_s(experiment, number, workers) for workers in (1, 2))
        _put(full_title(game), acts, games, seconds, f"  × {one / two:.2f}")
    try:
        import open_spiel.python.games  # noqa: F401  # registers the games that are written in Python
        import pyspiel
    except ModuleNotFoundError:
        print("  OpenSpiel is not installed: pip install open_spiel")
        return
    for name in PEERS:
        peer = partial(_play_out, pyspiel.load_game(name))
        _put(f"OpenSpiel {name}", *_measured(peer))


def _put(name: str, acts: int, games: int, seconds: float, more: str = "") -> None:
    rates = f"{3600 * games / seconds:9,.0f} games, {acts / games:6.1f} acts each, {acts / seconds:8,.0f} acts a second"
    print(f"  {name:32} {rates}{more}", flush=True)


def _measured(play: Callable[[int], int]) -> tuple[int, int, float]:
    """Play for a while; return acts, games and seconds of processor time."""
    play(0)
    acts = games = 0
    begun_s = time.process_time()
    while (passed_s := time.process_time() - begun_s) < MEASURE_S:
        games += 1
        acts += play(games)
    return acts, games, passed_s


def _play(experiment: Experiment, seed: int) -> int:
    (played,) = play_all(Experiment(experiment.game, experiment.options, experiment.strategies, seed), 1, 1)
    return played.acts


def _wall_s(experiment: Experiment, games: int, workers: int) -> float:
    begun_s = time.monotonic()
    play_all(experiment, games, workers)
    return time.monotonic() - begun_s


def _play_out(game: Any, seed: int) -> int:
    """Play a game of OpenSpiel to its end at random, as its own examples do."""
    state, chance, acts = game.new_initial_state(), random.Random(seed), 0
    while not state.is_terminal():
        if state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chance.choices(actions, weights)[0])
        else:
            state.apply_action(chance.choice(state.legal_actions()))
            acts += 1
    return acts
