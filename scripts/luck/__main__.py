"""Measure reviews: the identity, the mean luck, who gives away how much, mistakes confirmed, ratings without luck."""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import Any, TypeVar

from umpi.kernel.fields import Value
from umpi.kernel.match import Match
from umpi.kernel.random_games import play_out
from umpi.kernel.record import Header, dump
from umpi.kernel.registry import find
from umpi.lab.intervals import Z95
from umpi.lab.strategies import Choice
from umpi.lab.world import Outlook, World
from umpi.review.match_review import review
from umpi.review.sampled import WORLDS, choice_of, compared
from umpi.review.split import Share

T = TypeVar("T")
SAMPLED = "dodekka", "battledodes"
FRESH = 1_000_000  # added to the number of an act, from which its worlds come: so these are others
POWER = 0.8  # how often two players should be told apart
Z80 = 0.8416  # the quantile of the normal distribution for that
SERIES = 1000  # series of matches that are drawn again from those played
LEVEL_SHARE = {"strong": 0.0, "medium": 0.2, "easy": 0.5}  # decisions that are left to chance


def shares(match: Match, worlds: int = WORLDS) -> list[Share]:
    """Return the review of a match."""
    found = review(match, range(len(match.acts)), worlds)
    return [each for each in found.players if isinstance(each, Share)]


def about(values: Sequence[float]) -> str:
    """Return a mean with half of its 95 % interval."""
    return f"{fmean(values):.2f} ± {Z95 * stdev(values) / len(values) ** 0.5:.2f}"


def points_of_turns(match: Match) -> list[int]:
    """Return the points of all turns of Dodéka by what the referee said of them."""
    points = [0] * len(match.players)
    for index in range(len(match.acts)):
        for call in match.calls(index):
            if call.kind == "scored":
                said: dict[str, Any] = dict(call.keys)
                points[said["seat"]] += said["points"]
    return points


def identity_of(seed: int) -> tuple[bool, list[float]]:
    """Return whether the parts of a random match of Dodéka add up as fractions, and the luck of its players."""
    options: dict[str, Value] = {"parts": 1 + seed % 3, "target": (200, 700)[seed % 2]}
    if seed % 5 == 0:
        options["scale"] = (300, 200, 120, 60, 40, 25, 5)
    match = play_out(find("dodeka"), tuple("ABCDEF"[: 2 + seed % 5]), options, seed)
    turns, found = points_of_turns(match), shares(match)
    fits = all(
        isinstance(each.luck.value, Fraction)
        and each.points == turns[each.seat] == each.expected.value + each.luck.value - each.given_away.value
        and each.given_away.value >= 0
        for each in found
    )
    return fits, [float(each.luck.value) for each in found]


def identity(options: argparse.Namespace) -> None:
    """Print in how many random matches of Dodéka the parts do not add up, and the mean luck."""
    found = list(spread(identity_of, seeds(options), options.workers))
    luck = [each for _, some in found for each in some]
    off = sum(not fits for fits, _ in found)
    print(f"dodeka: {len(found)} random matches, {off} off; mean luck {about(luck)} turn points")


def luck_of(game: str, worlds: int, seed: int) -> float:
    """Return the luck of the first player of a random match: that of all players adds up to 0."""
    return float(shares(play_out(find(game), ("A", "B"), {}, seed), worlds)[0].luck.value)


def mean_luck(options: argparse.Namespace) -> None:
    """Print the mean luck of the first of two random players in the sampled games."""
    for game in SAMPLED:
        luck = list(spread(partial(luck_of, game, options.worlds), seeds(options), options.workers))
        print(f"{game}: {len(luck)} random matches, {options.worlds} worlds; mean luck {about(luck)} %", flush=True)


