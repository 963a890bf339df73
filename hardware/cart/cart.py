"""Put together what each build needs: electronics from the wiring, the rest from cart.toml; with numbers and totals."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

from hardware.wiring.model import BUILDS, Wiring, read_wiring
from hardware.wiring.partslist import parts

SOURCE = Path(__file__).with_name("cart.toml")


@dataclass
class Row:
    """A thing to order: what it is, its maker and number or what fits, two addresses, a price, how many for each build.

    `checked` says where its number was found, or is empty.
    """

    group: str
    what: str
    maker: str
    number: str
    fits: str
    sources: tuple[str, str]
    euro: float
    checked: str = ""
    refs: set[str] = field(default_factory=set)
    quantity: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Printed:
    """The filament of a build, its price and the time of printing."""

    grams: float
    hours: float
    euro: float


def read_cart(file: Path = SOURCE) -> dict[str, Any]:
    """Read cart.toml. Raises OSError or tomllib.TOMLDecodeError."""
    return tomllib.loads(file.read_text(encoding="utf-8"))


def rows(cart: Mapping[str, Any], wiring: Wiring) -> list[Row]:
    """List everything to order. Raises KeyError with a part that cart.toml does not know."""
    found: dict[tuple[str, str], Row] = {}
    for build in BUILDS:
        for part in parts(wiring, build):
            name, package = part.part, part.package
            known = wiring.part.get(name)
            if known and known.of:
                continue  # it comes with another part
            order = _order(cart, name, package)
            key = (name, order.get("number", ""))
            if key not in found:
                euro = order.get("euro", known.euro if known else 0.0)
                what = f"{part.what}, {package}" if package in ("axial", "radial", "0805") else part.what
                found[key] = _row(cart, "electronics", what, order, euro)
            row = found[key]
            row.refs.update(part.refs)
            row.quantity[build] = row.quantity.get(build, 0) + part.quantity
    return [*found.values(), *_more(cart)]


def printed(cart: Mapping[str, Any], build: str) -> Printed:
    """Add up what a printer needs for a build."""
    has, own = cart["builds"][build], cart["print"]
    grams = minutes = 0.0
    for model in own["models"].values():
        count = sum(number * has.get(thing, 0) for thing, number in model["each"].items())
        grams, minutes = grams + count * model["grams"], minutes + count * model["minutes"]
    return Printed(grams, minutes / 60, grams / 1000 * own["euro_per_kg"])


def totals(cart: Mapping[str, Any], found: list[Row]) -> dict[str, dict[str, float]]:
    """Add up the estimates of each build, by group."""
    sums: dict[str, dict[str, float]] = {}
    for build in BUILDS:
        groups: dict[str, float] = {}
        for row in found:
            groups[row.group] = groups.get(row.group, 0.0) + row.euro * row.quantity.get(build, 0)
        sums[build] = groups | {"filament": printed(cart, build).euro}
    return sums


def _order(cart: Mapping[str, Any], name: str, package: str) -> dict[str, Any]:
    known = cart["part"].get(f"{name}/{package}") or cart["part"].get(name)
    if known:
        return dict(known)
    kind, _, value = name.partition("_")
    family = f"resistor_{package or 'axial'}" if kind == "r" else kind
    if family not in cart["family"]:
        raise KeyError(f"cart.toml: {name} in package {package!r}: name what to order.")
    order = dict(cart["family"][family])
    order["number"] = order["number"].format(value=_yageo(value), size=value)
    return order


def _yageo(value: str) -> str:
    return value.upper() if value[-1] in "km" or "k" in value else f"{value}R"


def _row(cart: Mapping[str, Any], group: str, what: str, order: Mapping[str, Any], euro: float) -> Row:
    words = quote_plus(order.get("words") or order.get("number") or order.get("any", what).partition(",")[0])
    one, other = (cart["shops"][shop].format(words=words) for shop in cart["kinds"][order.get("kind", "hardware")])
    fits = order.get("any") or ("" if order.get("number") else what)
    return Row(
        group, what, order.get("maker", ""), order.get("number", ""), fits, (one, other), euro, order.get("checked", "")
    )


def _more(cart: Mapping[str, Any]) -> Iterator[Row]:
    for entry in cart["more"]:
        row = _row(cart, entry["group"], entry["what"], entry, entry["euro"])
        for build in BUILDS:
            has = cart["builds"][build]
            row.quantity[build] = sum(number * has.get(thing, 0) for thing, number in entry["each"].items())
        yield row


def read_all() -> tuple[dict[str, Any], list[Row]]:
    """Read cart and wiring; return the cart and its rows."""
    cart = read_cart()
    return cart, rows(cart, read_wiring())
