"""Measure how many random games an hour the laboratory plays, and how long a search takes per decision.

Play-outs of OpenSpiel in Python are beside the random games.
"""

from __future__ import annotations

import os
import random
import statistics
import time
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any
from unittest.mock import patch

from umpi.kernel.fields import Chance
from umpi.kernel.game import Act, Game, full_title
from umpi.kernel.match import Match
from umpi.kernel.options import defaults
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find, games
from umpi.kernel.strategy import Strategy
from umpi.lab.games import Experiment
from umpi.lab.run import play_all
from umpi.lab.strategies import Choice, strategies
from umpi.lab.world import Outlook

GAMES = ("dodeka", "dodekka", "battledodes", "dohdles", "dudab-buba")
PEERS = ("pig", "yacht", "crazy_eights", "python_block_dominoes")
MEASURE_S = 2.0  # of processor time, per game
SEARCHES = {"dodeka": "search:100", "dodekka": "mcts:80", "battledodes": "search:75", "dohdles": "search:30",
            "dudab-buba": "search:36"}  # about 100 ms per decision  # fmt: skip


def lab() -> None:
    """Print games an hour of one processor, the processor time that two processes need in addition, and searches."""
    print("\nActs a second of the laboratory, and their share of a plain play-out’s, median of 7 (least to most)")
    for each in games():
        _print_share(each)
    print("\nRandom games an hour of one processor; + is what two processes cost in addition")
    for name in GAMES:
        game = find(name)
        experiment = Experiment(name, defaults(game), ("random",) * game.seats[0], 0)
        acts, played, seconds = _measured(partial(_play, experiment))
        number = max(40, int(MEASURE_S * played / seconds))
        one, two = (_processor_s(experiment, number, workers) for workers in (1, 2))
        _put(full_title(game), acts, played, seconds, f"  {two - one:+.1f} s")
    for name, search in SEARCHES.items():
        print(
            f"  {full_title(find(name)):32} {search:10} {_decision_ms(name, search):6.0f} ms per decision", flush=True
        )
    try:
        import open_spiel.python.games  # noqa: F401  # registers the games that are written in Python
        import pyspiel
    except ModuleNotFoundError:
        print("  OpenSpiel is not installed: pip install open_spiel")
        return
    for name in PEERS:
        _put(f"OpenSpiel {name}", *_measured(partial(_play_out, pyspiel.load_game(name))))


def _print_share(game: type[Game]) -> None:
    """Print how fast the laboratory plays random games, beside the same number of plain ones."""
    experiment = Experiment(game.id, defaults(game), ("random",) * game.seats[0], 0)

    def plain(seed: int) -> int:
        return len(play_out(game, experiment.players, experiment.options, seed).acts)

    ways: tuple[Callable[[int], int], ...] = (partial(_play, experiment), plain)
    rates: list[list[float]] = [[], []]
    for part in range(7):
        for way, found in zip(ways, rates, strict=True):
            acts, begun_s = 0, time.process_time()
            for seed in count(1000 * part):
                acts += way(seed)
                if (passed_s := time.process_time() - begun_s) > MEASURE_S / 7:
                    break
            found.append(acts / passed_s)
    shares = [own / plain for own, plain in zip(*rates, strict=True)]
    print(f"  {full_title(game):32} {statistics.median(rates[0]):9,.0f}  {statistics.median(shares):.2f} "
          f"({min(shares):.2f} to {max(shares):.2f})", flush=True)  # fmt: skip


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


def _decision_ms(name: str, search: str) -> float:
    """Return the processor time of a search per decision, on average over the games that fit into MEASURE_S."""
    game, spent, decisions = find(name), 0.0, 0

    class Timed(Strategy):
        def __init__(self, chance: Chance) -> None:
            self._search = Choice.read(search).make(chance)

        def act(self, match: Match, seat: int, outlook: Outlook) -> Act | None:
            nonlocal spent, decisions
            begun_s = time.thread_time()
            act = self._search.act(match, seat, outlook)
            if act is not None:
                spent += time.thread_time() - begun_s
                decisions += 1
            return act

    makers = {**strategies(), "timed": Timed}
    with patch("umpi.lab.strategies.strategies", lambda: makers):
        for seed in range(100):
            _play(Experiment(name, defaults(game), ("timed", *("random",) * (game.seats[0] - 1)), 0), seed)
            if spent > MEASURE_S:
                break
    return 1000 * spent / decisions


def _processor_s(experiment: Experiment, games: int, workers: int) -> float:
    """Return the processor time of all processes, which other programs on this machine hardly change."""
    begun = os.times()
    play_all(experiment, games, workers)
    return sum(os.times()[:4]) - sum(begun[:4])


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
