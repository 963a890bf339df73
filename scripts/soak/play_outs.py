"""Play random games of every engine, audit all cards and dice, and check the score of Dudab Buba on small piles."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product
from typing import Any

from tests.kit.dudab_piles import by_trying, cards, piles
from umpi.games.dudab_buba.scoring import score_counts
from umpi.kernel import Match, Number, Pick
from umpi.kernel.game import Game
from umpi.kernel.options import defaults
from umpi.kernel.random_games import play
from umpi.kernel.record import Header, dump
from umpi.kernel.registry import find, games

CHUNK = 50


def tables(game: type[Game]) -> Iterator[tuple[int, dict[str, Any]]]:
    """List every number of seats with the words and switches of the options in every combination, numbers small."""
    standard = defaults(game)
    choices: list[list[tuple[str, Any]]] = []
    for option in game.options:
        if isinstance(option, Pick):
            choices.append([(option.name, value) for value in option.pool])
        elif isinstance(option, Number):
            least = max(option.low, 2)
            choices.append([(option.name, value) for value in {standard[option.name], least}])
    for seats, chosen in product(game.seats, product(*choices)):
        yield seats, {name: value for name, value in chosen if value != standard[name]}


def chunk(id: str, first: int) -> tuple[int, int, str]:
    """Play some games from a seed on; returns the acts, the longest game, and the record of one that fails."""
    game = find(id)
    there = list(tables(game))
    acts = longest = 0
    for seed in range(first, first + CHUNK):
        seats, options = there[seed % len(there)]
        match = Match(game, [f"P{seat + 1}" for seat in range(seats)], options)
        for flaw in play(match, seed):
            if flaw:
                lines: list[Mapping[str, Any]] = [Header(game, match.players, options).line()]
                lines += [act.line() for act in match.acts]
                return acts, longest, "\n".join([f"{id}, seed {seed}: {flaw}", *map(dump, lines)])
        acts += len(match.acts)
        longest = max(longest, len(match.acts))
    return acts, longest, ""


def play_all(number: int) -> bool:
    """Play `number` games of each engine; return whether no audit failed."""
    fine = True
    with ProcessPoolExecutor() as pool:
        for game in games():
            began = time.monotonic()
            firsts = range(0, number, CHUNK)
            played = list(pool.map(partial(chunk, game.id), firsts))
            broken = [flaw for _, _, flaw in played if flaw]
            acts, longest = sum(acts for acts, _, _ in played), max(longest for _, longest, _ in played)
            print(
                f"{game.id}: {len(firsts) * CHUNK} games, {acts} acts, longest {longest}, "
                f"{len(broken)} failed audits, {time.monotonic() - began:.0f} s", flush=True,
            )  # fmt: skip
            for flaw in broken[:1]:
                print(flaw)
            fine = fine and not broken
    return fine


def piles_of(number: int, first: int) -> int:
    """Score every pile of `number` cards with `first` ones, all dudabs and jungles; returns how many were tried."""
    tried = 0
    for numbers in piles(number):
        if sum(numbers) != number or numbers[0] != first:
            continue
        for jungles, dudabs in product(range(6), range(min(8, number) + 1)):
            best = by_trying(cards(numbers), dudabs, 0, jungles)
            assert score_counts(0, dudabs, 0, jungles, 0, numbers) == best, (numbers, dudabs, jungles)
            tried += 1
    return tried


def prove_piles(most: int) -> None:
    """Score every pile of up to `most` number cards by trying all sets of cards."""
    with ProcessPoolExecutor() as pool:
        for number in range(most + 1):
            tried = sum(pool.map(partial(piles_of, number), range(number + 1)))
            print(f"dudab-buba, piles of {number}: {tried} scored as the best of all sets of cards", flush=True)


def main() -> int:
    """Run the checks; return 1 if one fails."""
    parser = argparse.ArgumentParser(prog="./scripts/dev play-outs", description=__doc__)
    parser.add_argument("games", type=int, nargs="?", default=10_000, help="games per engine (default: 10,000)")
    parser.add_argument("--piles", type=int, default=12, help="largest pile of number cards, 0 for none (default: 12)")
    options = parser.parse_args()
    fine = play_all(options.games)
    if options.piles:
        prove_piles(options.piles)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
