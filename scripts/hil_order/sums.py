"""Rounds as the guest tells them to counts and tables: who was right, how far the margins were off, what was lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

WAYS: Mapping[str, str] = {
    "umpi 2000": "Umpi, cubes, `dead_heat_us` 2000",
    "umpi 100": "Umpi, cubes, `dead_heat_us` 100",
    "umpi 100 quick": "Umpi, cubes, `dead_heat_us` 100 and `glitch_us` 100",
    "umpi presses": "Umpi, presses",
    "gpiozero": "gpiozero on lgpio, `when_pressed` as it comes",
    "monotonic": "the same, by `time.monotonic()`",
    "gpiod": "plain gpiod reader, as it reads",
}
STAMPED = {  # whose margins differ: all of Umpi's are of the same stamps, and to come first tells no margin
    "umpi 2000": "Umpi, by the kernel's stamps",
    "monotonic": "gpiozero on lgpio, `time.monotonic()` in `when_pressed`",
    "gpiod": "plain gpiod reader, `time.monotonic()` as it reads",
}
ONE_EACH = ("umpi presses", "gpiozero", "gpiod")  # a way of each process that hears the lines: to count its rounds once
DEAD_HEAT = "dead-heat"
UMPI_WAYS = tuple(way for way in WAYS if way.startswith("umpi"))
UNSURE = 0.05  # of the rounds, or one of few: the emulator stands still now and then


@dataclass(slots=True)
class Count:
    """What came of the rounds of one way, at one gap, beside so many busy processes."""

    rounds: int = 0  # in which lines were pulled as was meant; of others only what was wrong or lost counts
    right: int = 0
    wrong: int = 0
    close: int = 0  # called too close to call
    unsure: int = 0  # doubtful for another reason: edges late, lost or against each other, cubes too long
    untold: int = 0  # a line is not told of, nobody is unsure, yet no edge was lost; if one was, it is none of these
    lost: int = 0  # edges
    unsteady: int = 0  # rounds in which the emulator stood still while lines were pulled
    doubts: Counter[str] = field(default_factory=Counter)
    errors_us: list[float] = field(default_factory=list)  # of the margins, each by how much, without the sign
    gaps_us: list[float] = field(default_factory=list)  # as they truly were

    def take(self, told: Mapping[str, Any]) -> None:
        """Count one round.

        >>> count = Count()
        >>> pulls = {"pulled": [[4, 0], [5, 9000]], "steady": True}
        >>> count.take(pulls | {"order": [[5, 9500], [4, 0]], "doubts": [], "lost": 0})
        >>> count.wrong, count.errors_us
        (1, [0.5])
        """
        lines = [line for line, _ in told["order"]]
        pulled, heard = dict(told["pulled"]), dict(told["order"])
        astray = lines != [line for line in pulled if line in heard]
        self.wrong += astray and not told["doubts"]
        self.lost += told["lost"]
        if not told["steady"]:
            self.unsteady += 1
            return
        self.rounds += 1
        self.doubts.update(told["doubts"])
        self.close += DEAD_HEAT in told["doubts"]
        self.unsure += bool(told["doubts"]) and DEAD_HEAT not in told["doubts"]
        self.right += not told["doubts"] and lines == list(pulled)
        self.untold += not told["doubts"] and not astray and lines != list(pulled) and not told["lost"]
        for before, after in pairwise(pulled):
            true_ns = pulled[after] - pulled[before]
            self.gaps_us.append(true_ns / 1000)
            if before in heard and after in heard:
                self.errors_us.append(abs(heard[after] - heard[before] - true_ns) / 1000)


Cell = tuple[str, int, int]  # the way, how many busy processes, the gap in microseconds


def counted(rounds: Iterable[Mapping[str, Any]]) -> dict[Cell, Count]:
    """Count rounds, cell by cell."""
    counts: dict[Cell, Count] = {}
    for told in rounds:
        counts.setdefault((told["way"], told["busy"], told["gap_us"]), Count()).take(told)
    return counts


def share(values: Sequence[float], part: float) -> float | None:
    """Tell the least value that so many of all, as a part of 1, do not exceed; None where there is none.

    >>> share([5, 1, 2, 3, 4], 0.5), share([1, 9], 0.99)
    (3, 9)
    """
    return sorted(values)[min(len(values) - 1, int(part * len(values)))] if values else None


def verdicts(counts: Mapping[Cell, Count]) -> str:
    """Write a table of right, wrong, too close and unsure, a row a way, a column a gap."""
    gaps = sorted({gap for _, _, gap in counts})
    heads = "".join(f" {gap / 1000:g} ms |" for gap in gaps)
    lines = [f"| right / wrong / too close / unsure; gap: |{heads} lost edges |", "|---|" + "---|" * (len(gaps) + 1)]
    for name, row in _rows(counts, WAYS):
        each = [row[gap] for gap in gaps]
        cells = [f"{count.right} / {_bold(count.wrong)} / {count.close} / {count.unsure}" for count in each]
        lines.append(f"| {name} | {' | '.join(cells)} | {sum(count.lost for count in each)} |")
    return "\n".join(lines)


def margins(counts: Mapping[Cell, Count]) -> str:
    """Write a table of how far the margins are off, median and 99 %, a row a way, a column a gap."""
    told = {cell: count for cell, count in counts.items() if cell[0] in STAMPED}
    gaps = sorted({gap for _, _, gap in told})
    heads = "".join(f" {gap / 1000:g} ms |" for gap in gaps)
    lines = [f"| margin off by, µs: median / 99 %; gap: |{heads}", "|---|" + "---|" * len(gaps)]
    for name, row in _rows(told, STAMPED):
        cells = [" / ".join(_us(share(row[gap].errors_us, part)) for part in (0.5, 0.99)) for gap in gaps]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def remarks(counts: Mapping[Cell, Count]) -> Iterator[str]:
    """Say what the tables do not: why cubes were doubtful, what was heard out of order, the gaps as they came out."""
    doubts = sum((count.doubts for count in counts.values()), Counter[str]())
    if others := {doubt: number for doubt, number in sorted(doubts.items()) if doubt != DEAD_HEAT}:
        yield ("Why Umpi was unsure: " + ", ".join(f"{doubt} {number}" for doubt, number in others.items()) + ".")
    if unsteady := sum(count.unsteady for (way, _, _), count in counts.items() if way in ONE_EACH):
        yield f"Rounds pulled again, as the emulator stood still: {unsteady}; what was wrong or lost there counts."
    true: dict[int, list[float]] = {}
    for (_, _, gap), count in counts.items():
        true.setdefault(gap, []).extend(count.gaps_us)
    spans = [f"{gap / 1000:g} ms: {_us(share(us, 0.5))} / {_us(share(us, 0.99))}" for gap, us in sorted(true.items())]
    yield "True gaps as they came out, µs, median / 99 %: " + "; ".join(spans) + "."


def missed(counts: Mapping[Cell, Count], rounds: int) -> list[str]:
    """List what is missed of the aim, at each gap of so many rounds that should have been.

    Umpi is never wrong, tells of every line whose edges came, and is seldom unsure; if quick, it calls at most 1 % too
    close at half a millisecond and above.
    """
    found = []
    for busy, gap in sorted({(busy, gap) for _, busy, gap in counts}):
        for way in UMPI_WAYS:
            count = counts.get((way, busy, gap), Count())
            where = f"{WAYS[way]}, {busy} busy, {gap / 1000:g} ms"
            if count.rounds < rounds:
                found.append(f"{where}: only {count.rounds} of {rounds} rounds")
            if count.wrong:
                found.append(f"{where}: wrong in {count.wrong} of {count.rounds}")
            if count.untold:
                found.append(f"{where}: not all told in {count.untold} of {count.rounds}, though no edge was lost")
            if count.unsure > max(1, UNSURE * count.rounds):
                found.append(f"{where}: unsure in {count.unsure} of {count.rounds}")
            if way == "umpi 100 quick" and gap >= 500 and count.close * 100 > count.rounds:
                found.append(f"{where}: {count.close} of {count.rounds} called too close")
    return found if counts else ["nothing was told of any round"]


def _rows(counts: Mapping[Cell, Count], ways: Mapping[str, str]) -> Iterator[tuple[str, dict[int, Count]]]:
    for busy in sorted({busy for _, busy, _ in counts}):
        for way, name in ways.items():
            if row := {gap: count for (one, load, gap), count in counts.items() if (one, load) == (way, busy)}:
                yield f"{name}{f', {busy} busy' if busy else ''}", row


def _bold(wrong: int) -> str:
    return f"**{wrong}**" if wrong else "0"


def _us(us: float | None) -> str:
    return "–" if us is None else f"{us:.0f}" if us >= 10 else f"{us:.1f}"