def played(game: str, names: Sequence[str], seed: int, at_random: Sequence[float]) -> Match:
    """Play a match by strategies, by their names, of whose decisions a share of each is left to chance."""
    made = find(game)
    options: dict[str, Value] = {"parts": 1} if game == "dodeka" else {}
    match, chance = Match(made, [f"P{seat + 1}" for seat in range(len(names))], options), Random(seed).random
    world = World(match, chance, None, [frozenset()] * len(names))
    seats = [Choice.read(name).make(Random(f"{seed} {seat}").random) for seat, name in enumerate(names)]
    while not world.stopped:
        act = world.draw()
        seat = world.seat_of(act)
        if seat is not None and chance() >= at_random[seat]:
            wish = seats[seat].act(match, seat, Outlook(world, seat, chance))
            act = world.complete(wish) if wish else act
        world.play(act)
    return match


def given_away(game: str, name: str, worlds: int, seed: int) -> tuple[float, int]:
    """Return what two equal players gave away together, and in how many decisions."""
    found = shares(played(game, (name, name), seed, (0.0, 0.0)), worlds)
    return sum(float(each.given_away.value) for each in found), sum(each.decisions for each in found)


def order(options: argparse.Namespace) -> None:
    """Print what players of several strategies give away per decision."""
    best = {"dodeka": "dodeka-turn"}
    for game in ("dodeka", *SAMPLED):
        names = ["random", "greedy", f"search:{options.playouts}", *filter(None, [best.get(game)])]
        unit = "turn points" if game == "dodeka" else "%"
        for name in names:
            work = partial(given_away, game, name, options.worlds)
            found = list(spread(work, seeds(options), options.workers))
            each = [given / number for given, number in found if number]
            print(f"{game}: {name} gives away {about(each)} {unit} per decision in {len(found)} matches", flush=True)


def confirmed(game: str, seed: int) -> tuple[int, int, int]:
    """Return how many sure mistakes a random match has, and what ten times as many fresh worlds say of them.

    That is how many have their whole interval of 95 % above 0, and how many are as sure as a mistake must be.
    """
    match = play_out(find(game), ("A", "B"), {}, seed)
    replayed, sure, above, again = Match(match.game, match.players, match.options), 0, 0, 0
    for index, act in enumerate(match.acts):
        choice = choice_of(replayed, act, index)
        judged = choice and compared(replayed, choice, index, WORLDS)
        if choice and judged and judged.sure and (fresh := compared(replayed, choice, index + FRESH, 10 * WORLDS)):
            sure += 1
            above += fresh.loss > Z95 * fresh.errors[fresh.seat]
            again += fresh.sure
        replayed.play(act)
    return sure, above, again


def confirm(options: argparse.Namespace) -> None:
    """Print which share of the mistakes of the usual budget a tenfold budget confirms."""
    for game in SAMPLED:
        found = list(spread(partial(confirmed, game), seeds(options), options.workers))
        sure, above, again = (sum(some) for some in zip(*found, strict=True))
        print(
            f"{game}: of {sure} mistakes in {len(found)} random matches, {above} are confirmed by an interval of 95 %, "
            f"{again} by one as wide as a mistake needs",
            flush=True,
        )


def difference(one: str, other: str, seed: int) -> tuple[float, float]:
    """Return how far the first of two players was ahead in a match of Dodéka: by its result, and without luck."""
    turned = seed % 2
    levels = (other, one) if turned else (one, other)
    match = played("dodeka", ("dodeka-turn", "dodeka-turn"), seed, [LEVEL_SHARE[level] for level in levels])
    places = match.result.places if match.result else (1, 1)
    first, second = (float(each.points - each.luck.value) for each in shares(match))
    result, fair = (places[1] > places[0]) - (places[0] > places[1]), first - second
    return (-float(result), -fair) if turned else (float(result), fair)


def needed(values: Sequence[float]) -> float:
    """Return how many matches it takes to tell two players apart, by a test at 5 %, four times in five."""
    return ((Z95 + Z80) * stdev(values) / fmean(values)) ** 2


def told_apart(values: Sequence[float], matches: int, chance: Random) -> float:
    """Return in which share of series of so many matches, drawn from those played, the test tells them apart."""
    told = 0
    for _ in range(SERIES):
        some = chance.choices(values, k=matches)
        told += fmean(some) > student(matches - 1) * stdev(some) / matches**0.5
    return told / SERIES


