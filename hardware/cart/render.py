"""Write the cart as CSV, and the tables of its page."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hardware.cart.cart import Row, printed, read_all, totals
from hardware.page import fill
from hardware.wiring.model import BUILDS

README = Path(__file__).with_name("README.md")


def render(folder: Path) -> list[Path]:
    """Write cart.csv into `folder`, and the tables of the page."""
    folder.mkdir(parents=True, exist_ok=True)
    cart, found = read_all()
    return [write_csv(cart, found, folder / "cart.csv"), fill(README, tables(cart, found))]


def write_csv(cart: Mapping[str, Any], found: list[Row], path: Path) -> Path:
    """Write one row for each thing to order, with the quantity of each build."""
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        head = (
            "for",
            "what",
            "maker",
            "manufacturer number",
            "number checked",
            "any that fits",
            "source 1",
            "source 2",
        )
        table.writerow([*head, *BUILDS, "about EUR each", "estimated on", "designators"])
        for row in found:
            counts = [f"{row.quantity.get(build, 0):g}" for build in BUILDS]
            refs = " ".join(sorted(row.refs, key=_by_number))
            table.writerow([row.group, row.what, row.maker, row.number, checked(row), row.fits, *row.sources, *counts,
                            f"{row.euro:.2f}", cart["date"], refs])  # fmt: skip
    return path


def checked(row: Row) -> str:
    """Say where the number of a row was found."""
    return row.checked or ("not checked" if row.number else "no number: any that fits")


def tables(cart: Mapping[str, Any], found: list[Row]) -> dict[str, str]:
    """Return the tables of the page by their marks."""
    sums = totals(cart, found)
    groups = list(dict.fromkeys(group for each in sums.values() for group in each))
    lines = [f"| about € ({cart['date']}) | {' | '.join(BUILDS)} |", f"|{'---|' * (len(BUILDS) + 1)}"]
    lines += [f"| {group} | {' | '.join(_euro(sums[build].get(group, 0)) for build in BUILDS)} |" for group in groups]
    lines.append(f"| **all** | {' | '.join(f'**{sum(sums[build].values()):.0f}**' for build in BUILDS)} |")
    needs = {build: printed(cart, build) for build in BUILDS}
    prints = ["| printing | minimal | table | full |", "|---|---|---|---|"]
    prints.append(f"| filament | {' | '.join(f'{needs[build].grams:.0f} g' for build in BUILDS)} |")
    prints.append(f"| time | {' | '.join(f'{needs[build].hours:.0f} h' for build in BUILDS)} |")
    named = [row for row in found if row.number]
    summary = (
        f"{len(named)} rows have a number, {sum(not row.checked for row in named)} of them are not checked. "
        f"{len(found) - len(named)} rows have none: any part that fits."
    )
    return {"numbers": summary} | {"totals": "\n".join(lines), "printing": "\n".join(prints)}


def _euro(euro: float) -> str:
    return f"{euro:.0f}" if euro else ""


def _by_number(ref: str) -> tuple[str, int]:
    letters = ref.rstrip("0123456789")
    return letters, int(ref[len(letters) :] or 0)
