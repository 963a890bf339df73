"""Let phones and buttons of a simulated hall race, and count wrong orders and those too close to call.

The phones have random offsets, drifts to 100 ppm, ways of 1 to 200 ms that differ there and back, jitter, stalls and
tabs that sleep; at home each way takes 2 to 30 ms. Some phones are forged. The tables count pairs that follow each
other, by their true gap and by the slower round trip. The exit status is 1 if a clear order of honest presses was
wrong, or if a forged phone gained more than the box believes.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from pathlib import Path
from random import Random

from scripts.verdicts.phones import BEGIN_NS, MS, Phone, Press, S
from umpi.table.seats import COLOURS
from umpi.timing.phone_clock import BELIEVED_NS
from umpi.timing.race import Arrival, By, Race, too_close
from umpi.web.photo import Runner, file_picture

BATCH = 500
GAPS_MS = (5, 10, 20, 50, 100)  # the limits of the columns; the last column has no limit
TRIPS_MS = (10, 50, 200)
ROW = "{:>18}" + "{:>20}" * (len(GAPS_MS) + 1)

Cell = tuple[int, int]


@dataclass
class Count:
    """What happened in some races."""

    races: int = 0
    clear: int = 0  # pairs of honest presses whose order was called clear
    wrong: int = 0  # of these, in the wrong order
    outside: int = 0  # honest presses that were not inside their interval
    refused: int = 0  # honest stamps that were refused
    refused_forged: int = 0
    forged: int = 0
    gained_ns: int = 0  # the most that a forged phone gained
    beyond: int = 0  # forged presses that gained more than BELIEVED_NS
    pairs: Counter[Cell] = field(default_factory=Counter)
    close: Counter[Cell] = field(default_factory=Counter)
    arrived_wrong: Counter[Cell] = field(default_factory=Counter)

    def add(self, other: Count) -> None:
        """Add the counts of other races."""
        for name in vars(self):
            mine, its = getattr(self, name), getattr(other, name)
            setattr(self, name, max(mine, its) if name == "gained_ns" else mine + its)

    @property
    def failed(self) -> bool:
        """Whether the promise is broken."""
        return bool(self.wrong or self.outside or self.refused or self.beyond)


def main() -> int:
    """Run as many races as asked for, and print the tables."""
    parser = argparse.ArgumentParser(prog="./scripts/dev races", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("races", nargs="?", type=int, default=20_000, help="how many (20,000)")
    parser.add_argument("--seed", type=int, default=1, help="another seed makes another hall (1)")
    parser.add_argument("--home", action="store_true", help="each way of each request takes 2 to 30 ms")
    parser.add_argument("--svg", metavar="FILE", help="only draw a race in which some of four are too close to call")
    chosen = parser.parse_args()
    if chosen.svg:
        race = drawable(str(chosen.seed))
        runners = [Runner(COLOURS[one.seat or 0], one.seat) for one in race.arrivals]
        Path(chosen.svg).write_text(file_picture(race, runners), encoding="utf-8")
        return 0
    batches = [
        (min(BATCH, chosen.races - first), f"{chosen.seed}/{first}", chosen.home)
        for first in range(0, chosen.races, BATCH)
    ]
    total = Count()
    with ProcessPoolExecutor() as pool:
        for count in pool.map(play, *zip(*batches, strict=True)):
            total.add(count)
    print(report(total))
    return int(total.failed)


def play(races: int, seed: str, home: bool = False) -> Count:
    """Run races, and count what happened."""
    chance, count = Random(seed), Count()
    for _ in range(races):
        _race(chance, count, home)
    return count


def drawable(seed: str) -> Race:
    """Return the first race of a hall with a button and three phones, of which some are too close to call."""
    chance = Random(seed)
    while True:
        ran = sorted((press for press, _ in _race(chance, Count())), key=lambda press: press.latest_ns)
        buttons = [press for press in ran if press.earliest_ns == press.latest_ns]
        race = Race(0, tuple(_arrival(seat, press) for seat, press in enumerate(ran)))
        if len(ran) == 4 and len(buttons) == 1 and 0 < len(race.close) < 4:
            return race


def _arrival(seat: int, press: Press) -> Arrival:
    by: By = "phone" if press.earliest_ns < press.latest_ns else "button"
    return Arrival(by, seat, press.latest_ns, press.earliest_ns, press.latest_ns)


def _race(chance: Random, count: Count, home: bool = False) -> list[tuple[Press, int]]:
    """Run one race of two to four players; return each press with its round trip."""
    count.races += 1
    opens_ns = BEGIN_NS + round(chance.uniform(1, 30) * S)
    true_ns = opens_ns + round(chance.uniform(0.5, 30) * S)
    ran: list[tuple[Press, int]] = []
    for _ in range(chance.randint(2, 4)):
        true_ns += round(200 ** chance.random() * 1.5 * MS)
        if chance.random() < 0.15:
            ran.append((Press(true_ns, true_ns, true_ns, true_ns), 0))
            continue
        phone = Phone(chance, forged := chance.random() < 0.1, home)
        phone.meet(opens_ns, true_ns)
        press = phone.press(true_ns)
        if press is None:
            count.refused += not forged
            count.refused_forged += forged
        else:
            ran.append((press, phone.way.round_trip_ns))
            _judge_press(press, count)
    _judge_order(ran, count)
    return ran


def _judge_press(press: Press, count: Count) -> None:
    if not press.forged:
        count.outside += not press.earliest_ns <= press.true_ns <= press.latest_ns
        return
    count.forged += 1
    gained_ns = press.true_ns - press.latest_ns
    count.gained_ns = max(count.gained_ns, gained_ns)
    count.beyond += gained_ns > BELIEVED_NS


def _judge_order(ran: list[tuple[Press, int]], count: Count) -> None:
    for (one, _), (other, _) in combinations(ran, 2):  # they are in their true order
        if one.forged or other.forged or too_close([_span(one), _span(other)]):
            continue
        count.clear += 1
        count.wrong += one.true_ns < other.true_ns and other.latest_ns < one.latest_ns
    for (one, trip_ns), (other, other_trip_ns) in pairwise(ran):
        if one.forged or other.forged:
            continue
        cell = _column((other.true_ns - one.true_ns) / MS, GAPS_MS), _column(max(trip_ns, other_trip_ns) / MS, TRIPS_MS)
        count.pairs[cell] += 1
        count.close[cell] += bool(too_close([_span(one), _span(other)]))
        count.arrived_wrong[cell] += other.arrived_ns < one.arrived_ns


def _span(press: Press) -> tuple[int, int]:
    return press.earliest_ns, press.latest_ns


def _column(value: float, limits: tuple[int, ...]) -> int:
    return next((index for index, limit in enumerate(limits) if value < limit), len(limits))


def report(count: Count) -> str:
    """Return what happened as text."""
    gained = f"{max(0, count.gained_ns) / MS:.1f} ms at most, more than is believed: {count.beyond}"
    lines = [
        f"races {count.races:,}, orders of honest presses called clear {count.clear:,}, of these wrong {count.wrong}",
        f"honest presses outside their interval {count.outside}, refused {count.refused}",
        f"forged presses {count.forged:,}, refused {count.refused_forged:,}, gained {gained}",
        "",
        "Too close to call, and in brackets wrong if the order of arrival counted:",
        ROW.format("round trip \\ gap", *_titles(GAPS_MS)),
    ]
    for row, title in enumerate(_titles(TRIPS_MS)):
        cells = [(column, row) for column in range(len(GAPS_MS) + 1)]
        lines.append(ROW.format(title, *(_shares(count, cell) for cell in cells)))
    return "\n".join(lines)


def _titles(limits: tuple[int, ...]) -> list[str]:
    return [*(f"below {limit} ms" for limit in limits), f"{limits[-1]} ms and more"]


def _shares(count: Count, cell: Cell) -> str:
    if not count.pairs[cell]:
        return "–"
    return f"{count.close[cell] / count.pairs[cell]:.0%} ({count.arrived_wrong[cell] / count.pairs[cell]:.0%})"


if __name__ == "__main__":
    sys.exit(main())
