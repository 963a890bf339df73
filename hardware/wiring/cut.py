"""What the cables of a build are cut from: pieces of wire with their colour and length, cable of four wires, leads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import ceil

from hardware.wiring.harness import NAMES, rows
from hardware.wiring.model import Wiring
from hardware.wiring.netlist import Netlist, Plug, netlist
from hardware.wiring.physical import wires

LINK_M = 0.1  # from one button or lamp to the next, where a wire goes to several
CORES = 4  # of the cable to the gate
WHOLE = {"cable4": "cable with 4 wires", "lead": "cable with 2 wires"}
THICK_MM = {"cable4": 4.0, "lead": 3.0}  # at most; the cart says so


@dataclass(frozen=True, slots=True)
class Piece:
    """A number of equal pieces: of wire with a colour, or of a cable."""

    stuff: str
    colour: str  # of a single wire, or ""
    m: float
    count: int


def pieces(wiring: Wiring, build: str, name: str) -> list[Piece]:
    """Return what one cable is cut from. Leads and ready cables are bought; bare displays take jumper wires."""
    cable, net = wiring.cable[name], netlist(wiring, build)
    plug = next(plug for plug in net.plugs if plug.cable == name)
    by_piece = cable.beside and not cable.takes
    if by_piece or build in cable.ready or (cable.ends and not wiring.build[build].boards):
        return []
    ends = _ends(net, wiring, plug)
    if cable.stuff != "wire":
        runs = ceil(len(ends) / CORES) if cable.stuff == "cable4" else 1
        return [Piece(cable.stuff, "", cable.m, runs)]
    colours = [NAMES[row.colour] for row in rows(net, wiring, plug) if row.ends]
    found: Counter[tuple[str, float]] = Counter()
    for colour, legs in zip(colours, ends, strict=True):
        found[colour, cable.m] += 1
        found[colour, LINK_M] += legs - 1
    return [Piece("wire", colour, m, count) for (colour, m), count in found.items() if count]


def words(cut: Iterable[Piece]) -> list[str]:
    """Describe pieces for a list of parts: one text for each length.

    >>> words([Piece("wire", "red", 0.2, 1), Piece("wire", "black", 0.2, 3), Piece("cable4", "", 0.6, 2)])
    ['wires of 20 cm: red, 3 × black', '2 × 60 cm of cable with 4 wires']
    """
    colours: dict[float, Counter[str]] = {}
    for piece in cut:
        if piece.stuff == "wire":
            colours.setdefault(piece.m, Counter())[piece.colour] += piece.count
    found = [
        f"wires of {m * 100:g} cm: "
        + ", ".join(f"{count} × {colour}" if count > 1 else colour for colour, count in own.items())
        for m, own in colours.items()
    ]
    whole: Counter[tuple[str, float]] = Counter()
    for piece in cut:
        if piece.stuff != "wire":
            whole[WHOLE[piece.stuff], piece.m] += piece.count
    return found + [f"{count} × {m * 100:g} cm of {what}" for (what, m), count in whole.items()]


def _ends(net: Netlist, wiring: Wiring, plug: Plug) -> list[int]:
    """Return how many legs each contact with a wire reaches."""
    own = {part.ref for part in net.at(plug)}
    reached = Counter(start for start, end in wires(net, wiring) if start[0] == plug.ref and end[0] in own)
    return [reached[plug.ref, str(at)] for at in range(1, len(plug.nets) + 1) if reached[plug.ref, str(at)]]


def metres(wiring: Wiring, build: str) -> dict[tuple[str, str], float]:
    """Add up the metres of each kind and colour that a build needs."""
    found: Counter[tuple[str, str]] = Counter()
    for piece in _all(wiring, build):
        found[piece.stuff, piece.colour] += piece.m * piece.count  # type: ignore[assignment]
    return {key: round(m, 3) for key, m in sorted(found.items())}


def _all(wiring: Wiring, build: str) -> Iterator[Piece]:
    for name, cable in wiring.cables(build).items():
        if not cable.instead:  # one display, at either plug: the longer one
            yield from pieces(wiring, build, name)
