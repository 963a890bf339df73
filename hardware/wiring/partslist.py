"""The parts of each build with designators, packages and quantities."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hardware.wiring.model import Wiring
from hardware.wiring.netlist import Element, Netlist, netlist

WITH_LEGS = {"R": "axial", "C": "radial", "LED": "5 mm"}
SURFACE = {"R": "0805", "D": "SOD-123", "C": "0805", "F": "0805", "Q": "SOT-23", "U": "SOIC-18W", "LED": "5 mm"}
PLACES = {"pi": "board", "head": "gate board"}
FITTED = "hat"  # the build whose netlist has all parts that the boards have room for


@dataclass(frozen=True, slots=True)
class Listed:
    """A part of a build: its key, its package, how many, their designators, and where they are.

    `place` is a board, "cable", or "" for what is bought and put in whole.
    """

    part: str
    what: str
    package: str
    quantity: int
    refs: tuple[str, ...]
    place: str


def fitted(wiring: Wiring, build: str) -> Netlist:
    """Return the netlist of the boards of a build: they have every part that they have room for."""
    return netlist(wiring, FITTED if wiring.build[build].boards else build)


def parts(wiring: Wiring, build: str) -> list[Listed]:
    """Return the parts of a build."""
    net, boards = netlist(wiring, build), wiring.build[build].boards
    soldered = fitted(wiring, build)
    rows: dict[tuple[str, str, str], list[str]] = {}
    fixed = [part for board in net.boards for part in soldered.on(board)]
    for part in (*fixed, *(part for part in net.elements if part.cable)):
        loose = part.cable and wiring.part[part.part].ref != "C"
        package = "" if loose else _package(wiring, part, boards)
        place = "cable" if part.cable or not boards else PLACES[part.board]
        refs = rows.setdefault((part.part, package, place), [])
        if part.ref not in refs:
            refs.append(part.ref)
    listed = [
        Listed(name, wiring.part[name].what, package, len(refs), tuple(refs), place)
        for (name, package, place), refs in rows.items()
    ]
    known = {row.part for row in listed}
    listed += [
        Listed(name, wiring.part[name].what, "", quantity, (), "")
        for name, quantity in wiring.shopping(build).items()
        if name not in known
    ]
    return [*listed, *_plugs(wiring, net, soldered)] if boards else listed


def _package(wiring: Wiring, part: Element, boards: bool) -> str:
    ref = wiring.part[part.part].ref
    if part.part == "eeprom":
        return "SOIC-8"
    return (SURFACE if boards and not part.cable else WITH_LEGS).get(ref, "")


def _plugs(wiring: Wiring, net: Netlist, soldered: Netlist) -> Iterator[Listed]:
    """Yield the plugs on the boards, their housings and crimp contacts, and the sockets of both headers."""
    sizes: dict[tuple[str, int], list[str]] = {}
    for plug in soldered.plugs:
        if plug.board in net.boards:
            sizes.setdefault((PLACES[plug.board], len(plug.nets)), []).append(plug.ref)
    for (place, size), refs in sizes.items():
        what = f"plug JST XH, {size} contacts, upright"
        yield Listed(f"xh_{size}", what, f"JST XH {size}, upright", len(refs), tuple(refs), place)
    used: dict[int, list[str]] = {}
    crimped = [plug for plug in net.plugs if net.build not in wiring.cable[plug.cable].ready]
    for plug in crimped:
        used.setdefault(len(plug.nets), []).append(plug.ref)
    for size, refs in used.items():
        what = f"housing JST XH, {size} contacts"
        yield Listed(f"xhp_{size}", what, f"JST XHP-{size}", len(refs), tuple(refs), "cable")
    contacts = sum(len(plug.nets) for plug in crimped)
    yield Listed("xh_contact", "crimp contact JST XH", "JST SXH-001T", contacts, (), "cable")
    sockets = {"pi": ("socket_40", "socket 2 × 20, 2.54 mm", 1), "head": ("socket_20", "socket 1 × 20, 2.54 mm", 2)}
    for board in net.boards:
        name, what, quantity = sockets[board]
        yield Listed(name, what, "2.54 mm", quantity, ("J1" if board == "pi" else "J101",), PLACES[board])
