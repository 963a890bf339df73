"""Count the rounds of the guest and write tables: who was right, how wrong the margins were, what was lost."""

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
    "head 2000": "Umpi, cubes, sensor head, `dead_heat_us` 2000",
    "head 100": "Umpi, cubes, sensor head, `dead_heat_us` 100",
    "head 100 quick": "Umpi, cubes, sensor head, `dead_heat_us` 100 and `glitch_us` 100",
    "gpiozero": "gpiozero on lgpio, `when_pressed` as it comes",
    "monotonic": "the same, by `time.monotonic()`",
    "gpiod": "plain gpiod reader, as it reads",
}
STAMPED = {  # the ways that have margins of their own: all ways of Umpi share the same stamps
    "umpi 2000": "Umpi, by the kernel's stamps",
    "head 2000": "Umpi, by the sensor head's stamps",
    "monotonic": "gpiozero on lgpio, `time.monotonic()` in `when_pressed`",
    "gpiod": "plain gpiod reader, `time.monotonic()` as it reads",
}
ONE_EACH = ("umpi presses", "gpiozero", "gpiod")  # one way per process, so that each round counts once
DEAD_HEAT = "dead-heat"
UMPI_WAYS = tuple(way for way in WAYS if way.startswith("umpi"))
HEAD_WAYS = tuple(way for way in WAYS if way.startswith("head"))
UNSURE = 0.05  # share of the rounds, or one round: the emulator stops now and then


@dataclass(slots=True)
class Count:
    """The results of one way at one gap, beside a number of busy processes."""

    rounds: int = 0  # in which the lines were pulled as intended; other rounds count only if wrong or lost
    right: int = 0
    wrong: int = 0
    close: int = 0  # the box reported "too close to call"
    unsure: int = 0  # doubtful for another reason: edges late, lost or against each other, cubes too long
    unreported: int = 0  # a line is missing without a doubt and without a lost edge
    lost: int = 0  # edges
    unsteady: int = 0  # rounds in which the emulator stopped while lines were pulled
    doubts: Counter[str] = field(default_factory=Counter)
    errors_us: list[float] = field(default_factory=list)  # errors of the margins, without sign
    gaps_us: list[float] = field(default_factory=list)  # true gaps

    def take(self, report: Mapping[str, Any]) -> None:
        """Count one round.

        >>> count = Count()
        >>> pulls = {"pulled": [[4, 0], [5, 9000]], "steady": True}
        >>> count.take(pulls | {"order": [[5, 9500], [4, 0]], "doubts": [], "lost": 0})
        >>> count.wrong, count.errors_us
        (1, [0.5])
        """
        lines = [line for line, _ in report["order"]]
        pulled, received = dict(report["pulled"]), dict(report["order"])
        wrong_order = lines != [line for line in pulled if line in received]
        self.wrong += wrong_order and not report["doubts"]
        self.lost += report["lost"]
        if not report["steady"]:
            self.unsteady += 1
            return
        self.rounds += 1
        self.doubts.update(report["doubts"])
        self.close += DEAD_HEAT in report["doubts"]
        self.unsure += bool(report["doubts"]) and DEAD_HEAT not in report["doubts"]
        self.right += not report["doubts"] and lines == list(pulled)
        self.unreported += not report["doubts"] and not wrong_order and lines != list(pulled) and not report["lost"]
        for before, after in pairwise(pulled):
            true_ns = pulled[after] - pulled[before]
            self.gaps_us.append(true_ns / 1000)
            if before in received and after in received:
                self.errors_us.append(abs(received[after] - received[before] - true_ns) / 1000)


Cell = tuple[str, int, int]  # the way, how many busy processes, the gap in microseconds


def counted(rounds: Iterable[Mapping[str, Any]]) -> dict[Cell, Count]:
    """Count rounds, cell by cell."""
    counts: dict[Cell, Count] = {}
    for report in rounds:
        counts.setdefault((report["way"], report["busy"], report["gap_us"]), Count()).take(report)
    return counts


def share(values: Sequence[float], part: float) -> float | None:
    """Return the smallest value that a part of all values, from 0 to 1, does not exceed; None if there are no values.

    >>> share([5, 1, 2, 3, 4], 0.5), share([1, 9], 0.99)
    (3, 9)
    """
    return sorted(values)[min(len(values) - 1, int(part * len(values)))] if values else None


