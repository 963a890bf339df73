"""The layout of a perfboard: the hole of every leg, and the wires on the lower side, from the netlist."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardware.wiring.model import Board, Wiring
from hardware.wiring.netlist import HEADER_REF, Element, netlist

SOURCE = Path(__file__).with_name("perfboard.toml")
LAYOUTS = ("pi", "head", "pi-full", "head-full")

Hole = tuple[int, int]
Terminal = tuple[str, str]
Settings = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Layout:
    """A perfboard: holes of legs, and wires from hole to hole."""

    title: str
    size: Hole
    holes: Mapping[Terminal, Hole]
    wires: tuple[tuple[str, Hole, Hole], ...]  # net, from, to


def read() -> dict[str, Any]:
    """Return perfboard.toml."""
    return tomllib.loads(SOURCE.read_text(encoding="utf-8"))


def layout(wiring: Wiring, name: str, settings: Settings) -> Layout:
    """Return the holes of all legs of a board, and the shortest wires that join each net."""
    own, board = settings[name], board_of(name, settings)
    net = netlist(wiring, own["build"])
    legs = {part.ref: _legs(wiring, part) for part in net.on(board)}
    legs |= {plug.ref: [str(at) for at in range(1, len(plug.nets) + 1)] for plug in net.plugs if plug.board == board}
    holes: dict[Terminal, Hole] = {}
    for group in own["place"]:
        for number, ref in enumerate(group["refs"]):
            column, row = group["at"]
            across, down = group.get("next", (0, 0))
            start = (column + across * number, row + down * number)
            holes |= {(ref, leg): hole for leg, hole in zip(legs.get(ref, ()), _holes(group, start), strict=False)}
    ref = HEADER_REF[board]
    holes |= {(ref, str(at)): hole for at, hole in zip(range(1, 41), _header(own["header"]), strict=False)}
    wires = [
        (name, a, b)
        for name, terminals in net.nets(board).items()
        for a, b in _tree([holes[each] for each in terminals if each in holes])
    ]
    width, height = own["size"]
    return Layout(own["title"], (width, height), holes, tuple(wires))


def board_of(name: str, settings: Settings) -> Board:
    """Return the board that a layout is of."""
    return "pi" if settings[name]["board"] == "pi" else "head"


def _legs(wiring: Wiring, part: Element) -> list[str]:
    if part.part == "npn":
        return ["E", "B", "C"]  # a PN2222A from the left, its flat side towards you
    return list(wiring.part[part.part].legs)


def _holes(group: Settings, start: Hole) -> Iterator[Hole]:
    """Yield the holes of a part: in a line, or in two rows around it like the legs of an integrated circuit."""
    if "row" in group:
        yield from _rows(group["row"], start)
        return
    column, row = start
    for number in range(40):
        yield column + group["step"][0] * number, row + group["step"][1] * number


def _rows(row: list[Any], start: Hole) -> Iterator[Hole]:
    count, (across, down), (aside, above) = row
    for number in range(count):
        yield start[0] + across * number, start[1] + down * number
    for number in reversed(range(count)):
        yield start[0] + across * number + aside, start[1] + down * number + above


def _header(header: Settings) -> Iterator[Hole]:
    column, row = header["at"]
    if "row" in header:
        yield from _rows(header["row"], (column, row))
        return
    for number in range(20):
        at = (column + header["step"][0] * number, row + header["step"][1] * number)
        yield at
        yield at[0] + header["other"][0], at[1] + header["other"][1]


def _tree(holes: list[Hole]) -> Iterator[tuple[Hole, Hole]]:
    """Join holes by the shortest wires."""
    joined, left = holes[:1], holes[1:]
    while left:
        a, b = min(((a, b) for a in joined for b in left), key=lambda pair: _apart(*pair))
        yield a, b
        joined.append(b)
        left.remove(b)


def _apart(a: Hole, b: Hole) -> tuple[int, Hole, Hole]:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2, a, b


def faults(wiring: Wiring, name: str, settings: Settings) -> Iterator[str]:
    """Yield each fault of a layout: a leg without a hole, a hole with two legs, a part of another build."""
    made, board = layout(wiring, name, settings), board_of(name, settings)
    net = netlist(wiring, settings[name]["build"])
    taken: dict[Hole, Terminal] = {}
    for terminal, hole in made.holes.items():
        if other := taken.get(hole):
            yield f"{_named(terminal)} and {_named(other)} are both in hole {_hole(hole)}."
        taken[hole] = terminal
        if not (1 <= hole[0] <= made.size[0] and 1 <= hole[1] <= made.size[1]):
            yield f"{_named(terminal)}: hole {_hole(hole)} is not on the board."
    for terminals in net.nets(board).values():
        for terminal in terminals:
            if terminal not in made.holes:
                yield f"{_named(terminal)} has no hole."
    known = {part.ref for part in net.on(board)} | {plug.ref for plug in net.plugs}
    for group in settings[name]["place"]:
        yield from (f"{ref} is not in the netlist." for ref in group["refs"] if ref not in known)


def _named(terminal: Terminal) -> str:
    return f"{terminal[0]} leg {terminal[1]}"


def _hole(hole: Hole) -> str:
    return f"{hole[0]}/{hole[1]}"
