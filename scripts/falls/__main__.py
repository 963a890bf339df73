"""Throw cubes through the printed gate as rigid bodies: how many stop, their order, and the verdicts on them.

  ./scripts/dev falls 200                        200 throws of each kind, as a table with intervals of 95 %
  ./scripts/dev falls 200 --sides 25:2.9 --high 1.08    the same through another mouth
  ./scripts/dev falls 5000 --verdicts            the same, but a throw ends behind the beams: twice as fast
  ./scripts/dev falls 200 --gaps --kinds three-funnel   how often a cube leaves the funnel before an earlier one
  ./scripts/dev falls --film three/17 --out throw.gif   a film of throw 17 of this kind
  ./scripts/dev falls --trace three/17           what its beams saw, for `umpi judge -`

A throw depends only on its seed, kind and number. It needs MuJoCo: pip install -e '.[falls]'.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import combinations
from math import sqrt
from pathlib import Path
from random import Random

from hardware.gate.geometry import Gate
from hardware.gate.numbers import Numbers, read_numbers
from scripts.falls.box import at_the_box
from scripts.falls.chance import KINDS, Kind, Ranges, handful
from scripts.falls.fall import Fall, fall, in_order
from scripts.falls.film import save_film
from scripts.falls.lanes import judged, tossed
from umpi.timing.gate import judge
from umpi.timing.occlusion import Settings
from umpi.timing.traces import write_trace

BATCH = 10
GAP_MS, LAST_GAP = 50, 6
Result = tuple[Counter[str], list[str]]  # of some throws: how many became what, and the names of those to look at

COLUMNS = (
    "kind",
    "throws",
    "stuck",
    "95 %",
    "beside",
    "other order",
    "overtook",
    "rail",
    "doubtful 1",
    "2",
    "wrong 1",
    "2",
)
ROW = "{:19}{:>7}{:>6}{:>17}{:>8}{:>13}{:>10}{:>6}{:>12}{:>5}{:>9}{:>4}"


def main() -> int:
    """Throw as many handfuls as asked for, and print what became of them; return 1 if a clear verdict was wrong."""
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="./scripts/dev falls", description=__doc__, formatter_class=formatter)
    parser.add_argument("throws", nargs="?", type=int, default=100, help="of each kind (100)")
    parser.add_argument("--seed", default="1", help="another seed throws other cubes (1)")
    parser.add_argument("--size", type=int, default=16, help="of the cubes, in mm (16)")
    parser.add_argument("--kinds", nargs="+", default=[kind.name for kind in KINDS], help="some of the kinds")
    parser.add_argument("--friction", nargs=2, type=float, metavar=("LEAST", "MOST"), help="instead of 0.1 to 0.35")
    parser.add_argument(
        "--larger", nargs=2, type=float, metavar=("LEAST", "MOST"), help="of the cube, in mm (-0.5 0.3)"
    )
    parser.add_argument("--damping", nargs=2, type=float, metavar=("LEAST", "MOST"), help="of contacts (0.25 0.5)")
    parser.add_argument("--sides", help="of the mouth: angle:width in cubes, from the throat up, with commas")
    parser.add_argument("--high", type=float, help="of the roof, in cubes")
    parser.add_argument("--processes", type=int, default=1, help="(1)")
    parser.add_argument(
        "--gaps", action="store_true", help="how many overtook, by the time between two; on one process"
    )
    parser.add_argument("--verdicts", action="store_true", help="end a throw behind the beams")
    one = parser.add_mutually_exclusive_group()
    one.add_argument("--film", metavar="KIND/NUMBER", help="draw this throw as a GIF")
    one.add_argument("--trace", metavar="KIND/NUMBER", help="print the trace of this throw")
    parser.add_argument("--out", type=Path, default=Path("throw.gif"), help="the file of the film (throw.gif)")
    chosen = parser.parse_args()
    named = {kind.name: kind for kind in KINDS}
    if odd := [name for name in chosen.kinds if name not in named]:
        parser.error(f"{', '.join(odd)}: expected {', '.join(named)}.")
    gate = Gate(_numbers(chosen.sides, chosen.high), chosen.size)
    for line in gate.traps:
        print(line, file=sys.stderr)
    ranges = _ranges(gate, chosen.friction, chosen.larger, chosen.damping)
    if name := chosen.film or chosen.trace:
        kind, _, number = name.partition("/")
        if kind not in named or not number.isdigit():
            parser.error(f"{name}: expected a kind and a number, such as three/17.")
        seen = thrown(gate, named[kind], ranges, chosen.seed, int(number))
        settings = settings_of(gate, 2)
        if chosen.film:
            print(save_film(seen, judge(seen.edges, settings), chosen.out))
        else:
            print("\n".join(write_trace(settings, seen.edges)))
        return 0
    kinds = [named[name] for name in chosen.kinds]
    if chosen.gaps:
        if odd := [kind.name for kind in kinds if kind.cubes < 2 or kind.each_lane]:
            parser.error(f"--gaps needs several cubes in one lane, and {', '.join(odd)} has not.")
        for kind in kinds:
            falls = (thrown(gate, kind, ranges, chosen.seed, number, False) for number in range(chosen.throws))
            print("\n".join(gaps(kind, falls)))
        return 0
    count = partial(counted, gate, ranges=ranges, seed=chosen.seed, to_rail=not chosen.verdicts)
    return _table(count, kinds, chosen.throws, chosen.processes)


def thrown(gate: Gate, kind: Kind, ranges: Ranges, seed: str, number: int, to_rail: bool = True) -> Fall:
    """Throw one handful: the same arguments, the same fall."""
    return fall(gate, handful(gate, kind, Random(f"{seed}/{gate.cube}/{kind.name}/{number}"), ranges), to_rail)


def gaps(kind: Kind, falls: Iterable[Fall]) -> Iterator[str]:
    """Yield how many pairs of cubes came out in the other order, by the time between their entries."""
    pairs, overtook = Counter[int](), Counter[int]()
    for seen in falls:
        place = {cube: at for at, cube in enumerate(seen.passed)}
        for one, other in combinations(sorted(place), 2):
            step = min(int((seen.entered_ms(other) - seen.entered_ms(one)) / GAP_MS), LAST_GAP)
            pairs[step] += 1
            overtook[step] += place[other] < place[one]
    for step in sorted(pairs):
        least, most = interval(overtook[step], pairs[step])
        beyond = "or more" if step == LAST_GAP else f"to {(step + 1) * GAP_MS}"
        yield f"{kind.name}, {step * GAP_MS} {beyond} ms: {overtook[step]} of {pairs[step]} ({least:.0%} to {most:.0%})"


def settings_of(gate: Gate, beams: int) -> Settings:
    """Return the firmware's settings for one lane of this gate."""
    code = gate.numbers.code
    return Settings(1, beams, gate.cube, code.turned, code.speed_mm_s, code.beam_gap_mm)