def verdicts(counts: Mapping[Cell, Count]) -> str:
    """Write a table of right, wrong, too close and unsure, with one row per way and one column per gap."""
    gaps = sorted({gap for _, _, gap in counts})
    heads = "".join(f" {gap / 1000:g} ms |" for gap in gaps)
    lines = [f"| right / wrong / too close / unsure; gap: |{heads} lost edges |", "|---|" + "---|" * (len(gaps) + 1)]
    for name, row in _rows(counts, WAYS):
        each = [row[gap] for gap in gaps]
        cells = [f"{count.right} / {_bold(count.wrong)} / {count.close} / {count.unsure}" for count in each]
        lines.append(f"| {name} | {' | '.join(cells)} | {sum(count.lost for count in each)} |")
    return "\n".join(lines)


def margins(counts: Mapping[Cell, Count]) -> str:
    """Write a table of the errors of the margins, median and 99 %, with one row per way and one column per gap."""
    report = {cell: count for cell, count in counts.items() if cell[0] in STAMPED}
    gaps = sorted({gap for _, _, gap in report})
    heads = "".join(f" {gap / 1000:g} ms |" for gap in gaps)
    lines = [f"| margin off by, µs: median / 99 %; gap: |{heads}", "|---|" + "---|" * len(gaps)]
    for name, row in _rows(report, STAMPED):
        cells = [" / ".join(_us(share(row[gap].errors_us, part)) for part in (0.5, 0.99)) for gap in gaps]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def remarks(counts: Mapping[Cell, Count]) -> Iterator[str]:
    """Yield remarks: why cubes were doubtful, how many rounds were repeated, and the true gaps."""
    doubts = sum((count.doubts for count in counts.values()), Counter[str]())
    if others := {doubt: number for doubt, number in sorted(doubts.items()) if doubt != DEAD_HEAT}:
        yield ("Why Umpi was unsure: " + ", ".join(f"{doubt} {number}" for doubt, number in others.items()) + ".")
    if unsteady := sum(count.unsteady for (way, _, _), count in counts.items() if way in ONE_EACH):
        yield f"Rounds repeated because the emulator stopped: {unsteady}. Their wrong orders and lost edges count."
    true: dict[int, list[float]] = {}
    for (_, _, gap), count in counts.items():
        true.setdefault(gap, []).extend(count.gaps_us)
    spans = [f"{gap / 1000:g} ms: {_us(share(us, 0.5))} / {_us(share(us, 0.99))}" for gap, us in sorted(true.items())]
    yield "True gaps as they were pulled, in µs, median / 99 %: " + "; ".join(spans) + "."


def missed(counts: Mapping[Cell, Count], rounds: int) -> list[str]:
    """List where the aim is missed, at each gap with `rounds` rounds.

    The aim: Umpi is never wrong, reports every line whose edges arrived, and is rarely unsure. With quick sensors it
    calls at most 1 % too close at gaps of half a millisecond and more.
    """
    found = []
    cells = sorted({(busy, gap) for _, busy, gap in counts})
    guest = {cell for cell in counts if cell[0] not in HEAD_WAYS}
    wanted = [(way, busy, gap) for busy, gap in cells for way in UMPI_WAYS if guest]
    for way, busy, gap in (*wanted, *(cell for cell in counts if cell not in guest)):
        count = counts.get((way, busy, gap), Count())
        where = f"{WAYS[way]}, {busy} busy, {gap / 1000:g} ms"
        if way not in HEAD_WAYS and count.rounds < rounds:
            found.append(f"{where}: only {count.rounds} of {rounds} rounds")
        if count.wrong:
            found.append(f"{where}: wrong in {count.wrong} of {count.rounds}")
        if count.unreported:
            found.append(f"{where}: not all reported in {count.unreported} of {count.rounds}, but no edge was lost")
        if count.unsure > max(1, UNSURE * count.rounds):
            found.append(f"{where}: unsure in {count.unsure} of {count.rounds}")
        if way.endswith("100 quick") and gap >= 500 and count.close * 100 > count.rounds:
            found.append(f"{where}: {count.close} of {count.rounds} called too close")
    return found if counts else ["there are no results of any round"]


def _rows(counts: Mapping[Cell, Count], ways: Mapping[str, str]) -> Iterator[tuple[str, dict[int, Count]]]:
    for busy in sorted({busy for _, busy, _ in counts}):
        for way, name in ways.items():
            if row := {gap: count for (one, load, gap), count in counts.items() if (one, load) == (way, busy)}:
                yield f"{name}{f', {busy} busy' if busy else ''}", row


def _bold(wrong: int) -> str:
    return f"**{wrong}**" if wrong else "0"


def _us(us: float | None) -> str:
    return "–" if us is None else f"{us:.0f}" if us >= 10 else f"{us:.1f}"
