"""Write the cart as CSV, the order of each build at each shop, and the tables of its page and of the page above."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from hardware.beam import reach
from hardware.cart.cart import PACKAGES, Order, Row, assembled, orders, printed, read_all, totals
from hardware.case import cables
from hardware.case.numbers import read_case
from hardware.gate.numbers import read_numbers
from hardware.page import fill
from hardware.wiring import rules
from hardware.wiring.model import BUILDS, Wiring, read_wiring

README = Path(__file__).with_name("README.md")
ABOVE = README.parents[1] / "README.md"
OTHERS = ("pins", "power")  # tables of the page above that the wiring makes
HEAD = (
    "for",
    "what",
    "maker",
    "manufacturer number",
    "number checked",
    "any that fits",
    "shop",
    "source 1",
    "source 2",
)


def refuse_faults(wiring: Wiring) -> None:
    """Raise BadSpec with the faults of a wiring, or of its cables in the case and at the gate."""
    rules.refuse_faults(wiring)
    cables.refuse_faults(read_case(), wiring)
    reach.refuse_faults(read_numbers(), wiring)


def render(folder: Path) -> list[Path]:
    """Write the files into `folder`, and the tables of the pages. Raises BadSpec for a faulty wiring."""
    refuse_faults(read_wiring())
    folder.mkdir(parents=True, exist_ok=True)
    cart, found = read_all()
    for old in folder.glob("order-*.csv"):
        old.unlink()
    made = [write_csv(cart, found, folder / "cart.csv"), *write_orders(cart, found, folder)]
    return [*made, fill(README, tables(cart, found)), fill(ABOVE, tables_above(cart, found, read_wiring()), OTHERS)]


def write_csv(cart: Mapping[str, Any], found: list[Row], path: Path) -> Path:
    """Write one row for each thing, with what each build needs and what to order for it."""
    counts = [f"{build}{what}" for build in BUILDS for what in (", needed", ", to order")]
    lines = [(*HEAD, *counts, "unit", "about EUR each", "estimated on", "designators")]
    for row in found:
        numbers = [
            number for build in BUILDS for number in (f"{row.quantity.get(build, 0):g}", str(row.order(build)))
        ]  # fmt: skip
        refs = " ".join(sorted(row.refs, key=_by_number))
        one, two = row.sources or ("", "")
        lines.append((
            row.group, row.what, row.maker, row.number, checked(row), row.fits, cart["order"][row.shop]["title"],
            one, two, *numbers, _unit(row), f"{row.euro:.2f}", cart["date"], refs,
        ))  # fmt: skip
    return _write(lines, path)


def write_orders(cart: Mapping[str, Any], found: list[Row], folder: Path) -> Iterator[Path]:
    """Write a file for each build and shop: number, quantity with spares, and what fits."""
    for build in BUILDS:
        for order in orders(cart, found, build):
            lines: list[tuple[str, ...]] = [
                ("manufacturer number", "quantity", "unit", "what", "maker", "any that fits", "about EUR each")
            ]
            lines += [(row.number, str(row.order(build)), _unit(row), row.what, row.maker, row.fits, f"{row.euro:.2f}")
                      for row in order.rows]  # fmt: skip
            yield _write(lines, folder / f"order-{build}-{order.shop}.csv")


def _write(lines: Iterable[Iterable[str]], path: Path) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(lines)
    return path


def _unit(row: Row) -> str:
    return "m" if row.by_metre else "piece"


def checked(row: Row) -> str:
    """Say where the number of a row was found."""
    return row.checked or ("not checked" if row.number else "no number: any that fits")


def tables(cart: Mapping[str, Any], found: list[Row]) -> dict[str, str]:
    """Return the tables of the page by their marks."""
    needs = {build: printed(cart, build) for build in BUILDS}
    prints = [_line("printing", *BUILDS), "|---|---|---|---|"]
    prints.append(_line("filament", *(f"{needs[build].grams:.0f} g" for build in BUILDS)))
    prints.append(_line("time", *(f"{needs[build].hours:.0f} h" for build in BUILDS)))
    named = [row for row in found if row.number]
    summary = (
        f"{len(named)} rows have a number, {sum(not row.checked for row in named)} of them are not checked. "
        f"{len(found) - len(named)} rows have none: any part that fits."
    )
    return {
        "numbers": summary, "totals": "\n".join(_totals(cart, found)), "printing": "\n".join(prints),
        "orders": "\n".join(_orders(cart, found)), "assembly": "\n".join(_assembly(cart)),
    }  # fmt: skip


def _totals(cart: Mapping[str, Any], found: list[Row]) -> Iterator[str]:
    sums = totals(cart, found)
    groups = list(dict.fromkeys(group for each in sums.values() for group in each))
    yield _line(f"about € ({cart['date']})", *BUILDS)
    yield f"|{'---|' * (len(BUILDS) + 1)}"
    for group in groups:
        yield _line(group, *(_euro(sums[build].get(group, 0)) for build in BUILDS))
    yield _line("**all**", *(f"**{sum(sums[build].values()):.0f}**" for build in BUILDS))


def _orders(cart: Mapping[str, Any], found: list[Row]) -> Iterator[str]:
    """Write the file of each shop for each build, with its sum and postage."""
    placed = {build: {order.shop: order for order in orders(cart, found, build)} for build in BUILDS}
    yield _line("order at", *BUILDS)
    yield f"|{'---|' * (len(BUILDS) + 1)}"
    for shop, own in cart["order"].items():
        cells = [_placed(build, placed[build].get(shop)) for build in BUILDS]
        yield _line(own["title"], *cells)


def _assembly(cart: Mapping[str, Any]) -> Iterator[str]:
    """Write what it costs if the factory places the small parts."""
    wiring = read_wiring()
    made = {build: assembled(cart, wiring, build) for build in BUILDS}
    yield _line("assembly by the factory", *BUILDS)
    yield f"|{'---|' * (len(BUILDS) + 1)}"
    yield _line("parts that a machine places", *(made[build].parts or "" for build in BUILDS))
    yield _line("about € more", *(_euro(made[build].euro) for build in BUILDS))


def _placed(build: str, order: Order | None) -> str:
    if not order:
        return ""
    name = f"order-{build}-{order.shop}.csv"
    postage = f" + {order.postage:.0f}" if order.postage else ""
    return f"[{len(order.rows)} rows](out/{name}), {order.euro:.0f}{postage} €"


def tables_above(cart: Mapping[str, Any], found: list[Row], wiring: Wiring) -> dict[str, str]:
    """Return the table of parts of the page above: the electronics, what matters of each, and the totals."""
    lines = [_line("part", *BUILDS, "what matters", "instead", "about € each"), f"|{'---|' * 7}"]
    for part in wiring.part.values():
        for row in found:
            if row.what == part.what or row.what in (f"{part.what}, {package}" for package in PACKAGES):
                counts = (f"{row.quantity[build]:g}" if row.quantity.get(build) else "" for build in BUILDS)
                lines.append(_line(row.what, *counts, part.choose, part.instead, _price(row.euro)))
    sums = totals(cart, found)
    for title, groups in {
        "**all electronics, with plugs, wire and boards, about €**": ("electronics",),
        "**case, gate, wall and filament, about €**": ("case", "gate", "wall", "filament"),
        "**spares and postage, about €**": ("spares", "postage"),
        "**all, about €**": tuple(sums["full"]),
    }.items():
        each = (sum(sums[build].get(group, 0) for group in groups) for build in BUILDS)
        lines.append(_line(title, *(f"**{euro:.0f}**" for euro in each), "", "", ""))
    return {"parts": "\n".join(lines)}


def _line(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def _price(euro: float) -> str:
    return f"{euro:.0f}" if euro == int(euro) else f"{euro:.2f}"


def _euro(euro: float) -> str:
    return f"{euro:.0f}" if euro else ""


def _by_number(ref: str) -> tuple[str, int]:
    letters = ref.rstrip("0123456789")
    return letters, int(ref[len(letters) :] or 0)
