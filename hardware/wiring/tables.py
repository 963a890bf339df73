"""Tables of the pages, made from a wiring: pins, power, checks. Each is written between its marks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hardware.wiring.electrics import BOARDS, checks, pins_ma, rails
from hardware.wiring.header import call, place
from hardware.wiring.model import BUILDS, Wiring

WHOLE = {"pi": "all outputs of the Pi", "head": "all outputs of the Pico"}
RAILS = {
    "pi_3v3": "3.3 V of the Pi", "head_3v3": "3.3 V of the head", "head_5v": "5 V of the head (USB)",
    "hub": "supply of the hub", "pi_5v": "5 V of the Pi",
}  # fmt: skip
WIRES = {
    "button": "to ground, 1 kΩ (330 Ω to 1 kΩ) in series",
    "lead": "to ground, 1 kΩ (330 Ω to 1 kΩ) in series",
    "lamp-low": "through a driver from 5 V",
    "lamp-high": "through a driver from 5 V",
    "buzzer": "through a transistor",
}  # how the table of pins describes each circuit
BUS_WIRES = {"SDA": "I²C bus 1, address 0x3C", "SCL": "I²C bus 1, at most 30 cm"}
ORDER = ("seats", "lamps", "navigation", "sounder", "")


def pins(wiring: Wiring) -> Iterator[str]:
    """Write the table of pins that need no configuration."""
    yield from _head("what", "name: GPIO (header)", "wire")
    nets = [net for net in wiring.nets("table") if net.board == "pi" and net.section in ORDER]
    names = list(wiring.groups[0]["pins"])  # lamps are in the order of the seats
    nets.sort(key=lambda net: (ORDER.index(net.section), names.index(net.name) if net.section == "lamps" else 0))
    rows: dict[tuple[str, str], list[str]] = {}
    for net in nets:
        wire = BUS_WIRES.get(net.name) or WIRES[net.circuit]
        rows.setdefault((net.what, wire), []).append(f"{net.name}: {net.pin} ({place('pi', net.pin)})")
    for (what, wire), names in rows.items():
        yield _row(what, ", ".join(names), wire)


def more_pins(wiring: Wiring) -> Iterator[str]:
    """Write the table of pins that umpi.toml must name, and of the pins of the sensor head."""
    yield from _head("pin (position)", "what", "umpi.toml", "builds", "circuit")
    rows: dict[tuple[str, ...], tuple[dict[str, None], dict[str, None]]] = {}
    for build in ("full", *wiring.build):
        for net in wiring.nets(build):
            if net.board == "pi" and net.section not in ("beams", "display"):
                continue
            own = net.name == "wall" or net.name.startswith("emitter_")
            key = "" if own else f"`[{net.section}]` `{net.name}`"
            builds, circuits = rows.setdefault((call(net.board, net.pin), net.label, key), ({}, {}))
            builds[build], circuits[net.circuit] = None, None
    for row, (builds, circuits) in rows.items():
        yield _row(*row, ", ".join(build for build in wiring.build if build in builds), ", ".join(circuits))


def power(wiring: Wiring) -> Iterator[str]:
    """Write the highest current of each rail in each build, and its limit."""
    titles = [wiring.build[build].title for build in BUILDS]
    yield from _head("highest current", *titles, "limit", "source of the limit")
    loads = {build: rails(wiring, build) for build in BUILDS}
    for rail, named in RAILS.items():
        sums = [sum(loads[build][rail].values()) if rail in loads[build] else None for build in BUILDS]
        limit = wiring.limit.get(rail)
        columns = (_ma(limit.value), limit.source) if limit else ("", "see its label: at least 2 A")
        yield _row(f"**{named}**", *(f"**{_ma(ma)}**" if ma else "" for ma in sums), *columns)
        for what in dict.fromkeys(what for build in BUILDS for what in loads[build].get(rail, {})):
            yield _row(what, *(_ma(loads[build].get(rail, {}).get(what)) for build in BUILDS), "", "")
    for board in BOARDS:
        limit = wiring.limit[f"{board}_pins"]
        sums = [pins_ma(wiring, build, board) for build in BUILDS]
        each = [f"**{_ma(ma)}**" if ma else "" for ma in sums]
        yield _row(f"**{WHOLE[board]}**", *each, _ma(limit.value), limit.source)


def checked(wiring: Wiring) -> Iterator[str]:
    """Write every net and the limits of the datasheets. Nets with the same figure share a row."""
    yield from _head("net", "what", "worst case", "limit", "builds")
    rows: dict[tuple[str, ...], tuple[dict[str, None], dict[str, None]]] = {}
    for build in wiring.build:
        for check in checks(wiring, build):
            of = check.net.what if check.net else RAILS.get(check.of) or WHOLE.get(check.of, check.of)
            figure, limit = f"{check.value:.3g} {check.unit}".strip(), f"{check.limit:g} {check.unit}".strip()
            row = (of, check.what, figure, f"{check.sign} {limit}")
            names, builds = rows.setdefault(row, ({}, {}))
            names[check.of.removeprefix(of) if check.net else ""] = None
            builds[build] = None
    order = list(dict.fromkeys(of for of, *_ in rows))
    for of, *figures in sorted(rows, key=lambda row: order.index(row[0])):
        names, builds = rows[(of, *figures)]
        yield _row(of + ",".join(filter(None, names)), *figures, ", ".join(builds))


def tables(wiring: Wiring) -> dict[str, str]:
    """Return all tables by the names of their marks."""
    makers: dict[str, Callable[[Wiring], Iterator[str]]] = {
        "pins": pins, "more-pins": more_pins, "power": power, "checked": checked,
    }  # fmt: skip
    return {name: "\n".join(maker(wiring)) for name, maker in makers.items()}


def _head(*cells: str) -> Iterator[str]:
    yield _row(*cells)
    yield f"|{'---|' * len(cells)}"


def _row(*cells: object) -> str:
    return f"| {' | '.join(str(cell) for cell in cells)} |"


def _ma(ma: float | None) -> str:
    return "" if ma is None else f"{ma:.0f} mA"