def student(free: int) -> float:
    """Return the quantile of Student's distribution for a test at 5 %, by its expansion around the normal one.

    >>> round(student(5), 2), round(student(10), 3)
    (2.57, 2.228)
    """
    z = Z95
    return (
        z + (z**3 + z) / (4 * free) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * free**3)
    )  # fmt: skip


def first_told(values: Sequence[float], chance: Random) -> int:
    """Return the least number of matches, in steps of a tenth, with which most series tell the players apart."""
    matches = max(5, round(needed(values) / 2))
    while told_apart(values, matches, chance) < POWER:
        matches += max(1, matches // 10)
    return matches


def apart(options: argparse.Namespace) -> None:
    """Print how many matches of Dodéka it takes to tell two players apart, by results and without luck."""
    for one, other in (("strong", "medium"), ("medium", "easy"), ("strong", "easy")):
        found = list(spread(partial(difference, one, other), seeds(options), options.workers))
        results, fair = ([each[kind] for each in found] for kind in (0, 1))
        chance = Random(0)
        by_results, without = first_told(results, chance), first_told(fair, chance)
        print(
            f"dodeka, {one} against {other}, {len(found)} matches: {by_results} by results "
            f"(computed {needed(results):.0f}), {without} without luck (computed {needed(fair):.0f}): "
            f"{by_results / without:.1f} times fewer", flush=True,
        )  # fmt: skip


def cost(options: argparse.Namespace) -> None:
    """Print the time and memory of `umpi review` of a random match of each game."""
    with tempfile.TemporaryDirectory() as folder:
        for game in ("dodeka", *SAMPLED):
            match = play_out(find(game), ("A", "B"), {}, 7)
            file = Path(folder) / f"{game}.jsonl"
            lines = [Header(match.game, match.players, match.options).line(), *(act.line() for act in match.acts)]
            file.write_text("".join(f"{dump(line)}\n" for line in lines), encoding="utf-8")
            before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
            subprocess.run(
                [sys.executable, "-m", "umpi", "review", str(file), "--json", "--workers", str(options.workers)],
                check=True, stdout=subprocess.DEVNULL,
            )  # fmt: skip
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            used_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            print(
                f"{game}: {time.monotonic() - began:.1f} s on {options.workers} processes, {used_s:.1f} s of a core; "
                f"the largest process so far had {after.ru_maxrss // 1024} MB", flush=True,
            )  # fmt: skip


def seeds(options: argparse.Namespace) -> range:
    """Return the seeds of the matches to measure."""
    return range(options.first, options.first + options.matches)


def spread(work: Callable[[int], T], numbers: Iterable[int], workers: int) -> Iterator[T]:
    """Yield the results of a function for many numbers, in their order, computed by several processes."""
    if workers == 1:
        yield from map(work, numbers)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(work, numbers, chunksize=4)


FIGURES: dict[str, Callable[[argparse.Namespace], None]] = {
    "identity": identity, "luck": mean_luck, "order": order, "confirm": confirm, "apart": apart, "cost": cost,
}  # fmt: skip
MATCHES = {"identity": 10_000, "luck": 100, "order": 10, "confirm": 8, "apart": 1000, "cost": 1}


def main() -> int:
    """Measure the figures that are named, or all."""
    about_figures = "\n".join(f"  {name:9} {(each.__doc__ or '').splitlines()[0]}" for name, each in FIGURES.items())
    parser = argparse.ArgumentParser(
        prog="./scripts/dev luck", description=f"{__doc__}\n\n{about_figures}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("figures", nargs="*", choices=[*FIGURES, []], metavar="FIGURE", help="default: all")
    parser.add_argument("--matches", type=int, help=f"matches per figure (default: {MATCHES})")
    parser.add_argument("--worlds", type=int, default=40, help="of a sampled decision (default: %(default)s)")
    parser.add_argument("--playouts", type=int, default=60, help="of a search (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first match (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=2, help="processes (default: %(default)s)")
    options = parser.parse_args()
    for name in Counter(options.figures or FIGURES):
        began = time.monotonic()
        FIGURES[name](argparse.Namespace(**{**vars(options), "matches": options.matches or MATCHES[name]}))
        print(f"({name}: {time.monotonic() - began:.0f} s)", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
