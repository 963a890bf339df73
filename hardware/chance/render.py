"""Write the tables of the page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hardware.chance.numbers import Numbers, Range, load
from hardware.chance.sums import chance
from hardware.page import fill
from hardware.wiring.model import read_wiring

PAGE = Path(__file__).with_name("README.md")


def tables(numbers: Numbers) -> dict[str, str]:
    """Return all tables by the names of their marks."""
    wiring = read_wiring()
    found = [chance(numbers, wiring, row) for row in numbers.row]
    names = [each.row.name for each in found]
    builds = [
        (each.row.name, _range(each.tested), _range(each.at_once), _range(each.design), each.row.before)
        for each in found
    ]
    work = [
        (kind.what, *(str(each.work[name]) for each in found), f"{kind.rate[0]:g} to {kind.rate[2]:g}",
         f"{kind.rate[1]:g}", f"{kind.caught:.0%}", kind.source)
        for name, kind in numbers.work.items()
    ]  # fmt: skip
    design = [(each.what, _range(each.good), each.source) for each in numbers.design.values()]
    return {
        "builds": _table(
            ("build", "works, after the guide’s tests", "nothing to repair", "of it: the design", "said before"), builds
        ),
        "work": _table(("kind of work", *names, "goes wrong, each", "usually", "found by a test", "source"), work),
        "design": _table(("design", "has no fault", "source"), design),
    }


def _range(values: Range) -> str:
    low, usual, high = (f"{100 * value:.0f}" for value in values)
    return f"**{usual} %** ({low} to {high})"


def _table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [heads, ("---",) * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def render(folder: Path) -> list[Path]:
    """Write the tables into the page; it needs no folder."""
    return [fill(PAGE, tables(load()))]
