"""Put together what each build needs: electronics and wire from the wiring, the rest from cart.toml; with totals."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

from hardware.board import beam
from hardware.wiring.cut import metres
from hardware.wiring.model import BUILDS, Wiring, read_wiring
from hardware.wiring.partslist import parts

PACKAGES = ("axial", "radial", "0805")  # part of the name of what comes in several
SOURCE = Path(__file__).with_name("cart.toml")


@dataclass
class Row:
    """A thing to order: what it is, its maker and number or what fits, its shop, a price, how many for each build.

    `checked` says where its number was found, or is empty. `spare` is a share of the need, and a least number. What is
    bought by the metre has `by_metre`.
    """

    group: str
    what: str
    maker: str
    number: str
    fits: str
    shop: str  # a key of [order]
    sources: tuple[str, ...]
    euro: float
    checked: str = ""
    spare: tuple[float, int] = (0.0, 0)
    by_metre: bool = False
    refs: set[str] = field(default_factory=set)
    quantity: dict[str, float] = field(default_factory=dict)

    def order(self, build: str) -> int:
        """Return how many pieces or whole metres to order for a build: what it needs, and spares."""
        need = self.quantity.get(build, 0)
        share, least = self.spare
        return ceil(need + max(need * share, least) - 1e-9) if need else 0


@dataclass(frozen=True)
class Printed:
    """The filament of a build, its price and the time of printing."""

    grams: float
    hours: float
    euro: float


@dataclass(frozen=True)
class Order:
    """What a build orders at one shop, its sum and its postage, in euros."""

    shop: str
    title: str
    rows: tuple[Row, ...]
    euro: float
    postage: float


def read_cart(file: Path = SOURCE) -> dict[str, Any]:
    """Read cart.toml. Raises OSError or tomllib.TOMLDecodeError."""
    return tomllib.loads(file.read_text(encoding="utf-8"))


def rows(cart: Mapping[str, Any], wiring: Wiring) -> list[Row]:
    """List everything to order. Raises KeyError with a part that cart.toml does not know."""
    found: dict[tuple[str, str], Row] = {}
    for build in BUILDS:
        for part in parts(wiring, build):
            known = wiring.part.get(part.part)
            if known and known.of:
                continue  # it comes with another part
            order = _order(cart, part.part, part.package)
            what = f"{part.what}, {part.package}" if part.package in PACKAGES else part.what
            row = found.setdefault((part.part, order.get("number", "")), _row(cart, "electronics", what, order))
            row.refs.update(part.refs)
            row.quantity[build] = row.quantity.get(build, 0) + part.quantity
        for one in beam.parts() if (boards := wiring.shopping(build).get("beam_board", 0)) else ():
            order = _order(cart, beam.key_of(one), beam.package_of(one))
            row = found.setdefault(
                (beam.key_of(one), order.get("number", "")), _row(cart, "electronics", beam.words(one), order)
            )
            row.refs.add(one.ref)
            row.quantity[build] = row.quantity.get(build, 0) + boards
        for (stuff, colour), m in metres(wiring, build).items():
            order = {key: value.format(colour=colour) if key == "any" else value
                     for key, value in cart["metre"][stuff].items()}  # fmt: skip
            what = f"wire, {colour}, by the metre" if colour else f"{order['any'].partition(',')[0]}, by the metre"
            row = found.setdefault((f"{stuff} by the metre", colour), _row(cart, "electronics", what, order))
            row.by_metre = True
            row.quantity[build] = m
    return [*found.values(), *_more(cart)]


def printed(cart: Mapping[str, Any], build: str) -> Printed:
    """Add up what a printer needs for a build."""
    has, own = cart["builds"][build], cart["print"]
    grams = minutes = 0.0
    for model in own["models"].values():
        count = sum(number * has.get(thing, 0) for thing, number in model["each"].items())
        grams, minutes = grams + count * model["grams"], minutes + count * model["minutes"]
    return Printed(grams, minutes / 60, grams / 1000 * own["euro_per_kg"])


@dataclass(frozen=True)
class Assembled:
    """What a factory asks to place the small parts of the boards of a build: parts in all, and euros."""

    parts: int
    euro: float


def assembled(cart: Mapping[str, Any], wiring: Wiring, build: str) -> Assembled:
    """Estimate the assembly of all boards of a build."""
    from hardware.board.factory import by_machine  # it reads the cart
    from hardware.board.plan import plan

    bought, own = wiring.shopping(build), cart["assembly"]
    boards = {"hat": int(wiring.build[build].boards), "gate": int("pico" in bought)}
    boards["beam"] = bought.get("beam_board", 0)
    counts = {name: max(count, own["least"]) for name, count in boards.items() if count}
    parts_of = sum(count * len(list(by_machine(plan(wiring, name)))) for name, count in counts.items())
    return Assembled(parts_of, len(counts) * own["setup"] + parts_of * own["part"])


def orders(cart: Mapping[str, Any], found: list[Row], build: str) -> list[Order]:
    """Return what a build orders at each shop."""
    made = []
    for shop, own in cart["order"].items():
        wanted = tuple(row for row in found if row.shop == shop and row.order(build))
        euro = sum(row.euro * row.order(build) for row in wanted)
        postage = 0.0 if euro >= own.get("free", float("inf")) else float(own["postage"])
        if wanted:
            made.append(Order(shop, own["title"], wanted, euro, postage))
    return made


def totals(cart: Mapping[str, Any], found: list[Row]) -> dict[str, dict[str, float]]:
    """Add up the estimates of each build by group, with spares, postage and filament."""
    sums: dict[str, dict[str, float]] = {}
    for build in BUILDS:
        groups: dict[str, float] = {}
        for row in found:
            groups[row.group] = groups.get(row.group, 0.0) + row.euro * row.quantity.get(build, 0)
        placed = orders(cart, found, build)
        sums[build] = groups | {
            "filament": printed(cart, build).euro,
            "spares": sum(order.euro for order in placed) - sum(groups.values()),
            "postage": sum(order.postage for order in placed),
        }
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
    for key in ("number", "any"):
        if key in order:
            order[key] = order[key].format(value=_yageo(value), size=value, ohm=_ohm(value))
    return order


def _yageo(value: str) -> str:
    return value.upper() if "k" in value or "m" in value else f"{value}R"


def _ohm(value: str) -> str:
    return f"{value[:-1]} kΩ" if value.endswith("k") else f"{value} Ω"


def _row(cart: Mapping[str, Any], group: str, what: str, order: Mapping[str, Any]) -> Row:
    words = quote_plus(order.get("words") or order.get("number") or order.get("any", what).partition(",")[0])
    kind = order.get("kind", "hardware")
    sources = tuple(cart["shops"][shop].format(words=words) for shop in cart["kinds"][kind])
    shop = next(name for name, own in cart["order"].items() if kind in own["kinds"])
    fits = order.get("any") or ("" if order.get("number") else what)
    share, least = next((rule for name, rule in cart["spares"].items() if what.startswith(name)), (0.0, 0))
    return Row(
        group, what, order.get("maker", ""), order.get("number", ""), fits, shop, sources, order["euro"],
        order.get("checked", ""), (share, least),
    )  # fmt: skip


def _more(cart: Mapping[str, Any]) -> Iterator[Row]:
    for entry in cart["more"]:
        row = _row(cart, entry["group"], entry["what"], entry)
        for build in BUILDS:
            has = cart["builds"][build]
            row.quantity[build] = sum(number * has.get(thing, 0) for thing, number in entry["each"].items())
        yield row


def read_all() -> tuple[dict[str, Any], list[Row]]:
    """Read cart and wiring; return the cart and its rows."""
    cart = read_cart()
    return cart, rows(cart, read_wiring())
