"""The parts of each build with designators, packages and quantities, as JSON for other programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hardware.wiring.model import BUILDS, Wiring
from hardware.wiring.netlist import Element, Netlist, netlist

WITH_LEGS = {"R": "axial", "D": "axial", "C": "radial", "Q": "TO-92", "U": "DIP-18", "LED": "5 mm"}
SURFACE = {"R": "0805", "D": "SOD-123", "C": "0805", "Q": "SOT-23", "U": "SOIC-18W", "LED": "5 mm"}
PLACES = {"pi": "board", "head": "gate board"}
SPARE = {"board"}  # a printed circuit board replaces the perfboard


def parts(wiring: Wiring, build: str, way: str) -> list[dict[str, Any]]:
    """Return the parts of a build that is made in a way: "wires", "perfboard" or "boards"."""
    net = netlist(wiring, build)
    fitted = netlist(wiring, "hat") if way == "boards" else net
    rows: dict[tuple[str, str, str], list[str]] = {}
    fixed = [part for board in net.boards for part in fitted.on(board)]
    for part in (*fixed, *(part for part in net.elements if part.cable)):
        loose = part.cable and wiring.part[part.part].ref != "C"
        package = "" if loose else _package(wiring, part, way)
        place = "cable" if part.cable or way == "wires" else PLACES[part.board]
        refs = rows.setdefault((part.part, package, place), [])
        if part.ref not in refs:
            refs.append(part.ref)
    listed = [
        {"part": name, "what": wiring.part[name].what, "package": package, "quantity": len(refs), "refs": refs,
         "place": place}
        for (name, package, place), refs in rows.items()
    ]  # fmt: skip
    for name, quantity in wiring.shopping(build).items():
        if not any(row["part"] == name for row in listed) and not (way == "boards" and name in SPARE):
            what = wiring.part[name].what
            row = {"part": name, "what": what, "package": "", "quantity": quantity, "refs": [], "place": ""}
            listed.append(row)
    return listed if way == "wires" else [*listed, *_plugs(net, fitted)]


def _package(wiring: Wiring, part: Element, way: str) -> str:
    ref = wiring.part[part.part].ref
    if part.part == "eeprom":
        return "SOIC-8"
    return (SURFACE if way == "boards" and not part.cable else WITH_LEGS).get(ref, "")


def _plugs(net: Netlist, fitted: Netlist) -> Iterator[dict[str, Any]]:
    """Yield the plugs on the boards, their housings and crimp contacts, and the sockets of both headers."""
    sizes: dict[tuple[str, int], list[str]] = {}
    for plug in fitted.plugs:
        if plug.board in net.boards:
            sizes.setdefault((PLACES[plug.board], len(plug.nets)), []).append(plug.ref)
    for (place, size), refs in sizes.items():
        what = f"plug JST XH, {size} contacts, upright"
        yield {"part": f"xh_{size}", "what": what, "package": f"JST XH {size}, upright", "quantity": len(refs),
               "refs": refs, "place": place}  # fmt: skip
    used: dict[int, list[str]] = {}
    for plug in net.plugs:
        used.setdefault(len(plug.nets), []).append(plug.ref)
    for size, refs in used.items():
        yield {"part": f"xhp_{size}", "what": f"housing JST XH, {size} contacts", "package": f"JST XHP-{size}",
               "quantity": len(refs), "refs": refs, "place": "cable"}  # fmt: skip
    contacts = sum(len(plug.nets) for plug in net.plugs)
    yield {"part": "xh_contact", "what": "crimp contact JST XH", "package": "JST SXH-001T", "quantity": contacts,
           "refs": [], "place": "cable"}  # fmt: skip
    sockets = {"pi": ("socket_40", "socket 2 × 20, 2.54 mm", 1), "head": ("socket_20", "socket 1 × 20, 2.54 mm", 2)}
    for board in net.boards:
        name, what, quantity = sockets[board]
        yield {"part": name, "what": what, "package": "2.54 mm", "quantity": quantity,
               "refs": ["J1" if board == "pi" else "J101"], "place": PLACES[board]}  # fmt: skip


def parts_json(wiring: Wiring) -> str:
    """Return the parts of all builds and ways as JSON."""
    ways = {"minimal": ("wires",), "table": ("perfboard", "boards"), "full": ("perfboard", "boards")}
    builds = {build: {way: parts(wiring, build, way) for way in ways[build]} for build in BUILDS}
    return json.dumps({"builds": builds}, indent=1, ensure_ascii=False) + "\n"


def save(wiring: Wiring, folder: Path) -> Path:
    """Write parts.json; return its path."""
    path = folder / "parts.json"
    path.write_text(parts_json(wiring), encoding="utf-8")
    return path