def counted(
    gate: Gate, kind: Kind, ranges: Ranges, seed: str, numbers: range, to_rail: bool = True
) -> tuple[Counter[str], list[str]]:
    """Throw some handfuls, count what became of them, and name those to look at."""
    counts, odd = Counter[str](), []
    for number in numbers:
        if kind.each_lane:
            found = judged(gate, tossed(gate, kind, ranges, seed, number))
        else:
            found = _found(gate, thrown(gate, kind, ranges, seed, number, to_rail), to_rail)
        counts.update({"throws": 1, **found})
        odd += [f"{what}: {kind.name}/{number}" for what, so in found.items() if so]
    return counts, odd


def _found(gate: Gate, seen: Fall, on_rail: bool) -> dict[str, bool]:
    """Return what became of a handful in one lane."""
    found = {
        "stuck": bool(seen.stuck),
        "beside": bool(seen.beside),
        "other order": seen.passed != seen.arrived,
        "overtook": seen.passed != tuple(sorted(seen.passed)),
        "rail": on_rail and not in_order(seen),
    }
    for beams in (1, 2):
        box = at_the_box(seen.edges, settings_of(gate, beams))
        found[f"doubtful {beams}"] = box.doubtful
        found[f"wrong {beams}"] = box.silently_wrong([0] * len(seen.passed))
    return found


def interval(count: int, of: int, z: float = 1.96) -> tuple[float, float]:
    """Return Wilson's interval for a share: with z = 1.96, of 95 %.

    >>> [round(end, 4) for end in interval(0, 100)]
    [0.0, 0.037]
    """
    middle, half = count + z * z / 2, z * sqrt(count * (of - count) / of + z * z / 4)
    return max(0.0, (middle - half) / (of + z * z)), min(1.0, (middle + half) / (of + z * z))


def _table(count: Callable[..., Result], kinds: list[Kind], throws: int, processes: int) -> int:
    wrong = 0
    print(ROW.format(*COLUMNS))
    for kind in kinds:
        batches = [range(first, min(first + BATCH, throws)) for first in range(0, throws, BATCH)]
        results = list(_mapped(partial(_one_kind, count, kind), batches, processes))
        counts = sum((each for each, _ in results), Counter[str]())
        least, most = interval(counts["stuck"], throws)
        row = [kind.name, throws, counts["stuck"], f"{least:.2%} – {most:.2%}"]
        row += [counts[name] for name in ("beside", "other order", "overtook", "rail")]
        row += [counts[f"{what} {beams}"] for what in ("doubtful", "wrong") for beams in (1, 2)]
        print(ROW.format(*row), flush=True)
        for line in sorted(line for _, odd in results for line in odd if not line.startswith("overtook")):
            print(f"  {line}", file=sys.stderr)
        wrong += counts["wrong 1"] + counts["wrong 2"]
    return int(wrong > 0)


def _one_kind(count: Callable[..., Result], kind: Kind, numbers: range) -> Result:
    return count(kind, numbers=numbers)


def _mapped(work: Callable[[range], Result], batches: list[range], processes: int) -> Iterator[Result]:
    if processes == 1:
        yield from map(work, batches)
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(work, batches)


def _numbers(sides: str | None, high: float | None) -> Numbers:
    numbers = read_numbers()
    if sides:
        pairs = [part.split(":") for part in sides.split(",")]
        found = tuple((float(deg), float(wide)) for deg, wide in pairs)
        numbers = replace(numbers, mouth=replace(numbers.mouth, sides=found))
    return replace(numbers, lane=replace(numbers.lane, high_cubes=high)) if high else numbers


def _ranges(
    gate: Gate, friction: list[float] | None, larger: list[float] | None, damping: list[float] | None
) -> Ranges:
    ranges = Ranges(larger_mm=(-gate.numbers.cubes.smaller_mm, gate.numbers.cubes.spread_mm))
    if friction:
        ranges = replace(ranges, friction=(friction[0], friction[1]))
    if damping:
        ranges = replace(ranges, damping=(damping[0], damping[1]))
    return replace(ranges, larger_mm=(larger[0], larger[1])) if larger else ranges


if __name__ == "__main__":
    sys.exit(main())
